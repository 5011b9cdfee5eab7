import type {
  ImageBlock,
  AgentEvent,
  CompactionEnd,
  NoteAdded,
  PermissionMode,
  ShellEnd,
  SteeringEnd,
  TurnEnd,
} from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import type { ControlledAgent } from "../../src/app/controlledAgent.ts";
import { SessionController } from "../../src/app/sessionController.ts";
import { overlayReducer } from "../../src/app/overlay.ts";

const ended = (more: Partial<TurnEnd> = {}): TurnEnd =>
  ({
    because: "done",
    answer: "",
    modelCalls: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    denials: [],
    unanswered: false,
    ...more,
  }) as TurnEnd;

/** An agent that ends a turn when the test says so. */
class StandIn implements ControlledAgent {
  permissionMode: PermissionMode = "default";
  aborted = 0;
  takenBack = 0;
  model: string | undefined = "m1";
  context = { tokens: undefined, size: undefined };
  messages = [];
  commands = {
    expand: async (name: string, argument = "") => ({
      expanded: true as const,
      prompt: `${name} in full: ${argument}`,
    }),
  };
  note: NoteAdded = { added: true, file: "/p/AGENTS.md", created: true };
  readonly sent: string[] = [];
  #end: ((end: TurnEnd) => void) | undefined;
  #shellEnd: ((end: ShellEnd) => void) | undefined;

