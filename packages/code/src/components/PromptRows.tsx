import { Text } from "ink";
import type { Atom, Row } from "../input/layout.ts";
import { useTheme, type ToneStyle } from "../theme.ts";

/** The visible rows of the text. They were fitted before; the terminal wraps nothing. */
export function PromptRows({ rows, placeholder }: { rows: readonly Row[]; placeholder: string | undefined }) {
  const theme = useTheme();
  if (placeholder !== undefined) {
    return (
      <Text wrap="truncate" {...theme.dim}>
        {placeholder}
      </Text>
    );
  }
  const looks: Record<Atom["look"], ToneStyle> = { text: {}, sign: theme.warning, fold: theme.accent };
  return rows.map((row) => (
    // An empty Text has no height, and an empty row is meant.
    <Text key={row.start} wrap="truncate">
      {row.atoms.length === 0
        ? " "
        : runsOf(row.atoms).map(({ look, shown, start }) => (
            <Text key={start} {...looks[look]}>
              {shown}
            </Text>
          ))}
    </Text>
  ));
}

/** Neighbours of one look together: a Text for every letter would be slow. */
function runsOf(atoms: readonly Atom[]): Pick<Atom, "look" | "shown" | "start">[] {
  const runs: { look: Atom["look"]; shown: string; start: number }[] = [];
  for (const { look, shown, start } of atoms) {
    const last = runs.at(-1);
    if (last?.look === look) last.shown += shown;
    else runs.push({ look, shown, start });
  }
  return runs;
}
