import type { AgentEvent } from "../events.ts";
import { hookIdOf, identityOf, type HookDefinition, type HookState } from "../hooks/definition.ts";
import { HOOK_EVENTS, type HookEvent, type HookFacts } from "../hooks/events.ts";
import { planHooks, type HookPlan } from "../hooks/plan.ts";
import type { HookExecutionResult } from "../hooks/result.ts";
import { readVerdict, type Verdict } from "../hooks/verdict.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { executeHooks } from "../services/hook.ts";

/** What the hooks of one event said, with everything a record needs. Nothing has been done about it yet. */
export interface Judgement {
  pass: 1 | 2;
  results: HookExecutionResult[];
  verdicts: Verdict[];
  skipped: HookPlan["skipped"];
  /** By the index of its verdict: what a hook changed, and whether it stands. */
  rewriters?: ReadonlyMap<number, { fields: string[]; taken: boolean }>;
  durationMs: number;
}

export interface HookSession {
  id: string;
  file: string;
  projectDir: string;
  /** Both change while a session goes on. */
  cwd(): string;
  mode(): PermissionMode;
}

interface JudgeOptions {
  signal?: AbortSignal;
  toolUseId?: string;
  pass?: 1 | 2;
}

/** Plans, runs and reads hooks. It decides nothing: verdicts are data for whoever asked. */
export class HookManager {
  readonly #hooks: readonly HookDefinition[];
  readonly #session: HookSession;
  readonly #environment: { env: Record<string, string>; withheld: Record<string, string> };
  readonly #knownTools: readonly string[];
  readonly #off: (hook: HookDefinition) => string | undefined;
  readonly #emit: (event: AgentEvent) => void;
  /** Ids of hooks that a person switched off for this session. */
  readonly #switchedOff = new Set<string>();
  #runs = 0;

  constructor(options: {
    hooks: readonly HookDefinition[];
    session: HookSession;
    environment: { env: Record<string, string>; withheld: Record<string, string> };
    knownTools: readonly string[];
    /** Why a hook is switched off, if it is. */
    off: (hook: HookDefinition) => string | undefined;
    emit: (event: AgentEvent) => void;
  }) {
    this.#hooks = options.hooks;
    this.#session = options.session;
    this.#environment = options.environment;
    this.#knownTools = options.knownTools;
    this.#off = options.off;
    this.#emit = options.emit;
  }

  get hooks(): HookState[] {
    return this.#hooks.map((hook) => ({ id: hookIdOf(hook), hook, off: this.#whyOff(hook) }));
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

  #whyOff(hook: HookDefinition): string | undefined {
    return this.#switchedOff.has(hookIdOf(hook)) ? "switched off for this session" : this.#off(hook);
  }

  /** Which hooks would run for this, and why the others would not. */
  plan<E extends HookEvent>(event: E, facts: HookFacts<E>): HookPlan {
    const { matchOn } = HOOK_EVENTS[event];
    const value =
      matchOn === undefined ? undefined : Object.entries(facts).find(([field]) => field === matchOn)?.[1];
    return planHooks(event, typeof value === "string" ? value : undefined, this.#hooks, {
      knownTools: this.#knownTools,
      off: (hook) => this.#whyOff(hook),
    });
  }

  /** Runs the hooks that match, one result each, in declared order. */
  async executeHooks<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    options: JudgeOptions = {},
  ): Promise<HookExecutionResult[]> {
    return this.#run(event, facts, this.plan(event, facts).run, options);
  }

  async judge<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    options: JudgeOptions = {},
  ): Promise<Judgement> {
    const started = performance.now();
    const plan = this.plan(event, facts);
    const results = await this.#run(event, facts, plan.run, options);
    const verdicts = results.map((result, index) => {
      const planned = plan.run[index];
      const identity = result.hook ?? (planned ? identityOf(planned) : { name: event, source: "unknown" });
      return readVerdict(event, result, { ...identity, onError: planned?.onError ?? "continue" });
    });
    const durationMs = performance.now() - started;
    return { pass: options.pass ?? 1, results, verdicts, skipped: plan.skipped, durationMs };
  }

  async #run<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    hooks: readonly HookDefinition[],
    options: JudgeOptions,
  ): Promise<HookExecutionResult[]> {
    const runIds = new Map<HookDefinition, number>();
    const context = {
      input: {
        session_id: this.#session.id,
        transcript_path: this.#session.file,
        cwd: this.#session.cwd(),
        permission_mode: this.#session.mode(),
        ...facts,
      },
      projectDir: this.#session.projectDir,
      sessionId: this.#session.id,
      ...this.#environment,
      ...(options.signal ? { signal: options.signal } : {}),
      onStarted: (hook: HookDefinition) => {
        const runId = ++this.#runs;
        runIds.set(hook, runId);
        this.#emit({
          type: "hook_started",
          event,
          hook: identityOf(hook),
          toolUseId: options.toolUseId,
          runId,
        });
      },
      onFinished: (hook: HookDefinition, result: HookExecutionResult) => {
        const identity = identityOf(hook);
        const { ended } = readVerdict(event, result, { ...identity, onError: hook.onError });
        const runId = runIds.get(hook) ?? 0;
        const { toolUseId } = options;
        this.#emit({
          type: "hook_finished",
          event,
          hook: identity,
          toolUseId,
          runId,
          durationMs: result.duration,
          ended,
        });
      },
    };
    // Asked also when nothing matches: whoever stands in for the service sees every event.
    return (await executeHooks(event, context, hooks)) ?? [];
  }
}
