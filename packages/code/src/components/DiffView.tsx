import { useMemo, type ReactNode } from "react";
import { boundLines } from "../view/bound.ts";
import { diffOfEdit } from "../view/diff.ts";
import { diffLines } from "../view/diffLines.ts";
import type { FileEdit } from "../view/fileEdits.ts";
import { Lines } from "./Lines.tsx";

/** What an edit does. With `before`, the text of the file, the change is whole and its line numbers are the file's. */
export function DiffView(props: {
  edit: FileEdit;
  width: number;
  maxLines: number;
  before?: string | undefined;
}): ReactNode {
  const { edit, width, maxLines, before } = props;
  const lines = useMemo(
    () => diffLines(diffOfEdit(edit, before === undefined ? {} : { before }), width),
    [edit, width, before],
  );
  return <Lines lines={boundLines(lines, maxLines)} />;
}
