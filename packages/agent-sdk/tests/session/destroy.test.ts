import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent } from "@/agent.ts";
import { ClosedError } from "@/errors.ts";
import type { AgentEvent } from "@/events.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { inFolder } from "../support/liveAgent.ts";
import { processesWith } from "../support/processes.ts";
import { waitFor } from "../support/waitFor.ts";

type Setup = NonNullable<Parameters<typeof inFolder>[1]>;

const bash = (command: string, more: object = {}): ScriptedReply => ({
  call: { name: "Bash", arguments: { command, ...more } },
});
const never = () => new Promise<never>(() => {});

/** How long it takes to close an agent, in milliseconds. */
async function destroyed(agent: Agent): Promise<number> {
  const start = performance.now();
  await agent.destroy();
  return performance.now() - start;
}

/** What can hang in a turn, and the event that says that it does. */
const HANGING: [what: string, replies: ScriptedReply[], options: Setup["options"], at: AgentEvent["type"]][] =
  [
    ["a model that does not answer", [{ hang: true }], {}, "model_started"],
    ["a model that stops in its answer", [{ say: "one two", hang: true }], {}, "text_delta"],
    [
      "a function hook",
      [],
      { hooks: { UserPromptSubmit: [{ hooks: [{ type: "function", run: never }] }] } },
      "hook_started",
    ],
    [
      "a command hook that ignores signals",
      [],
      {
        hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: "trap '' TERM; sleep 61.5" }] }] },
      },
      "hook_started",
    ],
    [
      "a SessionStart hook",
      [],
      { hooks: { SessionStart: [{ hooks: [{ type: "function", run: never }] }] } },
      "hook_started",
    ],
    ["a tool that ignores signals", [bash("trap '' TERM; sleep 61.5")], {}, "tool_started"],
    [
      "a question that nobody answers",
      [bash("touch x")],
      { permissionMode: "default", onPermissionRequest: never },
      "permission_requested",
    ],
  ];

