import { checkArguments, type Arguments, type Method } from "../options/methodArguments.ts";
import type { RuleScope } from "../permissions/request.ts";
import type { RuleChange } from "../permissions/ruleList.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { deepFreeze } from "../utils/deepFreeze.ts";
import type { SettingsReview } from "../workspace/trust/settingsReview.ts";
import { AgentFacts, type AgentParts } from "./agentFacts.ts";
import type { Session } from "./session.ts";
import type { Reloaded } from "./settingsChanges.ts";

/** What a program can change of an agent's settings: hooks, rules, and what is taken over from disk. */
export abstract class AgentSettings extends AgentFacts {
  readonly #session: Session;
  readonly #conversation: Conversation;

  protected constructor(about: AgentParts) {
    super(about);
    this.#session = about.session;
    this.#conversation = about.conversation;
  }

  /** Throws ClosedError when the agent was destroyed. */
  protected abstract checkAlive(): void;

  /** Throws OptionsError for arguments that a compiler would have refused. */
  protected check<M extends Method>(method: M, given: Arguments<M>): void {
    this.checkAlive();
    checkArguments(method, given);
  }

  /** Switches a hook off or on again for this session; managed hooks stay on. */
  switchHook(id: string, on: boolean): boolean {
    this.check("switchHook", { id, on });
    return this.#session.hooks.switchHook(id, on);
  }

  /** Reads settings and scripts again: what a person asks for after a change was noticed. Hooks may refuse it. */
  async reloadSettings(): Promise<Reloaded> {
    this.checkAlive();
    return this.#conversation.settings.reload();
  }

  /** What waits for a person's yes, for a program to show; undefined when nothing does. Nothing is taken over. */
  reviewSettings(about: SettingsReview["about"]): SettingsReview | undefined {
    this.check("reviewSettings", { about });
    return deepFreeze(this.#session.workspace.guard.review(about));
  }

  /** A person's yes to exactly what the review shows: it is approved and counts from now on. Hooks may refuse it. */
  async takeSettings(review: SettingsReview): Promise<Reloaded> {
    this.check("takeSettings", { review });
    return this.#conversation.settings.take(review);
  }

  /** Spares calls that the rule covers the question. In force and on disk when it resolves; rejects with RuleError. */
  async allowRule(rule: string, scope: RuleScope): Promise<void> {
    this.check("allowRule", { rule, scope });
    return this.#conversation.rules.keep(rule, scope);
  }

  /** Adds, edits, moves or removes a rule in a settings file or in this session, as a person wants it. Rejects with RuleError. */
  async changeRule(change: RuleChange): Promise<void> {
    this.check("changeRule", { change });
    return this.#conversation.rules.change(change);
  }
}
