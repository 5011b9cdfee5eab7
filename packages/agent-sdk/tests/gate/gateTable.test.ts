import { describe, expect, it } from "vitest";
import type { HookDefinition } from "@/hooks/definition.ts";
import { FAILURE_KINDS, ON_ERROR, type FailureKind, type OnError } from "@/hooks/failurePolicy.ts";
import { DOINGS, type Doing } from "@/permissions/modeTable.ts";
import {
  decisionTable,
  HOOK_WORDS,
  OPINIONS,
  type DecisionRow,
  type HookWord,
  type Opinion,
} from "@/permissions/decisionTable.ts";
import type { ToolEffect } from "@/permissions/effect.ts";
import type { MatchedRule, RuleMatches } from "@/permissions/matchRules.ts";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import type { PendingPermission, PermissionAnswer } from "@/permissions/request.ts";
import { decision, enterGate, rewrites, says, type GateEnd } from "../support/gateBench.ts";
import { commandHook } from "../support/runHooks.ts";

const ids = ({ failedHooks = [] }: PendingPermission) => failedHooks.map(({ id }) => id);

const ANSWERS = {
  "a yes that names what failed": (request): PermissionAnswer => ({
    decision: "allow",
    without: ids(request),
  }),
  "a plain yes": () => ({ decision: "allow" }),
  "a no": () => ({ decision: "deny" }),
  nobody: undefined,
} satisfies Record<string, ((request: PendingPermission) => PermissionAnswer) | undefined>;
type Answer = keyof typeof ANSWERS;
const ALL_ANSWERS = Object.keys(ANSWERS) as Answer[];

/** What would show that somebody was asked, where nobody must be. */
const MISLEADING: readonly Answer[] = ["a yes that names what failed"];

const fails = () => {
  throw new Error("broken");
};

/** A hook that has this word for the call. */
const HOOKS: Record<HookWord, HookDefinition[]> = {
  none: [says("hook", () => undefined)],
  allow: [says("hook", () => decision("allow", "fine"))],
  ask: [says("hook", () => decision("ask", "sure?"))],
  deny: [says("hook", () => decision("deny", "not here"))],
  rewrite: [says("hook", ({ pass }) => (pass === 1 ? rewrites("rewritten") : undefined))],
  "failed, continue": [says("hook", fails, { onError: "continue" })],
  "failed, ask": [says("hook", fails, { onError: "ask" })],
  "failed, block": [says("hook", fails, { onError: "block" })],
};

const EFFECTS: Record<Doing, ToolEffect> = {
  nothing: { does: "nothing" },
  "read-inside": { does: "read", paths: ["/project/file"] },
  "read-outside": { does: "read", paths: ["/elsewhere/file"] },
  "edit-inside": { does: "edit", paths: ["/project/file"] },
  "edit-outside": { does: "edit", paths: ["/elsewhere/file"] },
  run: { does: "run", command: "program" },
  reach: { does: "reach", hosts: ["host"] },
  "leave-plan": { does: "leave-plan" },
  "ask-person": { does: "ask-person" },
  unknown: { does: "unknown", touches: [] },
};

const rule = (name: string): MatchedRule => ({ rule: name, source: "rules.json", because: "it fits" });
const rulesSaying = (opinion: Opinion): Partial<RuleMatches> =>
  opinion === "none" ? {} : { [opinion]: [rule("R")] };

/** What has to come of a row when somebody answers so. */
function expected({ decision: decided, hook }: DecisionRow, answer: Answer) {
  if (decided !== "ask") return { asked: 0, ran: decided === "allow" };
  if (answer === "nobody") return { asked: 0, ran: false };
  const passes = hook === "failed, block" ? answer === "a yes that names what failed" : answer !== "a no";
  return { asked: 1, ran: passes };
}

const summary = ({ asked, ran, records: [record, ...more], entered }: GateEnd) => ({
  asked: asked.length,
  ran: ran.length > 0,
  // One record, and it says what happened.
  told: more.length === 0 && (record?.decision === "allow") === ran.length > 0 && entered.entered,
});

