import { randomUUID } from "node:crypto";
import type { AgentEvent } from "../events.ts";
import {
  whyNoAnswer,
  type PendingPermission,
  type PermissionAnswer,
  type PermissionDecision,
} from "../permissions/request.ts";
import { deepFreeze } from "../utils/deepFreeze.ts";
import { readableText } from "../utils/readable.ts";

/** More open questions than this nobody answers one by one; the next one is denied with that reason (PD-1). */
export const PENDING_LIMIT = 64;

export type Answered =
  | { outcome: "answered"; decision: PermissionDecision }
  /** Print mode, or an SDK without a callback: never an allow (PD-3). */
  | { outcome: "nobody"; why: string }
  | { outcome: "cancelled" };

type Ask = (request: PendingPermission, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>;

/** The queue of questions. Each waits for its own answer; an answer applies to the input that was shown and no other. */
export class PermissionManager {
  readonly #ask: Ask | undefined;
  readonly #emit: (event: AgentEvent) => void;
  readonly #pending = new Map<string, { request: PendingPermission; settle: (answer: Answered) => void }>();

  constructor(options: { ask: Ask | undefined; emit: (event: AgentEvent) => void }) {
    this.#ask = options.ask;
    this.#emit = options.emit;
  }

  get pending(): PendingPermission[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  /** Whether a question would reach anybody. */
  get canAsk(): boolean {
    return this.#ask !== undefined;
  }

  async request(what: Omit<PendingPermission, "id" | "since">, signal: AbortSignal): Promise<Answered> {
    if (!this.#ask) return { outcome: "nobody", why: "nobody can be asked here" };
    if (signal.aborted) return { outcome: "cancelled" };
    if (this.#pending.size >= PENDING_LIMIT) {
      return { outcome: "nobody", why: `${PENDING_LIMIT} questions are already waiting for an answer` };
    }
    // What a callback is shown is what will run; it cannot make it something else.
    const request: PendingPermission = deepFreeze({ ...what, id: randomUUID(), since: Date.now() });
    const { promise, resolve } = Promise.withResolvers<Answered>();
    this.#pending.set(request.id, { request, settle: resolve });
    const cancel = () => resolve({ outcome: "cancelled" });
    signal.addEventListener("abort", cancel, { once: true });
    this.#emit({ type: "permission_requested", request });
    void this.#callBack(this.#ask, request, signal);
    const answer = await promise;
    signal.removeEventListener("abort", cancel);
    this.#pending.delete(request.id);
    const decision =
      answer.outcome === "answered" ? answer.decision : decisionOf(request, { decision: "deny" });
    const by = answer.outcome === "answered" ? "person" : "cancelled";
    this.#emit({ type: "permission_resolved", request, decision, by });
    return answer;
  }

  /** false when the question is no longer open, or is none that can be answered so: then nothing changes. */
  answer(id: string, answer: PermissionAnswer): boolean {
    const open = this.#pending.get(id);
    if (!open || whyNoAnswer(open.request, answer) !== undefined) return false;
    this.#pending.delete(id);
    open.settle({ outcome: "answered", decision: decisionOf(open.request, answer) });
    return true;
  }

  async #callBack(ask: Ask, request: PendingPermission, signal: AbortSignal): Promise<void> {
    try {
      const answer = await ask(request, signal);
      const wrong = whyNoAnswer(request, answer);
      if (wrong !== undefined) throw new TypeError(wrong);
      this.answer(request.id, answer);
    } catch (error) {
      const why = `the permission callback failed: ${error instanceof Error ? error.message : String(error)}`;
      this.#pending.get(request.id)?.settle({ outcome: "nobody", why });
    }
  }
}

function decisionOf(request: PendingPermission, answer: PermissionAnswer): PermissionDecision {
  const { decision } = answer;
  const reason =
    decision === "retry" || answer.reason === undefined ? undefined : readableText(answer.reason);
  const passed: Pick<PermissionAnswer & { decision: "allow" }, "without" | "forSession" | "input" | "value"> =
    decision === "allow" ? answer : {};
  const goesOn = decision !== "deny" || answer.turn === "go-on";
  return {
    decision,
    toolName: request.toolName,
    ...(reason === undefined ? {} : { reason }),
    timestamp: Date.now(),
    shouldContinueRecursion: goesOn,
    ...(passed.without === undefined ? {} : { without: [...passed.without] }),
    ...(passed.forSession === true ? { forSession: true } : {}),
    ...(passed.input === undefined ? {} : { input: structuredClone(passed.input) }),
    ...(passed.value === undefined ? {} : { value: readableText(passed.value) }),
  };
}
