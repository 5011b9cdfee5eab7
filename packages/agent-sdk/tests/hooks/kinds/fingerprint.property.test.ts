import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "@/hooks/fingerprint.ts";
import { rowOf, type HookKindRow } from "@/hooks/kinds/kind.ts";
import { HOOK_KINDS } from "@/hooks/kinds/kinds.ts";
import { isSameEntry } from "@/hooks/plan.ts";
import { readHooks } from "@/workspace/settings/hookEvents.ts";
import { nodeOfValue } from "@/workspace/settings/node.ts";
import { FIXED_ANSWER } from "./fixedAnswer.ts";

const kinds: readonly HookKindRow[] = [...HOOK_KINDS, rowOf(FIXED_ANSWER)];

/** Two values of each field of an entry that act differently. A new field needs its line here. */
const VALUES: Record<string, readonly [unknown, unknown]> = {
  command: ["./guard.sh", "./guard.sh "],
  args: [[], ["--strict"]],
  timeout: [5, 600],
  if: ["Bash(git push:*)", "Bash(git pull:*)"],
  onError: ["continue", "block"],
  onFailure: ["ask", "block"],
  failClosed: [true, false],
  cwd: ["project", "session"],
  env: [{ LEVEL: "strict" }, { LEVEL: "lax" }],
  protectEnv: [["LEVEL"], []],
  passEnv: [["WAVE_API_KEY"], []],
  sandbox: ["off", "required"],
  async: [true, false],
  asyncRewake: [true, false],
  once: [true, false],
  warm: [true, false],
  run: [() => undefined, () => undefined],
  answer: ["no", "yes"],
  headers: [{ "X-Team": "a" }, { "X-Team": "b" }],
  allowedEnvVars: [["TOKEN"], []],
  prompt: ["Is it safe?", "Is it nice?"],
  model: ["small", "large"],
  url: ["https://a.example/hook", "https://b.example/hook"],
};

/** They change what people read, and nothing else. */
const WORDS = ["type", "name", "description", "statusMessage", "shell", "continueOnBlock"];

/** What an entry cannot do without. */
const NEEDED: Record<string, object> = {
  command: { command: "./guard.sh" },
  function: { run: () => undefined },
  fixed: { answer: "no" },
  prompt: { prompt: "Is it safe?" },
  http: { url: "https://a.example/hook" },
};

function read(entry: object, matcher?: string) {
  const scope = Object.hasOwn(entry, "run") ? "sdk" : "project";
  const place = { scope, file: "/project/.wave/settings.json", defaults: [], kinds } as const;
  const group = { ...(matcher !== undefined && { matcher }), hooks: [entry] };
  const { hooks } = readHooks(nodeOfValue({ PreToolUse: [group] }, "hooks"), place, () => undefined);
  const [hook] = hooks;
  if (!hook) throw new Error(`no hook: ${JSON.stringify(entry)}`);
  return { hook, fingerprint: fingerprintOf({ kind: "hook", hook, files: [] }) };
}

const written = kinds.filter(({ writtenBy }) => writtenBy !== "nobody");
const acting = written.flatMap((kind) =>
  Object.keys(kind.schema().shape).flatMap((field) => (WORDS.includes(field) ? [] : [[kind.type, field]])),
);

describe("two entries that differ in anything that could act differently", () => {
  it.each(acting)("%s: never share an approval when %s differs (G18, G20)", (type = "", field = "") => {
    const values = VALUES[field];
    if (!values) throw new Error(`VALUES has no two values of ${field}`);
    const base = { type, ...NEEDED[type] };
    const prints = [base, ...values.map((value) => ({ ...base, [field]: value }))].map(
      (entry) => read(entry).fingerprint,
    );
    expect(prints[1]).not.toBe(prints[2]);
  });

  it("never share one, whatever else they say and of whatever kind they are, also one that Wave does not have", () => {
    const entry = fc.constantFrom(...written.map(({ type }) => type), "mcp_tool", "agent").chain((type) => {
      const fields = Object.keys(
        written.find((kind) => kind.type === type)?.schema().shape ?? { url: 0, server: 0 },
      );
      const some = fields.flatMap((field) => {
        const values = VALUES[field];
        return values && field !== "onFailure" && field !== "failClosed"
          ? [[field, fc.constantFrom(...values)] as const]
          : [];
      });
      const needed = Object.keys(NEEDED[type] ?? {});
      return fc.record(Object.fromEntries([["type", fc.constant(type)], ...some]), {
        requiredKeys: ["type", ...needed],
      });
    });
    fc.assert(
      fc.property(entry, entry, (one, other) => {
        const [a, b] = [read(one), read(other)];
        // A word that says what holds anyway makes no difference.
        const same = JSON.stringify(meaning(one)) === JSON.stringify(meaning(other));
        if (same) expect(a.fingerprint).toBe(b.fingerprint);
        else expect(a.fingerprint).not.toBe(b.fingerprint);
        if (isSameEntry(a.hook, b.hook)) expect(a.hook.action.identity).toEqual(b.hook.action.identity);
      }),
      { numRuns: 3_000 },
    );
  });

  it("differ also by matcher and by the kind itself", () => {
    const prints = [
      read({ type: "command", command: "no" }),
      read({ type: "command", command: "no" }, "Bash"),
      read({ type: "fixed", answer: "no" }),
      read({ type: "mcp_tool", server: "no" }),
      read({ type: "command", command: '["fixed","no"]' }),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
  });

  it("keep the approval that people gave to a plain command before there were kinds", () => {
    expect(read({ type: "command", command: "./guard.sh" }).fingerprint).toBe(
      "5959eaf7048eb9ea436901d82187d65f469fc85a8c5127728e370d3667e72093",
    );
    expect(read({ type: "command", command: "guard", args: ["-x"] }).fingerprint).toBe(
      "1aa1582d01550ca33bbb3fa7a0d51a7657442cd2bc1284626cdf9a075d7ef7f0",
    );
  });
});

/** Without what holds anyway, and with functions told apart. */
function meaning(entry: Readonly<Record<string, unknown>>): unknown[] {
  const holdsAnyway = new Map<string, unknown>([
    ["timeout", 600],
    ["cwd", "project"],
    ["passEnv", []],
    ["allowedEnvVars", []],
    ["once", false],
    ["async", false],
    ["asyncRewake", false],
  ]);
  return Object.entries(entry)
    .filter(([field]) => field !== "async" || entry["asyncRewake"] !== true)
    .filter(
      ([field, value]) =>
        !holdsAnyway.has(field) || JSON.stringify(holdsAnyway.get(field)) !== JSON.stringify(value),
    )
    .map(([field, value]) => [field, VALUES["run"]?.includes(value) ? VALUES["run"].indexOf(value) : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
