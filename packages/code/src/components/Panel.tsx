import { Box } from "ink";
import type { ReactNode } from "react";
import { footLines, headLine, plainHead, type PanelKey } from "../panels/frame.ts";
import type { Came } from "../keyboard/guard.ts";
import { HINTS } from "../keyboard/covers.ts";
import { useListening } from "../keyboard/Keyboard.tsx";
import { say } from "../panels/lines.ts";
import { usePlain } from "../theme.ts";
import { Lines } from "./Lines.tsx";

export interface PanelProps {
  came?: Came;
  /** Of `usePanel`: whether it listens is about that. */
  asks: string;
  title: string;
  /** At the right of the title. */
  summary?: string;
  keys: readonly PanelKey[];
  columns: number;
  children: ReactNode;
}

/** What covers the chat: a rule with the title, the content, the keys. */
export function Panel({ came = "opened", asks, title, summary = "", keys, columns, children }: PanelProps) {
  const head = usePlain() ? plainHead : headLine;
  return (
    <Box flexDirection="column" width={columns}>
      <Lines lines={[head(title, summary, columns)]} />
      {children}
      <Box marginTop={1}>
        <Foot {...{ came, asks, keys, columns }} />
      </Box>
    </Box>
  );
}

/** The keys of what covers the prompt. They are dim until it listens, and where somebody types, it says where that goes instead. */
export function Foot(
  props: Required<Pick<PanelProps, "came">> & Pick<PanelProps, "asks" | "keys" | "columns">,
) {
  const { came, keys, columns } = props;
  const { listens, says } = useListening(props.asks);
  const lines = footLines(keys, columns);
  if (listens) return <Lines lines={lines} />;
  const hint = says ?? (came === "by-itself" ? "typing-goes" : undefined);
  if (hint === undefined)
    return <Lines lines={lines.map((line) => line.map(({ text }) => say("dim", text)))} />;
  // As many lines as the keys take: nothing moves when they come.
  return <Lines lines={[[say("dim", HINTS[hint])], ...lines.slice(1).map(() => [])]} />;
}
