import { createContext, use } from "react";

/** What a colour means. Every meaning is also carried by a sign or a word, so that it survives without colour. */
export type Tone =
  | "danger"
  | "warning"
  | "hook"
  | "added"
  | "removed"
  | "dim"
  | "accent"
  | "keyword"
  | "literal"
  | "comment"
  | "title";

/** Properties of Ink's Text. */
export interface ToneStyle {
  color?: string;
  dimColor?: boolean;
  bold?: boolean;
}

export type Theme = Readonly<Record<Tone, ToneStyle>>;

// Only the 16 colours that a terminal's own palette defines: they are readable on its background, light or dark.
const COLOURED: Theme = {
  danger: { color: "red" },
  warning: { color: "yellow" },
  hook: { color: "magenta" },
  added: { color: "green" },
  removed: { color: "red" },
  dim: { dimColor: true },
  accent: { color: "cyan" },
  keyword: { color: "magenta" },
  literal: { color: "green" },
  comment: { dimColor: true },
  title: { color: "cyan" },
};

// NO_COLOR is about colour: weight stays.
const COLOURLESS: Theme = {
  danger: { bold: true },
  warning: { bold: true },
  hook: { bold: true },
  added: {},
  removed: {},
  dim: { dimColor: true },
  accent: {},
  keyword: {},
  literal: {},
  comment: { dimColor: true },
  title: {},
};

export function themeFor(env: Record<string, string | undefined>): Theme {
  return env["NO_COLOR"] || env["TERM"] === "dumb" ? COLOURLESS : COLOURED;
}

export const ThemeContext = createContext<Theme>(COLOURED);

export function useTheme(): Theme {
  return use(ThemeContext);
}

/** Whether a person asked for a screen that can be read aloud, or that costs little on a slow line. */
export function isPlain(env: Record<string, string | undefined>): boolean {
  return env["WAVE_PLAIN"] === "1" || env["TERM"] === "dumb";
}

export const PlainContext = createContext(false);

export function usePlain(): boolean {
  return use(PlainContext);
}
