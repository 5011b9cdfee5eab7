import type { AgentEvent } from "./events.ts";
import type { Limits } from "./conversation/turn/limits.ts";
import type { HookFunction } from "./hooks/definition.ts";
import type { HookEvent } from "./hooks/events.ts";
import type { Entrypoint } from "./hooks/eventFields.ts";
import type { OnErrorSetting } from "./hooks/failurePolicy.ts";
import type { InProcessServer, McpServerConfig } from "./hooks/mcpServers.ts";
import type { Message } from "./messages/blocks.ts";
import type { OwnTool } from "./ownTool.ts";
import type { PermissionMode } from "./permissions/modes.ts";
import type { HookSandboxMode, SandboxMode } from "./permissions/sandboxModes.ts";
import type { PendingPermission, PermissionAnswer } from "./permissions/request.ts";

/*
 * The types of Agent.create's options. What is true of them at run time is in options/optionSchemas.ts, and a test
 * compares the two. The sentences in front of the options are also the reference (docs/reference/sdk.md).
 */

/** What a hook says about itself, be it a command or a function. As in settings. */
interface HookFields {
  if?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  timeout?: number | undefined;
  onError?: OnErrorSetting | undefined;
  /** What Claude Code calls `onError`. */
  onFailure?: OnErrorSetting | undefined;
  /** What Cursor has for `onError`: true is "block". */
  failClosed?: boolean | undefined;
  /** It runs once in a session. */
  once?: boolean | undefined;
  /** What is shown while it runs. */
  statusMessage?: string | undefined;
}

/** A hook that is a program, as in settings. */
export interface CommandHookEntry extends HookFields {
  type: "command";
  command: string;
  args?: string[] | undefined;
  /** Nobody waits for it, and it decides nothing. */
  async?: boolean | undefined;
  /** Like `async`; what it says with exit code 2 is told to the model. */
  asyncRewake?: boolean | undefined;
  /** One process that stays and is asked by lines of JSON. */
  warm?: boolean | undefined;
  env?: Record<string, string> | undefined;
  cwd?: "project" | "session" | undefined;
  passEnv?: string[] | undefined;
  protectEnv?: string[] | undefined;
  sandbox?: HookSandboxMode | undefined;
  shell?: "bash" | undefined;
}

/** A hook that is a question to a model, as in settings. */
export interface PromptHookEntry extends HookFields {
  type: "prompt";
  prompt: string;
  /** Which model judges. Default: the one of the session. */
  model?: string | undefined;
  continueOnBlock?: boolean | undefined;
}

/** A hook that is a server, as in settings. */
export interface HttpHookEntry extends HookFields {
  type: "http";
  url: string;
  headers?: Record<string, string> | undefined;
  allowedEnvVars?: string[] | undefined;
}

/** A hook that is a function of the program, with the same contract. */
export interface FunctionHookEntry<E extends HookEvent> extends HookFields {
  type: "function";
  run: HookFunction<E>;
}

/** A hook of Agent.create: an entry as in settings, or a function with the same contract. */
export type HookEntry<E extends HookEvent> =
  | CommandHookEntry
  | HttpHookEntry
  | PromptHookEntry
  | FunctionHookEntry<E>;

export type HooksOption = {
  [E in HookEvent]?:
    | { matcher?: string | undefined; sequential?: boolean | undefined; hooks: HookEntry<E>[] }[]
    | undefined;
};

/** A kind of sub-agent. Whatever is held back from the session is held back from it. */
export interface AgentOption {
  /** For the model that chooses one. */
  description: string;
  /** What the sub-agent is told. */
  prompt: string;
  /** Which of the session's tools it has. Default: all. */
  tools?: string[] | undefined;
  /** Default: the session's. */
  model?: string | undefined;
  /** A mode of its own, which only adds to what is held back. */
  permissionMode?: PermissionMode | undefined;
}

/** How an agent comes to believe a project: what the store says, the word of the program, or one named set. */
export type TrustOption = "store" | "given" | { sha256: string };

