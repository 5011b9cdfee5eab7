/** Lines that are only drawn, in signs that a screen reader has a short word for; what tells two of them apart stays. */
export function plainSigns(text: string): string {
  return text.replaceAll(/[─┼]+/g, "-").replaceAll("│", "|").replaceAll("┊", ":");
}

/** Nothing but drawn lines and blanks: it is Wave's own and nobody's words. */
export const isDrawnLine = (text: string): boolean => /^ *[─│┼┊][─│┼┊ ]*$/.test(text);
