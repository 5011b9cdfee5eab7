import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { Scenario, ScriptedReply } from "@/testing/index.ts";
import { isSummaryRequest, liveAgent, saidIn } from "../support/liveAgent.ts";
import { blocksOf } from "../support/playSession.ts";
import { SettingsFiles } from "../support/settingsFiles.ts";
import { tempFolder } from "../support/tempFolder.ts";

const long = (word: string) => `${word} ${"x".repeat(4_000)}`;
const echo: Scenario = (request) => ({ say: isSummaryRequest(request) ? "THE-SUMMARY" : "fine" });
const hook = (command: string, name = "notes") => ({ hooks: [{ type: "command", name, command }] });
/** Says how the session began, and how many times it was asked. */
const TELLS_SOURCE = `read -r input; echo x >>asked; echo "began by $1, asked $(grep -c x asked)"`;
const settings = (command: string, more: object = {}) => ({
  hooks: { SessionStart: [hook(command)] },
  ...more,
});
const startsIn = (said: readonly string[]) =>
  said.flatMap((text) => /began by \w+, asked \d/.exec(text)?.[0] ?? []);

describe("SessionStart hooks", () => {
  it("are told how the session began, and what they say is in its next request: startup, clear, resume, fork (T119)", async () => {
    using folder = tempFolder();
    const begin = async (options: AgentOptions) => {
      await using live = await liveAgent(folder.path, echo, { settings: settings(TELLS_SOURCE), options });
      await live.agent.sendMessage("go");
      return { id: live.agent.sessionId, starts: startsIn(saidIn(live.model.requests.at(-1))) };
    };
    const { id, starts } = await begin({});
    expect(starts).toEqual(["began by startup, asked 1"]);
    expect((await begin({ source: "clear" })).starts).toEqual(["began by clear, asked 2"]);
    expect((await begin({ resume: id })).starts).toEqual([...starts, "began by resume, asked 3"]);
    expect((await begin({ resume: id, fork: true })).starts.at(-1)).toBe("began by fork, asked 4");
  });

  it("are asked again after a compaction, and what they said before does not stand twice (T119)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, echo, {
      settings: {
        hooks: {
          SessionStart: [
            hook(TELLS_SOURCE),
            { matcher: "startup", ...hook("echo said only at the start", "once") },
          ],
        },
      },
    });
    const { agent, model } = live;
    for (const count of [2, 3]) {
      await agent.sendMessage(long("one"));
      await agent.sendMessage("two");
      expect(await agent.compact()).toMatchObject({ compacted: true });
      await agent.sendMessage("three");
      const said = saidIn(model.requests.at(-1));
      expect(startsIn(said)).toEqual([`began by compact, asked ${count}`]);
      // A hook that is not about compactions has not spoken again: its words are kept as they were.
      expect(said.filter((text) => text.includes("said only at the start"))).toHaveLength(1);
    }
    // Undone, the conversation is what it was, in its order.
    agent.undoCompact();
    agent.undoCompact();
    await agent.sendMessage("four");
    expect(startsIn(saidIn(model.requests.at(-1)))).toEqual([
      "began by startup, asked 1",
      "began by compact, asked 2",
      "began by compact, asked 3",
    ]);
  });

  it("are asked again within the turn when Wave compacts by itself, and may end it (T119, T149)", async () => {
    using folder = tempFolder();
    const full = { input: 900, output: 1 };
    const big = `printf '%s' ${"y".repeat(3_000)}`;
    const replies: ScriptedReply[] = [
      { call: { name: "Bash", arguments: { command: big } }, usage: full },
      { say: "THE-SUMMARY", usage: { input: 10, output: 1 } },
      { say: "done", usage: { input: 10, output: 1 } },
      { say: "to two", usage: full },
      { say: "THE-SUMMARY" },
    ];
    const ends = `${TELLS_SOURCE}; [ $(grep -c x asked) -lt 3 ] || echo '{"continue":false,"stopReason":"enough"}'`;
    await using live = await liveAgent(folder.path, replies, {
      settings: settings(ends, { contextSize: 1_000 }),
    });
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "done" });
    expect(startsIn(saidIn(live.model.requests[2]))).toEqual(["began by compact, asked 2"]);
    await live.agent.sendMessage(long("two"));
    expect(await live.agent.sendMessage("three")).toMatchObject({ because: "halted", reason: "enough" });
    expect(live.model.requests).toHaveLength(5);
  });

  it("that end the turn after a compaction somebody asked for end the next one, and only that", async () => {
    using folder = tempFolder();
    const ends = `[ "$1" != compact ] || echo '{"continue":false,"stopReason":"enough"}'`;
    await using live = await liveAgent(folder.path, echo, { settings: settings(ends) });
    await live.agent.sendMessage("one");
    await live.agent.sendMessage("two");
    expect(await live.agent.compact()).toMatchObject({ compacted: true, halted: "enough" });
    expect(await live.agent.sendMessage("three")).toMatchObject({ because: "halted", promptBack: "three" });
    expect(await live.agent.sendMessage("four")).toMatchObject({ because: "done" });
  });

  it("keep what they said after a compaction when the prompt of that turn is taken back", async () => {
    using folder = tempFolder();
    const replies: ScriptedReply[] = [
      { say: "fine", usage: { input: 990, output: 1 } },
      { say: "THE-SUMMARY" },
      { status: 401 },
      { say: "fine" },
    ];
    await using live = await liveAgent(folder.path, replies, {
      settings: settings(TELLS_SOURCE, { contextSize: 1_000 }),
    });
    await live.agent.sendMessage(long("one"));
    expect(await live.agent.sendMessage("two")).toMatchObject({ promptBack: "two" });
    expect(live.agent.takeBackPrompt()).toBe(true);
    await live.agent.sendMessage("three");
    const said = saidIn(live.model.requests.at(-1));
    expect(startsIn(said)).toEqual(["began by compact, asked 2"]);
    expect(said).not.toContain("user: two");
  });
});

