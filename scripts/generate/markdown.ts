export type Row = readonly string[];

/** A table with its columns aligned, as the formatter would leave it. */
export function table(head: Row, rows: readonly Row[]): string {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")),
  );
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row, fill: string) =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width, fill)).join(" | ")} |`;
  const [first = [], ...others] = cells;
  return [
    line(first, " "),
    line(
      head.map(() => ""),
      "-",
    ),
    ...others.map((row) => line(row, " ")),
  ].join("\n");
}

export const code = (text: string): string => `\`${text}\``;

/** Puts each part between its markers. A marker without a part, or a part without its marker, is a mistake. */
export function fillIn(page: string, parts: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(parts));
  const filled = page.replaceAll(SECTION, (_, open: string, name: string, close: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`Nothing is generated for the marker "${name}".`);
    left.delete(name);
    return `${open}\n\n${part}\n\n${close}`;
  });
  if (left.size > 0) throw new Error(`These parts have no marker on their page: ${[...left].join(", ")}.`);
  return filled;
}

const SECTION = /(<!-- generated:([\w-]+) -->)[\s\S]*?(<!-- \/generated:\2 -->)/g;
