/** What stands between the `---` at the beginning of a Markdown file. */
export interface FrontMatter {
  fields: Readonly<Record<string, string | readonly string[]>>;
  /** The text behind it. */
  body: string;
}

/**
 * Reads the few forms of YAML that people write there: `key: text`, `key: [a, b]`, a list of `- item` lines, and text over
 * several lines behind `>` or `|`. Anything else is the text that it is.
 */
export function readFrontMatter(text: string): FrontMatter {
  const whole = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const [, head, body] = /^---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|$)([^]*)$/.exec(whole) ?? [];
  if (head === undefined || body === undefined) return { fields: {}, body: whole.trim() };
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  let key: string | undefined;
  for (const line of head.split("\n")) {
    const [, name, value = ""] = /^([A-Za-z][\w-]*):[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      key = name;
      fields[key] = valueOf(value.trim());
    } else if (key !== undefined && /^\s*\S/.test(line)) {
      fields[key] = goOn(fields[key] ?? "", line.trim());
    }
  }
  return { fields, body: body.trim() };
}

function valueOf(text: string): string | string[] {
  if (/^[>|][-+]?$/.test(text)) return "";
  const list = /^\[(.*)\]$/.exec(text)?.[1];
  if (list !== undefined)
    return list
      .split(",")
      .map((item) => unquoted(item.trim()))
      .filter((item) => item !== "");
  return unquoted(text);
}

function goOn(before: string | string[], line: string): string | string[] {
  const item = /^-[ \t]+(.*)$/.exec(line)?.[1];
  if (item !== undefined && (before === "" || Array.isArray(before)))
    return [...(before || []), unquoted(item)];
  return Array.isArray(before) ? before : `${before} ${line}`.trim();
}

const unquoted = (text: string) => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

/** A field as one text. */
export const fieldText = ({ fields }: FrontMatter, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};
