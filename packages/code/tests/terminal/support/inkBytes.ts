import { ACTS, ESCAPES } from "../../support/escapes.ts";

/** More that only matters where somebody looks at a screen. */
const SCREEN_ESCAPES: readonly [string, string][] = [
  ["a mouse mode", "\u001b[?1000h\u001b[?1006h"],
  ["the end of pastes and of frames", "\u001b[?2004l\u001b[?2026l"],
  ["the alternate screen", "\u001b[?1049h"],
  ["a hidden cursor, a saved place", "\u001b[?25l\u001b7\u001b[s"],
  ["a cursor style", "\u001b[5 q"],
  ["a stacked title", "\u001b[22;2t"],
  ["a picture (sixel)", "\u001bPq#0;2;0;0;0#0~~@@vv@@~~\u001b\\"],
  ["a picture (Kitty)", "\u001b_Ga=T,f=100;iVBORw0KGgo=\u001b\\"],
  ["a picture (iTerm)", "\u001b]1337;File=inline=1:AAAA\u0007"],
  ["a keyboard mode (Kitty)", "\u001b[>1u"],
  ["a clipboard that is read (OSC 52)", "\u001b]52;c;?\u001b\\"],
  ["an erased line and the one above", "\u001b[2K\u001b[1A\u001b[2K\u001b[Gevil"],
  ["a character set", "\u001b(0lqqk\u001b(B"],
];

export const PAYLOADS: readonly string[] = [...ESCAPES, ...SCREEN_ESCAPES].map(([, bytes]) => bytes);

/** Every payload between signs that tell it from the others. */
export const marked = (from: readonly string[] = PAYLOADS): string[] =>
  from.map((payload, number) => `{${number}:${payload}:${number}}`);

/** What is in the bytes of a program on a terminal and was not written by Ink for Wave. */
export function foreignBytes(all: string): string[] {
  const written = all.replaceAll(PANEL_SCREEN, "").replaceAll(TITLE, "");
  // Half a sequence may well stand where a style of Wave's begins; the rest of this function finds it.
  const raw = PAYLOADS.filter(
    (payload) => ACTS.test(payload) && !payload.endsWith("[") && written.includes(payload),
  );
  const styles = [...written.matchAll(STYLE)].filter(([, codes = ""]) => !codes.split(";").every(isOurStyle));
  const rest = written.replaceAll(INK, "").replaceAll(STYLE, "").replaceAll("\r\n", "\n");
  const acting = [...rest.matchAll(new RegExp(ACTS, "gu"))].map(({ index }) =>
    rest.slice(Math.max(0, index - 40), index + 40),
  );
  return [...raw, ...styles.map(([style]) => style), ...acting].map((found) => JSON.stringify(found));
}

/** Weight, slant, lines, inverse, and the colours of the terminal's own palette without black and white. */
const OUR_STYLES = new Set([0, 1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29, 31, 32, 33, 34, 35, 36, 39, 90]);
const isOurStyle = (code: string) => OUR_STYLES.has(Number(code));

/* oxlint-disable no-control-regex -- escape sequences are what they look for */
const STYLE = /\u001b\[([\d;]*)m/g;
/** Frames in one piece, reports of the window's focus, the cursor and where it goes, pastes with marks, erased lines. */
const INK = /\u001b\[\?(?:2026|1004|25|2004)[hl]|\u001b\[\d*[ABGEJK]|\u001b\[1;1H/g;
/** To the screen of a panel, and back. */
const PANEL_SCREEN = /\u001b\[\?1049h\u001b\[1;1H|\u001b\[\?1049l/g;
/** The title of the window, kept and given back, in Wave's own words around the plain name of the project. */
const TITLE =
  /\u001b\[2[23];0t|\u001b\]0;(?:(?:working|asks you|done) - )?[^\u0000-\u001f\u007f-\u009f]* - wave\u001b\\/g;
/* oxlint-enable no-control-regex */