describe("the gate", () => {
  const table = decisionTable().filter(({ answering }) => answering === "somebody");

  it.each(PERMISSION_MODES)(
    "does in mode %s what the decision table says, whatever hook, rule, effect and answer (T20, T25, T26, T28, T35, G1, G3, G4, G5, PD-2, PD-3)",
    async (mode) => {
      const rows = table.filter((row) => row.mode === mode);
      expect(rows).toHaveLength(DOINGS.length * HOOK_WORDS.length * OPINIONS.length);
      const lines: string[][] = [[], []];
      for (const row of rows)
        for (const answer of row.decision === "ask" ? ALL_ANSWERS : MISLEADING) {
          const end = await enterGate({
            mode,
            effect: EFFECTS[row.doing],
            hooks: HOOKS[row.hook],
            rules: () => rulesSaying(row.rule),
            ...(ANSWERS[answer] && { answer: ANSWERS[answer] }),
          });
          const name = `${row.doing} · hook ${row.hook} · rule ${row.rule} · ${answer}`;
          const wanted = expected(row, answer);
          lines[0]?.push(`${name}: ${JSON.stringify(summary(end))}`);
          lines[1]?.push(`${name}: ${JSON.stringify({ ...wanted, told: wanted.ran })}`);
          if (wanted.ran) expect(end.ran).toEqual([row.hook === "rewrite" ? "rewritten" : "as asked"]);
        }
      expect(lines[0]).toEqual(lines[1]);
    },
  );

  it("asks in no mode about a call that a person typed only because of the mode, and holds it like any other otherwise (T23)", async () => {
    for (const mode of PERMISSION_MODES) {
      const typed = { mode, origin: "person", effect: EFFECTS.run, answer: () => ANSWERS["a no"]() } as const;
      const plain = await enterGate(typed);
      expect([mode, plain.asked.length, plain.ran.length]).toEqual([mode, 0, mode === "plan" ? 0 : 1]);
      expect((await enterGate({ ...typed, hooks: HOOKS.deny })).ran).toEqual([]);
      expect((await enterGate({ ...typed, rules: () => rulesSaying("deny") })).ran).toEqual([]);
    }
  });
});

describe("several that deny one call", () => {
  it("are all named in the record and to the model, in the documented order: managed rule, hook, rule (G1, G61)", async () => {
    const { records, entered, ran } = await enterGate({
      hooks: [...HOOKS.deny, says("second", () => decision("deny", "nor there"))],
      rules: () => ({ deny: [rule("Own")], managedDeny: [rule("Managed")] }),
      answer: ANSWERS["a plain yes"],
    });
    expect(ran).toEqual([]);
    expect(records).toMatchObject([
      {
        decision: "deny",
        decidedBy: "rule Managed, hook hook, hook second, rule Own",
        hooks: [{ verdict: "deny" }, { verdict: "deny" }],
        rules: [{ rule: "Managed", behavior: "managedDeny" }, { rule: "Own" }],
      },
    ]);
    expect(entered).toMatchObject({
      entered: false,
      result: [
        "Rule Managed in rules.json denies this call: it fits.",
        "not here",
        "nor there",
        "Rule Own in rules.json denies this call: it fits.",
      ].join("\n"),
    });
  });

  it.each([
    ["a managed rule", { managedDeny: [rule("M")] }, "rule M, hook hook"],
    ["a rule", { deny: [rule("R")] }, "hook hook, rule R"],
    ["no rule", {}, "hook hook"],
  ] as const)(
    "name a hook that only failed, too: beside %s, where a person could be asked (G5)",
    async (_what, rules, by) => {
      const end = await enterGate({
        hooks: HOOKS["failed, block"],
        rules: () => rules as Partial<RuleMatches>,
        answer: ANSWERS["a plain yes"],
      });
      expect(end.records).toMatchObject([{ decision: "deny", decidedBy: by }]);
      expect(end.asked).toHaveLength(by === "hook hook" ? 1 : 0);
    },
  );

  it("leave the word to `continue: false`, and the record names the rules all the same", async () => {
    const end = await enterGate({
      hooks: [says("halts", () => ({ continue: false, stopReason: "enough" }))],
      rules: () => ({ managedDeny: [rule("M")] }),
    });
    expect(end.records).toMatchObject([
      { decision: "halted", decidedBy: "hook halts", rules: [{ rule: "M" }] },
    ]);
    expect(end.entered).toMatchObject({ refusal: { ending: { because: "halted", reason: "enough" } } });
  });
});

