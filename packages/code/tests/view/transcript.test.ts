import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent, Block, DecisionRecord, Message, TurnEnd } from "wave-agent-sdk";
import { isVisible, splitTranscript, type Activity, type Item } from "../../src/view/items.ts";
import { Transcript } from "../../src/view/transcript.ts";
import { ScriptedConversation } from "../support/conversation.ts";

const text = (content: string): Block => ({ type: "text", content });
const tool = (id: string, stage: "pending" | "running" | "ended"): Block => ({
  type: "tool",
  id,
  name: "Bash",
  parameters: "{}",
  stage,
});
const warn = (content: string): Block => ({ type: "warn", content });
const user = (id: string, ...blocks: Block[]): Message => ({ id, role: "user", blocks });
const assistant = (id: string, ...blocks: Block[]): Message => ({ id, role: "assistant", blocks });
const ids = (items: readonly Item[]) => items.map(({ id }) => id);

describe("a command that the person ran", () => {
  const message = (stage: "pending" | "running" | "ended"): Message => ({
    ...user("s", {
      ...tool("1", stage),
      ...(stage === "ended" ? { result: "out", success: true } : {}),
    } as Block),
    origin: { ranBy: "person" },
  });
  const changed = (stage: "pending" | "running" | "ended"): AgentEvent => ({
    type: "messages_changed",
    message: message(stage),
  });

  it("is live until it has ended, also after a turn, and is printed once", () => {
    const transcript = new Transcript();
    const play = (event: AgentEvent) => transcript.handle(event, 0);
    play({ type: "turn_ended", end: { because: "done" } as TurnEnd });
    play({ type: "shell_started", command: "ls" });
    expect(play(changed("pending"))).toMatchObject({ finished: [], live: [{ id: "s:0" }] });
    play({ type: "tool_started", toolUseId: "1", name: "Bash", input: {} });
    const running = play(changed("running"));
    expect(running).toMatchObject({ finished: [], live: [{ running: { since: 0 } }] });
    expect(play(changed("ended"))).toMatchObject({ finished: [{ id: "s:0", role: "user" }], live: [] });
    const end = { ran: true, success: true, result: "out" } as const;
    expect(play({ type: "shell_ended", end })?.finished).toEqual([]);
  });

  it("stands apart from what is before and behind it", () => {
    const { finished } = splitTranscript([
      assistant("a", tool("0", "ended")),
      message("ended"),
      assistant("b", warn("w"), tool("2", "ended")),
    ]);
    expect(finished.map(({ spaced }) => spaced)).toEqual([false, true, true, true]);
  });
});

describe("a transcript is split", () => {
  const rows: [string, Message[], Activity, string[], string[]][] = [
    ["nothing into nothing", [], {}, [], []],
    ["into finished texts", [user("u", text("a")), assistant("a", text("b"))], {}, ["u:0", "a:0"], []],
    [
      "at the message that streams",
      [user("u", text("a")), assistant("a", text("b"))],
      { streamingId: "a" },
      ["u:0"],
      ["a:0"],
    ],
    ["at the prompt that hooks judge", [user("u", text("a"))], { heldId: "u" }, [], ["u:0"]],
    [
      "at the first call that has not ended",
      [assistant("a", text("b"), tool("1", "ended"), tool("2", "running"), tool("3", "ended"))],
      {},
      ["a:0", "a:1"],
      ["a:2", "a:3"],
    ],
    [
      "before what follows a call that has not ended",
      [assistant("a", tool("1", "pending"), warn("w")), user("u", text("x"))],
      {},
      [],
      ["a:0", "a:1", "u:0"],
    ],
    ["without texts that are only blanks", [assistant("a", text(" \n"), text("b"))], {}, ["a:1"], []],
  ];
  it.each(rows)("%s", (_what, messages, activity, finished, live) => {
    const split = splitTranscript(messages, activity);
    expect({ finished: ids(split.finished), live: ids(split.live) }).toEqual({ finished, live });
  });

  it("with a blank line before everything but calls, and words about calls, that follow each other", () => {
    const { finished } = splitTranscript([
      user("u", text("a")),
      assistant("a", text("b"), tool("1", "ended"), tool("2", "ended"), warn("w"), warn("v"), text("c")),
    ]);
    expect(finished.map(({ id, spaced }) => [id, spaced])).toEqual([
      ["u:0", false],
      ["a:0", true],
      ["a:1", true],
      ["a:2", false],
      ["a:3", false],
      ["a:4", false],
      ["a:5", true],
    ]);
  });
});

