import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolEffect } from "@/permissions/effect.ts";
import { PERMISSION_MODES, type PermissionMode } from "@/permissions/modes.ts";
import { defineTool } from "@/tools/tool.ts";
import { policyBench } from "../support/policyBench.ts";

const NAME = "mcp__notes__save";

const toolThat = (effect: ToolEffect) =>
  defineTool<Record<string, unknown>>({
    name: NAME,
    description: "",
    input: z.record(z.string(), z.unknown()),
    parallel: false,
    pathFields: [],
    effect: () => effect,
    run: async () => expect.unreachable("nothing runs here"),
  });

const LETTER = { allow: "A", ask: "?", deny: "D" } as const;

describe("a tool that is not Wave's own", () => {
  const bench = policyBench();
  afterAll(() => bench[Symbol.dispose]());
  const at = (name: string) => join(bench.project, name);
  const decide = (effect: ToolEffect, given: Parameters<typeof bench.decide>[1] = {}) =>
    bench.decide({ tool: toolThat(effect), input: {} }, given);

  /** In the order of the modes: default, acceptEdits, plan, dontAsk, bypassPermissions. */
  const rows: Record<ToolEffect["does"], { effect: ToolEffect; modes: string; allowed: string }> = {
    nothing: { effect: { does: "nothing" }, modes: "AAAAA", allowed: "AAAAA" },
    read: { effect: { does: "read", paths: [at("README.md")] }, modes: "AAAAA", allowed: "AAAAA" },
    edit: { effect: { does: "edit", paths: [at("README.md")] }, modes: "?ADDA", allowed: "AADAA" },
    run: { effect: { does: "run", command: "npm test" }, modes: "??DDA", allowed: "AADAA" },
    reach: { effect: { does: "reach", hosts: ["tickets.example"] }, modes: "???DA", allowed: "AAAAA" },
    "leave-plan": { effect: { does: "leave-plan" }, modes: "AA?AA", allowed: "AAAAA" },
    "ask-person": { effect: { does: "ask-person" }, modes: "???D?", allowed: "AAAAA" },
    unknown: { effect: { does: "unknown", touches: [] }, modes: "??DDA", allowed: "AADAA" },
  };

  it.each(Object.entries(rows))("that does %s is judged by what it touches in every mode", (_does, row) => {
    const decided = (given: { allow?: string[] }) =>
      PERMISSION_MODES.map((mode) => LETTER[decide(row.effect, { ...given, mode }).decision]).join("");
    expect({ modes: decided({}), allowed: decided({ allow: [NAME] }) }).toEqual({
      modes: row.modes,
      allowed: row.allowed,
    });
  });

  it.each<PermissionMode>(["default", "acceptEdits", "bypassPermissions"])(
    "is asked about in mode %s when it may write a protected file, whatever allows it",
    (mode) => {
      for (const access of ["write", "unknown"] as const) {
        const effect = {
          does: "unknown",
          touches: [{ access, path: at(".wave/settings.json") }],
        } as const;
        expect(decide(effect, { mode, allow: [NAME] })).toMatchObject({ decision: "ask" });
      }
    },
  );

  it.each<["read" | "write" | "unknown", string, "deny" | "ask" | "allow"]>([
    ["read", "Read(./docs/**)", "deny"],
    ["write", "Edit(./docs/**)", "deny"],
    ["write", "Read(./docs/**)", "allow"],
    ["read", "Edit(./docs/**)", "allow"],
    ["unknown", "Read(./docs/**)", "ask"],
    ["unknown", "Edit(./docs/**)", "ask"],
    ["unknown", "Edit(./src/**)", "allow"],
  ])("with %s access to a file meets the deny rule %s: %s", (access, rule, decision) => {
    const effect = { does: "unknown", touches: [{ access, path: at("docs/a.md") }] } as const;
    expect(decide(effect, { deny: [rule], allow: [NAME] }).decision).toBe(decision);
  });

  it("is named in the reason when a rule about a file speaks", () => {
    const effect = { does: "unknown", touches: [{ access: "read", path: at("docs/a.md") }] } as const;
    const { reason } = decide(effect, { deny: ["Read(./docs/**)"] });
    expect(reason).toBe(
      `Rule Read(./docs/**) in settings.json denies this call: the tool reads ${at("docs/a.md")}.`,
    );
  });
});
