/** Where a key means something. */
export type KeyPlace = "prompt" | "dialog" | "panel";

interface KeyRow {
  readonly action: string;
  /** Names as `chordOf` gives them: "ctrl+a", "alt+enter", "up". */
  readonly chords: readonly string[];
  readonly help: string;
  readonly where: KeyPlace;
  /** What the help prints when the chords alone would mislead. */
  readonly shown?: string;
}

/** Every key of Wave, once. Handlers look actions up here and `/help` prints it. */
export const KEYS = [
  row("submit", ["enter"], "prompt", "send; with an empty input: deliver the queued message now"),
  {
    ...row("newline", ["shift+enter", "alt+enter", "ctrl+enter", "ctrl+j"], "prompt", "new line"),
    shown: "Shift+Enter, Alt+Enter, Ctrl-J, \\ Enter",
  },
  row("complete", ["tab"], "prompt", "complete a /command, an @file, or a path behind !"),
  row(
    "up",
    ["up", "ctrl+p"],
    "prompt",
    "a row up; on the first row the prompt before; empty, while something waits: take it back",
  ),
  row("down", ["down", "ctrl+n"], "prompt", "a row down; on the last row the prompt after"),
  row("search-history", ["ctrl+r"], "prompt", "search earlier prompts"),
  row("escape", ["escape"], "prompt", "interrupt the work"),
  row(
    "cancel",
    ["ctrl+c"],
    "prompt",
    "interrupt the work; clear the prompt (Ctrl-Y brings it back); in an empty one, twice: leave Wave",
  ),
  { ...row("back", ["alt+escape"], "prompt", "go back to an earlier prompt"), shown: "Esc Esc" },
  row("cycle-mode", ["shift+tab"], "prompt", "next permission mode"),
  row("earlier", ["ctrl+t"], "prompt", "print earlier messages of a resumed session"),
  row("expand", ["ctrl+o"], "prompt", "read in full what is folded: output, changes, reasoning, summaries"),
  row("redraw", ["ctrl+l"], "prompt", "clear the screen; what was on it is in the scrollback"),

  row("paste-picture", ["ctrl+v"], "prompt", "paste a picture from the clipboard"),

  row("left", ["left", "ctrl+b"], "prompt", "a character left"),
  row("right", ["right", "ctrl+f"], "prompt", "a character right"),
  row("word-left", ["alt+b", "alt+left", "ctrl+left"], "prompt", "a word left"),
  row("word-right", ["alt+f", "alt+right", "ctrl+right"], "prompt", "a word right"),
  row("home", ["ctrl+a", "home"], "prompt", "start of the row"),
  row("end", ["ctrl+e", "end"], "prompt", "end of the row"),
  row("start-of-text", ["ctrl+home", "alt+<"], "prompt", "start of the prompt"),
  row("end-of-text", ["ctrl+end", "alt+>"], "prompt", "end of the prompt"),
  row("backspace", ["backspace", "shift+backspace", "ctrl+h"], "prompt", "delete the character before"),
  row("delete-or-exit", ["ctrl+d"], "prompt", "delete the character after; in an empty prompt, leave Wave"),
  row("delete", ["delete"], "prompt", "delete the character after"),
  row("delete-word-left", ["ctrl+w", "alt+backspace", "ctrl+backspace"], "prompt", "cut the word before"),
  row("delete-word-right", ["alt+d", "alt+delete", "ctrl+delete"], "prompt", "cut the word after"),
  row("kill-to-end", ["ctrl+k"], "prompt", "cut to the end of the line"),
  row("kill-to-start", ["ctrl+u"], "prompt", "cut to the start of the line"),
  row("yank", ["ctrl+y"], "prompt", "put back what was cut"),
  row("yank-older", ["alt+y"], "prompt", "put back what was cut before that"),
  row("undo", ["ctrl+z", "ctrl+_"], "prompt", "undo"),
  row("redo", ["alt+z", "ctrl+shift+z"], "prompt", "redo"),
  row("unfold", ["alt+o"], "prompt", "open the folded paste beside the cursor"),

  row("up", ["up"], "dialog", "the choice above"),
  row("down", ["down"], "dialog", "the choice below"),
  row("accept", ["enter"], "dialog", "answer with the marked choice"),
  row("page-up", ["left", "pageup"], "dialog", "scroll the request up"),
  row("page-down", ["right", "pagedown"], "dialog", "scroll the request down"),
  row("escape", ["escape"], "dialog", "say no to this request; twice, stop the work"),
  row("cancel", ["ctrl+c"], "dialog", "stop the work"),

  row("up", ["up", "ctrl+p"], "panel", "a row up"),
  row("down", ["down", "ctrl+n"], "panel", "a row down"),
  row("left", ["left"], "panel", "of what is folded: the block before"),
  row("right", ["right"], "panel", "of what is folded: the block after"),
  row("page-up", ["pageup"], "panel", "a page up"),
  row("page-down", ["pagedown"], "panel", "a page down"),
  row("home", ["home"], "panel", "to the beginning"),
  row("end", ["end"], "panel", "to the end"),
  row("accept", ["enter"], "panel", "open the marked row"),
  row("expand", ["ctrl+o"], "panel", "close what it has opened"),
  row("escape", ["escape"], "panel", "a step back: clear the search, leave the page, close the panel"),
  // A letter is a key only where nothing is typed: see pressesOf.
  row("close", ["q", "ctrl+c", "ctrl+d"], "panel", "close the panel (q: where nothing is typed)"),
] as const satisfies readonly KeyRow[];

export type KeyAction = (typeof KEYS)[number]["action"];

/** What a chord means at a place. */
export function actionFor(chord: string, where: KeyPlace): KeyAction | undefined {
  return KEYS.find((entry) => entry.where === where && entry.chords.includes(chord))?.action;
}

export interface KeyHelp {
  readonly keys: string;
  readonly does: string;
  /** A title: where the key does it. */
  readonly where: string;
}

const PLACES: Record<KeyPlace, string> = {
  prompt: "In the prompt",
  dialog: "When Wave asks",
  panel: "In a panel",
};

/** The lines of the help, in the order of the table. */
export function keyHelp(places: readonly KeyPlace[] = ["prompt", "dialog", "panel"]): KeyHelp[] {
  const rows: readonly KeyRow[] = KEYS;
  return rows
    .filter(({ where }) => places.includes(where))
    .map(({ chords, help, where, shown }) => ({
      keys: shown ?? chords.map(showChord).join(", "),
      does: help,
      where: PLACES[where],
    }));
}

/** The first key of an action in the prompt, for a hint. */
export function keyFor(action: KeyAction): string {
  return showChord(KEYS.find((entry) => entry.action === action)?.chords[0] ?? action);
}

/** "ctrl+a" as people write it: Ctrl-A. */
function showChord(chord: string): string {
  const parts = chord.split("+");
  const last = parts.pop() ?? "";
  // A letter by itself is pressed without Shift.
  const letter = parts.length > 0 ? last.toUpperCase() : last;
  const name = NAMES.get(last) ?? (last.length === 1 ? letter : capital(last));
  const joint = last.length === 1 ? "-" : "+";
  return [...parts.map(capital), name].join(joint);
}

const NAMES = new Map([
  ["escape", "Esc"],
  ["pageup", "Page Up"],
  ["pagedown", "Page Down"],
]);

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function row<A extends string, P extends KeyPlace>(
  action: A,
  chords: readonly string[],
  where: P,
  help: string,
) {
  return { action, chords, where, help };
}
