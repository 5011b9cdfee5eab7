/**
 * The words a shell command begins with, as far as they can be known without running it: `undefined` from the first word
 * on that only a shell can tell. `variables` are those whose value is certain.
 */
export function leadingWords(
  command: string,
  variables: Readonly<Record<string, string>>,
): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  let rest = command.trimStart();
  while (rest !== "" && words.length < 3) {
    const source = WORD.exec(rest)?.[0];
    if (source === undefined || source === "") break;
    rest = rest.slice(source.length).replace(/^[ \t]+/, "");
    if (words.length === 0 && ASSIGNMENT.test(source)) continue;
    const word = valueOf(source, variables);
    words.push(word);
    if (word === undefined) break;
  }
  return words;
}

const WORD = /^(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\;&|<>()])+/s;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const NEEDS_A_SHELL = /[`*?[\]{}$!#]|^~/;

function valueOf(source: string, variables: Readonly<Record<string, string>>): string | undefined {
  const parts = source.match(/"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^"'\\]+/gs) ?? [];
  let value = "";
  for (const [index, part] of parts.entries()) {
    if (part.startsWith("'")) {
      value += part.slice(1, -1);
      continue;
    }
    if (part.startsWith("\\")) {
      value += part.slice(1);
      continue;
    }
    const isQuoted = part.startsWith('"');
    const text = isQuoted
      ? part.slice(1, -1).replaceAll(/\\(["\\$`])/g, "$1")
      : withHome(part, index, variables);
    // Values are set aside while looking for what only a shell knows: a folder may well be called `[x]`.
    const unknown = text.replaceAll(VARIABLE, (whole, name: string) =>
      variables[name] === undefined ? whole : "",
    );
    if (isQuoted ? /[`$]/.test(unknown) : NEEDS_A_SHELL.test(unknown)) return undefined;
    value += text.replaceAll(VARIABLE, (_, name: string) => variables[name] ?? "");
  }
  return value;
}

const VARIABLE = /\$\{?(\w+)\}?/g;

function withHome(part: string, index: number, variables: Readonly<Record<string, string>>): string {
  const home = variables["HOME"];
  return index === 0 && home !== undefined && /^~(\/|$)/.test(part) ? `$HOME${part.slice(1)}` : part;
}
