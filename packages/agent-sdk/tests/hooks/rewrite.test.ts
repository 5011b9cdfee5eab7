import { describe, expect, it } from "vitest";
import { combine } from "@/hooks/combine.ts";
import { mergePasses } from "@/hooks/passes.ts";
import { applyRewrites, refuseMisfit } from "@/hooks/rewrite.ts";
import type { Verdict } from "@/hooks/verdict.ts";

function verdict(name: string, more: Partial<Verdict> = {}): Verdict {
  return {
    hook: { name, source: "settings.json" },
    ended: "exit 0",
    decision: "none",
    decidedBy: "hook",
    reason: undefined,
    halt: undefined,
    context: undefined,
    rewrite: undefined,
    failure: undefined,
    errors: [],
    warnings: [],
    unknownFields: [],
    ...more,
  };
}

const seen = { command: "ls", description: "list", timeout: 5 };
const to = (fields: Record<string, unknown>) => ({ rewrite: { to: fields } });

describe("rewrites (T91, T92, T94, G7)", () => {
  it("are what each changed against the input it saw, field by field", () => {
    const { input, warnings } = applyRewrites(seen, [
      verdict("a", to({ ...seen, command: "ls -l" })),
      verdict("b"),
      verdict("c", to({ ...seen, timeout: 9 })),
    ]);
    expect(input).toEqual({ command: "ls -l", description: "list", timeout: 9 });
    expect(warnings).toEqual([]);
  });

  it("remove the fields they leave out", () => {
    // Not only without a value: hooks and the tool must not see the name either.
    const { input } = applyRewrites(seen, [verdict("a", to({ command: "ls", timeout: null }))]);
    expect(input).toStrictEqual({ command: "ls", timeout: null });
  });

  it("of the same field: the later in declared order counts, and the warning names both", () => {
    const { input, warnings, rewriters } = applyRewrites(seen, [
      verdict("a", to({ ...seen, command: "one" })),
      verdict("b", to({ ...seen, command: "two" })),
    ]);
    expect(input["command"]).toBe("two");
    expect(warnings).toMatchObject([{ text: expect.stringMatching(/a and b.*command.*b, counts/) }]);
    expect([...rewriters.values()].map(({ taken }) => taken)).toEqual([false, true]);
  });

  it("to the same value are no conflict", () => {
    const both = to({ ...seen, command: "same" });
    const { warnings, rewriters } = applyRewrites(seen, [verdict("a", both), verdict("b", both)]);
    expect(warnings).toEqual([]);
    expect([...rewriters.values()].every(({ taken }) => taken)).toBe(true);
  });

  it("that change nothing are none", () => {
    expect(applyRewrites(seen, [verdict("a", to({ ...seen }))]).rewriters.size).toBe(0);
  });

  it("cannot reach the prototype of the input (G35)", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "command": "ls"}');
    const { input } = applyRewrites({ command: "ls" }, [verdict("a", to(hostile))]);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
    expect(input["constructor"]).toBe(1);
  });
});

