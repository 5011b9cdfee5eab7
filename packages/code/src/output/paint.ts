const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

/** Colours only where somebody looks at them: a terminal, without NO_COLOR. */
export function paintFor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): Paint {
  const wanted = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  if (!wanted) return (_colour, text) => text;
  return (colour, text) => `\u001b[${CODES[colour][0]}m${text}\u001b[${CODES[colour][1]}m`;
}
