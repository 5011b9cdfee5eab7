import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

type Call = [tool: string, input: Record<string, unknown>];

/** A project with secrets, one session in it, and the result of each call. */
async function search(
  permissions: object,
  calls: Call[],
  options: AgentOptions = {},
): Promise<PlayedSession & { results: string[] }> {
  using folder = tempFolder();
  const put = (name: string, content: string) => {
    const path = join(folder.path, "project", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  put("secrets/k", "TOKEN=hunter2\n");
  put("secrets/deep/line\nbreak", "TOKEN=hunter2\n");
  put(".env", "TOKEN=hunter2\n");
  put("src/a.ts", "const a = 1;\nread(TOKEN);\n");
  symlinkSync("secrets", join(folder.path, "project", "open"));
  symlinkSync("secrets/k", join(folder.path, "project", "key"));
  const played = await playSession(folder.path, {
    settings: { permissions },
    scenario: [{ calls: calls.map(([name, input]) => ({ name, arguments: input })) }, { say: "done" }],
    options,
  });
  const results = blocksOf(played.messages, "tool").map(({ result = "" }) =>
    result.replaceAll(join(folder.path, "project"), "/p"),
  );
  return { ...played, results };
}

const RULE = /rule \S+ in \S+settings\.json:1, which denies reading\]$/;

describe("a Read rule that denies", () => {
  const deny = { deny: ["Read(./secrets/**)", "Read(./.env)"] };

  it.each<Call>([
    ["Grep", { pattern: "TOKEN" }],
    ["Grep", { pattern: "TOKEN", path: ".", output_mode: "content", "-C": 3 }],
    ["Grep", { pattern: "TOKEN", output_mode: "content", "-n": false }],
    ["Grep", { pattern: "TOKEN", output_mode: "count" }],
    ["Grep", { pattern: "TOKEN", glob: ".env", output_mode: "content" }],
    ["Grep", { pattern: "TOKEN", glob: "**/{k,.env}", output_mode: "content" }],
    ["Glob", { pattern: "**/*" }],
    ["Glob", { pattern: "secrets/../**/k" }],
    ["LS", { path: "." }],
  ])("keeps its files out of %s %j, and that is said (G32)", async (tool, input) => {
    const { results, wire } = await search(deny, [[tool, input]]);
    expect(wire).not.toContain("hunter2");
    expect(results[0]).not.toMatch(/^(\/p\/|\.\/)?(secrets|\.env|open|key|break)\b/m);
    expect(results[0]).toMatch(RULE);
    if (input["glob"] === undefined && input["pattern"] === "TOKEN") expect(results[0]).toContain("a.ts");
  });

  it.each<Call>([
    ["Grep", { pattern: "TOKEN", path: "secrets", output_mode: "content" }],
    ["Grep", { pattern: "TOKEN", path: "open", output_mode: "content" }],
    ["Grep", { pattern: "TOKEN", path: "key", output_mode: "content" }],
    ["Glob", { pattern: "open/*" }],
    ["LS", { path: "secrets" }],
    ["LS", { path: "open" }],
  ])("refuses %s %j, which is about them alone (G32)", async (tool, input) => {
    const { results, end } = await search(deny, [[tool, input]]);
    expect(results[0]).toMatch(/^Rule Read\(\.\/secrets\/\*\*\) in .* denies this call/);
    expect(end.denials).toHaveLength(1);
  });

  it("tells the same number whether or not the pattern is in the files it keeps (G32)", async () => {
    const { results } = await search(deny, [
      ["Grep", { pattern: "hunter2" }],
      ["Grep", { pattern: "hunter3" }],
    ]);
    const [right, wrong] = results.map((result) => result.replaceAll(/hunter./g, "x"));
    expect(right).toBe(wrong);
    expect(right).toMatch(
      /^No matches for x in \/p\.\n\[\d files? (is|are) kept back .*\n\[\d files? (is|are) kept back .*\]$/,
    );
  });

  it("counts by rule (G32)", async () => {
    const { results } = await search(deny, [["Grep", { pattern: "TOKEN" }]]);
    expect(results[0]?.split("\n").toSorted()).toEqual([
      expect.stringMatching(/^\[1 file is kept back by rule Read\(\.\/\.env\) in /),
      expect.stringMatching(/^\[2 files are kept back by rule Read\(\.\/secrets\/\*\*\) in /),
      "src/a.ts",
    ]);
  });

  it("says nothing where it keeps nothing back (G32)", async () => {
    const { results } = await search(deny, [["Grep", { pattern: "TOKEN", path: "src" }]]);
    expect(results).toEqual(["src/a.ts"]);
  });
});

describe("a Read rule that asks", () => {
  const ask = { ask: ["Read(./secrets/**)"] };

  it("keeps files out of a search over more than them, and says how to get at them (G32)", async () => {
    const { results } = await search(ask, [["Grep", { pattern: "TOKEN", output_mode: "content" }]]);
    expect(results[0]).not.toContain("secrets/k");
    expect(results[0]).toMatch(/src\/a\.ts:2:read\(TOKEN\);/);
    expect(results[0]).toMatch(
      /\[2 files are kept back by rule .*, which asks before reading; use Read on one file, and the question is asked\]$/,
    );
  });

  it("lets a search through that is about them alone, after the person said yes (G32)", async () => {
    const { results } = await search(
      ask,
      [["Grep", { pattern: "TOKEN", path: "secrets/k", output_mode: "content" }]],
      { onPermissionRequest: () => ({ decision: "allow" }) },
    );
    expect(results).toEqual(["secrets/k:1:TOKEN=hunter2"]);
  });
});

describe("a call that does not fit its tool", () => {
  it("is answered in plain words (T13)", async () => {
    const { results } = await search({}, [["Bash", { cmd: "ls" }]]);
    expect(results).toEqual([
      "The input does not fit Bash: command is missing; cmd is not a field of Bash (fields: command, description, timeout, run_in_background)",
    ]);
  });
});