/** A hook that fails in one way of each kind, and is mended when it is asked again. */
function failing(kind: FailureKind, onError: OnError, isMended: () => boolean): HookDefinition {
  const ways: Record<FailureKind, () => object | undefined | Promise<undefined>> = {
    crash: fails,
    timeout: () => new Promise(() => {}),
    invalid: () => decision("perhaps"),
    missing: () => undefined,
  };
  const act = () => (isMended() ? undefined : ways[kind]());
  const hook = says("guard", act, { onError, timeoutMs: kind === "timeout" ? 5 : 60_000 });
  // The project's folder is not there, so nothing can be started in it.
  return kind === "missing" ? { ...hook, action: commandHook("true").action } : hook;
}

describe("a hook that fails", () => {
  it.each(FAILURE_KINDS.flatMap((kind) => ON_ERROR.map((onError) => [kind, onError] as const)))(
    "with %s under onError %s: holds back as it was told to, for each answer (G5, T6, T8, PD-3)",
    async (kind, onError) => {
      const allow = { rules: () => rulesSaying("allow") };
      const hooks = [failing(kind, onError, () => false)];
      const isOpen = onError === "continue";
      for (const answer of ALL_ANSWERS) {
        const given = ANSWERS[answer];
        const end = await enterGate({ ...allow, hooks, ...(given && { answer: given }) });
        const passes =
          isOpen ||
          answer === "a yes that names what failed" ||
          (answer === "a plain yes" && onError === "ask");
        expect([answer, end.ran.length]).toEqual([answer, passes ? 1 : 0]);
        expect(end.records).toMatchObject([{ hooks: [{ failureKind: kind, failedOpen: isOpen }] }]);
        const isAsked = !isOpen && given !== undefined;
        expect(end.asked).toHaveLength(isAsked ? 1 : 0);
        expect(end.records[0]?.brokenGuards?.map(({ did }) => did)).toEqual(
          isAsked && passes ? ["passed-once"] : undefined,
        );
      }
    },
  );

  it.each(ON_ERROR.slice(1))(
    "is asked again as often as a person wants, and every attempt is recorded (onError %s)",
    async (onError) => {
      let tries = 0;
      const end = await enterGate({
        hooks: [failing("crash", onError, () => ++tries > 3)],
        rules: () => rulesSaying("allow"),
        answer: () => ({ decision: "retry" }),
      });
      expect(end.ran).toEqual(["as asked"]);
      expect(end.asked.map(({ failedHooks }) => failedHooks?.[0]?.attempt)).toEqual([1, 2, 3]);
      expect(end.records).toMatchObject([
        { decision: "allow", earlier: [{}, {}, {}], brokenGuards: [{ did: "retried" }, {}, {}] },
      ]);
      expect(end.told.warnings).toContain("hook guard, which had failed (crash), judged this at attempt 4");
    },
  );

  it("holds nothing open where another one really says no, and nobody is asked (G1)", async () => {
    const end = await enterGate({
      hooks: [...HOOKS["failed, block"], says("real", () => decision("deny", "no"))],
      answer: ANSWERS["a yes that names what failed"],
    });
    expect([end.ran, end.asked]).toEqual([[], []]);
    expect(end.records).toMatchObject([{ decidedBy: "hook hook, hook real" }]);
  });
});

