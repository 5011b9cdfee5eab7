import { useMemo, type ReactNode } from "react";
import { tailLines } from "../view/bound.ts";
import { renderMarkdown } from "../view/markdown.ts";
import { useHighlight } from "./CodeBlock.tsx";
import { Lines } from "./Lines.tsx";

/** `maxRows`: only the end is drawn; what is live must not be taller than the screen. */
export function Markdown(props: {
  text: string;
  width: number;
  streaming?: boolean | undefined;
  maxRows?: number | undefined;
}): ReactNode {
  const { text, width, streaming, maxRows } = props;
  const highlight = useHighlight();
  const lines = useMemo(
    () => renderMarkdown(text, { width, streaming, highlight }),
    [text, width, streaming, highlight],
  );
  return <Lines lines={maxRows === undefined ? lines : tailLines(lines, maxRows)} />;
}
