import type { HookDialect } from "./dialect.ts";
import type { HookEvent, HookInput, HookOutput } from "./events.ts";
import type { HookSandboxMode } from "../permissions/sandboxModes.ts";
import type { FailurePolicy, PartialPolicy } from "./failurePolicy.ts";

export type { OnError } from "./failurePolicy.ts";

/** Where settings come from, in the order in which their hooks run and combine. */
export const SETTINGS_SCOPES = ["managed", "user", "project", "local", "flag", "plugin", "sdk"] as const;
export type SettingsScope = (typeof SETTINGS_SCOPES)[number];

/** Files that may come with a cloned repository: they do not speak for the person who runs Wave. */
export function isOfProject(scope: SettingsScope): boolean {
  return scope === "project" || scope === "local";
}

export interface HookSource {
  scope: SettingsScope;
  /** Absent for hooks given to Agent.create. */
  file?: string;
  line?: number;
  /** JSON path in the file, e.g. `hooks.PreToolUse[0].hooks[1]`. */
  path: string;
}

/** A hook that is a function of the host program: same contract as a command that prints JSON. */
export type HookFunction<E extends HookEvent = HookEvent> = (
  input: HookInput<E>,
  options: { signal: AbortSignal },
) => HookOutput<E> | undefined | void | Promise<HookOutput<E> | undefined | void>;

/**
 * What a hook runs, in the words that hold for every kind of hook (hooks/kinds). Whoever wants to know something about it reads
 * these fields, and never asks which kind it is.
 */
export interface HookAction {
  /** Its kind: the `type` of its entry, or "unsupported". */
  type: string;
  /** As JSON. Two entries with the same one are the same to their kind, and an approval covers it. */
  identity: unknown;
  /** What it runs, in one text for people. */
  shown: string;
  /** What else somebody who approves it has to know. */
  notes?: readonly string[];
  /** Why it can never run: each time it matches it counts as "could not decide", under its `onError`. */
  neverRuns?: string;
  /** The command line that it starts on this machine, as a shell reads it. Absent: it starts nothing here. */
  command?: string;
  /** It is a program and its arguments (execForm.ts), and no shell reads it when it runs. */
  noShell?: true;
  /** The command line with its scripts replaced by the copies that were reviewed, which lie in `copy`. */
  runs?: string;
  copy?: string;
  /** Python looks for code in the project itself, beside any copy. */
  loadsLive?: true;
  /** Code of the project is loaded there, and nobody looks at what Python compiled of it. */
  compiled?: "is not read";
  /** What only its kind knows. */
  own: unknown;
}

/** A group whose hooks run one after the other (T98), and which of them a hook is. */
export interface Sequence {
  /** File and JSON path of the group. */
  group: string;
  place: number;
}

export interface HookDefinition {
  event: HookEvent;
  matcher: string | undefined;
  /** A permission rule: the hook runs only for calls that the rule may be about. */
  if?: string;
  /** The `name` of the settings, or the command made short. Messages use it. */
  name: string;
  /** What it is for, in its author's words. */
  description?: string;
  source: HookSource;
  action: HookAction;
  /** The agent that it was written for: it reads what it would read there. Absent: Wave. */
  dialect?: HookDialect;
  /** The event as the file of that agent calls it. */
  askedAs?: string;
  timeoutMs: number;
  /** It has no `timeout` of its own, at an event where such hooks share their time. */
  sharesTime?: true;
  /** What holds when it fails: its own word and the defaults of all files together. */
  onError: FailurePolicy;
  /** What its own entry says about that, and no default. */
  ownOnError?: PartialPolicy;
  /** Names of environment variables that Wave would otherwise keep from hooks (its model keys). */
  passEnv: readonly string[];
  /** It starts where tools work now, and not in the project root. */
  cwd?: "session";
  /** Variables for its process alone. */
  env?: Readonly<Record<string, string>>;
  /** Names of variables that settings must not change, because it relies on them. */
  protectEnv?: readonly string[];
  /** Of a file its own word; in a session what holds for it. Absent: off. */
  sandbox?: HookSandboxMode;
  /** Nobody waits for it, and it decides nothing. "wakes": what it says with exit code 2 is told to the model. */
  inBackground?: "quiet" | "wakes";
  /** It runs once in a session. */
  once?: true;
  /** What is shown while it runs. */
  statusMessage?: string;
  /** Absent: it runs at the same time as the others. */
  sequence?: Sequence;
}

/** What messages and records say about a hook. */
export interface HookIdentity {
  name: string;
  /** File and JSON path, or "Agent.create". */
  source: string;
}

/** The same hook has the same id as long as its place in its file stays the same. */
export const hookIdOf = ({ source }: HookDefinition): string =>
  `${source.file ?? "Agent.create"}#${source.path}`;

/** Why a hook does not run, whatever happens. */
export interface HookOff {
  why: /** By a person's hand, for this session. */
    | "switched-off"
    /** By a flag or an option of this run. */
    | "left-out"
    /** Nobody has approved it in this form. */
    | "unreviewed";
  words: string;
}

/** A hook of this session, and why it is off, if it is. */
export interface HookState {
  id: string;
  hook: HookDefinition;
  off: HookOff | undefined;
}

/** As people are told of its place in a sequential group. */
export const inItsTurn = ({ place }: Pick<Sequence, "place">) => `as number ${place + 1} of a row`;

/** As people are told of a hook, wherever it is: by its name and where it stands. */
export const labelOf = ({ name, source }: HookIdentity) => `hook ${name} (${source})`;

export function identityOf(hook: HookDefinition): HookIdentity {
  const { file, line, path } = hook.source;
  if (file === undefined) return { name: hook.name, source: `Agent.create ${path}` };
  return { name: hook.name, source: line === undefined ? `${file} ${path}` : `${file}:${line}` };
}