describe("hookContextLimit", () => {
  const longText = `printf 'A%.0s' $(seq 1 30000)`;
  const lengthIn = (said: readonly string[]) => /A{100,}/.exec(said.join(""))?.[0].length;

  it("says by event how many characters of a hook the model gets; a cut is marked and shown (T116, T117)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, echo, {
      settings: {
        hooks: {
          SessionStart: [hook(longText)],
          UserPromptSubmit: [hook(longText.replaceAll("A", "é"), "prompts")],
        },
        hookContextLimit: { SessionStart: 30_000, UserPromptSubmit: 1_000 },
      },
    });
    await live.agent.sendMessage("go");
    const said = saidIn(live.model.requests[0]);
    expect(lengthIn(said)).toBe(30_000);
    expect(said.at(-1)).toBe(`user: ${"é".repeat(500)}\n[… 29000 characters cut …]\n${"é".repeat(500)}`);
    expect(blocksOf(live.agent.messages, "warn").map(({ content }) => content)).toEqual([
      "hook prompts said more than the model is given (1000 characters, by hookContextLimit): 29000 characters in the middle were cut",
    ]);
  });

  it("is for all events as a number, and not a project's to say (T117)", () => {
    using files = new SettingsFiles();
    files.write("user", { hookContextLimit: 5_000 });
    files.write("project", { hookContextLimit: 100 });
    files.write("managed", { hookContextLimit: { Stop: 200 } });
    const { contextLimits, problems } = files.load();
    expect(contextLimits).toMatchObject({ SessionStart: 5_000, PreToolUse: 5_000, Stop: 200 });
    expect(problems).toMatchObject([{ message: expect.stringMatching(/not read from a project's files/) }]);
    files.write("project", {});
    files.write("user", { hookContextLimit: { SessionStart: 5 } });
    expect(files.load().problems).toMatchObject([
      {
        severity: "error",
        message: expect.stringMatching(/hookContextLimit.* must be a whole number of characters/),
      },
    ]);
  });
});

describe("context that a hook gives again in the same words", () => {
  const REPEATED = "The rules of this house, at some length.";
  const json = (event: string, field: object) =>
    `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...field } })}'`;

  it("is sent once, and again after a compaction; the session file has it each time (T120)", async () => {
    using folder = tempFolder();
    const context = { additionalContext: REPEATED };
    const scenario: Scenario = (request) => {
      if (isSummaryRequest(request)) return { say: "THE-SUMMARY" };
      const last = saidIn(request).findLast((text) => text.startsWith("user: go") || text.startsWith("tool"));
      return last?.startsWith("tool")
        ? { say: "fine" }
        : { call: { name: "Bash", arguments: { command: "true" } } };
    };
    await using live = await liveAgent(folder.path, scenario, {
      settings: {
        hooks: {
          UserPromptSubmit: [hook(`echo ${REPEATED} by text`, "text")],
          PreToolUse: [hook(json("PreToolUse", context), "before")],
          PostToolUse: [hook(json("PostToolUse", context), "after")],
        },
      },
    });
    const { agent, model } = live;
    const counts = () => {
      const said = saidIn(model.requests.at(-1));
      const refers = said.filter((text) => text.includes("says the same as before"));
      return {
        text: said.filter((text) => text === `user: ${REPEATED} by text`).length,
        before: said.filter((text) => text.includes('name="before"') && text.includes(REPEATED)).length,
        after: said.filter((text) => text.includes('name="after"') && text.includes(REPEATED)).length,
        refers: refers.length,
      };
    };
    await agent.sendMessage("go 1");
    expect(counts()).toEqual({ text: 1, before: 1, after: 1, refers: 0 });
    const first = saidIn(model.requests.at(-1));
    await agent.sendMessage("go 2");
    expect(counts()).toEqual({ text: 1, before: 1, after: 1, refers: 3 });
    // What was sent before is sent as it was, so the server's cache of it holds (T122).
    expect(saidIn(model.requests.at(-1)).slice(0, first.length)).toEqual(first);
    await agent.compact();
    await agent.sendMessage("go 3");
    expect(counts()).toMatchObject({ text: 1, before: 1, after: 1 });
    const file = readFileSync(agent.sessionFile, "utf8");
    expect(file.split(`"content":"${REPEATED} by text"`)).toHaveLength(4);
  });

  it("is not what a check objects to: that it objects again is news (T120, T183)", async () => {
    using folder = tempFolder();
    const bash = { call: { name: "Bash", arguments: { command: "true" } } };
    const stderr = hook("echo 'tests fail' >&2; exit 2", "stderr");
    const block = hook(`printf '{"decision":"block","reason":"lint fails"}'`, "json");
    await using live = await liveAgent(folder.path, [bash, bash, { say: "done" }], {
      settings: { hooks: { PostToolUse: [stderr, block] } },
    });
    await live.agent.sendMessage("go");
    const said = saidIn(live.model.requests.at(-1)).join("\n");
    expect([said.split("tests fail").length, said.split("lint fails").length]).toEqual([3, 3]);
  });

  it("is told apart by the hook: two hooks with the same words are both heard (T120)", async () => {
    using folder = tempFolder();
    const hooks = { SessionStart: [hook(`echo ${REPEATED}`, "one"), hook(`echo ${REPEATED} ; true`, "two")] };
    await using live = await liveAgent(folder.path, echo, { settings: { hooks } });
    await live.agent.sendMessage("go");
    expect(saidIn(live.model.requests[0]).filter((text) => text.includes(REPEATED))).toHaveLength(2);
  });
});
