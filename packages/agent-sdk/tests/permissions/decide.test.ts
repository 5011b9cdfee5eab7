import { describe, expect, it } from "vitest";
import { decidePermission, type PermissionFacts } from "@/permissions/decide.ts";
import { DOINGS, type Doing } from "@/permissions/modeTable.ts";
import { ANSWERING, decisionTable, HOOK_WORDS, OPINIONS } from "@/permissions/decisionTable.ts";
import { PERMISSION_MODES, type PermissionMode } from "@/permissions/modes.ts";

/**
 * The whole matrix, written out by hand. One word of four letters for each opinion of the hooks (none, allow, ask, deny); a
 * letter for each opinion of the rules (none, allow, ask, deny): A allowed, ? asked, D denied.
 */
const EXPECTED: Record<PermissionMode, Record<Doing, string>> = {
  default: {
    nothing: "AA?D AA?D ???D DDDD",
    "read-inside": "AA?D AA?D ???D DDDD",
    "read-outside": "?A?D AA?D ???D DDDD",
    "edit-inside": "?A?D AA?D ???D DDDD",
    "edit-outside": "?A?D AA?D ???D DDDD",
    run: "?A?D AA?D ???D DDDD",
    reach: "?A?D AA?D ???D DDDD",
    "leave-plan": "AA?D AA?D ???D DDDD",
    "ask-person": "?A?D AA?D ???D DDDD",
    unknown: "?A?D AA?D ???D DDDD",
  },
  acceptEdits: {
    nothing: "AA?D AA?D ???D DDDD",
    "read-inside": "AA?D AA?D ???D DDDD",
    "read-outside": "?A?D AA?D ???D DDDD",
    "edit-inside": "AA?D AA?D ???D DDDD",
    "edit-outside": "?A?D AA?D ???D DDDD",
    run: "?A?D AA?D ???D DDDD",
    reach: "?A?D AA?D ???D DDDD",
    "leave-plan": "AA?D AA?D ???D DDDD",
    "ask-person": "?A?D AA?D ???D DDDD",
    unknown: "?A?D AA?D ???D DDDD",
  },
  plan: {
    nothing: "AA?D AA?D ???D DDDD",
    "read-inside": "AA?D AA?D ???D DDDD",
    "read-outside": "?A?D AA?D ???D DDDD",
    "edit-inside": "DDDD DDDD DDDD DDDD",
    "edit-outside": "DDDD DDDD DDDD DDDD",
    run: "DDDD DDDD DDDD DDDD",
    reach: "?A?D AA?D ???D DDDD",
    "leave-plan": "?A?D AA?D ???D DDDD",
    "ask-person": "?A?D AA?D ???D DDDD",
    unknown: "DDDD DDDD DDDD DDDD",
  },
  dontAsk: {
    nothing: "AADD AADD DDDD DDDD",
    "read-inside": "AADD AADD DDDD DDDD",
    "read-outside": "DADD AADD DDDD DDDD",
    "edit-inside": "DADD AADD DDDD DDDD",
    "edit-outside": "DADD AADD DDDD DDDD",
    run: "DADD AADD DDDD DDDD",
    reach: "DADD AADD DDDD DDDD",
    "leave-plan": "AADD AADD DDDD DDDD",
    "ask-person": "DADD AADD DDDD DDDD",
    unknown: "DADD AADD DDDD DDDD",
  },
  bypassPermissions: {
    nothing: "AA?D AA?D ???D DDDD",
    "read-inside": "AA?D AA?D ???D DDDD",
    "read-outside": "AA?D AA?D ???D DDDD",
    "edit-inside": "AA?D AA?D ???D DDDD",
    "edit-outside": "AA?D AA?D ???D DDDD",
    run: "AA?D AA?D ???D DDDD",
    reach: "AA?D AA?D ???D DDDD",
    "leave-plan": "AA?D AA?D ???D DDDD",
    "ask-person": "?A?D AA?D ???D DDDD",
    unknown: "AA?D AA?D ???D DDDD",
  },
};

