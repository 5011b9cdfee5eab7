import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "@/events.ts";
import { loadSession } from "@/services/session.ts";
import type { Scenario, ScriptedReply, ScriptedRequest } from "@/testing/index.ts";
import { isSummaryRequest, liveAgent, saidIn } from "../support/liveAgent.ts";
import { blocksOf } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const SUMMARY = "# Now\nTHE-SUMMARY";
const long = (word: string) => `${word} ${"x".repeat(4_000)}`;
const TOO_LONG: ScriptedReply = {
  status: 400,
  body: {
    error: { message: "This model's maximum context length is 10 tokens", code: "context_length_exceeded" },
  },
};

/** Answers every prompt with "to <prompt>", and every request for a summary with the summary. */
const echo: Scenario = (request) => ({
  say: isSummaryRequest(request) ? SUMMARY : `to ${lastPrompt(request)}`,
});

const lastPrompt = (request: ScriptedRequest) =>
  saidIn(request)
    .findLast((text) => text.startsWith("user: "))
    ?.split(" ")[1];
const summaries = (requests: readonly ScriptedRequest[]) => requests.filter(isSummaryRequest);
const summary = expect.stringMatching(/^user: <wave-summary>\n# Now\nTHE-SUMMARY\n<\/wave-summary>\n/);

describe("a compaction", () => {
  it("sends the summary in the place of what it covers, and the last request word for word", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, echo);
    const { agent, model } = live;
    for (const prompt of [long("one"), long("two"), "three"]) await agent.sendMessage(prompt);
    const before = readFileSync(agent.sessionFile);

    const end = await agent.compact("keep the names");
    expect(end).toMatchObject({ compacted: true, message: { blocks: [{ type: "summary", covers: 4 }] } });
    const asked = model.requests.at(-1);
    expect(asked?.body.tools).toBeUndefined();
    expect(asked?.text).toContain("The user says about this summary: keep the names");
    expect(asked?.text).toContain(long("one"));

    await agent.sendMessage("four");
    expect(saidIn(model.requests.at(-1))).toEqual([
      summary,
      "user: three",
      "assistant: to three",
      "user: four",
    ]);
    expect(agent.messages.map(({ blocks }) => blocks[0]?.type)).toEqual([
      ...Array(6).fill("text"),
      "summary",
      "text",
      "text",
    ]);
    // Nothing is rewritten (G60), and the compaction is one record.
    const after = readFileSync(agent.sessionFile);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(
      after
        .subarray(before.length)
        .toString()
        .match(/"type":"summary"/g),
    ).toHaveLength(1);
  });

  it("keeps what SessionStart hooks told the model, and everything that was asked in the turn", async () => {
    using folder = tempFolder();
    const hooks = {
      SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command: "echo standing orders" }] }],
    };
    await using live = await liveAgent(folder.path, echo, { settings: { hooks } });
    await live.agent.sendMessage("one");
    await live.agent.sendMessage(long("two"));
    await live.agent.compact();
    await live.agent.sendMessage("three");
    const [first, ...rest] = saidIn(live.model.requests.at(-1));
    expect(first).toEqual(summary);
    expect(rest[0]).toContain("standing orders");
    expect(rest.slice(1)).toEqual([`user: ${long("two")}`, "assistant: to two", "user: three"]);
  });

  it("can be undone, one after the other, and the model gets what was there before", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, echo);
    const { agent, model } = live;
    await agent.sendMessage("one");
    await agent.sendMessage("two");
    await agent.compact();
    await agent.sendMessage(long("three"));
    await agent.compact();
    await agent.sendMessage("four");
    expect(saidIn(model.requests.at(-1))).toEqual([
      summary,
      `user: ${long("three")}`,
      "assistant: to three",
      "user: four",
    ]);

    expect(agent.undoCompact()).toBe(true);
    await agent.sendMessage("five");
    const said = saidIn(model.requests.at(-1));
    expect(said.filter((text) => text.includes("<wave-summary>"))).toHaveLength(1);
    expect(said).toContain(`user: ${long("three")}`);
    expect(said).not.toContain("user: one");

    expect([agent.undoCompact(), agent.undoCompact()]).toEqual([true, false]);
    await agent.sendMessage("six");
    expect(saidIn(model.requests.at(-1)).filter((text) => text.startsWith("user"))).toEqual(
      ["one", "two", long("three"), "four", "five", "six"].map((text) => `user: ${text}`),
    );
    expect(blocksOf(agent.messages, "summary").map(({ undone }) => undone)).toEqual([true, true]);
  });

  it.each(["resume", "fork"] as const)("is the same after a %s, and so is its undo (T196)", async (how) => {
    using folder = tempFolder();
    const again = async (
      id: string,
      act: (agent: Awaited<ReturnType<typeof liveAgent>>) => Promise<void>,
    ) => {
      await using live = await liveAgent(folder.path, echo, {
        options: { resume: id, fork: how === "fork" },
      });
      await act(live);
      return { id: live.agent.sessionId, said: saidIn(live.model.requests.at(-1)) };
    };
    let id = "";
    {
      await using live = await liveAgent(folder.path, echo);
      await live.agent.sendMessage(long("one"));
      await live.agent.sendMessage("two");
      await live.agent.compact();
      id = live.agent.sessionId;
    }
    const compacted = await again(id, async ({ agent }) => void (await agent.sendMessage("three")));
    expect(compacted.said).toEqual([summary, "user: two", "assistant: to two", "user: three"]);
    const undone = await again(compacted.id, async ({ agent }) => {
      expect(agent.undoCompact()).toBe(true);
    });
    const { said } = await again(undone.id, async ({ agent }) => void (await agent.sendMessage("four")));
    expect(said.filter((text) => text.startsWith("user"))).toEqual(
      [long("one"), "two", "three", "four"].map((text) => `user: ${text}`),
    );
  });

  it("that is interrupted changes nothing", async () => {
    using folder = tempFolder();
    const scenario: Scenario = (request) =>
      isSummaryRequest(request)
        ? { say: "half a summary", hang: true }
        : { say: `to ${lastPrompt(request)}` };
    await using live = await liveAgent(folder.path, scenario, {
      onEvent: (event, agent) => event.type === "compaction_delta" && agent.abort(),
    });
    const { agent, model } = live;
    await agent.sendMessage("one");
    await agent.sendMessage("two");
    const before = { file: readFileSync(agent.sessionFile, "utf8"), messages: agent.messages };
    expect(await agent.compact()).toEqual({ compacted: false, because: "aborted", reason: "interrupted" });
    expect(agent.messages).toEqual(before.messages);
    expect(readFileSync(agent.sessionFile, "utf8")).toBe(before.file);
    await agent.sendMessage("three");
    expect(saidIn(model.requests.at(-1))[0]).toBe("user: one");
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ["refuses the key", { status: 401 }, /refused the key/],
    ["says nothing", { say: "" }, /gave no summary/],
    ["finds it too long, however short it gets", TOO_LONG, /too long for the model/],
  ])("that fails because the server %s says so and changes nothing", async (_title, reply, reason) => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, (request) =>
      isSummaryRequest(request) ? reply : { say: "fine" },
    );
    await live.agent.sendMessage("one");
    await live.agent.sendMessage("two");
    const { messages } = live.agent;
    expect(await live.agent.compact()).toMatchObject({
      compacted: false,
      reason: expect.stringMatching(reason),
    });
    expect(live.agent.messages).toEqual(messages);
  });

  it("asks again with less when the conversation is too long even to be summed up", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, (request) => {
      if (!isSummaryRequest(request)) return { say: "fine" };
      return request.bytes > 12_000 ? TOO_LONG : { say: SUMMARY };
    });
    for (const word of ["one", "two", "three", "four"]) await live.agent.sendMessage(long(word));
    expect(await live.agent.compact()).toMatchObject({ compacted: true });
    expect(live.model.requests.at(-1)?.text).toContain("messages are left out here");
    expect(live.events).toContainEqual(expect.objectContaining({ type: "notice", level: "info" }));
  });

  it("of nothing says that there is nothing", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, echo);
    expect(await live.agent.compact()).toMatchObject({ because: "nothing-to-do" });
    await live.agent.sendMessage("one");
    await live.agent.sendMessage("two");
    expect(await live.agent.compact()).toMatchObject({ compacted: true });
    expect(await live.agent.compact()).toMatchObject({ because: "nothing-to-do" });
    expect(summaries(live.model.requests)).toHaveLength(1);
  });

  it("counts in what the session cost, and says how much smaller the context became", async () => {
    using folder = tempFolder();
    const usage = { input: 1_000, output: 100 };
    await using live = await liveAgent(folder.path, (request) => ({
      say: isSummaryRequest(request) ? SUMMARY : "fine",
      usage,
    }));
    await live.agent.sendMessage(long("one"));
    await live.agent.sendMessage("two");
    await live.agent.compact();
    const [block] = blocksOf(live.agent.messages, "summary");
    expect(block?.tokensBefore).toBe(1_100);
    expect(block?.tokensAfter).toBeLessThan(1_100);
    const saved = await loadSession(live.agent.sessionFile);
    expect(saved?.usage).toEqual({ inputTokens: 3_000, outputTokens: 300 });
  });
});

