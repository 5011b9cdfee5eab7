import { Text } from "ink";
import { useTheme } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";

const SHOWN = 3;

interface PromptQueueProps {
  /** Waits for the turn to end. */
  queued: readonly string[];
  /** Waits for the model to listen. */
  telling: readonly string[];
  width: number;
}

/** What was typed while the agent works, and when it gets it. */
export function PromptQueue({ queued, telling, width }: PromptQueueProps) {
  const theme = useTheme();
  const rows = [
    ...telling.map((text) => ({ when: "telling it", text })),
    ...queued.map((text) => ({ when: "waiting", text })),
  ];
  const more = rows.length - SHOWN;
  return (
    <>
      {rows.slice(0, SHOWN).map(({ when, text }, index) => (
        <Text key={index} wrap="truncate" {...theme.dim}>
          {`  ${when}: ${beginning(text, width)}`}
        </Text>
      ))}
      {more > 0 && <Text {...theme.dim}>{`  and ${more} more`}</Text>}
    </>
  );
}

/** A queued paste can have a megabyte; only what can be seen is worth preparing. */
function beginning(text: string, width: number): string {
  return text.length > width ? `${printableLine(text.slice(0, width))}…` : printableLine(text);
}
