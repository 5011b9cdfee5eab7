import { printable, printableLine } from "../utils/printable.ts";

/** Text between fences that nothing in it can close: they are longer than any run of backticks inside. */
export function fenced(text: string, language = ""): string {
  const safe = printable(text).replace(/\n$/, "");
  const longest = Math.max(0, ...(safe.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${safe}\n${fence}`;
}

/** Whatever is in a quote ends with it, also a fence that nobody closed. */
export function quoted(text: string): string {
  return printable(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** One line of plain text: what would begin a heading, a list or a tag says itself instead. */
export function plainLine(text: string): string {
  return printableLine(text.replaceAll(/\s+/g, " ").trim()).replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&");
}

/** In backticks, whatever it holds. */
export function inlineCode(text: string): string {
  const safe = printableLine(text);
  const longest = Math.max(0, ...(safe.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${safe}${ticks}` : `${ticks} ${safe} ${ticks}`;
}

/**
 * Markdown that a model wrote, as part of a larger text: a fence it left open is closed, and a line that begins with a tag,
 * which could comment out everything after it, is shown as text.
 */
export function contained(markdown: string): string {
  const lines: string[] = [];
  let open: { fence: string; indent: string } | undefined;
  for (const line of printable(markdown).split("\n")) {
    const [, indent = "", fence = "", rest = ""] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open) {
      lines.push(line);
      if (fence.startsWith(open.fence) && rest.trim() === "") open = undefined;
    } else if (fence !== "" && !(fence.startsWith("`") && rest.includes("`"))) {
      lines.push(line);
      open = { fence, indent };
    } else {
      lines.push(line.replace(/^(\s*(?:[-*+>]\s*|\d+[.)]\s*)*)</, "$1\\<"));
    }
  }
  if (open) lines.push(open.indent + open.fence);
  return lines.join("\n");
}