const LETTER = { allow: "A", ask: "?", deny: "D" } as const;

const isOpinion = ({ hook }: { hook: string }) => OPINIONS.some((opinion) => opinion === hook);

describe("hook × rule × mode × effect", () => {
  const all = decisionTable();
  const rows = all.filter((row) => row.answering === "somebody" && isOpinion(row));

  it("has one outcome for every combination, with who decided and a reason (T25, T36)", () => {
    const others = OPINIONS.length * PERMISSION_MODES.length * DOINGS.length * ANSWERING.length;
    expect(all).toHaveLength(HOOK_WORDS.length * others);
    for (const { outcome } of rows) {
      expect(outcome.by).toMatch(/^(mode|hook|rule) \w/);
      for (const line of outcome.reason.split("\n")) expect(line).toMatch(/^[A-Z].*\.$/);
    }
  });

  it.each(PERMISSION_MODES)(
    "is decided in mode %s as the table by hand says (T25, T28, T35, G1, G3, G4)",
    (mode) => {
      const outcomes = DOINGS.map((doing) => {
        const letters = rows
          .filter((row) => row.mode === mode && row.doing === doing)
          .map((row) => LETTER[row.decision]);
        return [doing, letters.join("").replace(/(.{4})(?=.)/g, "$1 ")];
      });
      expect(Object.fromEntries(outcomes)).toEqual(EXPECTED[mode]);
    },
  );
});

describe("what is no opinion", () => {
  const all = decisionTable();
  const like = (wanted: object) =>
    all.filter((row) =>
      Object.entries(wanted).every(([key, value]) =>
        Object.entries(row).some(([k, v]) => k === key && v === value),
      ),
    );
  const decisions = (wanted: object) => like(wanted).map(({ decision }) => decision);

  it("is decided as if the hook had said nothing: another input, and a failure under continue (FR-014, G5)", () => {
    for (const hook of ["rewrite", "failed, continue"]) {
      expect(decisions({ hook })).toEqual(decisions({ hook: "none" }));
    }
  });

  it("is a question where the hook failed under ask, as if it had asked (G5)", () => {
    expect(decisions({ hook: "failed, ask" })).toEqual(decisions({ hook: "ask" }));
  });

  it("passes never by itself where the hook failed under block, and lifts no other no (G1, G5)", () => {
    const blocked = like({ hook: "failed, block" });
    expect(blocked.filter(({ decision }) => decision === "allow")).toEqual([]);
    const silent = decisions({ hook: "none" });
    expect(blocked.filter(({ decision }, index) => silent[index] === "deny" && decision !== "deny")).toEqual(
      [],
    );
    const alone = blocked.filter(({ answering, mode }) => answering === "nobody" || mode === "dontAsk");
    expect(new Set(alone.map(({ decision }) => decision))).toEqual(new Set(["deny"]));
  });

  it("where nobody can answer, every question is a no, and nothing else changes (PD-3, T26)", () => {
    const asked = decisions({ answering: "somebody" });
    expect(decisions({ answering: "nobody" })).toEqual(asked.map((one) => (one === "ask" ? "deny" : one)));
  });
});

/** The same for a command that a person typed: only where a mode alone would ask is it another letter. */
const EXPECTED_TYPED: Record<PermissionMode, string> = {
  default: "AA?D AA?D ???D DDDD",
  acceptEdits: "AA?D AA?D ???D DDDD",
  plan: "DDDD DDDD DDDD DDDD",
  dontAsk: "AADD AADD DDDD DDDD",
  bypassPermissions: "AA?D AA?D ???D DDDD",
};

