import { isDeepStrictEqual } from "node:util";
import { failedOpenIn } from "../hooks/brokenGuards.ts";
import type { BrokenGuard } from "../hooks/record.ts";
import type { Verdict } from "../hooks/verdict.ts";
import type { HookManager } from "../managers/hookManager.ts";
import type { Judgement } from "./judgement.ts";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import {
  stillBlocks,
  type FailedHook,
  type PendingPermission,
  type RuleOffer,
} from "../permissions/request.ts";
import { guardsAfter } from "./passedGuards.ts";
import type { HookPipeline } from "./hookPipeline.ts";
import type { PermissionManager } from "./permissionManager.ts";

/** What is asked about, whoever wants to know. */
export interface Question extends Omit<
  PendingPermission,
  "id" | "since" | "reason" | "askedBy" | "rule" | "failedHooks"
> {
  /** Why, in the order in which it is shown. */
  reasons: readonly string[];
  askedBy: readonly string[];
  /** Hooks that hold it back because they failed. */
  failedHooks: readonly FailedHook[];
  /** Of all hooks that were asked: a person also wants to know who failed and holds nothing back. */
  verdicts: readonly Verdict[];
  /** The rule that would have spared the question. */
  offer?: () => RuleOffer;
  /** Only rules and mode ask: a person who wrote the input has answered them. */
  onlyPolicyAsks?: boolean;
  /** Only the mode asks, so a hook of PermissionRequest may spare the question. */
  hookMayAllow?: boolean;
}

/** What has happened so far about one call or prompt: a person may have hooks that failed asked again, as often as they want. */
export interface Attempts {
  guards: BrokenGuard[];
  /** What the hooks said before they were asked again. */
  earlier: Judgement[];
  /** What a person put in the place of the model's input, and how often. */
  given?: {
    input: Readonly<Record<string, unknown>>;
    original: Readonly<Record<string, unknown>>;
    times: number;
  };
}

/** A callback that changes what it wrote itself, again and again, must not keep a call open for ever. */
const CHANGES_PER_CALL = 4;

export type PersonSays =
  /** `by`: a hook spared the question. */
  | { said: "yes"; by?: string; value?: string }
  /** A hook answered the question in the person's place. */
  | { said: "refused"; by: string; reason: string; ends: boolean }
  /** The hooks are asked again, and this question is answered with that. */
  | { said: "again" }
  | { said: "no"; words: string | undefined; goesOn: boolean }
  /** A yes that passes no hook that is told to block: it has to name them. */
  | { said: "yes-to-nothing"; why: string }
  /** Print mode, or an SDK without a callback: never an allow (PD-3). */
  | { said: "nothing"; why: string }
  | { said: "interrupted" };

/** The one way to ask a person, for calls and prompts alike: with hooks that failed, which may be asked again, passed or switched off. */
export class Person {
  readonly #permissions: PermissionManager;
  readonly #hooks: Pick<HookManager, "switchOffEverywhere">;

  readonly #events: Pick<HookPipeline, "perform" | "performAside">;
  readonly #agent: SubAgentIdentity | undefined;

  constructor(options: {
    /** The hooks of the conversation that asks. */
    events: Pick<HookPipeline, "perform" | "performAside">;
    permissions: PermissionManager;
    hooks: Pick<HookManager, "switchOffEverywhere">;
    /** Who asks. Absent: the main conversation. */
    agent?: SubAgentIdentity | undefined;
  }) {
    this.#permissions = options.permissions;
    this.#hooks = options.hooks;
    this.#events = options.events;
    this.#agent = options.agent;
  }

  /** Whether a question would reach anybody. */
  get canAsk(): boolean {
    return this.#permissions.canAsk;
  }

  /** Where nobody can answer, and where nobody wants to be asked, a hook that blocks because it failed simply blocks. */
  isAskedAboutFailures(mode: PermissionMode): boolean {
    return this.canAsk && mode !== "dontAsk";
  }

