import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Agent } from "@/agent.ts";
import type { AgentEvent, SteeringEnd } from "@/events.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { liveAgent, saidIn } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const bash = (...commands: string[]): ScriptedReply => ({
  calls: commands.map((command) => ({ name: "Bash", arguments: { command } })),
});

/** Says something at the first event of a kind. */
function tellAt(type: AgentEvent["type"], ...texts: string[]) {
  const ends: Promise<SteeringEnd>[] = [];
  const onEvent = (event: AgentEvent, agent: Agent) => {
    if (event.type === type && ends.length === 0) ends.push(...texts.map((text) => agent.steer(text)));
  };
  return { onEvent, ends: () => Promise.all(ends) };
}

describe("what is typed while the model works", () => {
  it("is a user message before the next request, behind all results of the batch", async () => {
    using folder = tempFolder();
    const told = tellAt("tool_started", "use tabs", "and no semicolons");
    await using live = await liveAgent(folder.path, [bash("echo a", "echo b"), { say: "done" }], {
      onEvent: told.onEvent,
    });
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "done", modelCalls: 2 });
    expect(await told.ends()).toEqual([{ told: "in-turn" }, { told: "in-turn" }]);
    expect(saidIn(live.model.requests[1])).toEqual([
      "user: go",
      "assistant: Bash,Bash",
      "tool: a",
      "tool: b",
      "user: use tabs",
      "user: and no semicolons",
    ]);
    expect(live.model.requests).toHaveLength(2);
  });

  it("is the next prompt when the turn ends before that, and comes before prompts that were sent", async () => {
    using folder = tempFolder();
    const told = tellAt("text_delta", "one more thing");
    await using live = await liveAgent(folder.path, [{ say: "a" }, { say: "b" }, { say: "c" }], {
      onEvent: told.onEvent,
    });
    const [first, last] = await Promise.all([live.agent.sendMessage("go"), live.agent.sendMessage("later")]);
    expect([first.answer, last.answer]).toEqual(["a", "c"]);
    expect(await told.ends()).toMatchObject([{ told: "as-prompt", end: { because: "done", answer: "b" } }]);
    const prompts = live.events.flatMap((event) => (event.type === "turn_started" ? [event.prompt] : []));
    expect(prompts).toEqual(["go", "one more thing", "later"]);
  });

  it("is told when a Stop hook sends the model back to work", async () => {
    using folder = tempFolder();
    const told = tellAt("text_delta", "then do this");
    const command = `grep -q '"stop_hook_active":true' || { echo not yet >&2; exit 2; }`;
    await using live = await liveAgent(folder.path, [{ say: "done?" }, { say: "done" }], {
      settings: { hooks: { Stop: [{ hooks: [{ type: "command", name: "guard", command }] }] } },
      onEvent: told.onEvent,
    });
    await live.agent.sendMessage("go");
    expect(await told.ends()).toEqual([{ told: "in-turn" }]);
    expect(saidIn(live.model.requests[1]).slice(-2)).toEqual(["user: not yet", "user: then do this"]);
  });

  it("is a prompt when no turn is under way", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, [{ say: "fine" }]);
    expect(await live.agent.steer("hello")).toMatchObject({ told: "as-prompt", end: { answer: "fine" } });
    await expect(live.agent.steer(" ")).rejects.toThrow(/empty/);
  });

  it("goes through its hooks: what they block is erased, told and given back, and the turn goes on (FR-009, FR-010)", async () => {
    using folder = tempFolder();
    const told = tellAt("tool_started", "my SECRET", "fine words");
    const command = `if grep -q SECRET; then echo 'no secrets' >&2; exit 2; else echo looked; fi`;
    await using live = await liveAgent(folder.path, [bash("echo a"), { say: "done" }], {
      settings: { hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", name: "guard", command }] }] } },
      onEvent: told.onEvent,
    });
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "done" });
    expect(await told.ends()).toEqual([
      { told: "not", because: "prompt-blocked", reason: "no secrets", promptBack: "my SECRET" },
      { told: "in-turn" },
    ]);
    expect(saidIn(live.model.requests[1]).slice(-2)).toEqual([
      "user: fine words",
      expect.stringContaining("says the same as before"),
    ]);
    expect(JSON.stringify(live.agent.messages)).not.toContain("SECRET");
    expect(JSON.stringify(live.agent.messages)).toContain("no secrets");
    expect(readFileSync(live.agent.sessionFile, "utf8")).not.toContain("SECRET");
  });

  it("ends the turn when its hook says continue: false (JO-1)", async () => {
    using folder = tempFolder();
    const told = tellAt("tool_started", "enough");
    const command = `if grep -q enough; then echo '{"continue": false, "stopReason": "closed"}'; fi`;
    await using live = await liveAgent(folder.path, [bash("echo a")], {
      settings: { hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", name: "guard", command }] }] } },
      onEvent: told.onEvent,
    });
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "halted", reason: "closed" });
    expect(await told.ends()).toMatchObject([{ told: "not", because: "halted", promptBack: "enough" }]);
  });

  it.each<[string, ScriptedReply, AgentEvent["type"]]>([
    ["a tool runs", bash("sleep 60"), "tool_started"],
    ["the model answers", { say: "a b c", hang: true }, "text_delta"],
  ])("is given back when the turn is interrupted while %s", async (_title, reply, type) => {
    using folder = tempFolder();
    const told = tellAt(type, "one", "two");
    await using live = await liveAgent(folder.path, [reply], {
      onEvent: (event, agent) => {
        told.onEvent(event, agent);
        if (event.type === type) agent.abort();
      },
    });
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "aborted" });
    expect(await told.ends()).toMatchObject([
      { told: "not", because: "aborted", promptBack: "one" },
      { told: "not", because: "aborted", promptBack: "two" },
    ]);
    expect(live.model.requests).toHaveLength(1);
  });

  it("is given back when its own hook is interrupted, and nothing of it is on disk", async () => {
    using folder = tempFolder();
    const told = tellAt("tool_started", "WAITING");
    const command = `if grep -q WAITING; then sleep 60; fi`;
    await using live = await liveAgent(folder.path, [bash("echo a")], {
      settings: { hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", name: "guard", command }] }] } },
      onEvent: (event, agent) => {
        told.onEvent(event, agent);
        // Later than the event: the hook process is about to start.
        if (event.type === "prompt_steered") setImmediate(() => agent.abort());
      },
    });
    expect(await live.agent.sendMessage("go")).toMatchObject({ because: "aborted" });
    expect(await told.ends()).toMatchObject([{ told: "not", because: "aborted", promptBack: "WAITING" }]);
    expect(readFileSync(live.agent.sessionFile, "utf8")).not.toContain("WAITING");
  });

  it("is delivered exactly once or given back, whenever it comes", async () => {
    using folder = tempFolder();
    const seed = Number(process.env["WAVE_SEED"] ?? Date.now() % 2 ** 31);
    console.info(`steering: WAVE_SEED=${seed}`);
    let state = seed;
    const chance = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
    const ends: Promise<[string, SteeringEnd]>[] = [];
    let n = 0;
    await using live = await liveAgent(
      folder.path,
      (_request, call) => (call % 3 === 0 ? bash("true") : { say: "one two three four" }),
      {
        onEvent: (event, agent) => {
          if (event.type === "messages_changed" || chance() > 0.2 || n >= 40) return;
          const text = `steered ${n++}.`;
          ends.push(agent.steer(text).then((end) => [text, end]));
          if (chance() < 0.1) agent.abort();
        },
      },
    );
    for (let turn = 0; turn < 10; turn++) await live.agent.sendMessage(`prompt ${turn}`);
    const last = live.agent.sendMessage("last");
    const settled = await Promise.all(ends);
    await last;
    const typed = live.agent.messages.flatMap(({ role, blocks }) =>
      role === "user" ? blocks.flatMap((block) => (block.type === "text" ? [block.content] : [])) : [],
    );
    for (const [text, end] of settled) {
      // A prompt that was interrupted before the model said a word may be in the conversation until it is taken back.
      if (end.told === "as-prompt" && end.end.promptBack !== undefined) continue;
      const times = typed.filter((one) => one === text).length;
      expect([text, times]).toEqual([text, end.told === "not" ? 0 : 1]);
    }
    expect(settled.length).toBeGreaterThan(0);
  });
});