describe("a command that a person typed", () => {
  const rows = decisionTable("person").filter(
    (row) => row.doing === "run" && row.answering === "somebody" && isOpinion(row),
  );

  it.each(PERMISSION_MODES)(
    "is its own yes in mode %s, and lifts no deny, no plan mode and no other ask (T25, G1, G3)",
    (mode) => {
      const letters = rows
        .filter((row) => row.mode === mode)
        .map((row) => LETTER[row.decision])
        .join("")
        .replace(/(.{4})(?=.)/g, "$1 ");
      expect(letters).toBe(EXPECTED_TYPED[mode]);
    },
  );

  it("differs from the model's only where a mode alone asks, and says that a person decided (T36)", () => {
    const model = decisionTable("model");
    for (const row of decisionTable("person")) {
      const same = model.find(
        ({ hook, rule, mode, doing }) =>
          hook === row.hook && rule === row.rule && mode === row.mode && doing === row.doing,
      );
      if (!isOpinion(row)) continue;
      if (JSON.stringify(same?.outcome) === JSON.stringify(row.outcome)) continue;
      expect([row.hook, row.rule, same?.outcome.by]).toEqual(["none", "none", `mode ${row.mode}`]);
      expect(row.outcome).toMatchObject({ decision: "allow", by: "person" });
    }
  });
});

const NO_RULES = { managedDeny: [], deny: [], ask: [], allow: [], doubtful: [] };
const rule = (text: string) => ({
  rule: text,
  source: ".wave/settings.json",
  because: "the line runs git push",
});

function decide(facts: Partial<PermissionFacts>) {
  return decidePermission({
    hook: { decision: "none", reasons: [], names: [], labels: [] },
    rules: NO_RULES,
    mode: "default",
    origin: "model",
    effect: { does: "run", command: "git push" },
    unreviewed: [],
    reviewWays: "wave hooks trust",
    insideProject: false,
    protectedHits: [],
    ...facts,
  });
}

describe("a protected file", () => {
  it.each(PERMISSION_MODES)(
    "is asked about in mode %s, also where a rule allows the call (G27, G29)",
    (mode) => {
      const outcome = decide({
        mode,
        effect: { does: "read", paths: [] },
        insideProject: true,
        rules: { ...NO_RULES, allow: [rule("Bash")] },
        protectedHits: [{ path: "/p/.npmrc", why: "npm reads it" }],
      });
      expect(outcome.decision).toBe(mode === "dontAsk" ? "deny" : "ask");
      expect(outcome.reason).toContain("This would write /p/.npmrc");
    },
  );
});

describe("a hook that nobody approved (G22)", () => {
  it.each(PERMISSION_MODES)("asks before what it would judge, in mode %s", (mode) => {
    const outcome = decide({
      mode,
      unreviewed: ["guard"],
      effect: { does: "read", paths: [] },
      insideProject: true,
    });
    expect(outcome.decision).toBe(mode === "dontAsk" ? "deny" : "ask");
    expect(outcome.reason).toContain("Hook guard of this project would judge this call");
  });
});

