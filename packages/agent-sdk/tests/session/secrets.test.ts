import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const canary = (name: string) => `${name}${"0a1B2c3D".repeat(5)}`;
const KEY = canary("model-key-");
const OTHER_KEY = canary("other-model-key-");
const GIVEN = canary("given-key-");
const TOKEN = canary("ghp_");
const BLOCK = ["-----BEGIN PRIVATE KEY-----", canary("MII"), "-----END PRIVATE KEY-----"].join("\n");

const env = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  WAVE_API_KEY: KEY,
  OPENAI_API_KEY: OTHER_KEY,
  KEY_OF_THE_PROGRAM: GIVEN,
  GITHUB_TOKEN: TOKEN,
};

const decisions = ({ file }: PlayedSession) =>
  file.split("\n").filter((line) => line.includes('"type":"decision"'));
const decided = ({ events }: PlayedSession) =>
  events.filter((event) => event.type === "hooks_decided").map((event) => JSON.stringify(event));

describe("keys", () => {
  it("stay out of every record, wherever they come from, and the conversation is as it was (G68, T190)", async () => {
    using folder = tempFolder();
    const everything = [KEY, GIVEN, TOKEN, BLOCK].join(" ");
    const leak = `printf '%s' '${everything}'`;
    const hooks = {
      UserPromptSubmit: [{ hooks: [{ type: "command", command: `${leak} >&2; exit 1` }] }],
      PreToolUse: [
        { hooks: [{ type: "command", command: `cat >/dev/null; ${leak} >&2; exit 3`, name: "crashes" }] },
        { matcher: "Read", hooks: [{ type: "command", command: `${leak} >&2; exit 2`, name: "denies" }] },
      ],
      PostToolUse: [{ hooks: [{ type: "command", command: `${leak} >&2; exit 2` }] }],
      Stop: [{ hooks: [{ type: "command", command: `${leak} >&2; exit 1` }] }],
    };
    const played = await playSession(folder.path, {
      settings: { hooks },
      prompt: `use ${everything}`,
      scenario: [
        {
          calls: [
            { name: "Bash", arguments: { command: `echo '${everything}'` } },
            { name: "Read", arguments: { file_path: `/x/${TOKEN}` } },
            {
              name: "Bash",
              // Where a preview of 2,000 bytes begins its tail, in the middle of a key.
              arguments: { command: `echo ${"x ".repeat(2_000)}${TOKEN} ${"y ".repeat(482)}` },
            },
          ],
        },
        { say: `here: ${everything}` },
      ],
      options: { env, apiKey: GIVEN },
    });
    const kept = [...decisions(played), ...decided(played)].join("\n");
    expect(decisions(played).length).toBeGreaterThan(6);
    expect(kept).toContain("[masked]");
    // Also no part of one that is worth anything: a preview is cut, and the cut must not save half a key.
    for (const secret of [KEY, GIVEN, TOKEN, BLOCK.split("\n")[1] ?? ""])
      expect(kept).not.toContain(secret.slice(-24));

    const [bash] = blocksOf(played.messages, "tool");
    expect(bash?.result).toContain(everything);
    expect(played.requests[1]?.text).toContain(JSON.stringify(everything).slice(1, -1));
    expect(played.file).toContain(TOKEN);
    expect(blocksOf(played.messages, "text").map(({ content }) => content)).toContain(`here: ${everything}`);
  });

  const SHOW = 'env; printf "%s" "$(cat /proc/self/environ | tr "\\0" "\\n")"';

  /** What hooks, commands and background shells of a session printed of their environment. */
  async function seenBy(setup: { settings: object; options?: AgentOptions }): Promise<string> {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: setup.settings,
      scenario: [
        { calls: [{ name: "Bash", arguments: { command: SHOW } }] },
        {
          calls: [
            {
              name: "Bash",
              arguments: { command: `${SHOW} > background; touch done`, run_in_background: true },
            },
          ],
        },
        {
          calls: [
            {
              name: "Bash",
              arguments: { command: "until [ -e done ]; do sleep 0.02; done; cat background" },
            },
          ],
        },
        { calls: [{ name: "Grep", arguments: { pattern: "model-key", path: "." } }] },
        { say: "done" },
      ],
      options: { env, apiKey: GIVEN, ...setup.options },
    });
    return JSON.stringify(played.messages);
  }

  const hook = (more: object) => ({
    UserPromptSubmit: [{ hooks: [{ type: "command", command: SHOW, ...more }] }],
  });

  it("of the model reach no hook, no command and no background shell (T189, G44, G68)", async () => {
    const seen = await seenBy({ settings: { hooks: hook({}) } });
    expect(seen).toContain("HOME=/nonexistent");
    for (const key of [KEY, OTHER_KEY, GIVEN]) expect(seen).not.toContain(key);
  });

  it("of the model reach a hook that lists them, and nobody else (T189)", async () => {
    const seen = await seenBy({
      settings: { hooks: hook({ passEnv: ["WAVE_API_KEY", "KEY_OF_THE_PROGRAM"] }) },
    });
    expect(seen).toContain(KEY);
    expect(seen).toContain(GIVEN);
    expect(seen).not.toContain(OTHER_KEY);
  });

  it("of others reach a project's hook only when it lists them, and the user's own as ever (T189)", async () => {
    using folder = tempFolder();
    const stage = async (scope: "project" | "user", passEnv: string[]) => {
      const hooks = {
        UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo seen-$GITHUB_TOKEN", passEnv }] }],
      };
      mkdirSync(join(folder.path, "home"), { recursive: true });
      writeFileSync(
        join(folder.path, "home", "settings.json"),
        JSON.stringify(scope === "user" ? { hooks } : {}),
      );
      const played = await playSession(folder.path, {
        settings: scope === "project" ? { hooks } : {},
        scenario: [{ say: "done" }],
        options: { env },
      });
      return played.messages.some((message) => JSON.stringify(message).includes(`seen-${TOKEN}`));
    };
    expect(await stage("project", [])).toBe(false);
    expect(await stage("project", ["GITHUB_TOKEN"])).toBe(true);
    expect(await stage("user", [])).toBe(true);
  });

  it("of the model do not reach git (T189)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "bin"));
    mkdirSync(join(folder.path, "project"));
    spawnSync("git", ["init", "-q", join(folder.path, "project")]);
    const spy = `#!/bin/sh\nenv > '${folder.path}/seen-by-git'\n`;
    writeFileSync(join(folder.path, "bin", "git"), spy, { mode: 0o755 });
    await playSession(folder.path, {
      scenario: [{ say: "done" }],
      options: { env: { ...env, PATH: `${join(folder.path, "bin")}:${env.PATH}` }, apiKey: GIVEN },
    });
    const { stdout } = spawnSync("cat", [join(folder.path, "seen-by-git")], { encoding: "utf8" });
    expect(stdout).toContain("HOME=/nonexistent");
    for (const key of [KEY, OTHER_KEY, GIVEN]) expect(stdout).not.toContain(key);
  });
});
