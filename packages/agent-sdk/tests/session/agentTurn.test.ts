import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { AgentEvent } from "@/events.ts";
import { limitReached, NOTHING_SPENT, type Limits, type Spent } from "@/conversation/turn/limits.ts";
import { inFolder } from "../support/liveAgent.ts";

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);

describe("a turn that was sent", () => {
  it("can be iterated, and then awaited", async () => {
    await using live = await inFolder([{ say: "One two" }]);
    const turn = live.agent.send("go");
    const events = [];
    for await (const event of turn) events.push(event);
    expect(events[0]).toEqual({ type: "turn_started", prompt: "go" });
    expect(types(events)).toContain("text_delta");
    expect(events.at(-1)).toMatchObject({ type: "turn_ended", end: { because: "done", answer: "One two" } });
    expect(await turn).toMatchObject({ because: "done", answer: "One two" });
  });

  it("keeps what happened for whoever iterates it later, and nothing of the turn before it", async () => {
    await using live = await inFolder([{ say: "first" }, { say: "second" }]);
    const [one, two] = [live.agent.send("1"), live.agent.send("2")];
    await two;
    const prompts = async (turn: AsyncIterable<AgentEvent>) => {
      const heard = [];
      for await (const event of turn) if (event.type === "turn_started") heard.push(event.prompt);
      return heard;
    };
    expect([await prompts(one), await prompts(two)]).toEqual([["1"], ["2"]]);
  });

  it("goes on when somebody leaves the loop, and rejects only for what was given wrongly", async () => {
    await using live = await inFolder([{ say: "done" }]);
    const turn = live.agent.send("go");
    for await (const _ of turn) break;
    expect((await turn).because).toBe("done");
    expect(() => live.agent.send("go", { limits: { token: 1 } as never })).toThrow(
      /send.options.limits.token/,
    );
  });

  it("ends with its own signal, and the next one runs", async () => {
    await using live = await inFolder([{ say: "It begins", hang: true }, { say: "second" }]);
    const stop = new AbortController();
    const turn = live.agent.send("go", { signal: stop.signal });
    for await (const event of turn) if (event.type === "text_delta") stop.abort();
    expect((await turn).because).toBe("aborted");
    expect((await live.agent.send("again")).answer).toBe("second");
  });

  it("is not begun when its signal was aborted before", async () => {
    await using live = await inFolder([]);
    const turn = await live.agent.send("go", { signal: AbortSignal.abort() });
    expect(turn).toMatchObject({ because: "aborted", modelCalls: 0, promptBack: "go" });
    expect(live.model.requests).toEqual([]);
  });
});

describe("data instead of a text", () => {
  const Review = z.object({ verdict: z.enum(["good", "bad"]), notes: z.array(z.string()) });

  it("comes typed, and the model was told its schema", async () => {
    await using live = await inFolder([{ say: '```json\n{"verdict": "good", "notes": []}\n```' }]);
    const end = await live.agent.send("Review this", { output: Review });
    if (end.because !== "done") throw new Error(end.reason);
    expectTypeOf(end.output).toEqualTypeOf<z.infer<typeof Review>>();
    expect(end.output).toEqual({ verdict: "good", notes: [] });
    expect(JSON.stringify(live.model.requests[0]?.body)).toContain('\\"verdict\\"');
  });

  it("is asked for again with what does not fit", async () => {
    await using live = await inFolder([
      { say: '{"verdict": "so-so"}' },
      { say: '{"verdict":"bad","notes":["x"]}' },
    ]);
    const end = await live.agent.send("Review this", { output: Review });
    expect(end).toMatchObject({ because: "done", modelCalls: 2, output: { verdict: "bad" } });
    expect(JSON.stringify(live.model.requests[1]?.body)).toContain("does not fit the schema: verdict");
  });

  it("ends the turn after three tries, and says what did not fit", async () => {
    await using live = await inFolder([{ say: "Looks good." }, { say: "Really." }, { say: "Yes." }]);
    const end = await live.agent.send("Review this", { output: Review });
    expect(end).toMatchObject({ because: "output-misfit", modelCalls: 3 });
    expect(end.reason).toMatch(/also after 3 tries: it is not JSON/);
  });

  it("of a library that cannot describe its schemas needs their JSON Schema", async () => {
    await using live = await inFolder([{ say: "4" }]);
    const { validate } = z.number()["~standard"];
    const bare = { "~standard": { version: 1, vendor: "bare", validate } } as const;
    expect(() => live.agent.send("2+2", { output: bare })).toThrow(/send.outputJsonSchema: is missing/);
    const end = await live.agent.send("2+2", { output: bare, outputJsonSchema: { type: "number" } });
    expect(end).toMatchObject({ because: "done", output: 4 });
  });
});