describe("a decision says who made it and why", () => {
  const rows: [title: string, facts: Partial<PermissionFacts>, outcome: object][] = [
    [
      "a managed rule speaks before hooks, and hooks before other rules; all of them are named",
      {
        rules: { ...NO_RULES, managedDeny: [rule("Bash(git push:*)")], deny: [rule("Bash")] },
        hook: { decision: "deny", reasons: ["no"], names: ["guard"], labels: ["hook guard (s.json:3)"] },
      },
      {
        decision: "deny",
        by: "rule Bash(git push:*), hook guard, rule Bash",
        reason: [
          "Rule Bash(git push:*) in .wave/settings.json denies this call: the line runs git push.",
          "no",
          "Rule Bash in .wave/settings.json denies this call: the line runs git push.",
        ].join("\n"),
      },
    ],
    [
      "hooks' denials are joined, in their own words and nothing else",
      {
        hook: {
          decision: "deny",
          reasons: ["not on Friday", "no force"],
          names: ["calendar", "guard"],
          labels: ["hook calendar (s.json:3)", "hook guard (s.json:3)"],
        },
      },
      { decision: "deny", by: "hook calendar, hook guard", reason: "not on Friday\nno force" },
    ],
    [
      "a hook without a word is named",
      { hook: { decision: "deny", reasons: [], names: ["guard"], labels: ["hook guard (s.json:3)"] } },
      { decision: "deny", by: "hook guard", reason: "Hook guard denied this call without a reason." },
    ],
    [
      "a hook and two rules ask once, in one question",
      {
        mode: "bypassPermissions",
        hook: { decision: "ask", reasons: ["sure?"], names: ["guard"], labels: ["hook guard (s.json:3)"] },
        rules: { ...NO_RULES, ask: [rule("Bash(git:*)"), rule("Bash")], allow: [rule("Bash(git push:*)")] },
      },
      {
        decision: "ask",
        by: "hook guard, rule Bash(git:*), rule Bash",
        askedBy: ["hook guard (s.json:3)", "rule Bash(git:*)", "rule Bash"],
        reason:
          "sure?\nRule Bash(git:*) in .wave/settings.json asks before this call: the line runs git push.\n" +
          "Rule Bash in .wave/settings.json asks before this call: the line runs git push.",
      },
    ],
    [
      "a mode asks",
      {},
      {
        decision: "ask",
        by: "mode default",
        askedBy: ["mode default"],
        reason: "Mode default asks before running a command.",
      },
    ],
    [
      "plan mode says what it cannot prove",
      {
        mode: "plan",
        unproven: "it writes /x",
        hook: { decision: "allow", reasons: [], names: ["yes"], labels: ["hook yes (s.json:3)"] },
        rules: { ...NO_RULES, allow: [rule("Bash")] },
      },
      {
        decision: "deny",
        by: "mode plan",
        reason:
          "Plan mode changes nothing, and only commands that are known to only read run in it. This one is not (it writes /x); leave plan mode to run it.",
      },
    ],
    [
      "dontAsk keeps the question and says that it denies it",
      {
        mode: "dontAsk",
        hook: { decision: "ask", reasons: ["sure?"], names: ["guard"], labels: ["hook guard (s.json:3)"] },
      },
      {
        decision: "deny",
        by: "mode dontAsk",
        reason: "sure?\nMode dontAsk denies what would have to be asked.",
      },
    ],
    [
      "dontAsk denies its own question",
      { mode: "dontAsk" },
      {
        decision: "deny",
        by: "mode dontAsk",
        reason:
          "A person would have to be asked before running a command. Mode dontAsk denies what would have to be asked.",
      },
    ],
    [
      "a hook allows",
      {
        hook: { decision: "allow", reasons: ["known good"], names: ["yes"], labels: ["hook yes (s.json:3)"] },
      },
      { decision: "allow", by: "hook yes", reason: "known good", bounds: "none" },
    ],
    [
      "several allow rules allow together",
      { rules: { ...NO_RULES, allow: [rule("Bash(git push:*)"), rule("Bash(ls:*)")] } },
      {
        decision: "allow",
        by: "rule Bash(git push:*), rule Bash(ls:*)",
        reason:
          "Rule Bash(git push:*) in .wave/settings.json allows this call: the line runs git push.\n" +
          "Rule Bash(ls:*) in .wave/settings.json allows this call: the line runs git push.",
        bounds: "none",
      },
    ],
  ];
  it.each(rows)("%s (T36)", (_title, facts, outcome) => {
    expect(decide(facts)).toEqual(outcome);
  });
});

