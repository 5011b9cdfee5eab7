import type { Program, SandboxMode, SettingsProblem } from "wave-agent-sdk";

/** Everything the checks look at, gathered before any of them judges. No key is in it. */
export interface DoctorFacts {
  wave: string;
  node: { version: string; least: number; platform: string };
  terminal: TerminalFacts;
  model: ModelFacts;
  settings: { files: readonly { scope: string; file: string }[]; problems: readonly SettingsProblem[] };
  hooks: {
    all: readonly HookFact[];
    /** Places of those that settings name and that cannot run, under no onError that holds. */
    leftOut: readonly string[];
    problems: readonly SettingsProblem[];
  };
  trust: TrustFacts;
  sessions: SessionsFacts;
  programs: { git: Program; ripgrep: Program };
  sandbox: SandboxFacts;
}

export interface SandboxFacts {
  mode: SandboxMode;
  /** Why it cannot be had, if so; nobody looks where it is off. */
  missing: string | undefined;
  /** What it cannot do here. */
  problems: readonly string[];
}

export type TerminalFacts =
  | { is: "none" }
  | {
      is: "there";
      columns: number;
      term: string | undefined;
      colour: "on" | "off by NO_COLOR" | "off by TERM";
      inside: "tmux" | "screen" | undefined;
    };

export type ModelFacts =
  | { is: "unusable"; why: string }
  | {
      is: "set";
      address: string;
      keyFrom: string;
      model: string | undefined;
      /** What the project's files say about the model and nobody has approved. */
      waiting?: { says: string; path: string };
      server: ServerFacts;
    };

/** What the configured server said when it was asked for its models. */
export type ServerFacts =
  | { answers: "list"; names: readonly string[] }
  /** It is there and has no list. */
  | { answers: "something"; why: string }
  | { answers: "nothing"; why: string };

export interface HookFact {
  name: string;
  scope: string;
  /** Why it does not run, if it does not. */
  off: string | undefined;
}

/** What on disk does not count as it is. */
export interface TrustFacts {
  /** Of the project's files; `files` are the scripts that changed, none when its entry did. */
  open: readonly { what: string; state: "new" | "changed"; files: readonly string[] }[];
  /** Files that the session that runs has read in another form. */
  changed: readonly string[];
}

export interface SessionsFacts {
  folder: string;
  /** Why nothing can be written there, if so. */
  unwritable: string | undefined;
  files: number;
  bytes: number;
  /** There are more files than were looked at. */
  more: boolean;
  freeBytes: number | undefined;
}