describe("limits", () => {
  const call = { call: { name: "LS", arguments: { path: "." } } };

  it.each<[string, Limits, Partial<Spent>, string | undefined]>([
    ["nothing is spent", { modelCalls: 2, tokens: 10, costUsd: 1 }, {}, undefined],
    ["calls", { modelCalls: 2 }, { modelCalls: 2 }, "modelCalls"],
    ["tokens", { tokens: 10 }, { tokens: 11 }, "tokens"],
    ["money", { costUsd: 1 }, { costUsd: 1.2 }, "costUsd"],
    ["tokens that nobody counts", { tokens: 10 }, { uncounted: 1 }, "tokens"],
    ["a price that nobody knows", { costUsd: 1 }, { unpriced: 1 }, "costUsd"],
    ["what has no limit", { modelCalls: 3 }, { modelCalls: 2, tokens: 1e9, unpriced: 1 }, undefined],
  ])("are reached by %s as they should", (_, limits, spent, expected) => {
    const counted = { limits, whose: "turn", before: NOTHING_SPENT } as const;
    expect(limitReached([counted], { ...NOTHING_SPENT, ...spent })?.limit).toBe(expected);
  });

  it("of a turn count from its beginning, and its calls are answered", async () => {
    await using live = await inFolder([call, { say: "one" }, call, { say: "two" }]);
    expect((await live.agent.send("1", { limits: { modelCalls: 2 } })).because).toBe("done");
    const end = await live.agent.send("2", { limits: { modelCalls: 1 } });
    expect(end).toMatchObject({ because: "limit", limit: "modelCalls" });
    expect(end.reason).toBe("the turn's limit of 1 model calls was reached; the work may be unfinished");
    const [tool] = live.agent.messages.at(-1)?.blocks ?? [];
    expect(tool).toMatchObject({ type: "tool", success: true });
  });

  it("of an agent hold for all its turns", async () => {
    await using live = await inFolder([{ say: "one" }], { options: { limits: { modelCalls: 1 } } });
    expect((await live.agent.sendMessage("1")).because).toBe("done");
    expect(await live.agent.sendMessage("2")).toMatchObject({ because: "limit", limit: "modelCalls" });
    expect(live.model.requests).toHaveLength(1);
  });

  it("in time end what runs", async () => {
    await using live = await inFolder([{ hang: true }]);
    const end = await live.agent.send("go", { limits: { wallMs: 50 } });
    expect(end).toMatchObject({ because: "limit", limit: "wallMs" });
  });

  it("in money end the turn when nobody knows the price", async () => {
    await using live = await inFolder([call, { say: "never" }], { options: { limits: { costUsd: 1 } } });
    const end = await live.agent.send("go");
    expect(end).toMatchObject({ because: "limit", limit: "costUsd", modelCalls: 1 });
    expect(end.reason).toContain("knows no price of this model");
  });
});

describe("whoever subscribes", () => {
  it("hears what is there first, then everything until the end of the block", async () => {
    await using live = await inFolder([{ say: "one" }, { say: "two" }]);
    await live.agent.send("1");
    const heard: AgentEvent[] = [];
    {
      using _ = live.agent.subscribe((event) => heard.push(event), { replay: true });
      expect(types(heard)).toEqual(["messages_changed", "messages_changed"]);
    }
    await live.agent.send("2");
    expect(heard).toHaveLength(2);
  });
});

it("an agent is closed at the end of its block", async () => {
  await using live = await inFolder([]);
  {
    await using agent = live.agent;
    void agent;
  }
  await expect(live.agent.sendMessage("x")).rejects.toThrow("destroyed");
});
