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
}

/** What has happened so far about one call or prompt: a person may have hooks that failed asked again, as often as they want. */
export interface Attempts {
  guards: BrokenGuard[];
  /** What the hooks said before they were asked again. */
  earlier: Judgement[];
}

export type PersonSays =
  | { said: "yes" }
  /** The hooks are asked again, and this question is answered with that. */
  | { said: "again" }
  | { said: "no"; words: string | undefined }
  /** A yes that passes no hook that is told to block: it has to name them. */
  | { said: "yes-to-nothing"; why: string }
  /** Print mode, or an SDK without a callback: never an allow (PD-3). */
  | { said: "nothing"; why: string }
  | { said: "interrupted" };

/** The one way to ask a person, for calls and prompts alike: with hooks that failed, which may be asked again, passed or switched off. */
export class Person {
  readonly #permissions: PermissionManager;
  readonly #hooks: Pick<HookManager, "switchOffEverywhere">;

  readonly #agent: SubAgentIdentity | undefined;

  constructor(options: {
    permissions: PermissionManager;
    hooks: Pick<HookManager, "switchOffEverywhere">;
    /** Who asks. Absent: the main conversation. */
    agent?: SubAgentIdentity | undefined;
  }) {
    this.#permissions = options.permissions;
    this.#hooks = options.hooks;
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
    const { reasons, verdicts, failedHooks, offer, ...about } = question;
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
    if (decision.decision === "deny") return { said: "no", words: decision.reason };
    if (decision.decision === "allow" && stillBlocks(failedHooks, decision).length > 0)
      return { said: "yes-to-nothing", why: YES_IS_NOT_ENOUGH };
    attempts.guards.push(...guardsAfter(failedHooks, decision));
    if (decision.forSession) for (const id of decision.without ?? []) this.#hooks.switchOffEverywhere(id);
    return { said: decision.decision === "retry" ? "again" : "yes" };
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

const NO_RULE: RuleOffer = { offered: false, why: "a hook failed, and no rule can skip a hook" };
