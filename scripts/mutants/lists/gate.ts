import type { Mutant } from "../mutant.ts";

const TABLE = ["packages/agent-sdk/tests/gate/gateTable"];
const PROMISES = ["packages/agent-sdk/tests/gate/promises"];

/** The one way to a tool. */
export const GATE_MUTANTS: readonly Mutant[] = [
  {
    in: "gate/gate.ts",
    from: 'const isDecision = kind !== "interrupted" && kind !== "cannot-run";',
    to: 'const isDecision = kind !== "interrupted";',
    tests: PROMISES,
  },
  {
    in: "gate/gate.ts",
    from: "const unreviewed = judged.judgements.flatMap(",
    to: "const unreviewed = judged.judgements.slice(0, 1).flatMap(",
    tests: PROMISES,
  },
  {
    in: "gate/gate.ts",
    from: "input: structuredClone(judged.input),",
    to: "input: judged.input,",
    tests: PROMISES,
    survives: "the question is frozen before anybody sees it, and the pass holds a copy made before",
  },
  {
    in: "gate/gate.ts",
    from: "const isHeld = visit.asksAboutFailures && deniedByFailureAlone(combined);",
    to: "const isHeld = deniedByFailureAlone(combined);",
    tests: TABLE,
  },
  {
    in: "gate/gate.ts",
    from: "const policy = isHeld ? decide(combine(withoutBrokenGuards(judged.verdicts))) : all;",
    to: "const policy = all;",
    tests: TABLE,
  },
  {
    in: "gate/gate.ts",
    from: "return this.#refuse(visit, signal, refused ?? refusedByPolicy(all, combined), all);",
    to: "return this.#refuse(visit, signal, refused ?? refusedByPolicy(all, combined));",
    tests: TABLE,
  },
  {
    in: "gate/callFacts.ts",
    from: "if (known) return known;",
    to: "",
    tests: TABLE,
  },
  {
    in: "gate/refusals.ts",
    from: 'if (byHooks && (byHooks.kind === "halted" || byHooks.decidedBy === policy.by)) return byHooks;',
    to: "if (byHooks) return byHooks;",
    tests: TABLE,
  },
  {
    in: "gate/narrowedPolicy.ts",
    from: "STRICTNESS.indexOf(first.decision) >= STRICTNESS.indexOf(second.decision)",
    to: "STRICTNESS.indexOf(first.decision) <= STRICTNESS.indexOf(second.decision)",
    tests: ["packages/agent-sdk/tests/conversation/twoConversations"],
  },
  {
    in: "session/person.ts",
    from: 'decision.decision === "allow" && stillBlocks(failedHooks, decision).length > 0',
    to: "stillBlocks(failedHooks, decision).length < 0",
    tests: TABLE,
  },
  {
    in: "session/hookPipeline.ts",
    from: "if (row.alwaysRecorded || spoken.length > 0)",
    to: "if (spoken.length > 0)",
    tests: ["packages/agent-sdk/tests/gate/gate.test"],
  },
];