describe("destroy", () => {
  it("with a hanging model and ten queued prompts resolves, and nothing queued starts", async () => {
    await using live = await inFolder(() => ({ hang: true }));
    const { agent, model, events } = live;
    const sent = Array.from({ length: 11 }, (_, n) => agent.sendMessage(`prompt ${n}`));
    await waitFor("the request", () => model.requests.length === 1);
    expect(await destroyed(agent)).toBeLessThan(2000);
    const ends = await Promise.all(sent);
    expect(ends.map(({ because }) => because)).toEqual(Array(11).fill("aborted"));
    expect(ends.slice(1)).toEqual(
      Array.from({ length: 10 }, (_, n) =>
        expect.objectContaining({
          reason: expect.stringContaining("destroyed before this prompt began"),
          modelCalls: 0,
          promptBack: `prompt ${n + 1}`,
        }),
      ),
    );
    expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(1);
    expect(events.filter(({ type }) => type === "turn_ended")).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  it.each(HANGING)("does not wait for %s", async (_what, replies, options, at) => {
    await using live = await inFolder(replies, { options: { ...options } });
    const { agent, model, events } = live;
    const running = agent.sendMessage("hello");
    const queued = [
      agent.sendMessage("more"),
      agent.steer("and more"),
      agent.compact(),
      agent.runShell("touch y"),
    ];
    await waitFor(at, () => events.some(({ type }) => type === at));
    const before = model.requests.length;
    expect(await destroyed(agent)).toBeLessThan(2000);
    expect(await running).toMatchObject({ because: "aborted" });
    expect(await Promise.all(queued)).toMatchObject([
      { because: "aborted", promptBack: "more" },
      { told: "as-prompt", end: { because: "aborted", promptBack: "and more" } },
      { compacted: false, because: "aborted" },
      { ran: false, because: "interrupted" },
    ]);
    expect(model.requests).toHaveLength(before);
    expect(existsSync(join(agent.cwd, "y"))).toBe(false);
    expect(processesWith(agent.cwd)).toEqual([]);
  });

  it("ends commands in the background", async () => {
    await using live = await inFolder([
      bash("trap '' TERM; sleep 61.5", { run_in_background: true }),
      { say: "ok" },
    ]);
    const { agent } = live;
    await agent.sendMessage("hello");
    expect(agent.inBackground).toBe(1);
    expect(processesWith(agent.cwd)).not.toEqual([]);
    expect(await destroyed(agent)).toBeLessThan(2000);
    expect(processesWith(agent.cwd)).toEqual([]);
  });

  it("is not the only way: one is listed with what it printed, which the model still gets, and ended by its id", async () => {
    await using live = await inFolder([
      bash("echo one; echo two >&2; sleep 61.5", { run_in_background: true }),
      { say: "ok" },
      { call: { name: "BashOutput", arguments: { bash_id: "bash_1" } } },
      { say: "ok" },
    ]);
    const { agent, model } = live;
    await agent.sendMessage("hello");
    await expect.poll(() => agent.backgroundTasks[0]?.output).toMatch(/^(?:one\ntwo|two\none)\n$/);
    expect(agent.backgroundTasks).toMatchObject([{ id: "bash_1", state: "running" }]);
    await agent.sendMessage("and?");
    expect(model.requests.at(-1)?.text).toContain("one\\ntwo");
    expect([await agent.endBackgroundTask("bash_1"), await agent.endBackgroundTask("bash_1")]).toEqual([
      true,
      false,
    ]);
    expect(agent.backgroundTasks).toMatchObject([{ state: "killed" }]);
    expect(processesWith(agent.cwd)).toEqual([]);
  });

  it("runs the SessionEnd hooks once and within their bound, also when it is called again", async () => {
    const reasons: string[] = [];
    const run = ({ reason }: { reason: string }) => {
      reasons.push(reason);
      return never();
    };
    await using live = await inFolder(() => ({ hang: true }), {
      options: { hooks: { SessionEnd: [{ hooks: [{ type: "function", run, timeout: 0.3 }] }] } },
    });
    void live.agent.sendMessage("hello");
    await waitFor("the request", () => live.model.requests.length === 1);
    const [first, second] = [live.agent.destroy("interrupted"), live.agent.destroy("clear")];
    await Promise.all([first, second, live.agent.destroy()]);
    expect(reasons).toEqual(["interrupted"]);
  });

  it("may be called by a hook of the turn that it ends", async () => {
    let agent: Agent | undefined;
    const run = () => agent?.destroy();
    await using live = await inFolder([], {
      options: { hooks: { UserPromptSubmit: [{ hooks: [{ type: "function", run }] }] } },
    });
    agent = live.agent;
    expect(await agent.sendMessage("hello")).toMatchObject({ because: "aborted" });
    await agent.destroy();
  });

  it("is what every later call names, and what was said can still be read", async () => {
    await using live = await inFolder([{ say: "hi" }]);
    const { agent } = live;
    await agent.sendMessage("hello");
    await agent.destroy();
    const calls: (() => unknown)[] = [
      () => agent.sendMessage("more"),
      () => agent.steer("more"),
      () => agent.compact(),
      () => agent.undoCompact(),
      () => agent.runShell("true"),
      () => agent.addNote("note"),
      () => agent.rewindPoints(),
      () => agent.planRewind("id"),
      () => agent.rewind("id", { files: false }),
      () => agent.undoRewind(),
      () => agent.listModels(),
      () => agent.reloadSettings(),
      () => agent.reviewSettings("changes"),
      () => agent.allowRule("Bash(true)", "session"),
      () => agent.changeRule({ to: { rule: "Bash(true)", behavior: "deny", file: "session" } }),
      () => agent.switchHook("x", true),
      () => agent.endBackgroundTask("x"),
      () => (agent.permissionMode = "plan"),
      () => (agent.model = "other"),
      () => (agent.name = "name"),
    ];
    for (const call of calls) {
      const error = await Promise.try(call).then(
        () => `${String(call)} did not say so`,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ClosedError);
      expect(error).toMatchObject({ code: "CLOSED", message: expect.stringContaining("destroyed") });
    }
    agent.abort();
    expect(agent.takeBackPrompt()).toBe(false);
    expect(agent.answerPermission("x", { decision: "allow" })).toBe(false);
    expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(readFileSync(agent.sessionFile, "utf8")).toContain("hi");
  });
});
