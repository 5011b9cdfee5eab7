type Environment = Record<string, string | undefined>;

/** The sequences in which terminals are told to call somebody. */
export type Way = "bell" | "osc9" | "osc777" | "osc99";

/** What a terminal understands. */
export interface TerminalAbility {
  /** Undefined: not even a bell. */
  notifies: Way | undefined;
  hasTitle: boolean;
}

/**
 * One row per terminal, the first that fits. A multiplexer comes first: it inherits the variables of the terminal around it, keeps
 * notifications to itself, and passes a bell on. Where nothing is known, a bell is understood.
 */
export const TERMINALS: readonly (TerminalAbility & { name: string; is: (env: Environment) => boolean })[] = [
  { name: "dumb", notifies: undefined, hasTitle: false, is: term(/^(?:dumb)?$/) },
  { name: "linux console", notifies: "bell", hasTitle: false, is: term(/^(?:linux|vt\d+)/) },
  {
    name: "tmux, screen",
    notifies: "bell",
    hasTitle: true,
    is: (env) => has(env, "TMUX", "STY") || term(/^(?:tmux|screen)/)(env),
  },
  { name: "iTerm2", notifies: "osc9", hasTitle: true, is: program("iTerm.app") },
  { name: "Warp", notifies: "osc9", hasTitle: true, is: program("WarpTerminal") },
  { name: "Ghostty", notifies: "osc777", hasTitle: true, is: program("ghostty") },
  { name: "WezTerm", notifies: "osc777", hasTitle: true, is: program("WezTerm") },
  {
    name: "kitty",
    notifies: "osc99",
    hasTitle: true,
    is: (env) => has(env, "KITTY_WINDOW_ID") || term(/^xterm-kitty/)(env),
  },
  { name: "foot", notifies: "osc777", hasTitle: true, is: term(/^foot/) },
  { name: "rxvt", notifies: "osc777", hasTitle: true, is: term(/^rxvt/) },
  { name: "Konsole", notifies: "osc777", hasTitle: true, is: (env) => has(env, "KONSOLE_VERSION") },
];

/** What else is out there: Terminal.app, GNOME Terminal, Windows Terminal, VS Code, Alacritty, xterm. */
const ANY_OTHER: TerminalAbility = { notifies: "bell", hasTitle: true };

export function abilityOf(env: Environment): TerminalAbility {
  const { notifies, hasTitle } = TERMINALS.find(({ is }) => is(env)) ?? ANY_OTHER;
  return { notifies, hasTitle };
}

function term(pattern: RegExp): (env: Environment) => boolean {
  return ({ TERM = "" }) => pattern.test(TERM);
}

function program(name: string): (env: Environment) => boolean {
  return ({ TERM_PROGRAM }) => TERM_PROGRAM === name;
}

const has = (env: Environment, ...names: string[]) => names.some((name) => (env[name] ?? "") !== "");