describe("a compaction that Wave makes by itself", () => {
  const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
  const notices = (events: readonly AgentEvent[]) =>
    events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

  it("comes once when the context is nearly full, says so, and the turn goes on with its calls answered", async () => {
    using folder = tempFolder();
    const full = { input: 900, output: 1 };
    const replies: ScriptedReply[] = [
      { ...bash(`printf '%s' ${"y".repeat(3_000)}`), usage: full },
      { say: SUMMARY, usage: full },
      { ...bash("echo again"), usage: full },
      { say: "done", usage: full },
      { say: "next", usage: full },
    ];
    await using live = await liveAgent(folder.path, replies, { settings: { contextSize: 1_000 } });
    const { agent, model, events } = live;
    expect(agent.context).toEqual({ tokens: undefined, size: 1_000 });
    expect(await agent.sendMessage("go")).toMatchObject({ because: "done", answer: "done", modelCalls: 3 });
    expect(notices(events)).toEqual([
      "the conversation fills 90 % of the model's context, so Wave asks for a summary to go on with; undoCompact() brings all of it back",
    ]);
    expect(saidIn(model.requests[2])).toEqual([summary, "user: go"]);
    expect(saidIn(model.requests[3])).toEqual([summary, "user: go", "assistant: Bash", "tool: again"]);
    await agent.sendMessage("more");
    expect(summaries(model.requests)).toHaveLength(1);
    expect(model.requests.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("keeps the prompt of the turn and what was told while it ran, word for word", async () => {
    using folder = tempFolder();
    const big = bash(`printf '%s' ${"y".repeat(3_000)}`);
    const replies: ScriptedReply[] = [
      { ...big, usage: { input: 100, output: 1 } },
      { ...big, usage: { input: 900, output: 1 } },
      { say: SUMMARY },
      { say: "done" },
    ];
    let told = 0;
    await using live = await liveAgent(folder.path, replies, {
      settings: { contextSize: 1_000 },
      onEvent: (event, agent) => {
        if (event.type === "tool_started" && told++ === 0) void agent.steer("use tabs");
      },
    });
    await live.agent.sendMessage("go");
    expect(saidIn(live.model.requests.at(-1))).toEqual([summary, "user: go", "user: use tabs"]);
  });

  it("comes when the server finds the request too long, and does not cost a model call", async () => {
    using folder = tempFolder();
    const replies: ScriptedReply[] = [{ say: "fine" }, TOO_LONG, { say: SUMMARY }, { say: "done" }];
    await using live = await liveAgent(folder.path, replies, {
      options: { maxTurns: 1, entrypoint: "print" },
    });
    await live.agent.sendMessage(long("one"));
    expect(await live.agent.sendMessage("two")).toMatchObject({ because: "done", answer: "done" });
    expect(saidIn(live.model.requests.at(-1))).toEqual([summary, "user: two"]);
    expect(notices(live.events)[0]).toMatch(
      /too long for the model, so Wave asks for a summary.*wave -c, and there \/compact undo/,
    );
    expect(blocksOf(live.agent.messages, "error")).toEqual([]);
  });

  it("that does not help ends the turn with the clear word, after one try", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, (request, n) => {
      if (isSummaryRequest(request)) return { say: SUMMARY };
      return n === 0 ? { say: "fine" } : TOO_LONG;
    });
    await live.agent.sendMessage(long("one"));
    const end = await live.agent.sendMessage("two");
    expect(end).toMatchObject({
      because: "context-full",
      reason: expect.stringContaining("too long for the model"),
    });
    expect(summaries(live.model.requests)).toHaveLength(1);
    expect(blocksOf(live.agent.messages, "error").map(({ content }) => content)).toEqual([end.reason]);
    // What was said is all there: a larger model can go on with it.
    expect(live.agent.undoCompact()).toBe(true);
  });

  it("that is interrupted ends the turn and changes nothing", async () => {
    using folder = tempFolder();
    const replies: ScriptedReply[] = [
      { say: "fine", usage: { input: 990, output: 1 } },
      { say: "half", hang: true },
    ];
    await using live = await liveAgent(folder.path, replies, {
      settings: { contextSize: 1_000 },
      onEvent: (event, agent) => event.type === "compaction_delta" && agent.abort(),
    });
    await live.agent.sendMessage(long("one"));
    expect(await live.agent.sendMessage("two")).toMatchObject({ because: "aborted" });
    expect(blocksOf(live.agent.messages, "summary")).toEqual([]);
  });

  it("knows after a resume how full the context was", async () => {
    using folder = tempFolder();
    const settings = { contextSize: 1_000 };
    let resume = "";
    {
      const full = { say: "fine", usage: { input: 900, output: 1 } };
      await using live = await liveAgent(folder.path, [full], { settings });
      await live.agent.sendMessage(long("one"));
      resume = live.agent.sessionId;
    }
    await using live = await liveAgent(folder.path, echo, { settings, options: { resume } });
    expect(live.agent.context).toEqual({ tokens: 901, size: 1_000 });
    await live.agent.sendMessage("two");
    expect(saidIn(live.model.requests.at(-1))).toEqual([summary, "user: two"]);
  });
});

it("a kill at any moment of a compaction leaves a session that resumes with a request every server takes (T192, G53)", async () => {
  using folder = tempFolder();
  const snapshots: string[] = [];
  const replies: ScriptedReply[] = [
    { call: { name: "Bash", arguments: { command: "echo one" } } },
    { say: "fine", usage: { input: 900, output: 1 } },
    { say: SUMMARY },
    { call: { name: "Bash", arguments: { command: "echo two" } } },
    { say: "done" },
    { say: SUMMARY },
  ];
  await using live = await liveAgent(folder.path, replies, {
    settings: { contextSize: 1_000 },
    onEvent: (_event, agent) => {
      const home = join(folder.path, `snapshot-${snapshots.length}`);
      const to = join(home, "sessions", basename(dirname(agent.sessionFile)), basename(agent.sessionFile));
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(agent.sessionFile, to);
      snapshots.push(home);
    },
  });
  await live.agent.sendMessage(long("one"));
  await live.agent.sendMessage("two");
  await live.agent.compact();
  live.agent.undoCompact();
  const resumed = new Set<string>();
  for (const waveHome of snapshots) {
    await using again = await liveAgent(folder.path, echo, {
      options: { waveHome, resume: live.agent.sessionId },
    });
    expect(await again.agent.sendMessage("after the crash")).toMatchObject({ because: "done" });
    expect(again.model.requests.flatMap(({ problems }) => problems)).toEqual([]);
    const said = saidIn(again.model.requests.at(-1));
    resumed.add(said.some((text) => text.includes("THE-SUMMARY")) ? "summary" : "everything");
  }
  expect([...resumed].toSorted()).toEqual(["everything", "summary"]);
});