describe("an input that hooks rewrite", () => {
  const rewriting = says("rewrites", ({ pass }) => (pass === 1 ? rewrites("new") : undefined));

  it.each([
    ["a deny rule on the old input", { deny: ["as asked"] }, "deny"],
    ["a deny rule on the new input", { deny: ["new"] }, "deny"],
    ["an ask rule on the old input", { ask: ["as asked"] }, "ask"],
    ["an ask rule on the new input", { ask: ["new"] }, "ask"],
    ["an allow rule on the old input only", { allow: ["as asked"] }, "ask"],
    ["an allow rule on the new input", { allow: ["new"] }, "allow"],
  ] as const)("with %s: %j comes to %s (T93, T95, T96)", async (_what, about, wanted) => {
    const end = await enterGate({
      hooks: [rewriting],
      rules: (text) =>
        Object.fromEntries(
          Object.entries(about).map(([word, texts]) => [word, texts.includes(text) ? [rule("R")] : []]),
        ),
      answer: ANSWERS["a plain yes"],
    });
    expect(end.ran).toEqual(wanted === "deny" ? [] : ["new"]);
    expect(end.asked).toHaveLength(wanted === "ask" ? 1 : 0);
    for (const request of end.asked)
      expect(request).toMatchObject({ input: { text: "new" }, originalInput: { text: "as asked" } });
  });

  it("is looked at once per input, also in a row of hooks, and judged by all of them once more", async () => {
    const judged: string[] = [];
    const watches = says("watches", ({ tool_input, pass }) => void judged.push(`${pass} ${tool_input.text}`));
    const sequence = (place: number) => ({ sequence: { group: "settings.json#row", place } });
    const end = await enterGate({
      hooks: [
        { ...rewriting, ...sequence(0) },
        { ...watches, ...sequence(1) },
      ],
      rules: () => rulesSaying("allow"),
    });
    expect(judged).toEqual(["1 new", "2 new"]);
    expect(end.seen).toEqual(["as asked", "new"]);
    expect(end.ran).toEqual(["new"]);
  });

  it.each([
    ["does not fit the tool", rewrites("x", { updatedInput: { other: 1 } })],
    [
      "does not fit, although it is allowed",
      rewrites("x", { updatedInput: {}, permissionDecision: "allow" }),
    ],
  ])("so that it %s never runs, old or new (JO-6, G9)", async (_what, output) => {
    const end = await enterGate({ hooks: [says("rewrites", () => output)], mode: "bypassPermissions" });
    expect([end.ran, end.records[0]?.decision]).toEqual([[], "deny"]);
  });
});

describe("a call that is looked at", () => {
  it("is looked at once when no hook changes it", async () => {
    const end = await enterGate({ hooks: HOOKS.ask, answer: ANSWERS["a plain yes"] });
    expect(end.seen).toEqual(["as asked"]);
  });

  it("does not run after an interrupt, whatever its hooks allow", async () => {
    const turn = new AbortController();
    const interrupts = says("interrupts", () => {
      turn.abort();
      return decision("allow");
    });
    const end = await enterGate({ hooks: [interrupts], signal: turn.signal });
    expect(end.ran).toEqual([]);
    expect(end.records).toMatchObject([{ decision: "deny", decidedBy: "an interrupt" }]);
  });

  it.each(PERMISSION_MODES)(
    "is asked about in mode %s when it writes a protected file, whatever a hook and a rule allow (T33, T82, G27)",
    async (mode) => {
      const end = await enterGate({
        mode,
        effect: EFFECTS["edit-inside"],
        protectedFiles: ["/project/.wave/settings.json"],
        hooks: HOOKS.allow,
        rules: () => rulesSaying("allow"),
        answer: ANSWERS["a no"],
      });
      expect(end.ran).toEqual([]);
      expect(end.asked).toHaveLength(mode === "plan" || mode === "dontAsk" ? 0 : 1);
      expect(end.entered).toMatchObject({ entered: false });
    },
  );

  it("asks for a project's guard that nobody approved, in every mode but where nobody is asked (G18, T37)", async () => {
    for (const mode of PERMISSION_MODES) {
      const end = await enterGate({
        mode,
        effect: EFFECTS["read-inside"],
        unreviewed: HOOKS.none,
        answer: ANSWERS["a plain yes"],
      });
      expect([mode, end.asked.length, end.ran.length]).toEqual(
        mode === "dontAsk" ? [mode, 0, 0] : [mode, 1, 1],
      );
    }
  });
});
