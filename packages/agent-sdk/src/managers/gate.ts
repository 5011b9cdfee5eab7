import type { AgentEvent } from "../events.ts";
import { buildRecord, hashOf } from "../hooks/buildRecord.ts";
import { combine, type Combined } from "../hooks/combine.ts";
import { effectsOf, type Effect } from "../hooks/effects.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import { GatePass } from "../tools/gatePass.ts";
import type { Tool, ToolCallContext, ToolOutcome, ToolSession } from "../tools/tool.ts";
import { prepareCall, withAbsolutePaths, type PreparedCall } from "../turn/prepareCall.ts";
import { describeMisfit } from "../utils/describeMisfit.ts";
import { headAndTail } from "../utils/headAndTail.ts";
import type { HookManager } from "./hookManager.ts";
import type { PermissionManager } from "./permissionManager.ts";
import type { PermissionPolicy, PolicyDecision } from "./permissionPolicy.ts";
import {
  INTERRUPTED,
  refusedByAnswer,
  refusedByHooks,
  refusedByPolicy,
  type Refusal,
  type Refused,
} from "./refusals.ts";
import { judgeToolCall, type ToolJudgement } from "./toolJudge.ts";

export type Entered =
  | {
      entered: true;
      call: PreparedCall;
      /** Exactly what was judged and shown. */
      input: Record<string, unknown>;
      rewritten: boolean;
      effects: Effect[];
      run(context: Omit<ToolCallContext, "session" | "keptBack">): Promise<ToolOutcome>;
    }
  | { entered: false; effects: Effect[]; result: string; error: string; refusal: Refusal };

/** A call on its way through the gate. */
interface Visit {
  call: PreparedCall;
  judged: ToolJudgement;
  combined: Combined;
  effects: Effect[];
}

/**
 * The one way to a tool (DESIGN 4): hooks, then rules and mode, then a person; what was judged and shown is what runs.
 * Every call the model makes comes through here, also unknown tools and arguments that do not parse.
 */
