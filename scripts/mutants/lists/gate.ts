import type { Mutant } from "../mutant.ts";

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
    from: "unreviewed: visit.judged.judgements.flatMap(",
    to: "unreviewed: visit.judged.judgements.slice(0, 1).flatMap(",
    tests: PROMISES,
  },
  {
    in: "gate/gate.ts",
    from: "input: structuredClone(judged.input),",
    to: "input: judged.input,",
    tests: PROMISES,
  },
];