const changed = (message: Message): AgentEvent => ({ type: "messages_changed", message });
const end: TurnEnd = {
  because: "done",
  answer: "",
  modelCalls: 1,
  usage: { inputTokens: 0, outputTokens: 0 },
  denials: [],
  unanswered: false,
};

/** Everything that was printed, and what is live after the last event. */
function play(events: readonly AgentEvent[]): { finished: Item[]; live: readonly Item[] } {
  const transcript = new Transcript();
  const finished: Item[] = [];
  let live: readonly Item[] = [];
  for (const event of events) {
    const change = transcript.handle(event, 1000);
    if (!change) continue;
    finished.push(...change.finished);
    live = change.live;
  }
  return { finished, live };
}

describe("events make", () => {
  const started: AgentEvent = { type: "model_started", call: 1 };
  const ended: AgentEvent = { type: "model_ended", usage: undefined, finishReason: "stop" };
  const rows: [string, AgentEvent[], string[], string[]][] = [
    [
      "a prompt live while its hooks judge it",
      [{ type: "turn_started", prompt: "a" }, changed(user("u", text("a")))],
      [],
      ["u:0"],
    ],
    [
      "nothing of a prompt that was removed",
      [
        { type: "turn_started", prompt: "a" },
        changed(user("u", text("a"))),
        { type: "messages_changed", message: undefined, removedId: "u" },
      ],
      [],
      [],
    ],
    ["an answer live while it streams", [started, changed(assistant("a", text("he")))], [], ["a:0"]],
    [
      "an answer live until its whole text is there",
      [started, changed(assistant("a", text("he"))), ended],
      [],
      ["a:0"],
    ],
    [
      "an answer finished when it is whole",
      [started, changed(assistant("a", text("he"))), ended, changed(assistant("a", text("hello")))],
      ["a:0"],
      [],
    ],
    [
      "nothing of a block that the whole answer does not have",
      [
        started,
        changed(assistant("a", text("thinking"), text("he"))),
        ended,
        changed(assistant("a", text("hello"))),
      ],
      ["a:0"],
      [],
    ],
    [
      "an answer that broke off finished with its error",
      [
        started,
        changed(assistant("a", text("he"))),
        changed(assistant("a", text("he"), { type: "error", content: "gone" })),
      ],
      ["a:0", "a:1"],
      [],
    ],
    [
      "a line that stays of an answer that broke off and starts again",
      [
        started,
        changed(assistant("a", text("he"))),
        { type: "messages_changed", message: undefined, removedId: "a" },
        { type: "model_retry", attempt: 1, attempts: 4, waitMs: 500, why: "It broke off", restarts: true },
        changed(assistant("b", text("hel"))),
      ],
      ["notice:1"],
      ["b:0"],
    ],
    [
      "nothing that stays of an attempt that failed before it said anything",
      [started, { type: "model_retry", attempt: 1, attempts: 5, waitMs: 500, why: "busy" }],
      [],
      [],
    ],
    [
      "everything finished when the turn is over",
      [started, changed(assistant("a", text("he"), tool("1", "running"))), { type: "turn_ended", end }],
      ["a:0", "a:1"],
      [],
    ],
    [
      "late words about an old message things of their own",
      [
        changed(assistant("a", text("x"))),
        changed(user("u", text("y"))),
        changed(assistant("a", text("x"), warn("late"))),
      ],
      ["a:0", "u:0", "a:1"],
      [],
    ],
    [
      "notices finished in their place",
      [changed(user("u", text("a"))), { type: "notice", level: "info", text: "n" }],
      ["u:0", "notice:1"],
      [],
    ],
  ];
  it.each(rows)("%s", (_what, events, finished, live) => {
    const played = play(events);
    expect({ finished: ids(played.finished), live: ids(played.live) }).toEqual({ finished, live });
  });

  it("the output of a running call part of it", () => {
    const { live } = play([
      changed(assistant("a", tool("1", "running"))),
      { type: "tool_started", toolUseId: "1", name: "Bash", input: {} },
      { type: "tool_output", toolUseId: "1", text: "one\ntw" },
      { type: "tool_output", toolUseId: "1", text: "o\n" },
    ]);
    expect(live.map(({ running }) => running)).toEqual([
      { since: 1000, output: { lines: ["one", "two", ""], before: 0 } },
    ]);
  });
});

