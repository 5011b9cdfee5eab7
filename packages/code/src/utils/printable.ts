/**
 * What models, hooks and tools wrote, made harmless for a terminal: control characters, and characters that hide or
 * reorder others, become visible. Line breaks and tabs stay. Joiners inside emoji and Persian words stay, too.
 */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(UNSAFE, escapeCharacter);
}

/** The same for text that must stay on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** JSON whose text means the same and holds nothing a terminal would act on. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

// C0 without tab and newline, DEL and C1; soft hyphen, Arabic letter mark, zero-width space, direction marks and
// overrides, line and paragraph separators, word joiner and invisible operators, byte-order mark, interlinear marks;
// lone surrogates; tag characters.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\u{e0000}-\u{e007f}]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\r") return "\\r";
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\u{${code.toString(16)}}`;
}
