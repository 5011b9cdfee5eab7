import type { Mutant } from "../mutant.ts";

const TURN = ["packages/agent-sdk/tests/conversation/turn"];

/** What a turn does next, and what a transcript becomes. */
export const TURN_MUTANTS: readonly Mutant[] = [
  {
    in: "turn/nextStep.ts",
    from: "if (turn.ending) return",
    to: "if (turn.ending && turn.pendingCalls.length === 0) return",
    tests: TURN,
  },
  {
    in: "turn/nextStep.ts",
    from: 'if (compaction !== "just-made") return { do: "compact", because: "refused" };',
    to: 'if (compaction === "may-help") return { do: "compact", because: "refused" };',
    tests: TURN,
  },
  {
    in: "turn/nextStep.ts",
    from: "counted >= turn.maxModelCalls",
    to: "counted > turn.maxModelCalls",
    tests: TURN,
  },
  {
    in: "turn/nextStep.ts",
    from: "turn.modelCalls - turn.refusedCalls;",
    to: "turn.modelCalls;",
    tests: TURN,
  },
  {
    in: "turn/nextStep.ts",
    from: "export const STOP_BLOCK_LIMIT = 8;",
    to: "export const STOP_BLOCK_LIMIT = 9;",
    tests: [
      "packages/agent-sdk/tests/agent/",
      "packages/agent-sdk/tests/table/exitCodes",
      "packages/agent-sdk/tests/requirements",
    ],
  },
  {
    in: "turn/nextStep.ts",
    from: 'return turn.output === "unchecked" ? { do: "check-output" } : { do: "ask-stop-hooks" };',
    to: 'return { do: "ask-stop-hooks" };',
    tests: TURN,
  },
  {
    in: "turn/batches.ts",
    from: "if (together && last?.together)",
    to: "if (last?.together)",
    tests: ["packages/agent-sdk/tests/conversation/turn", "packages/agent-sdk/tests/session/agent"],
  },
];
