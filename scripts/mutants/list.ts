import type { Mutant } from "./mutant.ts";

/** Mistakes that once went unnoticed, and others like them. */
export const MUTANTS: readonly Mutant[] = [
  {
    in: "gate.ts",
    from: 'const isDecision = kind !== "interrupted" && kind !== "cannot-run";',
    to: 'const isDecision = kind !== "interrupted";',
    tests: ["tests/gate/promises"],
  },
  {
    in: "gate.ts",
    from: "unreviewed: visit.judged.judgements.flatMap(",
    to: "unreviewed: visit.judged.judgements.slice(0, 1).flatMap(",
    tests: ["tests/gate/promises"],
  },
  {
    in: "gate.ts",
    from: "input: structuredClone(judged.input),",
    to: "input: judged.input,",
    tests: ["tests/gate/promises"],
  },
  {
    in: "permissions/matchRules.ts",
    from: 'if (placed.behavior === "allow" || judged.some(',
    to: "if (judged.some(",
    tests: ["tests/gate/promises"],
  },
  {
    in: "hooks/effects.ts",
    from: 'halt === undefined ? "another hook\'s" : "its own"',
    to: 'halt !== undefined ? "another hook\'s" : "its own"',
    tests: ["tests/hooks/effects"],
  },
  {
    in: "hooks/findObjects.ts",
    from: 'if (text[start] === "{" || hasField(text.slice(start))) found.broken ??= describe(stdout, text, start);',
    to: "",
    tests: ["tests/hooks/verdict"],
  },
];
