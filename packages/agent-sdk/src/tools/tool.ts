import type { z } from "zod";
import type { PermissionDenial } from "../events.ts";
import type { ImageBlock, ToolBlock, Usage } from "../messages/blocks.ts";
import type { Bounds } from "../permissions/decide.ts";
import type { ToolEffect } from "../permissions/effect.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { HiddenPlace } from "../permissions/readOnlyPlan.ts";
import type { SearchFilter } from "../permissions/searchFilter.ts";
import type { FileChange } from "../permissions/request.ts";
import type { RunRegister } from "../process/runRegister.ts";
import type { CommandSandbox } from "./commandSandbox.ts";
import type { FileJournal } from "./fileJournal.ts";
import type { GatePass } from "./gatePass.ts";
import type { ShellRegistry } from "./shells.ts";
import type { FileMemory } from "./fileMemory.ts";

export type { ToolEffect };

export interface ToolOutcome {
  success: boolean;
  /** What the model is told. Bounded by the tool. */
  result: string;
  /** `tool_response` of PostToolUse hooks, in the shape existing hook scripts read. */
  response: unknown;
  /** Shown to the model in a message of their own after the batch. */
  images?: ImageBlock[];
  /** Of a sub-agent that worked for the call: it counts as work of the turn. */
  work?: AgentWork;
  /** For the block of the call. */
  replaced?: NonNullable<ToolBlock["replaced"]>;
}

/** What came of a sub-agent beside its answer. */
export interface AgentWork {
  usage: Usage;
  denials: readonly PermissionDenial[];
  /** Something was asked that nobody could answer. */
  unanswered: boolean;
  /** A hook ended it with `continue: false`, which ends whoever it works for. */
  halted?: string;
}

/** What a sub-agent is started for. */
export interface AgentTask {
  type: string;
  description: string;
  prompt: string;
  /** Nobody waits for it. */
  background: boolean;
  /** The call that wants it. */
  toolUseId: string;
}

/** Whoever starts sub-agents for one conversation. */
export interface AgentLauncher {
  /** Never rejects for what a model, hook or tool did. */
  start(
    task: AgentTask,
    context: Pick<ToolCallContext, "signal" | "ending" | "onOutput">,
  ): Promise<ToolOutcome>;
}

/** What a session lends to its tools. One object per session; tools keep no state of their own. */
export interface ToolSession {
  readonly projectDir: string;
  /** The folder commands start in; a `cd` of the Bash tool moves it. */
  cwd: string;
  /** Environment for processes that tools start: already without Wave's model keys and npm's variables. */
  readonly env: Record<string, string>;
  readonly files: FileMemory;
  readonly journal: FileJournal;
  readonly shells: ShellRegistry;
  /** What commands run in. Absent: they run as they are. */
  readonly sandbox?: CommandSandbox;
  readonly register?: RunRegister;
  todos: readonly Todo[];
  /** Absent: no sub-agent can be started. */
  agents?: AgentLauncher;
  /** Ends plan mode after a yes; the mode from then on. Absent in a sub-agent, whose mode is its parent's. */
  leavePlan?: () => PermissionMode | "was-not-planning";
}

/** As much of a session as decides what a call would touch. */
export type ToolPlace = Pick<ToolSession, "projectDir" | "cwd" | "env" | "sandbox">;

export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed";
  /** How the step reads while it is being done: "Running the tests". */
  activeForm?: string | undefined;
}

export interface ToolCallContext {
  session: ToolSession;
  signal: AbortSignal;
  /** Says that the turn ends with the calls that run: they come to their end, and nothing new is begun. */
  ending?: AbortSignal | undefined;
  /** Output of a running command, as it comes. */
  onOutput(text: string): void;
  /** Asked about every file that the input does not name. Undefined: no rule speaks about single files. */
  searchFilter: SearchFilter | undefined;
  /** What holds for processes of the call. */
  bounds: Bounds;
  /** Which files are not there for them although they may come across them, as a sentence. */
  unseen?: string | undefined;
  /** What processes in a sandbox do not see, because rules keep it back. */
  hidden: () => readonly HiddenPlace[];
  /** Where the files of the input led when the call was judged: a tool reads and writes nowhere else (G30). */
  judgedFiles?: readonly string[];
  /** An allow rule names the host that the call reaches. */
  namedHost?: boolean;
  /** A tool that writes replaces nothing but this. Absent: nobody was shown a file. */
  shownFile?: ShownFile;
}

/** What a tool may look at without running. */
export type PreflightContext = Pick<ToolCallContext, "session" | "judgedFiles" | "namedHost">;

/** Why a call cannot do what it is asked, whoever allows it. */
export interface CannotRun {
  /** For the model, before anybody has agreed to the call: it names nothing that the call itself does not name. */
  problem: string;
  /** The same with what helps, such as the names of other files: for a call that may run. */
  inFull?: string;
}

/** What can be told about a call before it runs. */
export type Preflight = CannotRun | { change?: FileChange & Pick<ShownFile, "hash"> };

/** The file as a person saw it when they allowed a change of it. */
export interface ShownFile {
  /** Undefined: there was no file. */
  hash: string | undefined;
}

export interface Tool<Input = Record<string, unknown>> {
  readonly name: string;
  /** For the model. Kept short: all tools together cost a few kilobytes of every request. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** The JSON Schema of the input, for the model. Absent: it is made from `input`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Reading calls of one answer may run at the same time. */
  readonly parallel: boolean;
  /** Fields whose value is a path: made absolute before hooks see the input. */
  readonly pathFields: readonly string[];
  effect(input: Input, session: ToolPlace): ToolEffect;
  /**
   * What `run` would find out before it does anything: nobody is asked about a call that cannot succeed. `run` checks it
   * again, with the same code, because time has passed. Never rejects.
   */
  preflight?(input: Input, context: PreflightContext): Promise<Preflight>;
  /** Never rejects for a foreseeable failure: that is an outcome with `success: false`. */
  run(pass: GatePass<Input>, context: ToolCallContext): Promise<ToolOutcome>;
}

/**
 * Forgets a tool's own input type, so that tools of all kinds fit into one list. What it forgets is checked at run time:
 * the gate parses every input with `tool.input` before it issues a pass, so `run` gets what its schema describes.
 */
export function defineTool<Input extends Record<string, unknown>>(tool: Tool<Input>): Tool {
  return tool;
}
