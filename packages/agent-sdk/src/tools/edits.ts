import { lineEnding, withLineEnding } from "./textFiles.ts";

export interface TextEdit {
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

export type Edited = { text: string; replacements: number } | { problem: string };

/** All edits, each on the result of the one before; the first that does not fit fails them all. */
export function applyEdits(text: string, edits: readonly TextEdit[]): Edited {
  let now = text;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const edited = applyEdit(now, edit);
    if ("problem" in edited) {
      const which = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}: `;
      return { problem: which + edited.problem };
    }
    now = edited.text;
    replacements += edited.replacements;
  }
  return { text: now, replacements };
}

function applyEdit(text: string, edit: TextEdit): Edited {
  const wanted = edit.old_string.replaceAll("\r\n", "\n");
  if (edit.old_string === edit.new_string) {
    return { problem: "old_string and new_string are the same, so there is nothing to change." };
  }
  const { plain, returns } = withoutReturns(text);
  // Places that overlap ("aa" in "aaa") are several to choose from, but only one of them can be replaced.
  const found = occurrences(plain, wanted, edit.replace_all ? wanted.length : 1);
  if (found.length === 0) {
    return {
      problem:
        "old_string does not occur in the file. It must match exactly, with all spaces and line breaks.",
    };
  }
  if (found.length > 1 && !edit.replace_all) {
    return {
      problem: `old_string occurs ${found.length} times. Add lines around it to make it unique, or set replace_all.`,
    };
  }
  const replacement = withLineEnding(edit.new_string, lineEnding(text));
  let result = "";
  let from = 0;
  for (const at of found) {
    result += text.slice(from, offsetWithReturns(at, returns)) + replacement;
    from = offsetWithReturns(at + wanted.length, returns);
  }
  return { text: result + text.slice(from), replacements: found.length };
}

/**
 * A model sees lines without their carriage returns and writes none. So it is searched without them, and replaced in the
 * text that has them: the line ends of all other lines stay as they are, also in a file that mixes both kinds.
 */
function withoutReturns(text: string): { plain: string; returns: number[] } {
  const returns: number[] = [];
  const plain = text.replaceAll("\r\n", (_match, offset: number) => {
    returns.push(offset - returns.length);
    return "\n";
  });
  return { plain, returns };
}

function offsetWithReturns(offset: number, returns: readonly number[]): number {
  // Binary search for the number of line ends before the offset: each of them was one character longer.
  let low = 0;
  let high = returns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((returns[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return offset + low;
}

function occurrences(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}
