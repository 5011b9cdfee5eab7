/** One line for a call: the tool, and what it is about. */
export function toolTitle(name: string, input: Readonly<Record<string, unknown>>): string {
  const about = ["command", "file_path", "path", "pattern", "url", "description"]
    .map((field) => input[field])
    .find((value) => typeof value === "string");
  const line = typeof about === "string" ? (about.split("\n", 1)[0] ?? "") : "";
  return `${name} ${line}`.trimEnd().slice(0, 200);
}
