import type { AgentEvent } from "./events.ts";
import type { HookFunction } from "./hooks/definition.ts";
import type { Entrypoint, HookEvent } from "./hooks/events.ts";
import type { OnErrorSetting } from "./hooks/failurePolicy.ts";
import type { Message } from "./messages/blocks.ts";
import type { PermissionMode } from "./permissions/modes.ts";
import type { SandboxMode } from "./permissions/sandbox.ts";
import type { PendingPermission, PermissionAnswer } from "./permissions/request.ts";

/** A hook of Agent.create: an entry as in settings, or a function with the same contract. */
export type HookEntry<E extends HookEvent> =
  | {
      type: "command";
      command: string;
      args?: string[];
      env?: Record<string, string>;
      cwd?: "project" | "session";
      if?: string;
      name?: string;
      description?: string;
      timeout?: number;
      onError?: OnErrorSetting;
      passEnv?: string[];
      sandbox?: SandboxMode;
    }
  | {
      type: "function";
      run: HookFunction<E>;
      if?: string;
      name?: string;
      description?: string;
      timeout?: number;
      onError?: OnErrorSetting;
    };

export type HooksOption = {
  [E in HookEvent]?: { matcher?: string; sequential?: boolean; hooks: HookEntry<E>[] }[];
};

/** How an agent comes to believe a project: what the store says, the word of the program, or one named set. */
export type TrustOption = "store" | "given" | { sha256: string };

export interface AgentOptions {
  /** The project. Default: the current folder. */
  workdir?: string;
  apiKey?: string;
  baseUrl?: string;
  model?: string;
  /** Like `model`, but a model that was chosen in the session before counts more. */
  localModel?: string;
  /** After how many seconds without a word of an answer to give up waiting. Default: what settings say, then 300. */
  modelTimeout?: number;
  hooks?: HooksOption;
  permissions?: { allow?: string[]; ask?: string[]; deny?: string[] };
  permissionMode?: PermissionMode;
  /** Without it nobody can answer, and ask is a deny (PD-3). */
  onPermissionRequest?: (
    request: PendingPermission,
    signal: AbortSignal,
  ) => PermissionAnswer | Promise<PermissionAnswer>;
  /** The seeds' callbacks; thin adapters over `onEvent`. */
  callbacks?: {
    onMessagesChange?: (messages: Message[]) => void;
    onLoadingChange?: (loading: boolean) => void;
  };
  onEvent?: (event: AgentEvent) => void;
  /** Model calls per prompt. Default: no limit. */
  maxTurns?: number;
  /** A session to go on with: its id, the beginning of it, or its name; or "latest". */
  resume?: string;
  /** With `resume`: leave that session as it is and go on in a copy. */
  fork?: boolean;
  /** What hooks are told about the program that runs the session. Default: "sdk". */
  entrypoint?: Entrypoint;
  /** What SessionStart hooks are told of a new session. "clear": it takes the place of one that the person left behind. */
  source?: "startup" | "clear";
  /** "no-project": hooks of the project's files stay off. What is left out is said in a notice. */
  hookScope?: "all" | "no-project" | "none";
  /**
   * Whose word makes the project's own hooks, allow rules and AGENTS.md count. "store" (default): what a person approved
   * with `wave hooks trust` or on the screen. "given": the program that creates the agent vouches for the folder. A
   * sha256: exactly the set with that name.
   */
  trust?: TrustOption;
  /** What a person types in this program to look at what waits for an approval. Messages name it beside `wave hooks trust`. */
  reviewCommand?: string;
  /**
   * Writing files that Wave protects in every mode (its own settings, hooks and approvals, git's, the shell's) is asked about
   * only where any other write is. Neither settings nor environment can say so.
   */
  allowSelfConfig?: boolean;
  /** As in settings, for the program that creates the agent; it goes before the user's own. */
  sandbox?: SandboxMode | { mode: SandboxMode; network?: boolean; writable?: string[] };
  /** `--settings <file>`: one more settings file, after the project's. */
  settingsFile?: string;
  /** Default: $WAVE_HOME, then ~/.wave. */
  waveHome?: string;
  /** Default: /etc/wave/settings.json. */
  managedSettingsFile?: string;
  /** The environment Wave, its tools and its hooks see. Default: process.env. */
  env?: Record<string, string | undefined>;
}