/** Every option may be left out. What cannot work makes Agent.create reject with OptionsError, before anything runs. */
export interface AgentOptions {
  /** The project. Default: the current folder. */
  workdir?: string | undefined;
  /** The key of the model server. It goes before WAVE_API_KEY and OPENAI_API_KEY. */
  apiKey?: string | undefined;
  /** Where the model server is. It goes before WAVE_BASE_URL, OPENAI_BASE_URL and the settings. */
  baseUrl?: string | undefined;
  /** The model. It goes before WAVE_MODEL, the settings, and the one that was chosen in a session before. */
  model?: string | undefined;
  /** Like `model`, but a model that was chosen in the session before counts more. */
  localModel?: string | undefined;
  /** After how many seconds without a word of an answer to give up waiting. Default: what settings say, then 300. */
  modelTimeout?: number | undefined;
  /** As in settings, and functions; they come after those of all files. A matcher is text: "Bash|Edit", or the source of a regular expression. */
  hooks?: HooksOption | undefined;
  /** Rules, beside those of the settings files. */
  permissions?:
    | { allow?: string[] | undefined; ask?: string[] | undefined; deny?: string[] | undefined }
    | undefined;
  /** The mode that the session starts in. It goes before `permissions.defaultMode` of the settings. */
  permissionMode?: PermissionMode | undefined;
  /** Tools of one's own, made with `tool()`, beside the built-in ones (`add`), and which tools the model gets at all (`use`). Default: all. */
  tools?:
    | { add?: readonly OwnTool[] | undefined; use?: readonly (string | OwnTool)[] | undefined }
    | undefined;
  /** Sub-agents by name, beside those of files and Wave's own `explore` and `general`. */
  agents?: Record<string, AgentOption> | undefined;
  /** MCP servers by name, as in settings; they go before those of files. */
  mcpServers?: Record<string, McpServerConfig | InProcessServer> | undefined;
  /** A file with `mcpServers`, as with `--mcp-config`. */
  mcpFile?: string | undefined;
  /** Folders of plugins for this run, beside those that were added with `wave plugin add`. */
  plugins?: readonly string[] | undefined;
  /** Answers questions. Without it nobody can answer, and ask is a deny. */
  onPermissionRequest?:
    | ((request: PendingPermission, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>)
    | undefined;
  /** Two callbacks that are thin adapters over `onEvent`. */
  callbacks?:
    | {
        onMessagesChange?: ((messages: readonly Message[]) => void) | undefined;
        onLoadingChange?: ((loading: boolean) => void) | undefined;
      }
    | undefined;
  /** Hears everything that happens, in one typed stream. Without it notices become process warnings. */
  onEvent?: ((event: AgentEvent) => void) | undefined;
  /** What the agent may use up in all its turns, sub-agents included. At a limit the turn ends with `because: "limit"`. Default: no limit. */
  limits?: Limits | undefined;
  /** Model calls per prompt. Default: no limit. */
  maxTurns?: number | undefined;
  /** A session to go on with: its id, the beginning of it, or its name; or "latest". */
  resume?: string | undefined;
  /** With `resume`: leave that session as it is and go on in a copy. */
  fork?: boolean | undefined;
  /** What hooks are told about the program that runs the session. Default: "sdk". */
  entrypoint?: Entrypoint | undefined;
  /** What SessionStart hooks are told of a new session. "clear": it takes the place of one that the person left behind. */
  source?: "startup" | "clear" | undefined;
  /** "no-project": hooks of the project's files stay off. What is left out is said in a notice. */
  hookScope?: "all" | "no-project" | "none" | undefined;
  /**
   * Whose word makes the project's own hooks, allow rules and AGENTS.md count. "store" (default): what a person approved
   * with `wave hooks trust` or on the screen. "given": the program that creates the agent vouches for the folder. A
   * sha256: exactly the set with that name.
   */
  trust?: TrustOption | undefined;
  /** What a person types in this program to look at what waits for an approval. Messages name it beside `wave hooks trust`. */
  reviewCommand?: string | undefined;
  /**
   * Writing files that Wave protects in every mode (its own settings, hooks and approvals, git's, the shell's) is asked about
   * only where any other write is. Neither settings nor environment can say so.
   */
  allowSelfConfig?: boolean | undefined;
  /** As in settings, for the program that creates the agent; it goes before the user's own. */
  sandbox?:
    | SandboxMode
    | { mode: SandboxMode; network?: boolean | undefined; writable?: string[] | undefined }
    | undefined;
  /** One more settings file, after the project's, as with `--settings`. */
  settingsFile?: string | undefined;
  /** Wave's own folder. Default: WAVE_HOME, then `.wave` in the home folder that `env.HOME` names. */
  waveHome?: string | undefined;
  /** Default: /etc/wave/settings.json. */
  managedSettingsFile?: string | undefined;
  /** The environment Wave, its tools and its hooks see. Default: process.env. */
  env?: Record<string, string | undefined> | undefined;
}
