import { labelOf } from "../hooks/definition.ts";
import { deniedByFailureAlone, failedHooksOf, withoutBrokenGuards } from "../hooks/brokenGuards.ts";
import { ALLOWED, combine, type Combined } from "../hooks/combine.ts";
import type { Effect } from "../hooks/effects.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import type { TellModel } from "../hooks/run/carryOut.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { GatePass } from "../tools/gatePass.ts";
import type { ToolLookup } from "../tools/sources/registry.ts";
import type { Preflight, ToolSession } from "../tools/tool.ts";
import { prepareCall, withAbsolutePaths, type PreparedCall } from "../conversation/turn/prepareCall.ts";
import { passedEffects } from "../session/passedGuards.ts";
import { untilDecided, type Attempts } from "../session/person.ts";
import { cannotRun, whyNotRun } from "./calledTool.ts";
import { CallInputs, type FittingCall } from "./callFacts.ts";
import { recordedFacts } from "./callRecord.ts";
import { hookView, type SeenCall } from "./callView.ts";
import { DeniedPaths } from "./deniedPaths.ts";
import {
  allowedBy as rulesThatAllow,
  INTERRUPTED,
  opinionOf,
  refusedByAnswer,
  refusedByHooks,
  refusedByPolicy,
  type Refused,
} from "./refusals.ts";
import {
  NOT_AHEAD,
  type Asks,
  type AsksHooks,
  type Decides,
  type PolicyDecision,
  type Records,
} from "./seams.ts";
import type { Caller } from "./caller.ts";
import type { Entered } from "./entered.ts";
import { changesOf, withGivenInput } from "./givenInput.ts";
import { changedBy, judgeToolCall, type ToolJudgement } from "./toolJudge.ts";

/** A call on its way through the gate. */
interface Visit {
  call: PreparedCall;
  origin: CallOrigin;
  callsBehind: number;
  judged: ToolJudgement;
  combined: Combined;
  /** What the transcript is told beside what hooks say. */
  effects: Effect[];
  /** What the call would touch that hooks judged last. */
  seen: SeenCall;
  /** What the model asked for, when hooks changed it and it could have run. */
  original: FittingCall | undefined;
  /** As hooks were told it. */
  mode: PermissionMode;
  /** Hooks that deny only because they failed are a question. */
  asksAboutFailures: boolean;
  attempts: Attempts;
}

type ShownChange = NonNullable<Exclude<Preflight, { problem: string }>["change"]>;

interface Asking {
  policy: PolicyDecision;
  /** Hooks deny the call, and only because they failed. */
  refused: Refused | undefined;
  shown: ShownChange | undefined;
  hookMayAllow: boolean;
  onlyPolicyAsks: boolean;
}

/**
 * The one way to a tool (DESIGN 4): hooks, then rules and mode, then a person; what was judged and shown is what runs.
 * Every call of every origin comes through here, also unknown tools and arguments that do not parse.
 */
export class Gate {
  readonly #tools: ToolLookup;
  readonly #session: ToolSession;
  readonly #hooks: AsksHooks;
  readonly #policy: Decides;
  readonly #person: Asks;
  readonly #records: Records;
  readonly #denied: DeniedPaths;

  constructor(options: {
    tools: ToolLookup;
    session: ToolSession;
    hooks: AsksHooks;
    policy: Decides;
    person: Asks;
    records: Records;
  }) {
    this.#tools = options.tools;
    this.#session = options.session;
    this.#denied = new DeniedPaths(options.session);
    this.#hooks = options.hooks;
    this.#policy = options.policy;
    this.#person = options.person;
    this.#records = options.records;
  }

