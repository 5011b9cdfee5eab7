import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { inFolder, liveAgent, saidIn } from "../support/liveAgent.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { policyBench } from "../support/policyBench.ts";
import { tempFolder } from "../support/tempFolder.ts";

const bash = (command: string) => ({ name: "Bash", arguments: { command } });
const pre = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } });
const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });

describe("a project's guard that nobody approved", () => {
  it("holds back a call that only a hook's rewrite made its concern (T37, T85, G18)", async () => {
    using folder = tempFolder();
    const home = join(folder.path, "home");
    mkdirSync(home, { recursive: true });
    const output = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "rm victim" },
      },
    };
    writeFileSync(
      join(home, "settings.json"),
      JSON.stringify(pre(command(`echo '${JSON.stringify(output)}'`, { name: "rewriter" }))),
    );
    mkdirSync(join(folder.path, "project"));
    writeFileSync(join(folder.path, "project", "victim"), "");
    const { messages, end } = await playSession(folder.path, {
      settings: pre(command("exit 2", { name: "guard", if: "Bash(rm:*)" })),
      scenario: [{ calls: [bash("echo harmless")] }, { say: "done" }],
      options: { trust: "store" },
    });
    expect(existsSync(join(folder.path, "project", "victim"))).toBe(true);
    expect(blocksOf(messages, "tool")).toMatchObject([
      { success: false, result: expect.stringMatching(/guard.*approved|approved.*guard/s) },
    ]);
    expect(end.denials).toHaveLength(1);
  });
});

describe("a call that cannot run", () => {
  it.each([
    ["an unknown tool", { name: "Teleport", arguments: {} }],
    ["arguments that do not fit", { name: "Read", arguments: { file: "a" } }],
    [
      "an edit of a file that is not there",
      { name: "Edit", arguments: { file_path: "no.txt", old_string: "a", new_string: "b" } },
    ],
  ])("is no denial: %s (T36)", async (_what, call) => {
    const asked: string[] = [];
    await using live = await inFolder([{ calls: [call] }, { calls: [call] }, { say: "done" }], {
      options: {
        permissionMode: "default",
        onPermissionRequest: ({ toolName }) => {
          asked.push(toolName);
          return { decision: "allow" };
        },
      },
    });
    const end = await live.agent.sendMessage("go");
    expect(end).toMatchObject({ because: "done", denials: [] });
    expect(asked).toEqual([]);
    // A second try is no second way to something that was denied.
    expect(live.events.filter((event) => event.type === "notice").map((event) => event.text)).toEqual([]);
  });
});

describe("the question, the record and the run", () => {
  it("share no object: whoever changes what was asked, told or recorded changes nothing else (T36, PD-2)", async () => {
    const spoil = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        spoil(inner);
        // A frozen object is as good as one that nobody shares.
        Reflect.set(value, key, typeof inner === "string" ? "touch spoiled" : inner);
      }
    };
    using folder = tempFolder();
    const options: AgentOptions = {
      permissionMode: "default",
      onPermissionRequest: (request) => {
        spoil(request.input);
        spoil(request.originalInput);
        return { decision: "allow" };
      },
    };
    const to = {
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "touch made" } },
    };
    await using live = await liveAgent(folder.path, [{ calls: [bash("touch asked")] }, { say: "done" }], {
      settings: pre(command(`echo '${JSON.stringify(to)}'`, { name: "rewriter" })),
      options,
      onEvent: (event) => {
        if (event.type === "hooks_decided") spoil(event.record);
      },
    });
    await live.agent.sendMessage("go");
    const there = (name: string) => existsSync(join(folder.path, "project", name));
    expect([there("made"), there("asked"), there("spoiled")]).toEqual([true, false, false]);
    const file = readFileSync(live.agent.sessionFile, "utf8");
    expect(file).toContain("touch made");
    expect(file).not.toContain("touch spoiled");
  });
});

describe("a rule that may be about a call", () => {
  it.each(["$(cat x)", "$(cat x) push", "A=1 `cat x`"])(
    "asks when it denies or asks, and not when it allows: %s (T25)",
    (line) => {
      using bench = policyBench();
      const reason = (rules: object) => bench.decide(line, { mode: "bypassPermissions", ...rules }).reason;
      const doubt = "Rule Bash(git push:*) in settings.json may be about this call";
      expect(reason({ deny: ["Bash(git push:*)"] })).toContain(doubt);
      expect(reason({ ask: ["Bash(git push:*)"] })).toContain(doubt);
      expect(reason({ allow: ["Bash(git push:*)"] })).toBe(reason({}));
    },
  );
});

describe("what is told right after a compaction", () => {
  it("is a message of its own behind the summary, and the model gets it with the next request (T192)", async () => {
    const full = { input: 900, output: 1 };
    const long = { calls: [bash(`printf '%s' ${"y".repeat(3_000)}`)], usage: full };
    await using live = await inFolder(
      [long, { say: "<summary>short</summary>", usage: full }, { say: "done" }],
      {
        settings: { contextSize: 1_000 },
        onEvent: (event, agent) => {
          if (event.type === "compaction_ended") void agent.steer("one more thing");
        },
      },
    );
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "done", answer: "done" });
    const last = live.model.requests.at(-1);
    expect(saidIn(last).slice(-2)).toEqual(["user: go", "user: one more thing"]);
    expect(live.model.requests).toHaveLength(3);
    const texts = blocksOf(live.agent.messages, "text").map(({ content }) => content);
    expect(texts.filter((text) => text === "one more thing")).toHaveLength(1);
  });
});
