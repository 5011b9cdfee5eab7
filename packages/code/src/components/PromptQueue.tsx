import { Text } from "ink";
import { useTheme } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";

const SHOWN = 3;

/** What was typed while the agent works and waits for its turn. */
export function PromptQueue({ queued, width }: { queued: readonly string[]; width: number }) {
  const theme = useTheme();
  if (queued.length === 0) return null;
  const more = queued.length - SHOWN;
  return (
    <>
      {queued.slice(0, SHOWN).map((text, index) => (
        <Text key={index} wrap="truncate" {...theme.dim}>
          {`  waiting: ${beginning(text, width)}`}
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
