import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { HookDefinition } from "@/hooks/definition.ts";
import type { HookKind, HookKindRow } from "@/hooks/kinds/kind.ts";
import { rowOf } from "@/hooks/kinds/kind.ts";
import { HOOK_KINDS } from "@/hooks/kinds/kinds.ts";
import { HookRunners } from "@/hooks/kinds/runners.ts";
import { planHooks } from "@/hooks/plan.ts";
import { executeHooks } from "@/services/hook.ts";
import { readHooks } from "@/workspace/settings/hookEvents.ts";
import { nodeOfValue } from "@/workspace/settings/node.ts";
import { hookContext } from "../../support/runHooks.ts";
import { FIXED_ANSWER, seen } from "./fixedAnswer.ts";

const kinds: readonly HookKindRow[] = [...HOOK_KINDS, rowOf(FIXED_ANSWER)];

function hooksOf(...entries: object[]): { hooks: HookDefinition[]; said: string[] } {
  const said: string[] = [];
  const place = { scope: "user" as const, file: "/settings.json", defaults: [], kinds };
  const node = nodeOfValue({ PreToolUse: [{ hooks: entries }] }, "hooks");
  const { hooks } = readHooks(node, place, (_severity, _place, message) => said.push(message));
  return { hooks, said };
}

describe("a kind of hook", () => {
  it("is one file and one row: an entry of a new kind is read, named, planned, run and closed", async () => {
    const before = { ...seen };
    const entry = { type: "fixed", answer: "not today" };
    const { hooks, said } = hooksOf(entry, { ...entry, answer: "never" }, { ...entry, name: "a copy" });
    expect(said).toEqual([]);
    expect(hooks).toMatchObject([
      { name: "says not today", action: { type: "fixed", shown: "always says not today" } },
      { name: "says never" },
      { name: "a copy" },
    ]);
    const { run, skipped } = planHooks("PreToolUse", "Bash", hooks, { knownTools: ["Bash"] });
    expect(run.map(({ name }) => name)).toEqual(["says not today", "says never"]);
    expect(skipped).toMatchObject([{ hook: { name: "a copy" }, why: /the same entry/ }]);

    const runners = new HookRunners(kinds);
    const results = await executeHooks("PreToolUse", hookContext("/", { runners }), run);
    expect(results).toMatchObject([
      { exitCode: 2, stderr: "not today" },
      { exitCode: 2, stderr: "never" },
    ]);
    await executeHooks("PreToolUse", hookContext("/", { runners }), run);
    expect(seen).toEqual({ runs: before.runs + 4, closed: before.closed });
    await runners.keepOnly(run.slice(1).map(({ action }) => action));
    expect(seen.closed).toBe(before.closed + 1);
    await runners.close();
    expect(seen.closed).toBe(before.closed + 2);
  });

  it("says what is wrong with an entry in its own words, and with fields that it does not have", () => {
    expect(hooksOf({ type: "fixed", onError: "block" }).said).toEqual([
      expect.stringContaining('this hook has no "answer"'),
    ]);
    const { said } = hooksOf({ type: "fixed", answer: "no", command: "./x" });
    expect(said).toEqual([expect.stringContaining('"command" is not a field of a hook')]);
  });

  it("has every obligation of its row: without one of them it does not compile", () => {
    type Row = HookKind<{ answer: string }>;
    type WithoutOne = { [K in keyof Row]: Omit<Row, K> extends Row ? "still a row" : "refused" };
    const obligations: WithoutOne = {
      type: "refused",
      writtenBy: "refused",
      schema: "refused",
      read: "refused",
      identity: "refused",
      describe: "refused",
      commandLine: "refused",
      neverRuns: "refused",
      open: "refused",
    };
    expect(Object.keys(obligations).sort()).toEqual(Object.keys(FIXED_ANSWER).sort());
  });

  it("has a type of its own, which its schema names", () => {
    expect(new Set(kinds.map(({ type }) => type)).size).toBe(kinds.length);
    for (const kind of kinds.filter(({ writtenBy }) => writtenBy !== "nobody"))
      expect(kind.schema().shape["type"]?.safeParse(kind.type).success, kind.type).toBe(true);
  });
});

it("nobody asks which kind a hook is, outside of hooks/kinds", () => {
  const roots = ["../../../src", "../../../../code/src"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const asking = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("hooks/kinds/"))
      .filter((name) =>
        /\baction\??\.type\b|\baction:\s*\{[^}]*\btype\b[^}]*\}\s*=|\baction\??\.own\b/.test(
          readFileSync(join(root, name), "utf8"),
        ),
      ),
  );
  // It compares two hooks, whatever they are.
  expect(asking).toEqual(["hooks/plan.ts"]);
});