describe("the second pass (SPEC 6)", () => {
  const rewriting = verdict("rewriter", { ...to({ ...seen, command: "new" }), decision: "allow" });
  const first = [rewriting, verdict("other", { decision: "allow" }), verdict("asker", { decision: "ask" })];
  const rewritten = applyRewrites(seen, first);
  const merge = (second: Verdict[]) => mergePasses(first, second, rewritten);

  it("keeps a deny or ask of the first, and an allow only of the hook whose rewrite was taken", () => {
    const merged = merge([verdict("rewriter"), verdict("other"), verdict("asker")]);
    expect(merged.map(({ decision }) => decision)).toEqual(["allow", "none", "ask"]);
    expect(combine(merged).decision).toBe("ask");
  });

  it.each<[string, Verdict[], Verdict[], Verdict["decision"][]]>([
    [
      "another hook changed another field beside its own",
      [
        verdict("a", { ...to({ ...seen, timeout: 7 }), decision: "allow" }),
        verdict("b", to({ ...seen, command: "touch it" })),
      ],
      [verdict("a"), verdict("b")],
      ["none", "none"],
    ],
    [
      "a later hook took the same field",
      [
        verdict("a", { ...to({ ...seen, command: "safe" }), decision: "allow" }),
        verdict("b", to({ ...seen, command: "other" })),
      ],
      [
        verdict("a", { ...to({ ...seen, command: "safe other" }), decision: "allow" }),
        verdict("b", to({ ...seen, command: "other" })),
      ],
      ["none", "none"],
    ],
    [
      "it is what both of them made",
      [
        verdict("a", { ...to({ ...seen, command: "same" }), decision: "allow" }),
        verdict("b", to({ ...seen, command: "same" })),
      ],
      [verdict("a", { ...to({ ...seen, command: "same again" }), decision: "allow" }), verdict("b")],
      ["allow", "none"],
    ],
    [
      "it allows the rewritten input as it is",
      [
        verdict("a", { ...to({ ...seen, command: "safe" }), decision: "allow" }),
        verdict("b", to({ ...seen, command: "other" })),
      ],
      [verdict("a", { ...to({ ...seen, command: "other" }), decision: "allow" }), verdict("b")],
      ["allow", "none"],
    ],
  ])("takes an allow only for exactly what runs: %s", (_what, before, after, decisions) => {
    const merged = mergePasses(before, after, applyRewrites(seen, before));
    expect(merged.map(({ decision }) => decision)).toEqual(decisions);
    const ignored = after[0]?.decision === "allow" && decisions[0] === "none";
    expect(merged[0]?.warnings.some((text) => text.includes("does not count"))).toBe(ignored);
  });

  it("hears a hook whom only the rewritten input concerns, and refuses what it would rewrite", () => {
    const denying = merge([
      verdict("rewriter"),
      verdict("other"),
      verdict("asker"),
      verdict("late", { decision: "deny" }),
    ]);
    expect(denying.map(({ decision }) => decision)).toEqual(["allow", "none", "ask", "deny"]);
    const rewritesNow = verdict("late", to({ ...seen, command: "newest" }));
    expect(merge([verdict("rewriter"), verdict("other"), verdict("asker"), rewritesNow])[3]).toMatchObject({
      decision: "deny",
      rewriteRefused: expect.stringContaining("do not settle"),
    });
  });

  it("counts an allow and a deny of its own", () => {
    const merged = merge([
      verdict("rewriter"),
      verdict("other", { decision: "allow" }),
      verdict("asker", { decision: "deny" }),
    ]);
    expect(merged.map(({ decision }) => decision)).toEqual(["allow", "allow", "deny"]);
  });

  it("keeps the end of the turn that a hook asked for in the first (JO-1)", () => {
    const before = [verdict("a", { ...to({ ...seen, command: "x" }), halt: "enough" })];
    const merged = mergePasses(before, [verdict("a")], applyRewrites(seen, before));
    expect(combine(merged).halts.map(({ halt }) => halt)).toEqual(["enough"]);
  });

  it("does not listen to a hook that rewrites again", () => {
    const again = verdict("rewriter", to({ ...seen, command: "newer" }));
    expect(merge([again, verdict("other"), verdict("asker")])[0]?.decision).toBe("allow");
  });

  it("refuses the call when a hook begins to rewrite only now", () => {
    const late = verdict("other", to({ ...seen, command: "late" }));
    const merged = merge([verdict("rewriter"), late, verdict("asker")]);
    expect(merged[1]).toMatchObject({
      decision: "deny",
      reason: { text: expect.stringContaining("do not settle") },
      rewriteRefused: expect.stringMatching(/^rewrote an input that other hooks had already rewritten/),
    });
  });

  it("shows the same word of both passes once, and the context of the second", () => {
    const before = [
      verdict("a", {
        ...to({ ...seen, command: "x" }),
        warnings: ["w"],
        errors: [{ text: "e" }],
        context: { text: "old", as: "hook-block" },
      }),
    ];
    const after = [
      verdict("a", { warnings: ["w"], errors: [{ text: "e" }], context: { text: "new", as: "hook-block" } }),
    ];
    expect(mergePasses(before, after, applyRewrites(seen, before))).toMatchObject([
      { warnings: ["w"], errors: [{ text: "e" }], context: { text: "new" } },
    ]);
  });
});

describe("combining (T28, T89)", () => {
  const orders = [
    ["deny", "ask", "allow", "none"],
    ["none", "allow", "ask", "deny"],
    ["allow", "deny", "none", "ask"],
  ] as const;
  it.each(orders)("takes the strictest of %s, %s, %s, %s", (...decisions) => {
    expect(combine(decisions.map((decision) => verdict(decision, { decision }))).decision).toBe("deny");
  });

  it("joins the reasons of all that denied, in declared order", () => {
    const denying = (text: string) => verdict(text, { decision: "deny", reason: { text, from: "stderr" } });
    expect(combine([denying("one"), verdict("x"), denying("two")]).reason).toBe("one\ntwo");
  });
});

describe("a rewrite that does not fit the tool (JO-6, G9)", () => {
  /** Says what is wrong with an input: no command, or more than two fields. */
  const misfit = (input: Record<string, unknown>) => {
    if (!("command" in input)) return "command is missing";
    return Object.keys(input).length > 2 ? "too many fields" : undefined;
  };
  const before = { command: "ls" };
  const judged = (...verdicts: Verdict[]) => {
    const rewritten = applyRewrites(before, verdicts);
    const together = misfit(rewritten.input) ?? "";
    return refuseMisfit(verdicts, rewritten, { together, alone: misfit }).map(({ decision, reason }) => [
      decision,
      reason?.text,
    ]);
  };

  it("is refused in the name of the hook whose own rewrite does not fit, and of no other", () => {
    expect(
      judged(verdict("good", to({ command: "ls -l" })), verdict("bad", to({ cmd: "rm" })), verdict("idle")),
    ).toEqual([
      ["none", undefined],
      ["deny", "hook bad rewrote the input so that it does not fit the tool: command is missing"],
      ["none", undefined],
    ]);
  });

  it("is refused in the name of all who changed something when each fits by itself", () => {
    const words = (name: string) =>
      `hook ${name} rewrote the input so that it does not fit the tool together with what other hooks changed: too many fields`;
    expect(
      judged(verdict("a", to({ ...before, x: 1 })), verdict("b", to({ ...before, y: 1 })), verdict("idle")),
    ).toEqual([
      ["deny", words("a")],
      ["deny", words("b")],
      ["none", undefined],
    ]);
  });
});
