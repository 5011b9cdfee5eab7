import type {
  Agent,
  AgentEvent,
  CompactionEnd,
  Message,
  SteeringEnd,
  SummaryBlock,
  TurnEnd,
} from "wave-agent-sdk";
import { describe, expect, it } from "vitest";
import type { ControlledAgent } from "../../src/app/controlledAgent.ts";
import { SessionController } from "../../src/app/sessionController.ts";
import { costLines } from "../../src/panels/costTally.ts";
import { turnEnd } from "../support/events.ts";

const SUMMARY: SummaryBlock = { type: "summary", content: "s", keeps: [], covers: 2, askedBy: "person" };

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** An agent that does what the test says, when it says it. */
class StandIn implements Pick<Agent, "sendMessage" | "steer" | "compact" | "undoCompact" | "abort"> {
  readonly calls: string[] = [];
  readonly turns: PromiseWithResolvers<TurnEnd>[] = [];
  readonly steered: PromiseWithResolvers<SteeringEnd>[] = [];
  readonly compactions: PromiseWithResolvers<CompactionEnd>[] = [];
  permissionMode = "default" as const;
  model: string | undefined = "m1";
  context: Agent["context"] = { tokens: 10, size: 100 };
  messages: Agent["messages"] = [];
  hasSummary = false;

  sendMessage(text: string) {
    return this.#later(`send ${text}`, this.turns);
  }

  steer(text: string) {
    return this.#later(`steer ${text}`, this.steered);
  }

  compact(instructions?: string) {
    return this.#later(`compact ${instructions}`, this.compactions);
  }

  undoCompact() {
    return this.hasSummary;
  }

  abort() {
    this.calls.push("abort");
  }

  #later<T>(call: string, open: PromiseWithResolvers<T>[]): Promise<T> {
    this.calls.push(call);
    const later = Promise.withResolvers<T>();
    open.push(later);
    return later.promise;
  }
}

function start() {
  const agent = new StandIn();
  const accepted: string[] = [];
  const controller = new SessionController({
    mode: "default",
    frameMs: 0,
    onAccepted: (text) => void accepted.push(text),
  });
  controller.attach(agent as StandIn & ControlledAgent);
  const tell = (event: AgentEvent) => controller.onEvent(event);
  return { agent, accepted, controller, tell, state: () => controller.store.state };
}

/** "one" runs, "two" and "three" wait. */
function working() {
  const all = start();
  for (const text of ["one", "two", "three"]) all.controller.submit(text);
  return all;
}

describe("a prompt that is told in the running turn", () => {
  it("is the first that waits; it is shown as such until it is in the conversation", async () => {
    const { agent, accepted, controller, tell, state } = working();
    controller.steer();
    expect(agent.calls).toEqual(["send one", "steer two"]);
    expect(state()).toMatchObject({ telling: ["two"], queued: [{ text: "three" }] });
    tell({ type: "prompt_steered", prompt: "two" });
    expect(state().telling).toEqual([]);
    agent.steered[0]?.resolve({ told: "in-turn" });
    await soon();
    expect(accepted).toEqual(["two"]);
    agent.turns[0]?.resolve(turnEnd());
    await soon();
    expect(agent.calls.at(-1)).toBe("send three");
  });

  it("that came too late has a turn of its own, and what waits comes after it", async () => {
    const { agent, accepted, controller, tell, state } = working();
    controller.steer();
    agent.turns[0]?.resolve(turnEnd());
    await soon();
    expect(state()).toMatchObject({ turn: { is: "working" }, telling: ["two"] });
    tell({ type: "turn_started", prompt: "two" });
    tell({ type: "model_started", call: 1 });
    expect([state().telling, accepted]).toEqual([[], ["two"]]);
    agent.steered[0]?.resolve({ told: "as-prompt", end: turnEnd() });
    await soon();
    expect(agent.calls).toEqual(["send one", "steer two", "send three"]);
  });

  it("that its hooks blocked is back in the input, with a word about it, and not in the history (T162)", async () => {
    const { agent, accepted, controller, state } = working();
    controller.steer();
    agent.steered[0]?.resolve({ told: "not", because: "prompt-blocked", reason: "no", promptBack: "two" });
    await soon();
    expect(state()).toMatchObject({
      telling: [],
      restore: { text: "two", became: "not sent: your prompt is back in the input" },
    });
    expect(accepted).toEqual([]);
  });

  it("comes back together with what waits when the turn is interrupted", async () => {
    const { agent, controller, state } = working();
    controller.steer();
    controller.interrupt();
    expect(state().queued).toEqual([]);
    agent.steered[0]?.resolve({ told: "not", because: "aborted", reason: "interrupted", promptBack: "two" });
    agent.turns[0]?.resolve(turnEnd({ because: "aborted", promptBack: "one" }));
    await soon();
    // The prompt itself comes back too; drawn before or together with the others, nothing is lost.
    expect(state().restore?.text).toBe("one\n\ntwo\n\nthree");
    expect(state().turn.is).toBe("idle");
  });

  it("that was told before the interrupt does not come back", async () => {
    const { agent, controller, state } = working();
    controller.steer();
    controller.interrupt();
    agent.steered[0]?.resolve({ told: "in-turn" });
    agent.turns[0]?.resolve(turnEnd({ because: "aborted" }));
    await soon();
    expect(state().restore?.text).toBe("three");
  });

  it("is never a command that waits", () => {
    const { agent, controller, state } = start();
    controller.submit("one");
    controller.compact("");
    controller.steer();
    expect([agent.calls, state().queued.length]).toEqual([["send one"], 1]);
  });
});