  sendMessage(text: string): Promise<TurnEnd> {
    this.sent.push(text);
    return new Promise((resolve) => (this.#end = resolve));
  }

  runShell(command: string): Promise<ShellEnd> {
    this.sent.push(`$ ${command}`);
    return new Promise((resolve) => (this.#shellEnd = resolve));
  }

  readImage(path: string): Promise<ImageBlock> {
    return Promise.resolve({ type: "image", mediaType: "image/png", data: "", path });
  }

  addNote(): Promise<NoteAdded> {
    return Promise.resolve(this.note);
  }

  steer(): Promise<SteeringEnd> {
    return Promise.resolve({ told: "in-turn" });
  }

  compact(): Promise<CompactionEnd> {
    return Promise.resolve({ compacted: false, because: "nothing-to-do", reason: "nothing" });
  }

  undoCompact(): boolean {
    return false;
  }

  takeBackPrompt(): boolean {
    this.takenBack++;
    return true;
  }

  abort(): void {
    this.aborted++;
  }

  async endShell(end: ShellEnd): Promise<void> {
    this.#shellEnd?.(end);
    await new Promise((resolve) => setImmediate(resolve));
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
    history: ["earlier"],
    onAccepted: (prompt) => void seen.push(`accepted ${prompt}`),
  });
  controller.attach(agent);
  return { agent, controller, seen, state: () => controller.store.state };
}

describe("prompts", () => {
  it("wait visibly while a turn is under way, and are sent one after the other", async () => {
    const { agent, controller, state } = start();
    for (const text of ["one", "two", "three"]) controller.submit(text);
    expect(state()).toMatchObject({
      turn: { is: "working" },
      queued: [
        { do: "ask-model", text: "two" },
        { do: "ask-model", text: "three" },
      ],
    });
    await agent.end(ended());
    expect(state().queued).toMatchObject([{ text: "three" }]);
    await agent.end(ended());
    await agent.end(ended());
    expect(agent.sent).toEqual(["one", "two", "three"]);
    expect(state().turn).toEqual({ is: "idle", endedBy: "itself" });
  });

  it("that a hook blocked come back unchanged, with a word about it (T162)", async () => {
    const { agent, controller, state } = start();
    controller.submit("  my prompt\n");
    await agent.end(ended({ because: "prompt-blocked", reason: "no secrets", promptBack: "  my prompt\n" }));
    expect(state().restore).toEqual({
      id: 1,
      text: "  my prompt\n",
      beforeDraft: "  my prompt\n",
      byItself: true,
      became: "not sent: your prompt is back in the input",
    });
    expect(agent.takenBack).toBe(1);
    controller.cameBack("above-draft");
    expect(state().restore?.became).toBe("not sent: your prompt is back in the input, above your draft");
  });

  it.each([
    ["input", "you said no: the turn has ended; your prompt is back in the input"],
    ["history", "you said no: the turn has ended; your prompt is in the history (↑)"],
  ] as const)("that were answered with no come back, and one line says so: %s (PD-2)", async (to, line) => {
    const { agent, controller, state } = start();
    controller.submit("my prompt");
    await agent.end(ended({ because: "denied", reason: "you said no", promptBack: "my prompt" }));
    expect(state().restore).toMatchObject({ text: "my prompt", beforeDraft: undefined });
    controller.cameBack(to);
    controller.cameBack(to);
    expect(state().toPrint.items.map(({ block }) => block)).toMatchObject([{ level: "info", content: line }]);
    expect(state().history.includes("my prompt")).toBe(to === "history");
  });

  it("that waited come back when the turn is interrupted: none is lost", async () => {
    const { agent, controller, state } = start();
    for (const text of ["one", "two", "three"]) controller.submit(text);
    controller.interrupt();
    expect(agent.aborted).toBe(1);
    expect(state()).toMatchObject({ queued: [], restore: { text: "two\n\nthree" } });
    await agent.end(ended({ because: "aborted" }));
    expect(agent.sent).toEqual(["one"]);
  });
});

describe("a command behind !", () => {
  const denied: ShellEnd = { ran: false, because: "denied", reason: "no" };

  it("waits like a prompt, visibly, and comes back with an interrupt", async () => {
    const { agent, controller, state } = start();
    controller.submit("one");
    controller.runShell("ls");
    expect(state().queued).toMatchObject([{ do: "run-shell", text: "!ls", command: "ls" }]);
    await agent.end(ended());
    expect(agent.sent).toEqual(["one", "$ ls"]);
    controller.submit("!not a command, whatever it begins with");
    controller.interrupt();
    expect(state().restore?.text).toBe("!not a command, whatever it begins with");
    expect(agent.sent).toHaveLength(2);
  });

  it("is kept in the history when it ran, and is back in the input when it was kept from running (T163)", async () => {
    const { agent, controller, state, seen } = start();
    controller.runShell("ls");
    await agent.endShell({ ran: true, success: true, result: "" });
    expect(state()).toMatchObject({ history: ["earlier", "!ls"], restore: undefined, turn: { is: "idle" } });
    expect(seen).toEqual(["accepted !ls"]);
    controller.runShell("rm x");
    await agent.endShell(denied);
    expect(state()).toMatchObject({ history: ["earlier", "!ls"], restore: { text: "!rm x" } });
    controller.cameBack("history");
    expect(state().history).toEqual(["earlier", "!ls", "!rm x"]);
  });

  it("that was answered with no and words sends the words (PD-2)", async () => {
    const { agent, controller } = start();
    controller.runShell("rm x");
    await agent.endShell({ ...denied, words: "why is it there?" });
    expect(agent.sent).toEqual(["$ rm x", "why is it there?"]);
  });
});

describe("a note behind #", () => {
  const noticeAfter = async (note: NoteAdded) => {
    const { agent, controller, state } = start();
    agent.note = note;
    await controller.addNote("use tabs");
    const [item] = state().toPrint.items;
    return { item, restore: state().restore };
  };

  it("is told where it went and when the model reads it", async () => {
    const { item } = await noticeAfter({ added: true, file: "/p/AGENTS.md", created: false });
    expect(item?.block).toMatchObject({
      level: "info",
      content: "added to /p/AGENTS.md; the model reads it from its next request on",
    });
  });

  it("that the model will not read, or that could not be kept, is said so; then it is back in the input", async () => {
    const unread = await noticeAfter({ added: true, file: "/p/AGENTS.md", created: true, unread: "why" });
    expect(unread.item?.block).toMatchObject({ level: "warning", content: expect.stringContaining("why") });
    const failed = await noticeAfter({ added: false, problem: "a link out of the project" });
    expect(failed.item?.block).toMatchObject({ level: "error", content: expect.stringContaining("a link") });
    expect(failed.restore?.text).toBe("#use tabs");
  });
});

describe("an interrupt", () => {
  it("is on the screen before anything has ended, and nothing that still comes in hides it (T64)", () => {
    const { controller, state } = start();
    controller.submit("go");
    controller.onEvent({ type: "model_retry", attempt: 1, attempts: 5, waitMs: 2_000, why: "busy" });
    expect(state().turn).toMatchObject({ doing: { is: "retrying", at: 3_000, waitMs: 2_000, why: "busy" } });
    controller.interrupt();
    controller.onEvent({ type: "text_delta", text: "late" });
    expect(state().turn).toMatchObject({ is: "working", doing: { is: "stopping" } });
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
      turn: { doing: { is: "busy", with: "thinking" } },
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

it("panels do not stack, and closing one shows the chat", () => {
  const hooks = overlayReducer({ show: "chat" }, { do: "open", overlay: { show: "hooks", view: "list" } });
  expect(overlayReducer(hooks, { do: "open", overlay: { show: "help" } })).toEqual(hooks);
  expect(overlayReducer(hooks, { do: "close" })).toEqual({ show: "chat" });
});
