import type { HookDefinition } from "../definition.ts";
import type { HookEvent } from "../events.ts";
import type { FailureWay } from "../failures.ts";
import type { HookExecutionResult } from "../result.ts";
import type { RunRegister } from "../../process/runRegister.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";

/** Where hooks run: the same for all of them in a session. */
export interface HookSurroundings {
  /** Hooks start here, whatever the session's folder is. */
  projectDir: string;
  sessionId: string;
  /** Already without Wave's model keys and npm's variables; `withheld` has what `passEnv` may bring back. */
  env: Record<string, string>;
  withheld: Record<string, string>;
  /** Names of variables that the settings set. */
  setBySettings?: readonly string[];
  /** For hooks that run in it. Without it none does. */
  sandbox?: Sandbox;
  register?: RunRegister;
  signal?: AbortSignal;
  /** Resolves to what it said; rejects when nobody answers. */
  askModel?: (question: HookQuestion) => Promise<string>;
  /** The file in which a hook sets variables for later commands, at events where it may. */
  envFileFor?: (hook: HookDefinition) => string;
}

/** A question of a hook to a model. It is no part of the conversation, and what it costs is counted. */
export interface HookQuestion {
  system: string;
  prompt: string;
  /** Absent: the one of the session. */
  model?: string;
  /** The name of the hook. */
  by: string;
  signal: AbortSignal;
  onText: (text: string) => void;
}

/** One run of one hook, of whatever kind. */
export interface HookCall {
  event: HookEvent;
  hook: HookDefinition;
  context: HookSurroundings & {
    /** The fields of the event's input schema, snake_case, without `hook_event_name`. */
    input: Record<string, unknown>;
  };
  /** The event's input, one line of JSON, the same for all hooks. */
  line: string;
  timeoutMs: number;
}

/** `message` goes on after the hook's name. */
export function didNotRun(way: FailureWay, message: string): HookExecutionResult {
  return { success: false, duration: 0, timedOut: false, error: { way, message } };
}