it("what waits can be taken back while the turn goes on", () => {
  const { agent, controller, state } = working();
  controller.takeBackQueued();
  expect(state()).toMatchObject({ queued: [], restore: { text: "two\n\nthree" }, turn: { is: "working" } });
  expect(agent.calls).toEqual(["send one"]);
});

it("a blocked prompt is not lost when another one is sent right after it (T162)", async () => {
  const { agent, state } = working();
  agent.turns[0]?.resolve(turnEnd({ because: "prompt-blocked", reason: "no", promptBack: "one" }));
  await soon();
  expect(agent.calls.at(-1)).toBe("send two");
  expect(state().restore).toMatchObject({ text: "one", became: undefined });
});

describe("a compaction", () => {
  it("waits like a prompt, says what it does, and is followed by what waits", async () => {
    const { agent, controller, tell, state } = start();
    controller.submit("one");
    controller.compact("keep names");
    controller.submit("two");
    expect(state().queued.map(({ text }) => text)).toEqual(["/compact keep names", "two"]);
    agent.turns[0]?.resolve(turnEnd());
    await soon();
    tell({ type: "compaction_started", askedBy: "person" });
    expect(state().turn).toMatchObject({ doing: { is: "busy", with: "compacting the conversation" } });
    agent.context = { tokens: undefined, size: 100 };
    tell({ type: "compaction_ended", end: { compacted: false, because: "aborted", reason: "" } });
    agent.compactions[0]?.resolve({ compacted: false, because: "model-error", reason: "no key" });
    await soon();
    expect(agent.calls).toEqual(["send one", "compact keep names", "send two"]);
    expect(state().toPrint.items).toMatchObject([
      { block: { level: "error", content: "the conversation was not summarised: no key" } },
    ]);
    expect(state().contextTokens).toBeUndefined();
  });

  it("counts in what the session cost, and the status line shows about what is left", () => {
    const { agent, tell, state } = start();
    agent.context = { tokens: 7, size: 100, estimated: true };
    const block: SummaryBlock = { ...SUMMARY, tokensBefore: 90, tokensAfter: 7 };
    const message: Message = { id: "s", role: "user", blocks: [block] };
    const usage = { inputTokens: 90, outputTokens: 5 };
    tell({ type: "compaction_started", askedBy: "person" });
    tell({ type: "compaction_ended", end: { compacted: true, message, usage } });
    expect(state()).toMatchObject({ contextTokens: 7, contextSize: 100, contextEstimated: true });
    expect(costLines(state().cost, undefined)[0]).toBe("95 tokens in this session");
    tell({ type: "model_ended", usage: { inputTokens: 8, outputTokens: 1 }, finishReason: "stop" });
    expect(state()).toMatchObject({ contextTokens: 9, contextEstimated: undefined });
  });

  it.each([
    [true, "info", /the model gets the whole conversation again/],
    [false, "warning", /no summary to take back/],
  ])("that is there (%s) is undone with a word", (hasSummary, level, content) => {
    const { agent, controller, state } = start();
    agent.hasSummary = hasSummary;
    controller.undoCompact();
    expect(state().toPrint.items).toMatchObject([
      { block: { level, content: expect.stringMatching(content) } },
    ]);
  });
});

it("the status line follows the model and its context", () => {
  const { agent, controller, state } = start();
  expect(state()).toMatchObject({ model: "m1", contextTokens: 10, contextSize: 100 });
  agent.context = { tokens: 10, size: 500 };
  controller.setModel("m2");
  expect(agent.model).toBe("m2");
  expect(state()).toMatchObject({ model: "m2", contextSize: 500 });
});