describe("a command of which nothing says that it does more than read", () => {
  const believed = { paths: ["/p/a"], insideProject: true, git: "none" as const };
  const effect = { does: "read" as const, paths: ["/p/a"] };
  const proven = { effect, insideProject: true, believed };
  const bounded = { effect: { does: "run" as const, command: "awk 1 a" }, believed };
  const [allowing, doubted] = [
    { ...NO_RULES, allow: [rule("Bash")] },
    { ...NO_RULES, doubtful: [{ ...rule("Read(.env)"), about: "paths" as const }] },
  ];
  const box = { readsAreBounded: true };
  const yes = { decision: "allow" as const, reasons: [], names: ["yes"], labels: ["yes"] };
  const [outside, hits] = [{ ...believed, insideProject: false }, [{ path: "/p/.wave", why: "x" }]];
  const rows: [string, Partial<PermissionFacts>, "allow" | "ask" | "deny", string?][] = [
    ["proven, with a sandbox", { ...proven, ...box }, "allow", "read-only"],
    ["proven, without one", proven, "allow", "read-only"],
    ["proven, where a rule allows it", { ...proven, rules: allowing }, "allow", "none"],
    ["proven, typed by a person", { ...proven, origin: "person" }, "allow", "none"],
    ["proven, in a mode that runs everything", { ...proven, mode: "bypassPermissions" }, "allow", "none"],
    ["bounded, with a sandbox", { ...bounded, ...box }, "allow", "read-only"],
    ["bounded, without one", bounded, "ask"],
    ["bounded, with one, outside", { ...bounded, ...box, believed: outside }, "ask"],
    ["bounded, in plan mode, without one", { ...bounded, mode: "plan" }, "deny"],
    ["bounded, in plan mode, with one", { ...bounded, mode: "plan", ...box }, "allow", "read-only"],
    ["bounded, in dontAsk, with one", { ...bounded, mode: "dontAsk", ...box }, "allow", "read-only"],
    ["bounded, where a rule allows it", { ...bounded, ...box, rules: allowing }, "allow", "none"],
    ["bounded, typed by a person", { ...bounded, ...box, origin: "person" }, "allow", "none"],
    ["with a rule that may keep a file back", { ...proven, ...box, rules: doubted }, "allow", "read-only"],
    ["the same without a sandbox", { ...proven, rules: doubted }, "ask"],
    [
      "the same of git, which shows what it keeps",
      { ...proven, ...box, believed: { ...believed, git: "shows" }, rules: doubted },
      "ask",
    ],
    [
      "the same where a rule allows it",
      { ...bounded, ...box, rules: { ...allowing, ...doubted, allow: allowing.allow } },
      "allow",
      "read-only",
    ],
    [
      "the same where a hook allows it",
      { ...bounded, ...box, rules: doubted, hook: yes },
      "allow",
      "read-only",
    ],
    [
      "with a rule about a program that may run",
      { ...bounded, ...box, rules: { ...NO_RULES, doubtful: [rule("Bash(rm:*)")] } },
      "ask",
    ],
    ["that might write a protected file", { ...bounded, ...box, protectedHits: hits }, "allow", "read-only"],
    ["the same without a sandbox", { ...bounded, protectedHits: hits }, "ask"],
    ["that a rule denies", { ...proven, ...box, rules: { ...NO_RULES, deny: [rule("Bash")] } }, "deny"],
    ["that a rule asks about", { ...proven, ...box, rules: { ...NO_RULES, ask: [rule("Bash")] } }, "ask"],
    ["that a hook asks about", { ...proven, ...box, hook: { ...yes, decision: "ask" } }, "ask"],
    ["no command at all", { effect, insideProject: true }, "allow", "none"],
  ];
  it("is told which rules keep files from it, where it may come across them (G32)", () => {
    const said =
      "Files that rule Read(.env) in .wave/settings.json keeps back were not there for this command.";
    expect(decide({ ...proven, ...box, rules: doubted })).toMatchObject({ unseen: said });
    expect(decide({ ...proven, ...box })).not.toHaveProperty("unseen");
  });

  it.each(rows)("%s (T25, G33)", (_title, facts, decision, bounds) => {
    expect(decide(facts)).toMatchObject({ decision, ...(bounds === undefined ? {} : { bounds }) });
  });
});