export class Gate {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #session: ToolSession;
  readonly #hooks: HookManager;
  readonly #policy: PermissionPolicy;
  readonly #permissions: PermissionManager;
  readonly #onDecided: (record: DecisionRecord) => void;
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    tools: ReadonlyMap<string, Tool>;
    session: ToolSession;
    hooks: HookManager;
    policy: PermissionPolicy;
    permissions: PermissionManager;
    onDecided: (record: DecisionRecord) => void;
    emit: (event: AgentEvent) => void;
  }) {
    this.#tools = options.tools;
    this.#session = options.session;
    this.#hooks = options.hooks;
    this.#policy = options.policy;
    this.#permissions = options.permissions;
    this.#onDecided = options.onDecided;
    this.#emit = options.emit;
  }

  async enter(wire: ToolCallWire, signal: AbortSignal): Promise<Entered> {
    const tool = this.#tools.get(wire.function.name);
    const visit = await this.#askHooks(wire, tool, signal);
    const refused = signal.aborted ? INTERRUPTED : refusedByHooks(visit.combined, visit.effects);
    if (refused) return this.#refuse(visit, refused);
    const problem = this.#problemOf(visit, tool);
    if (!tool || problem) return this.#refuse(visit, cannotRun(problem ?? "there is no such tool"));

    const { input, rewritten } = visit.judged;
    // Made before anybody is asked: what is judged from here on can no longer become something else.
    const pass = GatePass.issue(tool.input.parse(input), visit.call.id);
    const policy = this.#policy.decide({ tool, original: visit.call.input, input, hook: visit.combined });
    if (policy.decision === "deny") return this.#refuse(visit, refusedByPolicy(policy), policy);
    if (policy.decision === "ask") {
      const no = await this.#askPerson(visit, policy, signal);
      if (no) return this.#refuse(visit, no, policy);
    }
    const decidedBy = policy.decision === "ask" ? "person" : policy.by;
    this.#record(visit, { decision: "allow", decidedBy, reason: policy.reason, rules: policy.rules });
    const { call, effects } = visit;
    return {
      entered: true,
      call,
      input,
      rewritten,
      effects,
      run: (context) => tool.run(pass, { ...context, session: this.#session, keptBack: policy.keptBack }),
    };
  }

  async #askHooks(wire: ToolCallWire, tool: Tool | undefined, signal: AbortSignal): Promise<Visit> {
    const pathFields = tool?.pathFields ?? [];
    const absolute = (path: string) => this.#policy.absolutePath(path);
    const call = prepareCall(wire, pathFields, absolute);
    const rewriting = {
      normalise: (input: Record<string, unknown>) => withAbsolutePaths(input, pathFields, absolute),
      misfit: (input: Record<string, unknown>) => (tool ? misfit(tool, input) : undefined),
    };
    const judged = await judgeToolCall(this.#hooks, call, rewriting, signal);
    // The reasons of a deny become the result of the call; see refusedByHooks.
    const effects = effectsOf("PreToolUse", judged.verdicts).filter((effect) => effect.do !== "deny-tool");
    return { call, judged, combined: combine(judged.verdicts), effects };
  }

  async #askPerson(visit: Visit, policy: PolicyDecision, signal: AbortSignal): Promise<Refused | undefined> {
    const { call, judged } = visit;
    const answered = await this.#permissions.request(
      {
        toolName: call.name,
        toolUseId: call.id,
        input: structuredClone(judged.input),
        originalInput: judged.rewritten ? structuredClone(call.input) : undefined,
        reason: policy.reason,
        askedBy: policy.askedBy,
        cwd: this.#session.cwd,
      },
      signal,
    );
    return refusedByAnswer(answered, policy);
  }

  #refuse(visit: Visit, refused: Refused, policy?: PolicyDecision): Entered {
    const { call, judged, effects } = visit;
    const { result: reason, error, decidedBy, kind, ending } = refused;
    const decision = kind === "halted" ? "halted" : "deny";
    this.#record(visit, { decision, decidedBy, reason, ...(policy ? { rules: policy.rules } : {}) });
    const denial = { toolName: call.name, toolUseId: call.id, input: judged.input, reason, by: decidedBy };
    const isDecision = kind !== "interrupted" && kind !== "cannot-run";
    const refusal = { ...(isDecision ? { denial } : {}), unanswered: kind === "unanswered", ending };
    return { entered: false, effects, result: reason, error, refusal };
  }

  #problemOf({ call, judged }: Visit, tool: Tool | undefined): string | undefined {
    if (!tool) return `There is no tool named ${call.name}. Tools: ${[...this.#tools.keys()].join(", ")}.`;
    if (call.broken && !judged.rewritten) {
      const raw = headAndTail(call.broken.raw, 2_000).text;
      return `The arguments could not be read: ${call.broken.error}. They were: ${raw}`;
    }
    const wrong = misfit(tool, judged.input);
    return wrong === undefined ? undefined : `The input does not fit ${call.name}: ${wrong}`;
  }

  #record({ call, judged }: Visit, rest: Partial<DecisionRecord>): void {
    const record = buildRecord("PreToolUse", this.#policy.mode, judged.judgements, {
      toolUseId: call.id,
      toolName: call.name,
      inputHash: hashOf(call.broken?.raw ?? call.input),
      finalInputHash: hashOf(judged.input),
      inputPreview: preview(call.broken?.raw ?? call.input),
      ...(judged.rewritten ? { finalInputPreview: preview(judged.input) } : {}),
      ...rest,
    });
    this.#onDecided(record);
    this.#emit({ type: "hooks_decided", record });
  }
}

const preview = (input: unknown) =>
  headAndTail(typeof input === "string" ? input : JSON.stringify(input), 2_000).text;

const cannotRun = (result: string): Refused => ({
  result,
  error: "the call cannot be run",
  decidedBy: "the call itself",
  kind: "cannot-run",
});

function misfit(tool: Tool, input: Record<string, unknown>): string | undefined {
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return undefined;
  return describeMisfit({ name: tool.name, schema: tool.input, input, issues: parsed.error.issues });
}
