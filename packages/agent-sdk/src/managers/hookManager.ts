import { personHome } from "../workspace/personHome.ts";
import type { AgentEvent } from "../events.ts";
import { whyLeftOut } from "../hooks/condition.ts";
import {
  hookIdOf,
  identityOf,
  type HookDefinition,
  type HookOff,
  type HookState,
} from "../hooks/definition.ts";
import type { HookEventRow } from "../hooks/eventRow.ts";
import { HOOK_EVENTS, type HookContext, type HookEvent } from "../hooks/events.ts";
import type { Entrypoint } from "../hooks/eventFields.ts";
import {
  isSameEntry,
  joinPlans,
  matchedValue,
  planHooks,
  unreviewedWords,
  type HookPlan,
  type PlanOptions,
} from "../hooks/plan.ts";
import { planningFor } from "../hooks/planning.ts";
import { howItEnded } from "../hooks/readFailure.ts";
import type { HookExecutionResult } from "../hooks/result.ts";
import { readVerdict, type Verdict } from "../hooks/verdict.ts";
import type { HooksInForce } from "../workspace/configGuard.ts";
import type { Worktree } from "../workspace/git/gitFacts.ts";
import { executeHooks, type HookRunContext } from "../services/hook.ts";
import type { JudgeOptions, Judgement } from "../session/judgement.ts";

export interface HookSession {
  id: string;
  file: string;
  projectDir: string;
  interactive: boolean;
  entrypoint: Entrypoint;
  worktree: Worktree | undefined;
}

export type HookEnvironment = Pick<
  HookRunContext,
  "env" | "withheld" | "setBySettings" | "sandbox" | "register" | "runners" | "askModel"
>;

/** Plans, runs and reads hooks. It decides nothing: verdicts are data for whoever asked. */
export class HookManager {
  readonly #settings: { readonly inForce: HooksInForce };
  readonly #session: HookSession;
  readonly #environment: HookEnvironment;
  readonly #knownTools: () => readonly string[];
  /** Hooks nobody approved that something would have been judged by. */
  readonly #missed = new Set<string>();
  readonly #emit: (event: AgentEvent) => void;
  /** Ids of hooks that a person switched off for this session. */
  readonly #switchedOff = new Set<string>();
  /** Ids of hooks that run once and did. */
  readonly #ranOnce = new Set<string>();
  #runs = 0;

  constructor(options: {
    /** Asked anew for every event: a person may have settings read again. */
    settings: { readonly inForce: HooksInForce };
    session: HookSession;
    environment: HookEnvironment;
    knownTools: () => readonly string[]; // Servers bring tools while a session goes on.
    emit: (event: AgentEvent) => void;
  }) {
    this.#settings = options.settings;
    this.#session = options.session;
    this.#environment = options.environment;
    this.#knownTools = options.knownTools;
    this.#emit = options.emit;
  }

