/** What will be done with a text: its first character says it. */
export type PromptKind = "prompt" | "shell" | "note";

/**
 * A note is one line: "# Title" above a text, or a pasted file that begins with a comment, is a prompt. So is "##", which
 * is how a heading begins and no note.
 */
export function promptKind(text: string): PromptKind {
  if (text.startsWith("!")) return "shell";
  return /^#[^#\r\n][^\r\n]*$/.test(text) ? "note" : "prompt";
}
