/** A piece of a command's text: words for the model, or a command line to run before it reads them. */
export type CommandPart = { say: string } | { run: string };

/**
 * The text of a command with what was typed behind its name: `$ARGUMENTS` is all of it, `$1` to `$9` its words (in quotes they may
 * have blanks). Where the text has no place for it, it follows at the end. What stands in !`…` is a command line.
 */
export function commandParts(body: string, typed: string): CommandPart[] {
  const words = wordsOf(typed);
  const fill = (text: string) =>
    text.replace(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_whole, at?: string) =>
      at === undefined ? typed : (words[Number(at) - 1] ?? ""),
    );
  const hasPlace = /\$(?:ARGUMENTS\b|[1-9](?!\d))/.test(body);
  const whole = hasPlace || typed === "" ? body : `${body}\n\n${typed}`;
  return whole
    .split(/(!`[^`\n]+`)/)
    .filter((piece) => piece !== "")
    .map((piece) => {
      const line = /^!`([^`\n]+)`$/.exec(piece)?.[1];
      return line === undefined ? { say: fill(piece) } : { run: fill(line).trim() };
    });
}

/** In quotes a word may have blanks. */
export const wordsOf = (typed: string) =>
  [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
