import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { HookDefinition } from "@/hooks/definition.ts";
import type { MatchedRule, RuleMatches } from "@/permissions/matchRules.ts";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import type { PermissionAnswer } from "@/permissions/request.ts";
import { decision, enterGate, rewrites, says, type GateRun } from "../support/gateBench.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const TREES = SOAK ? 50_000 : 2_000;
const given = process.env["WAVE_SEED"];
const seed = given ? Number(given) : SOAK ? randomInt(2 ** 31 - 1) : 20_261_117;

type Level = Required<Pick<GateRun, "mode" | "rules">>;

const INPUTS = ["as asked", "rewritten", "another"] as const;
const BEHAVIORS = ["managedDeny", "deny", "ask", "allow", "doubtful"] as const;

const ruleOf = (name: string): MatchedRule => ({ rule: name, source: "settings.json:1", because: "it is" });

/** Which rules speak about which input. */
const rulesArb = fc
  .array(fc.record({ about: fc.constantFrom(...INPUTS), behavior: fc.constantFrom(...BEHAVIORS) }), {
    maxLength: 2,
  })
  .map((rules) => (text: string): Partial<RuleMatches> => {
    const speak = rules.filter(({ about }) => about === text);
    return Object.fromEntries(
      BEHAVIORS.map((behavior) => [
        behavior,
        speak.filter((rule) => rule.behavior === behavior).map(() => ruleOf(`Note(${behavior})`)),
      ]),
    );
  });

const levelArb: fc.Arbitrary<Level> = fc.record({
  mode: fc.constantFrom(...PERMISSION_MODES),
  rules: rulesArb,
});

const SAYINGS: Record<string, () => object | undefined> = {
  nothing: () => undefined,
  allow: () => decision("allow", "fine"),
  ask: () => decision("ask", "sure?"),
  deny: () => decision("deny", "no"),
  halt: () => ({ continue: false, stopReason: "stop" }),
  rewrite: () => rewrites("rewritten"),
  other: () => rewrites("another"),
  fail: () => {
    throw new Error("broken");
  },
};

const hookArb = fc.record({
  saying: fc.constantFrom(...Object.keys(SAYINGS)),
  onError: fc.constantFrom("continue", "ask", "block"),
});

const EFFECTS: NonNullable<GateRun["effect"]>[] = [
  { does: "nothing" },
  { does: "read", paths: ["/project/a"] },
  { does: "read", paths: ["/elsewhere/a"] },
  { does: "edit", paths: ["/project/a"] },
  { does: "edit", paths: ["/elsewhere/a"] },
  { does: "reach", hosts: ["example.org"] },
  { does: "unknown", touches: [] },
];

const treeArb = fc.record({
  // The main conversation, a sub-agent, and one that it has started.
  levels: fc.array(levelArb, { minLength: 2, maxLength: 3 }),
  hooks: fc.array(hookArb, { maxLength: 2 }),
  isReviewed: fc.boolean(),
  effect: fc.constantFrom(...EFFECTS),
  isProtected: fc.boolean(),
  person: fc.constantFrom("nobody", "yes", "yes to everything"),
});
type Tree = typeof treeArb extends fc.Arbitrary<infer T> ? T : never;

const hooksOf = ({ hooks, isReviewed }: Tree): Pick<GateRun, "hooks" | "unreviewed"> => {
  const made = hooks.map(({ saying, onError }, at): HookDefinition =>
    says(`hook ${at}`, () => SAYINGS[saying]?.(), {
      onError: onError as HookDefinition["onError"],
      source: { scope: "user", file: "settings.json", line: at + 1, path: `hooks[${at}]` },
    }),
  );
  // The last one stands for a hook of the project that nobody has looked at.
  return isReviewed ? { hooks: made } : { hooks: made.slice(0, -1), unreviewed: made.slice(-1) };
};

const ANSWERS: Record<string, GateRun["answer"]> = {
  nobody: undefined,
  yes: () => ({ decision: "allow" }),
  // Also the hooks that failed are passed, as far as a person may.
  "yes to everything": ({ failedHooks = [] }): PermissionAnswer => ({
    decision: "allow",
    without: failedHooks.filter(({ mayPass }) => mayPass !== "never").map(({ id }) => id),
  }),
};

/** The same call at each level, by the gate of that level; the person answers everybody alike. */
async function play(tree: Tree) {
  const answer = ANSWERS[tree.person];
  const ends = [];
  for (const [depth, level] of tree.levels.entries()) {
    const { ran, asked } = await enterGate({
      ...level,
      ...hooksOf(tree),
      worksFor: tree.levels.slice(0, depth),
      effect: tree.effect,
      protectedFiles: tree.isProtected ? ["/project/.bashrc"] : [],
      ...(answer ? { answer } : {}),
    });
    ends.push({ ran: ran.join(), asked: asked.length });
  }
  return ends;
}

it(
  `lets no sub-agent run a call that the gate of whoever it works for holds back, in ${TREES} random trees (acceptance 3)`,
  async () => {
    process.stderr.write(`trees of sub-agents: seed ${seed}\n`);
    const counts = { ran: 0, heldBack: 0, asked: 0 };
    const property = fc.asyncProperty(treeArb, async (tree) => {
      const ends = await play(tree);
      for (const [at, own] of ends.entries()) {
        const parent = ends[at - 1];
        if (!parent) continue;
        counts[own.ran === "" ? "heldBack" : "ran"]++;
        if (own.asked > 0) counts.asked++;
        // What runs here would have run there, with the same input; and nobody is spared a question.
        if (own.ran !== "")
          expect([own.ran, own.asked > 0 || parent.asked === 0]).toEqual([parent.ran, true]);
      }
    });
    await fc.assert(property, { seed, numRuns: TREES });
    // The trees are worth playing only if all of it happens.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(TREES / 20);
  },
  SOAK ? 3_600_000 : 300_000,
);
