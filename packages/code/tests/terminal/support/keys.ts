type Letter =
  | ("a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m")
  | ("n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z");

/** What a terminal sends for the keys that are no letters. */
const SEQUENCES = {
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  "shift-tab": "\u001b[Z",
  space: " ",
  backspace: "\u007f",
  delete: "\u001b[3~",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
  "ctrl-left": "\u001b[1;5D",
  "ctrl-right": "\u001b[1;5C",
  "alt-enter": "\u001b\r",
  "alt-backspace": "\u001b\u007f",
} as const;

export type KeyName = keyof typeof SEQUENCES | `ctrl-${Letter}` | `alt-${Letter}`;

export function sequenceOf(key: KeyName): string {
  if (isNamed(key)) return SEQUENCES[key];
  const letter = key.slice(-1);
  // A control key sends the number of its letter in the alphabet.
  return key.startsWith("ctrl-") ? String.fromCharCode(letter.charCodeAt(0) - 96) : `\u001b${letter}`;
}

const isNamed = (key: string): key is keyof typeof SEQUENCES => Object.hasOwn(SEQUENCES, key);
