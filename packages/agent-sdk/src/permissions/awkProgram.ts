/** An awk program without what only looks like code. */
export interface AwkProgram {
  /** Texts are `""`, patterns are `0`, comments are gone. */
  code: string;
  texts: string[];
  /** Whether a slash begins a pattern or divides could be told everywhere. */
  sure: boolean;
}

const TEXT = /"((?:[^"\\\n]|\\[^])*)"/y;
const PATTERN = /\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*\//y;
const COMMENT = /#[^\n]*/y;

/** Behind these a slash begins a pattern; behind a value it divides. */
const BEFORE_PATTERN =
  /(?:^|[({},;!~&|=<>*%?:\n]|[^+]\+|[^-]-|\b(?:print|printf|return|in|case|do|else))\s*$/;
const UNCLEAR = /(?:\+\+|--)\s*$/;

export function readAwk(program: string): AwkProgram {
  const read: AwkProgram = { code: "", texts: [], sure: true };
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(program);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < program.length) {
    const sign = program[at] ?? "";
    if (sign === "#" && take(COMMENT)) continue;
    const text = sign === '"' ? take(TEXT) : null;
    if (text) {
      read.texts.push(text[1] ?? "");
      read.code += '""';
      continue;
    }
    if (sign === "/") {
      read.sure &&= !UNCLEAR.test(read.code);
      if (BEFORE_PATTERN.test(read.code) && take(PATTERN)) {
        read.code += "0";
        continue;
      }
    }
    // A quote that nothing closes: where the texts are is anybody's guess.
    if (sign === '"') read.sure = false;
    read.code += sign;
    at++;
  }
  return read;
}
