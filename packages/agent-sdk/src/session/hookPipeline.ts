import type { AgentEvent } from "../events.ts";
import { buildRecord } from "../hooks/buildRecord.ts";
import { combine, type Combined } from "../hooks/combine.ts";
import type { HookDefinition } from "../hooks/definition.ts";
import { effectsOf, laterEffects, type Effect } from "../hooks/effects.ts";
import type { HookEventRow } from "../hooks/eventRow.ts";
import { HOOK_EVENTS, type HookEvent, type HookFacts } from "../hooks/events.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import { onlyHalt, type Verdict } from "../hooks/verdict.ts";
import {
  carryOut,
  isTellModel,
  type CarriedOut,
  type HookAudience,
  type TellModel,
} from "../hooks/run/carryOut.ts";
import type { HookManager } from "../managers/hookManager.ts";
import type { JudgeOptions, Judgement } from "./judgement.ts";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { ChangedFile, ConfigGuard } from "../workspace/configGuard.ts";
import { changeOf, differenceOf } from "../workspace/settings/configFiles.ts";
import { describeChange } from "../workspace/watchedFiles.ts";
import type { CommandVariables } from "./commandVariables.ts";
import type { SessionLog } from "./sessionLog.ts";

/** The conversation in which events happen. */
export interface EventPlace {
  audience: HookAudience;
  /** Both change while a session goes on. */
  cwd(): string;
  mode(): PermissionMode;
  /** The newest prompt; undefined before the first of this process. */
  promptId?(): string | undefined;
  /** The conversation as hooks of another agent read it, the main one or its own: brings the file up to date. */
  transcriptFor?: NonNullable<JudgeOptions["transcriptFor"]>;
  /** Whose conversation it is. Absent: the main one. */
  agent?: SubAgentIdentity | undefined;
  /** Something that nobody waits for before the session ends. */
  aside?(work: Promise<unknown>): void;
  /** What hooks set for later commands. */
  variables?: Pick<CommandVariables, "fileFor" | "take">;
}

/** What the hooks of one event said, for the part of the pipeline that does something about it. */
export interface Said {
  /** The passes of the last attempt; the last of them counts. */
  judgements: readonly Judgement[];
  /** What the hooks said before they were asked again. */
  earlier?: readonly Judgement[];
  /** What counts, where that is not simply what the last pass said. */
  verdicts?: readonly Verdict[];
  /** What Wave does besides. */
  also?: readonly Effect[];
  /** Which effects count; all when absent. */
  only?: (effect: Effect) => boolean;
  /** The hooks say once more what the summary of the conversation may have kept. */
  again?: boolean;
  /** As hooks were told it, where it may be another one by now. */
  mode?: PermissionMode;
}

export interface Concluded extends CarriedOut {
  combined: Combined;
  /** What the model is told once all calls of the answer have their results. */
  after: TellModel[];
  record: DecisionRecord;
}

/** What hooks made of a change of settings. */
export interface ChangeJudged {
  /** Why the change must not count. */
  refused: string | undefined;
  /** For the event in whose course the change was noticed: it ends the turn. */
  halts: Verdict[];
}

/**
 * The one way every event goes: look at the settings, plan, run, read verdicts (`judge`); then combine, effects, carry out,
 * record, emit (`conclude`). What differs between events is in their rows.
 */
export class HookPipeline {
  readonly #hooks: Pick<HookManager, "judge">;
  readonly #guard: Pick<ConfigGuard, "noticeChanges" | "reviewCommand">;
  readonly #log: Pick<SessionLog, "append">;
  readonly #place: EventPlace;
  readonly #emit: (event: AgentEvent) => void;

  constructor(options: {
    hooks: Pick<HookManager, "judge">;
    guard: Pick<ConfigGuard, "noticeChanges" | "reviewCommand">;
    log: Pick<SessionLog, "append">;
    place: EventPlace;
    emit: (event: AgentEvent) => void;
  }) {
    this.#hooks = options.hooks;
    this.#guard = options.guard;
    this.#log = options.log;
    this.#place = options.place;
    this.#emit = options.emit;
  }