  async ask(question: Question, attempts: Attempts, signal: AbortSignal): Promise<PersonSays> {
    const {
      reasons,
      verdicts,
      failedHooks,
      offer,
      hookMayAllow = false,
      onlyPolicyAsks,
      ...about
    } = question;
    const isOwn = attempts.given !== undefined && isDeepStrictEqual(about.input, attempts.given.input);
    if (isOwn && onlyPolicyAsks) return { said: "yes" };
    const byHooks = await this.#askHooks(question, hookMayAllow, signal);
    if (byHooks) return byHooks;
    if (this.canAsk) this.#tellHooks(question);
    const hasFailed = failedHooks.length > 0;
    const answered = await this.#permissions.request(
      {
        ...about,
        ...(this.#agent && { agent: this.#agent }),
        reason: [...reasons, ...failedOpenIn(verdicts)].filter(Boolean).join("\n"),
        rule: hasFailed || !offer ? NO_RULE : offer(),
        ...(hasFailed ? { failedHooks } : {}),
      },
      signal,
    );
    if (answered.outcome === "cancelled") return { said: "interrupted" };
    if (answered.outcome === "nobody") return { said: "nothing", why: answered.why };
    const { decision } = answered;
    if (decision.decision === "deny")
      return { said: "no", words: decision.reason, goesOn: decision.shouldContinueRecursion };
    const { input } = decision;
    if (input !== undefined && !isDeepStrictEqual(input, about.input)) {
      const times = (attempts.given?.times ?? 0) + 1;
      if (times > CHANGES_PER_CALL) return { said: "no", words: CHANGED_TOO_OFTEN, goesOn: true };
      attempts.given = {
        input,
        original: attempts.given?.original ?? about.originalInput ?? about.input,
        times,
      };
      return { said: "again" };
    }
    if (decision.decision === "allow" && stillBlocks(failedHooks, decision).length > 0)
      return { said: "yes-to-nothing", why: YES_IS_NOT_ENOUGH };
    attempts.guards.push(...guardsAfter(failedHooks, decision));
    if (decision.forSession) for (const id of decision.without ?? []) this.#hooks.switchOffEverywhere(id);
    if (decision.decision === "retry") return { said: "again" };
    return { said: "yes", ...(decision.value !== undefined && { value: decision.value }) };
  }

  /** A prompt is no call. What hooks let pass is let pass only where nobody but the mode asks. */
  async #askHooks(
    { toolName, toolUseId, input, reasons }: Question,
    mayAllow: boolean,
    signal: AbortSignal,
  ): Promise<PersonSays | undefined> {
    if (toolUseId === undefined) return undefined;
    const facts = {
      tool_name: toolName,
      tool_input: { ...input },
      tool_use_id: toolUseId,
      reason: reasons.join("\n"),
    };
    const { denied, ended, combined } = await this.#events.perform("PermissionRequest", facts, {
      signal,
      toolUseId,
      rest: { toolUseId, toolName },
    });
    const by = [...combined.halts, ...combined.deciders].map(({ hook }) => `hook ${hook.name}`).join(", ");
    if (signal.aborted) return { said: "interrupted" };
    if (ended !== undefined || denied !== undefined)
      return { said: "refused", by, reason: ended ?? denied ?? "", ends: ended !== undefined };
    return combined.decision === "allow" && mayAllow ? { said: "yes", by } : undefined;
  }

  #tellHooks({ toolName, askedBy }: Question): void {
    const asksAbout = askedBy[0]?.startsWith("MCP server ") ? "server" : toolName;
    const message =
      asksAbout === "server"
        ? `${askedBy[0]} asks you something`
        : asksAbout === "prompt"
          ? "Wave needs your word on a prompt"
          : `Wave needs your permission to use ${toolName}`;
    this.#events.performAside("Notification", {
      message,
      title: asksAbout === "server" ? "A question" : "Permission needed",
      notification_type: "permission_prompt",
    });
  }
}

/** Tries until something comes of it: with what was said before, should hooks be asked again. */
export async function untilDecided<Decided>(
  attempt: (attempts: Attempts) => Promise<Decided | "again">,
): Promise<Decided> {
  const attempts: Attempts = { guards: [], earlier: [] };
  for (;;) {
    const decided = await attempt(attempts);
    if (decided !== "again") return decided;
  }
}

/** Said to a program that answers every question with yes. */
const YES_IS_NOT_ENOUGH =
  "The answer was yes without naming the hooks that failed (`without`), and that does not pass a hook that is told to block.";

const CHANGED_TOO_OFTEN = "the input was changed again and again, and never as it was shown";

const NO_RULE: RuleOffer = { offered: false, why: "a hook failed, and no rule can skip a hook" };
