import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PERMISSION_MODES, type PermissionMode } from "@/permissions/modes.ts";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

const at = (name: string) => join(bench.project, name);
const put = (name: string, text = "x\n") => {
  mkdirSync(join(at(name), ".."), { recursive: true });
  writeFileSync(at(name), text);
};

beforeAll(() => {
  for (const name of [".env", "secrets/deep/key.pem", "plain.txt", "other/a.txt"]) put(name);
  mkdirSync(at("src/deep"), { recursive: true });
  linkSync(at(".env"), at("src/deep/settings.txt"));
  linkSync(at("secrets/deep/key.pem"), at("src/deep/notes.txt"));
  // Many files have a second name that nobody minds, as those of some package managers.
  linkSync(at("plain.txt"), at("src/deep/plain.txt"));
  linkSync(at("secrets/deep/key.pem"), join(bench.project, "../user/outside.pem"));
});

/** The same files, as people write them. */
const FORMS: Record<string, string[]> = {
  "src/deep/settings.txt": [
    "Read(.env)",
    "Read(./.env)",
    "Read(/.env)",
    "Read(**/.env)",
    "Read(.env*)",
    "Read(*.env)",
    "Read({.env,.npmrc})",
    "Read(.en?)",
    "Read(//{project}/.env)",
    "Read(//{project}/**/.env)",
    "Read(../project/.env)",
  ],
  "src/deep/notes.txt": [
    "Read(secrets)",
    "Read(secrets/)",
    "Read(secrets/**)",
    "Read(./secrets/**)",
    "Read(*.pem)",
    "Read(**/*.pem)",
    "Read(secrets/*/key.pem)",
    "Read(**/deep/key.*)",
    "Read(./**/key.pem)",
    "Read(~/outside.pem)",
    "Read(~/*.pem)",
  ],
};

const rows = Object.entries(FORMS).flatMap(([file, forms]) => forms.map((rule) => [rule, file] as const));
const ruleOf = (text: string) => text.replace("{project}", bench.project.slice(1));

describe("a second name of a file", () => {
  it.each(rows)("does not lead past the rule %s: %s (G32)", (rule, file) => {
    const deny = [ruleOf(rule)];
    const decide = (tool: string, input: Record<string, unknown>, mode: PermissionMode) =>
      bench.decide({ tool, input }, { deny, mode, allow: ["Bash", "Read"] }).decision;
    for (const mode of PERMISSION_MODES) {
      expect([mode, decide("Read", { file_path: at(file) }, mode)]).toEqual([mode, "deny"]);
      expect([mode, decide("Bash", { command: `cat ${file}` }, mode)]).toEqual([mode, "deny"]);
    }
    for (const command of [
      `cd src && head -c 9 < ${file.slice(4)}`,
      `cp ${file} copy`,
      `cat src/deep/*`,
      `grep -rh . src`,
      `find src -type f | xargs cat`,
      `python3 tool.py ${file}`,
    ])
      expect([command, decide("Bash", { command }, "bypassPermissions")]).not.toEqual([command, "allow"]);
  });

  it.each(rows)("is kept out of what a search finds, with the rule %s: %s (G32)", (rule, file) => {
    const deny = [ruleOf(rule)];
    const input = { pattern: ".", path: at("src") };
    const { searchFilter, decision } = bench.decide({ tool: "Grep", input }, { deny });
    expect(decision).toBe("allow");
    expect(searchFilter?.(at(file))).toContain("which denies reading");
    expect(searchFilter?.(at("src/deep/plain.txt"))).toBe(undefined);
  });

  it("of a file that no rule is about is like any other (G32)", () => {
    const deny = ["Read(.env)", "Read(./secrets/**)", "Read(*.pem)"];
    for (const command of [
      "cat src/deep/plain.txt",
      "head -1 plain.txt",
      "cat other/a.txt",
      "grep -h . other/a.txt",
    ])
      expect([command, bench.decide(command, { deny }).decision]).toEqual([command, "allow"]);
    const input = { file_path: at("src/deep/plain.txt") };
    expect(bench.decide({ tool: "Read", input }, { deny }).decision).toBe("allow");
  });

  it("is asked about with a rule that asks, and not written by a command past a rule (G32)", () => {
    const input = { file_path: at("src/deep/settings.txt") };
    expect(bench.decide({ tool: "Read", input }, { ask: ["Read(.env)"] }).decision).toBe("ask");
    const given = { deny: ["Edit(.env)"], allow: ["Bash"] };
    for (const command of ["echo x >> src/deep/settings.txt", "echo x | tee src/deep/settings.txt"])
      expect([command, bench.decide(command, given).decision]).toEqual([command, "deny"]);
  });

  it("is asked about where not all files could be looked at (G32)", () => {
    const deny = ["Read(//**/.env)"];
    const input = { file_path: at("src/deep/plain.txt") };
    const { decision, reason } = bench.decide({ tool: "Read", input }, { deny });
    expect([decision, reason]).toEqual(["ask", expect.stringContaining("has several names")]);
    expect(bench.decide("cat other/a.txt", { deny }).decision).toBe("allow");
  });
});