  /** For events about which nobody else decides. */
  async perform<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    options: JudgeOptions & Pick<Said, "again"> & { rest?: Partial<DecisionRecord> } = {},
  ): Promise<Concluded> {
    const { again = false, rest, ...asking } = options;
    const judged = await this.judge(event, facts, asking);
    return this.conclude(event, { judgements: [judged], again }, rest);
  }

  /** The same for what nobody waits for. */
  performAside<E extends HookEvent>(event: E, facts: HookFacts<E>): void {
    this.#place.aside?.(this.perform(event, facts));
  }

  /** Asks the hooks. Nothing is done about what they say. */
  async judge<E extends HookEvent>(
    event: E,
    facts: HookFacts<E>,
    options: JudgeOptions = {},
  ): Promise<Judgement> {
    // An input that hooks changed is judged in the course of the same event.
    const halts = rowOf(event).withinOther || options.like ? [] : await this.lookAround();
    const promptId = this.#place.promptId?.();
    const { agent } = this.#place;
    const context = {
      ...facts,
      cwd: this.#place.cwd(),
      permission_mode: this.#place.mode(),
      ...(promptId !== undefined && { prompt_id: promptId }),
      ...(agent && { agent_id: agent.id, agent_type: agent.type }),
      ...(agent?.parentId === undefined ? {} : { parent_agent_id: agent.parentId }),
    };
    const { transcriptFor } = this.#place;
    const variables = rowOf(event).setsVariables && this.#place.variables;
    const asking = {
      ...(transcriptFor && { transcriptFor }),
      onLater: (later: Judgement) => this.#concludeLater(event, later),
      ...(variables && { envFileFor: (hook: HookDefinition) => variables.fileFor(hook) }),
      ...options,
    };
    const judged = await this.#hooks.judge(event, context, asking);
    if (variables) await variables.take(judged.planned);
    return { ...judged, verdicts: [...judged.verdicts, ...halts] };
  }

  /** Does what follows from what hooks said, writes down why, and tells whoever listens. */
  conclude(event: HookEvent, said: Said, rest: Partial<DecisionRecord> = {}): Concluded {
    const { judgements, earlier = [], also = [], only = () => true } = said;
    const row = rowOf(event);
    const spoken = judgements.at(-1)?.verdicts ?? [];
    const verdicts = said.verdicts ?? spoken;
    const effects = [...effectsOf(event, verdicts), ...also]
      .filter((effect) => only(effect) && !(row.withinOther && effect.do === "end-turn"))
      .map((effect) => (said.again && isTellModel(effect) ? { ...effect, again: true as const } : effect));
    const isLater = (effect: Effect) => row.tellsModelAfterCalls === true && isTellModel(effect);
    const done = carryOut(
      effects.filter((effect) => !isLater(effect)),
      this.#place.audience,
    );
    const { agent } = this.#place;
    const whose = agent ? { agentId: agent.id, agentType: agent.type } : {};
    const about = { ...rest, ...whose };
    const record = buildRecord(event, said.mode ?? this.#place.mode(), judgements, about, earlier);
    if (row.alwaysRecorded || spoken.length > 0) this.#log.append({ type: "decision", record });
    if (spoken.length > 0 || !row.silentWithoutHooks) this.#emit({ type: "hooks_decided", record });
    const after = effects.filter(isTellModel).filter(isLater);
    return { ...done, combined: combine(verdicts), after, record };
  }

  /** A hook that nobody waited for has ended: what it says comes with the next request. */
  #concludeLater(event: HookEvent, judged: Judgement): void {
    const effects = judged.verdicts.flatMap((verdict, at) =>
      laterEffects(event, verdict, judged.planned[at]?.inBackground === "wakes"),
    );
    carryOut(effects, this.#place.audience);
    const record = buildRecord(event, this.#place.mode(), [judged], { decision: "pass" });
    this.#log.append({ type: "decision", record });
    this.#emit({ type: "hooks_decided", record });
  }

  notice(level: "info" | "warning" | "error", text: string): void {
    this.#emit({ type: "notice", level, text });
  }

  /** Tells of settings and scripts that changed, also the hooks. Resolves to those that end the turn because of it. */
  async lookAround(): Promise<Verdict[]> {
    const halts: Verdict[] = [];
    for (const changed of this.#guard.noticeChanges()) {
      const { watched, after } = changed;
      if (after.hash === watched.inForce.hash) {
        this.notice("info", `${watched.file} is again what it was when it was read`);
        continue;
      }
      const judged = await this.tellOfChange(changed, "noticed");
      halts.push(...judged.halts);
      const { reviewCommand } = this.#guard;
      const text = describeChange(watched, after, { refused: judged.refused, reviewCommand });
      const about = judged.refused === undefined ? { about: "settings-change" as const } : {};
      this.#emit({ type: "notice", level: "warning", text, ...about });
    }
    return halts;
  }

  async tellOfChange(
    { watched: { file, source, inForce }, after }: ChangedFile,
    moment: HookFacts<"ConfigChange">["moment"],
  ): Promise<ChangeJudged> {
    const { denied, combined } = await this.perform("ConfigChange", {
      source,
      file_path: file,
      change: changeOf(inForce, after),
      difference: differenceOf(inForce, after),
      moment,
    });
    // Nobody can refuse what the owner of the machine says.
    const refused = source === "policy_settings" ? undefined : denied;
    return { refused, halts: combined.halts.map(onlyHalt) };
  }
}

const rowOf = (event: HookEvent): HookEventRow => HOOK_EVENTS[event];