  async enter(wire: ToolCallWire, caller: Caller): Promise<Entered> {
    return untilDecided((attempts) => this.#visit(withGivenInput(wire, attempts), caller, attempts));
  }

  async #visit(
    wire: ToolCallWire,
    { origin, signal, callsBehind = 0 }: Caller,
    attempts: Attempts,
  ): Promise<Entered | "again"> {
    const asked = await this.#askHooks(wire, { origin, signal });
    const visit = { ...asked, origin, callsBehind, attempts };
    const { call, judged, combined, original } = visit;
    if (signal.aborted) return this.#refuse(visit, signal, INTERRUPTED);
    const { fit } = judged.facts;
    const problem = whyNotRun(visit, this.#tools);
    if (problem !== undefined || !fit.fits)
      return this.#refuse(visit, signal, refusedByHooks(combined) ?? cannotRun(problem ?? ""));

    // Made before anybody is asked: what is judged from here on can no longer become something else.
    const pass = GatePass.issue(fit.input, call.id);
    const inputs = { final: fit, original };
    const unreviewed = judged.judgements.flatMap((one) => one.unreviewed.map(({ name }) => name));
    // Hooks that deny only because they failed are a question, where nobody else says no.
    const isHeld = visit.asksAboutFailures && deniedByFailureAlone(combined);
    const isRefused = !isHeld && refusedByHooks(combined) !== undefined;
    const ahead = isRefused ? NOT_AHEAD : await this.#policy.lookAhead(inputs, signal);
    if (!isRefused && this.#policy.mode !== visit.mode && !signal.aborted) return this.#askAgain(visit);
    const decide = (hooks: Combined) =>
      this.#policy.decide({ ...inputs, origin, ahead }, { hook: opinionOf(hooks), unreviewed });
    const all = decide(combined);
    const policy = isHeld ? decide(combine(withoutBrokenGuards(judged.verdicts))) : all;
    const refused = isHeld ? refusedByPolicy(all, combined) : undefined;
    if (isRefused || policy.decision === "deny")
      return this.#refuse(visit, signal, refused ?? refusedByPolicy(all, combined), all);
    const isAsked = isHeld || policy.decision === "ask";
    let shown: ShownChange | undefined;
    let allowedBy = "person";
    if (isAsked) {
      const checked = await this.#preflight(fit, policy);
      if ("problem" in checked)
        return this.#refuse(visit, signal, refused ?? cannotRun(checked.problem), policy);
      shown = checked.change;
      const isOpen = !isHeld && (combined.decision === "none" || combined.decision === "allow");
      const hookMayAllow = isOpen && decide(ALLOWED).decision === "allow";
      // A question with some answers still has others.
      const isQuestion = fit.view.effect.does === "ask-person";
      const onlyPolicyAsks = isOpen && unreviewed.length === 0 && !isQuestion;
      const asking = { policy, refused, shown, hookMayAllow, onlyPolicyAsks };
      const answer = await this.#askPerson(visit, asking, signal);
      if (answer === "again") return answer;
      if ("result" in answer) return this.#refuse(visit, signal, answer, policy);
      allowedBy = answer.by;
    }
    const reason = [refused?.result, policy.reason].filter((part) => part !== undefined).join("\n");
    const decidedBy = isAsked ? allowedBy : policy.by;
    const bounds = isAsked ? "none" : policy.bounds;
    const noted = { ...(bounds === "none" ? {} : { bounds }), rules: policy.rules };
    const outcome = { decision: "allow", decidedBy, reason, ...noted } as const;
    const after = this.#conclude(visit, outcome, passedEffects("PreToolUse", attempts.guards));
    return {
      entered: true,
      call,
      input: judged.input,
      ...changesOf(judged, call.input, attempts),
      after,
      facts: fit,
      view: hookView(fit.view, origin),
      run: async (context) => {
        const { searchFilter, judgedFiles, namedHost, unseen } = policy;
        const shownFile = shown && { shownFile: { hash: shown.hash } };
        const held = { bounds, unseen, searchFilter, judgedFiles, namedHost, ...shownFile };
        const hidden = () => policy.hidden(bounds);
        const outcome = await fit.tool.run(pass, { ...context, session: this.#session, hidden, ...held });
        for (const text of await ahead.lookAgain()) this.#records.notice("warning", text);
        return outcome;
      },
    };
  }

  /** A hook that lets pass what is only planned has not judged what will be done. */
  #askAgain({ call, judged, attempts }: Visit): "again" {
    attempts.earlier.push(...judged.judgements);
    const text = `the mode became ${this.#policy.mode} while ${call.name} was being judged; its hooks are asked again`;
    this.#records.notice("info", text);
    return "again";
  }

  async #askHooks(
    wire: ToolCallWire,
    { origin, signal }: Caller,
  ): Promise<Omit<Visit, "origin" | "callsBehind" | "attempts">> {
    // Read once: hooks judge, and a person is asked, under the same mode.
    const { mode } = this.#policy;
    const asksAboutFailures = this.#person.isAskedAboutFailures(mode);
    const tool = this.#tools.get(wire.function.name);
    const pathFields = tool?.pathFields ?? [];
    const absolute = (path: string) => this.#policy.absolutePath(path);
    const call = prepareCall(wire, pathFields, absolute);
    const inputs = new CallInputs({
      see: (input) => this.#policy.see(tool, input),
      absolute: (input) => withAbsolutePaths(input, pathFields, absolute),
      origin,
      deniedBefore: (seen) => this.#denied.about(signal, seen.touched),
    });
    const judged = await judgeToolCall(this.#hooks, call, inputs, { signal, asksAboutFailures });
    const seen = inputs.last;
    const effects = this.#denied.warnings(signal, call.name, seen.touched);
    const { fit } = inputs.facts(call.input);
    const original = judged.rewritten && fit.fits ? fit : undefined;
    const combined = combine(judged.verdicts);
    return { call, judged, combined, effects, seen, original, mode, asksAboutFailures };
  }

  /** Where nobody would be asked, nothing is told either: whether a file exists is an answer to the question. */
  async #preflight({ tool, input }: FittingCall, policy: PolicyDecision): Promise<Preflight> {
    if (!this.#person.canAsk) return {};
    const { judgedFiles, namedHost } = policy;
    return (await tool.preflight?.(input, { session: this.#session, judgedFiles, namedHost })) ?? {};
  }

  async #askPerson(
    visit: Visit,
    { policy, refused, shown, hookMayAllow, onlyPolicyAsks }: Asking,
    signal: AbortSignal,
  ): Promise<Refused | "again" | { by: string }> {
    const { call, origin, callsBehind, judged, attempts } = visit;
    const failedHooks = failedHooksOf(judged.verdicts, judged.planned, attempts.guards);
    const blocking = failedHooks.filter(({ onError }) => onError === "block");
    const asked = policy.decision === "ask" ? policy : { reason: "", askedBy: [] };
    const answer = await this.#person.ask(
      {
        toolName: call.name,
        toolUseId: call.id,
        origin,
        input: structuredClone(judged.input),
        originalInput: judged.rewritten ? structuredClone(call.input) : undefined,
        ...(judged.rewritten ? { changedBy: changedBy(judged) } : {}),
        reasons: [...blocking.map(({ message }) => message), asked.reason],
        askedBy: [...blocking.map(labelOf), ...asked.askedBy],
        failedHooks,
        verdicts: judged.verdicts,
        offer: policy.offer,
        hookMayAllow,
        onlyPolicyAsks,
        ...(shown ? { change: { path: shown.path, before: shown.before, after: shown.after } } : {}),
        ...(callsBehind > 0 ? { callsBehind } : {}),
        cwd: this.#session.cwd,
      },
      attempts,
      signal,
    );
    if (answer.said === "again") attempts.earlier.push(...judged.judgements);
    if (answer.said === "again") return "again";
    const by = answer.said === "yes" ? (answer.by ?? "person") : "person";
    return refusedByAnswer(answer, { policy, refused, judged }) ?? { by };
  }

  #refuse(visit: Visit, turn: AbortSignal, refused: Refused, policy?: PolicyDecision): Entered {
    const { call, judged, seen } = visit;
    const { result: reason, error, decidedBy, kind, ending } = refused;
    const decision = kind === "halted" ? "halted" : "deny";
    const allowed = kind === "unanswered" && policy ? rulesThatAllow(policy.offer()) : {};
    const rules = policy ? { rules: policy.rules } : {};
    const outcome = { decision, decidedBy, reason, ...rules, ...allowed } as const;
    const after = this.#conclude(visit, outcome, refused.advice);
    const { name: toolName, id: toolUseId } = call;
    const denial = { toolName, toolUseId, input: judged.input, reason, by: decidedBy, ...allowed };
    const isDecision = kind !== "interrupted" && kind !== "cannot-run";
    if (isDecision)
      this.#denied.note(
        turn,
        { tool_name: call.name, tool_use_id: call.id, by: decidedBy, reason },
        seen.touched,
      );
    const refusal = { ...(isDecision ? { denial } : {}), unanswered: kind === "unanswered", ending };
    return { entered: false, after, result: reason, error, refusal };
  }

  #conclude(visit: Visit, outcome: Partial<DecisionRecord>, also: readonly Effect[] = []): TellModel[] {
    const { judged, mode, attempts } = visit;
    const { judgements, verdicts } = judged;
    const said = { judgements, earlier: attempts.earlier, verdicts, also: [...visit.effects, ...also], mode };
    return this.#records.conclude("PreToolUse", said, { ...recordedFacts(visit), ...outcome }).after;
  }
}
