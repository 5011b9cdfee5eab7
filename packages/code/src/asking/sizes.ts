export function sizeOf(text: string): string {
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return `${count(lines, "line")}, ${count(text.length, "character")}`;
}

export const count = (number: number, what: string) =>
  `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