  get #hooks(): readonly HookDefinition[] {
    return this.#settings.inForce.hooks;
  }

  get hooks(): HookState[] {
    return this.#hooks.map((hook) => ({
      id: hookIdOf(hook),
      hook,
      off: this.#whyOff(hook),
    }));
  }

  /** Switches a hook off or on again for this session; false for a hook that is not there or is managed (T8, T169). */
  switchHook(id: string, on: boolean): boolean {
    const hook = this.#hooks.find((one) => hookIdOf(one) === id);
    if (!hook || hook.source.scope === "managed") return false;
    if (on) this.#switchedOff.delete(id);
    else this.#switchedOff.add(id);
    const text = `hook ${hook.name} is ${on ? "on again" : "off"} for this session, by your hand`;
    this.#emit({ type: "notice", level: on ? "info" : "warning", text });
    return true;
  }

  /** The same, with the copies of the hook in other files: they are one hook when it runs. */
  switchOffEverywhere(id: string): void {
    const hook = this.#hooks.find((one) => hookIdOf(one) === id);
    if (!hook) return;
    const copies = this.#hooks.filter((one) => one.event === hook.event && isSameEntry(one, hook));
    for (const copy of new Set([hook, ...copies])) this.switchHook(hookIdOf(copy), false);
  }

  #whyOff(hook: HookDefinition): HookOff | undefined {
    const id = hookIdOf(hook);
    if (this.#switchedOff.has(id)) return { why: "switched-off", words: "switched off for this session" };
    const { off, unreviewed, ways } = this.#settings.inForce;
    const words = off(hook);
    if (words !== undefined) return { why: "left-out", words };
    return unreviewed.has(id) ? { why: "unreviewed", words: unreviewedWords(ways) } : undefined;
  }

  get #ruleContext() {
    return { base: this.#session.projectDir, home: personHome(this.#environment.env) };
  }

  /** Which hooks would run for this, and why the others would not. */
  plan<E extends HookEvent>(event: E, facts: HookContext<E>): HookPlan {
    return planHooks(event, matchedValue(event, facts), this.#hooks, {
      ...this.#planning(facts),
      off: (hook) => {
        if (this.#ranOnce.has(hookIdOf(hook))) return "it runs once in a session, and did";
        const off = this.#whyOff(hook);
        // What waits for an approval is more than off: whatever it would judge is asked about.
        return off && off.why !== "unreviewed" ? off.words : undefined;
      },
    });
  }

  /** The plan for an input that hooks have changed. */
  #planAgain<E extends HookEvent>(
    event: E,
    facts: HookContext<E>,
    { planned, ...first }: Judgement,
  ): HookPlan {
    const value = matchedValue(event, facts);
    const late = planHooks(event, value, first.aboutOthers, this.#planning(facts));
    return joinPlans({ ...first, run: [...planned] }, late);
  }

  #planning(facts: Readonly<Record<string, unknown>>): PlanOptions {
    const { unreviewed, ways } = this.#settings.inForce;
    const given = { knownTools: this.#knownTools(), unreviewed, context: this.#ruleContext };
    return { ...planningFor(facts, given), ways };
  }

  /** Hooks that something would have been judged by in this session, had somebody approved them. */
  get missed(): HookDefinition[] {
    return this.#hooks.filter((hook) => this.#missed.has(hookIdOf(hook)));
  }

  /** Runs the hooks that match, one result each, in declared order. */
  async executeHooks<E extends HookEvent>(
    event: E,
    facts: HookContext<E>,
    options: JudgeOptions = {},
  ): Promise<HookExecutionResult[]> {
    return this.#run(event, facts, this.plan(event, facts).run, options);
  }

  async judge<E extends HookEvent>(
    event: E,
    facts: HookContext<E>,
    options: JudgeOptions = {},
  ): Promise<Judgement> {
    const started = performance.now();
    const { like } = options;
    const plan = like ? this.#planAgain(event, facts, like) : this.plan(event, facts);
    for (const hook of plan.unreviewed) this.#missed.add(hookIdOf(hook));
    const all = await this.#run(event, facts, plan.run, options);
    const row: HookEventRow = HOOK_EVENTS[event];
    const results = row.onlyPlanned ? all.slice(0, plan.run.length) : all;
    const contextLimit = this.#settings.inForce.contextLimits[event];
    const verdicts = results.map((result, index) => {
      const verdict = this.#read(event, result, plan.run[index]);
      return contextLimit === undefined ? verdict : { ...verdict, contextLimit };
    });
    const { skipped, unreviewed, aboutOthers } = plan;
    const others = { skipped, unreviewed, aboutOthers };
    const durationMs = performance.now() - started;
    return { pass: options.pass ?? 1, planned: plan.run, results, verdicts, ...others, durationMs };
  }

  #read(event: HookEvent, result: HookExecutionResult, hook: HookDefinition | undefined): Verdict {
    const identity = result.hook ?? (hook ? identityOf(hook) : { name: event, source: "unknown" });
    const policy = hook
      ? { onError: hook.onError, scope: hook.source.scope }
      : { onError: "continue" as const };
    const { entrypoint } = this.#session;
    return readVerdict(event, result, { ...identity, ...policy, entrypoint });
  }

  /** A deny ends the row. One that only stands for a failure does not: a person may pass it, and then the others must have judged. */
  #next(
    verdict: Verdict,
    { afterRewrite }: JudgeOptions,
  ): { input: Record<string, unknown> } | { stop: string } | undefined {
    const { name } = verdict.hook;
    if (verdict.halt !== undefined) return { stop: `hook ${name} before it ended the turn` };
    if (verdict.decision === "deny" && verdict.decidedBy === "hook")
      return { stop: `hook ${name} before it denied` };
    return verdict.rewrite && "to" in verdict.rewrite ? afterRewrite?.(verdict.rewrite.to) : undefined;
  }

  async #run<E extends HookEvent>(
    event: E,
    facts: HookContext<E>,
    hooks: readonly HookDefinition[],
    options: JudgeOptions,
  ): Promise<HookExecutionResult[]> {
    const row: HookEventRow = HOOK_EVENTS[event];
    if (hooks.length === 0 && row.silentWithoutHooks) return [];
    const { signal, transcriptFor, envFileFor } = options;
    const runs = new Map<HookDefinition, Omit<Extract<AgentEvent, { type: "hook_started" }>, "type">>();
    const whose = facts.agent_id === undefined ? {} : { agentId: facts.agent_id };
    const context = {
      input: {
        session_id: this.#session.id,
        transcript_path: this.#session.file,
        interactive: this.#session.interactive,
        entrypoint: this.#session.entrypoint,
        ...worktreeFields(this.#session.worktree),
        ...facts,
      },
      projectDir: this.#session.projectDir,
      sessionId: this.#session.id,
      ...this.#environment,
      ...(signal && { signal }),
      ...(transcriptFor && { transcriptFor }),
      ...(envFileFor && { envFileFor }),
      whyNotAsked: (hook: HookDefinition, input: Record<string, unknown>) =>
        whyLeftOut(hook, input, this.#ruleContext),
      nextInSequence: (hook: HookDefinition, result: HookExecutionResult) =>
        this.#next(this.#read(event, result, hook), options),
      onLater: (hook: HookDefinition, result: HookExecutionResult) =>
        options.onLater?.({
          pass: 1,
          ...NOTHING_LEFT_OUT,
          durationMs: result.duration,
          planned: [hook],
          results: [result],
          verdicts: [this.#read(event, result, hook)],
        }),
      onStarted: (hook: HookDefinition) => {
        if (hook.once) this.#ranOnce.add(hookIdOf(hook));
        const { statusMessage, inBackground } = hook;
        const run = {
          event,
          hook: identityOf(hook),
          toolUseId: options.toolUseId,
          runId: ++this.#runs,
          ...whose,
        };
        runs.set(hook, run);
        this.#emit({
          type: "hook_started",
          ...run,
          ...(statusMessage !== undefined && { statusMessage }),
          ...(inBackground && { background: true }),
        });
      },
      onFinished: (hook: HookDefinition, result: HookExecutionResult) => {
        const run = runs.get(hook);
        if (!run) return;
        this.#emit({ type: "hook_finished", ...run, durationMs: result.duration, ended: howItEnded(result) });
      },
    };
    // Asked also when nothing matches: whoever stands in for the service sees every event.
    return (await executeHooks(event, context, hooks)) ?? [];
  }
}

const worktreeFields = (worktree: Worktree | undefined) =>
  worktree && { worktree_root: worktree.root, main_checkout: worktree.mainCheckout };

const NOTHING_LEFT_OUT = { skipped: [], unreviewed: [], aboutOthers: [] };
