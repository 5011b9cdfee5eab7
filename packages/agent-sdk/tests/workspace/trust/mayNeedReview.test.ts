import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mayNeedReview } from "@/workspace/projectDir.ts";
import { loadSettings } from "@/workspace/settings/settings.ts";
import { needsReview, readProjectTrust } from "@/workspace/trust/trust.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const HOOKS = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } });

it.each([
  [".wave/settings.json", HOOKS],
  [".wave/settings.json", JSON.stringify({ permissions: { allow: ["Bash(make)"] } })],
  [".wave/settings.local.json", JSON.stringify({ model: "theirs" })],
  ["AGENTS.md", "Be kind.\n"],
])("a project that brings %s along is known by it, before its files are read (T37, T38)", (name, text) => {
  using folder = tempFolder();
  const [projectDir, home] = [join(folder.path, "project"), join(folder.path, "home")];
  mkdirSync(join(projectDir, ".wave"), { recursive: true });
  expect(mayNeedReview(projectDir)).toBe(false);
  writeFileSync(join(projectDir, name), text);
  const { hooks, permissions, ofProject } = loadSettings({ projectDir, home, managedFile: "/nonexistent" });
  const trust = readProjectTrust({ home, projectDir, hooks, rules: permissions.rules, ofProject });
  expect([needsReview(trust), mayNeedReview(projectDir)]).toEqual([true, true]);
});

it("a project whose files cannot be looked at may need a review", () => {
  using folder = tempFolder();
  symlinkSync("AGENTS.md", join(folder.path, "AGENTS.md"));
  expect(mayNeedReview(folder.path)).toBe(true);
});
