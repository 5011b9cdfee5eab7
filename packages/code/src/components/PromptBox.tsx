import { Box, Text, useBoxMetrics, useCursor, measureElement, type DOMElement } from "ink";
import { useEffect, useMemo, useRef } from "react";
import { layout } from "../input/layout.ts";
import { promptKind, type PromptKind } from "../input/promptKind.ts";
import { usePrompt, type PromptWiring } from "../input/usePrompt.ts";
import { usePlain, useTheme, type Theme, type Tone } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";
import { PromptCompletions } from "./PromptCompletions.tsx";
import { PromptHints } from "./PromptHints.tsx";
import { PromptQueue } from "./PromptQueue.tsx";
import { PromptRows } from "./PromptRows.tsx";

export interface PromptBoxProps extends PromptWiring {
  /** Nothing covers it: it has the cursor. */
  isActive: boolean;
  /** Columns of the whole box. */
  width: number;
  /** Messages typed while the agent works, which it gets later. */
  queued: readonly string[];
  /** Of those, the ones that it gets as soon as it listens. */
  telling?: readonly string[];
  placeholder?: string;
  /** While a question covers it, one line about what is in it. */
  shows?: "all" | "draft";
  /** Rows of text that are shown at most. */
  maxRows?: number;
}

/** What stands before the text: sign and colour say what Enter will do. */
const MARKS: Readonly<Record<PromptKind, { sign: string; tone: Tone }>> = {
  prompt: { sign: "> ", tone: "accent" },
  shell: { sign: "$ ", tone: "warning" },
  note: { sign: "+ ", tone: "added" },
};
/** Border and padding on both sides. */
const FRAME_COLUMNS = 4;
const MARK_COLUMNS = 2;
const MAX_ROWS = 10;

/** Where a person writes to the agent. */
export function PromptBox({
  width,
  queued,
  telling,
  placeholder,
  maxRows,
  isActive,
  shows = "all",
  ...wiring
}: PromptBoxProps) {
  const theme = useTheme();
  const plain = usePlain();
  const columns = Math.max(5, width - (plain ? 0 : FRAME_COLUMNS) - MARK_COLUMNS);
  const { state, files } = usePrompt(wiring, columns);
  const { editor, menu } = state;
  // Kept while an answer streams in above: nothing of it depends on that.
  const shown = useMemo(
    () => layout({ ...editor, width: columns }, Math.min(MAX_ROWS, maxRows ?? MAX_ROWS)),
    [editor, columns, maxRows],
  );
  const textBox = useTerminalCursor(isActive, shown.cursor);
  const kind = promptKind(editor.text);
  const mark = MARKS[kind];

  return (
    <Box flexDirection="column" width={width}>
      {shows === "draft" && <DraftLine text={editor.text} width={width} />}
      {/* Not taken away: what measures it would have to begin anew. */}
      <Box display={shows === "all" ? "flex" : "none"} flexDirection="column" width={width}>
        <PromptQueue queued={queued} telling={telling ?? []} width={width} />
        <Box width={width} {...(plain ? {} : frameLook(isActive ? kind : "prompt", theme))}>
          <Text {...theme[mark.tone]}>{mark.sign}</Text>
          <Box flexDirection="column" flexGrow={1}>
            {shown.hiddenAbove > 0 && <Text dimColor>{`↑ ${rows(shown.hiddenAbove)} above`}</Text>}
            <Box ref={textBox} flexDirection="column">
              <PromptRows rows={shown.rows} placeholder={editor.text === "" ? placeholder : undefined} />
            </Box>
            {shown.hiddenBelow > 0 && <Text dimColor>{`↓ ${rows(shown.hiddenBelow)} below`}</Text>}
          </Box>
        </Box>
        <PromptCompletions menu={menu} files={files} width={width} />
        <PromptHints
          kind={kind}
          width={width}
          menu={menu}
          hasFolds={editor.folds.length > 0}
          isBack={state.isBack}
          cancelled={state.cancelled}
          waiting={editor.text === "" ? (wiring.waiting ?? "nothing") : "nothing"}
        />
      </Box>
    </Box>
  );
}

function DraftLine({ text, width }: { text: string; width: number }) {
  const theme = useTheme();
  if (text.trim() === "") return null;
  // A draft may be as long as a file; no more of it than can be seen is looked at.
  return (
    <Text {...theme.dim} wrap="truncate-end">
      {`draft kept: ${printableLine(text.slice(0, width))}${text.length > width ? "…" : ""}`}
    </Text>
  );
}

const rows = (count: number) => (count === 1 ? "1 more row" : `${count.toLocaleString("en-US")} more rows`);

function frameLook(kind: PromptKind, theme: Theme) {
  const { color } = theme[MARKS[kind].tone];
  const border = kind === "prompt" || color === undefined ? { borderDimColor: true } : { borderColor: color };
  return { borderStyle: "round", paddingX: 1, ...border } as const;
}

/**
 * Puts the terminal's own cursor on the insertion point: an input method draws what is being composed there, and
 * screen readers follow it. Gives back the ref for the box that holds the text.
 */
function useTerminalCursor(isActive: boolean, place: { row: number; column: number }) {
  const textBox = useRef<DOMElement>(null);
  const root = useRef<DOMElement>(null);
  const { setCursorPosition } = useCursor();
  useEffect(() => {
    root.current = rootOf(textBox.current);
  });
  // Both are watched only to draw again when the box has moved: by what stands beside it, or by what grew above.
  const { hasMeasured } = useBoxMetrics(textBox);
  useBoxMetrics(root);
  const origin = hasMeasured && textBox.current !== null ? measureElement(textBox.current) : undefined;
  setCursorPosition(
    isActive && origin !== undefined ? { x: origin.x + place.column, y: origin.y + place.row } : undefined,
  );
  return textBox;
}

function rootOf(node: DOMElement | null): DOMElement | null {
  let top = node;
  while (top?.parentNode) top = top.parentNode;
  return top;
}
