import type { ReactNode } from "react";
import type { Notice } from "../view/notice.ts";
import { noticeLines } from "../view/noticeLines.ts";
import { Lines } from "./Lines.tsx";

export function NoticeLine(props: { notice: Notice; width: number }): ReactNode {
  return <Lines lines={noticeLines(props.notice, { width: props.width, open: false })} />;
}
