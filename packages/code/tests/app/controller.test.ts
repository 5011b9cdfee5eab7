import type { AgentEvent, PermissionMode, TurnEnd } from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import { SessionController, type ControlledAgent } from "../../src/app/sessionController.ts";
import { overlayReducer } from "../../src/app/overlay.ts";
import { readPrompt } from "../../src/app/readPrompt.ts";

const ended = (more: Partial<TurnEnd> = {}): TurnEnd => ({
  because: "done",
  answer: "",
  modelCalls: 1,
  usage: { inputTokens: 0, outputTokens: 0 },
  denials: [],
  unanswered: false,
  ...more,
});

/** An agent that ends a turn when the test says so. */
class StandIn implements ControlledAgent {
  permissionMode: PermissionMode = "default";
  aborted = 0;
  readonly sent: string[] = [];
  #end: ((end: TurnEnd) => void) | undefined;

  sendMessage(text: string): Promise<TurnEnd> {
    this.sent.push(text);
    return new Promise((resolve) => (this.#end = resolve));
  }

  abort(): void {
    this.aborted++;
  }

  async end(end: TurnEnd): Promise<void> {
    this.#end?.(end);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function start() {
  const agent = new StandIn();
  const seen: string[] = [];
  const controller = new SessionController({
    mode: "default",
    now: () => 1_000,
    frameMs: 0,
    onAccepted: (prompt) => void seen.push(`accepted ${prompt}`),
  });
  controller.attach(agent);
  return { agent, controller, seen, state: () => controller.store.state };
}

describe("prompts", () => {
  it("wait visibly while a turn is under way, and are sent one after the other", async () => {
    const { agent, controller, state } = start();
    for (const text of ["one", "two", "three"]) controller.submit(text);
    expect(state()).toMatchObject({ turn: { is: "working" }, queued: ["two", "three"] });
    await agent.end(ended());
    expect(state().queued).toEqual(["three"]);
    await agent.end(ended());
    await agent.end(ended());
    expect(agent.sent).toEqual(["one", "two", "three"]);
    expect(state().turn).toEqual({ is: "idle" });
  });

  it("that a hook blocked come back unchanged, with the reason (T162)", async () => {
    const { agent, controller, state } = start();
    controller.submit("  my prompt\n");
    await agent.end(ended({ because: "prompt-blocked", reason: "no secrets", promptBack: "  my prompt\n" }));
    expect(state().restore).toEqual({ id: 1, text: "  my prompt\n", reason: "no secrets" });
  });

  it("that waited come back when the turn is interrupted: none is lost", async () => {
    const { agent, controller, state } = start();
    for (const text of ["one", "two", "three"]) controller.submit(text);
    controller.interrupt();
    expect(agent.aborted).toBe(1);
    expect(state()).toMatchObject({ queued: [], restore: { text: "two\nthree" } });
    await agent.end(ended({ because: "aborted" }));
    expect(agent.sent).toEqual(["one"]);
  });
});

describe("finished things", () => {
  it("are handed to the terminal once, and not kept afterwards", () => {
    const { controller, state } = start();
    controller.notice("info", "one");
    controller.notice("info", "two");
    const { batch, items } = state().toPrint;
    expect(items).toHaveLength(2);
    controller.notice("info", "three");
    controller.printed(batch, 2);
    expect(state().toPrint).toMatchObject({ batch: batch + 1, items: [{ block: { content: "three" } }] });
    controller.printed(batch, 2);
    expect(state().toPrint.items).toHaveLength(1);
  });
});

describe("what an agent tells", () => {
  it("becomes state: hooks that run, what the turn does, how full the context is (T133)", () => {
    const { controller, state, seen } = start();
    controller.submit("go");
    const hook = { name: "lint", source: "settings.json:3" };
    const events: AgentEvent[] = [
      { type: "hook_started", event: "PreToolUse", hook, toolUseId: "t", runId: 7 },
      { type: "model_started", call: 1 },
      { type: "model_ended", usage: { inputTokens: 90, outputTokens: 10 }, finishReason: "stop" },
      { type: "notice", level: "warning", text: "careful" },
    ];
    for (const event of events) controller.onEvent(event);
    expect(state()).toMatchObject({
      turn: { doing: "thinking" },
      contextTokens: 100,
      runningHooks: [{ runId: 7, hook, since: 1_000 }],
    });
    controller.onEvent({
      type: "hook_finished",
      event: "PreToolUse",
      hook,
      toolUseId: "t",
      runId: 7,
      durationMs: 5,
      ended: "exit 0",
    });
    expect(state().runningHooks).toEqual([]);
    expect(state().toPrint.items).toMatchObject([{ block: { type: "notice", content: "careful" } }]);
    expect(seen).toEqual(["accepted go"]);
  });
});

it("Shift+Tab goes through the modes and never to one that asks nothing", () => {
  const { agent, controller } = start();
  const modes = Array.from({ length: 4 }, () => (controller.cycleMode(), agent.permissionMode));
  expect(modes).toEqual(["acceptEdits", "plan", "default", "acceptEdits"]);
});

describe("what is typed", () => {
  it.each([
    ["fix it", { kind: "prompt", text: "fix it" }],
    ["/hooks why", { kind: "command", command: "hooks", argument: "why" }],
    ["/help", { kind: "command", command: "help", argument: "" }],
    ["/hepl", { kind: "unknown-command", name: "hepl" }],
    ["/usr/bin/env is a path", { kind: "prompt", text: "/usr/bin/env is a path" }],
    ["/constructor", { kind: "unknown-command", name: "constructor" }],
  ])("%o is read", (text, expected) => {
    expect(readPrompt(text)).toEqual(expected);
  });
});

it("panels do not stack, and closing one shows the chat", () => {
  const hooks = overlayReducer({ show: "chat" }, { do: "open", overlay: { show: "hooks", view: "list" } });
  expect(overlayReducer(hooks, { do: "open", overlay: { show: "help" } })).toEqual(hooks);
  expect(overlayReducer(hooks, { do: "close" })).toEqual({ show: "chat" });
});