describe("an error of a hook", () => {
  const origin = { hookEvent: "UserPromptSubmit", hook: "lint", source: "settings.json" };
  const error = changed(assistant("a", { type: "error", content: "no", origin }));
  const record = (verdict: string, failedOpen: boolean): AgentEvent => {
    const hook: DecisionRecord["hooks"][number] = {
      name: "lint",
      source: "settings.json",
      pass: 1,
      ended: "exit 2",
      durationMs: 1,
      verdict,
      stdoutBytes: 0,
      stderrBytes: 2,
      ...(failedOpen ? { failedOpen } : {}),
    };
    return {
      type: "hooks_decided",
      record: {
        event: "UserPromptSubmit",
        mode: "default",
        hooks: [hook],
        skipped: [],
        durationMs: 0,
        decision: "pass",
        decidedBy: "x",
      },
    };
  };

  it.each([
    ["blocked", record("deny", false), "blocked"],
    ["failed", record("could not decide", true), "failed"],
  ] as const)("waits for the record that tells whether it %s (T124)", (_what, event, speech) => {
    expect(play([error]).finished).toEqual([]);
    expect(play([error, event]).finished.map((item) => item.speech)).toEqual([speech]);
  });

  it("is not judged by the record of an earlier event", () => {
    const { finished } = play([record("could not decide", true), error, record("deny", false)]);
    expect(finished.map((item) => item.speech)).toEqual(["blocked"]);
  });

  it("of a restored session tells apart what hooks said about a prompt that was not sent", () => {
    const held = { hookEvent: "UserPromptSubmit", hook: "secrets", source: "s.json" };
    const error = (content: string, origin?: typeof held): Block => ({
      type: "error",
      content,
      ...(origin ? { origin } : {}),
    });
    const drawn = (...messages: Message[]) =>
      new Transcript()
        .restore(messages)
        .finished.map(({ block }) => ("content" in block ? block.content : block.type));
    const unsent = "a prompt that was not sent";
    expect(
      drawn(
        assistant("0", error("first", held)),
        user("1", text("one")),
        assistant("2", error("a hook of it broke", held)),
        assistant("3", text("answer"), error("no secrets", held), error("nor names", held)),
        user("4", text("two")),
        assistant("5", text("other"), error("of the turn")),
      ),
    ).toEqual(
      [unsent, "first", "one", "a hook of it broke", "answer", unsent, "no secrets", "nor names"].concat([
        "two",
        "other",
        "of the turn",
      ]),
    );
  });

  it("of a restored session waits for nothing", () => {
    const { finished, live } = new Transcript().restore([
      assistant("a", tool("1", "running"), { type: "error", content: "no", origin }),
    ]);
    expect([ids(finished), ids(live)]).toEqual([["a:0", "notice:1", "a:1"], []]);
  });
});

describe("any conversation", () => {
  const choices = fc.array(fc.nat(59), { maxLength: 120 });

  it("prints everything exactly once, never changes what it printed, and shows the rest live", () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const transcript = new Transcript();
        const printed: Item[] = [];
        const played = new ScriptedConversation(chosen, (event) => {
          const change = transcript.handle(event, 0);
          if (!change) return;
          printed.push(...change.finished);
          const shown = [...ids(printed), ...ids(change.live)];
          expect(new Set(shown).size).toBe(shown.length);
        });
        played.play();
        const visible = played.messages.flatMap((message) =>
          message.blocks.flatMap((block, index) =>
            isVisible(block) ? [{ id: `${message.id}:${index}`, block }] : [],
          ),
        );
        const blocks = printed
          .filter(({ block }) => block.type !== "notice")
          .map(({ id, block }) => ({ id, block }));
        const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id);
        expect(blocks.toSorted(byId)).toEqual(visible.toSorted(byId));
      }),
      { numRuns: 500 },
    );
  });

  it("keeps the blocks of one message in their order", () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const transcript = new Transcript();
        const last = new Map<string, number>();
        new ScriptedConversation(chosen, (event) => {
          for (const { id } of transcript.handle(event, 0)?.finished ?? []) {
            const [message = "", index] = id.split(":");
            expect(Number(index)).toBeGreaterThan(last.get(message) ?? -1);
            last.set(message, Number(index));
          }
        }).play();
      }),
      { numRuns: 200 },
    );
  });
});

it("an event does not look at messages that were printed, however many there are", () => {
  const transcript = new Transcript();
  let reads = 0;
  const watched = (id: string): Message => ({
    id,
    role: "assistant",
    get blocks() {
      reads++;
      return [text("old")];
    },
  });
  for (let index = 0; index < 5_000; index++) transcript.handle(changed(watched(`m${index}`)), 0);
  reads = 0;
  transcript.handle({ type: "model_started", call: 1 }, 0);
  const change = transcript.handle(changed(assistant("new", text("to"))), 0);
  expect({ reads, finished: change?.finished, live: ids(change?.live ?? []) }).toEqual({
    reads: 0,
    finished: [],
    live: ["new:0"],
  });
});
