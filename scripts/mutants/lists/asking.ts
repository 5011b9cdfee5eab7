import type { Mutant } from "../mutant.ts";

const ASKING = ["packages/agent-sdk/tests/gate/asking"];
const GUARDS = ["packages/agent-sdk/tests/gate/brokenGuards", "packages/agent-sdk/tests/hooks/"];
const QUEUE = ["packages/code/tests/asking/"];

/** Questions: who is asked, what an answer is worth, and which key is one. */
export const ASKING_MUTANTS: readonly Mutant[] = [
  {
    in: "permissionManager.ts",
    from: 'if (!this.#ask) return { outcome: "nobody", why: "nobody can be asked here" };',
    to: 'if (!this.#ask) return { outcome: "cancelled" };',
    tests: ASKING,
  },
  {
    in: "permissionManager.ts",
    from: "this.#pending.size >= PENDING_LIMIT",
    to: "this.#pending.size > PENDING_LIMIT",
    tests: ASKING,
  },
  {
    in: "permissionManager.ts",
    from: "deepFreeze({ ...what, id: randomUUID(), since: Date.now() })",
    to: "{ ...what, id: randomUUID(), since: Date.now() }",
    tests: ASKING,
  },
  {
    in: "permissionManager.ts",
    from: "if (!open || whyNoAnswer(open.request, answer) !== undefined) return false;",
    to: "if (!open) return false;",
    tests: ASKING,
  },
  {
    in: "permissionManager.ts",
    from: "if (wrong !== undefined) throw new TypeError(wrong);",
    to: "",
    tests: ASKING,
  },
  {
    in: "permissionManager.ts",
    from: 'const goesOn = decision !== "deny" || answer.turn === "go-on";',
    to: "const goesOn = true;",
    tests: ASKING,
  },
  {
    in: "hooks/brokenGuards.ts",
    from: 'return decision === "deny" && halts.length === 0 && deciders.every((verdict) => heldByFailure(verdict));',
    to: 'return decision === "deny" && deciders.every((verdict) => heldByFailure(verdict));',
    tests: GUARDS,
  },
  {
    in: "hooks/brokenGuards.ts",
    from: "deciders.every((verdict) => heldByFailure(verdict))",
    to: "deciders.some((verdict) => heldByFailure(verdict))",
    tests: GUARDS,
  },
  {
    in: "hooks/brokenGuards.ts",
    from: 'if (source.scope !== "managed") return "session";',
    to: 'if (source.scope) return "session";',
    tests: GUARDS,
  },
  {
    in: "hooks/brokenGuards.ts",
    from: 'return onError === "ask" ? "once" : "never";',
    to: 'return "once";',
    tests: GUARDS,
  },
  {
    in: "code/src/asking/queue.ts",
    from: "if (!open || queue.paused) return [queue, []];",
    to: "if (!open) return [queue, []];",
    tests: QUEUE,
  },
  {
    in: "code/src/asking/queue.ts",
    from: "if (!visible || !seen || queue.paused || !isOnScreen(visible, seen)) return toDraft;",
    to: "if (!visible || !seen || queue.paused) return toDraft;",
    tests: QUEUE,
  },
  {
    in: "code/src/asking/queue.ts",
    from: "if (!visible || !seen || queue.paused || !isOnScreen(visible, seen)) return toDraft;",
    to: "if (!visible || !seen || !isOnScreen(visible, seen)) return toDraft;",
    tests: QUEUE,
  },
  {
    in: "code/src/asking/queue.ts",
    from: "confirms: visible.hidden > 0,",
    to: "confirms: false,",
    tests: QUEUE,
  },
  {
    in: "code/src/asking/queue.ts",
    from: "at - lastEscape <= SECOND_ESC_MS",
    to: "at - lastEscape > SECOND_ESC_MS",
    tests: QUEUE,
  },
  {
    in: "code/src/asking/queue.ts",
    from: 'if (pressed.is !== "escape") return [queue, []];',
    to: 'if (pressed.is === "nothing") return [queue, []];',
    tests: QUEUE,
  },
];
