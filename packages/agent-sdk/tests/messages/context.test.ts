import { describe, expect, it } from "vitest";
import type { Block, Message } from "@/messages/blocks.ts";
import { contextOf, measuredContext, planCompaction, type MeasuredContext } from "@/messages/context.ts";
import { conversationText, summaryRequest } from "@/messages/summaryRequest.ts";
import { toolBlock } from "../support/sessionRecords.ts";

const text = (content: string): Block => ({ type: "text", content });
const user = (id: string, content = id, more: Partial<Message> = {}): Message => ({
  id,
  role: "user",
  blocks: [text(content)],
  ...more,
});
const model = (id: string, ...blocks: Block[]): Message => ({ id, role: "assistant", blocks });
const summary = (id: string, keeps: string[] = [], undone?: true): Message => ({
  id,
  role: "user",
  blocks: [
    {
      type: "summary",
      content: `summary ${id}`,
      keeps,
      covers: 1,
      askedBy: "person",
      ...(undone ? { undone } : {}),
    },
  ],
});
const answer = (tokens: number): Message => ({
  ...model(`answer ${tokens}`, text("a".repeat(40))),
  usage: { inputTokens: tokens - 1, outputTokens: 1 },
});
/** A compaction from 900 tokens to about 100; the request for the summary cost 1000. */
const compaction = (undone?: true): Message => ({
  id: "c",
  role: "user",
  usage: { inputTokens: 999, outputTokens: 1 },
  blocks: summary("c", [], undone).blocks.map((block) => ({ ...block, tokensBefore: 900, tokensAfter: 100 })),
});
const big = "b".repeat(1_000);
const call = (id: string, result = "r"): Message =>
  model(id, toolBlock(`t-${id}`, { stage: "ended", result }));
const standing: Message = {
  id: "s",
  role: "user",
  blocks: [{ type: "hook", hookEvent: "SessionStart", content: "rules" }],
};
const hook = { hookEvent: "Stop", hook: "h", source: "f" };

describe("how full the context is", () => {
  const told = (tokens: number | undefined): MeasuredContext => ({ tokens, estimate: undefined });
  const about = (estimate: number): MeasuredContext => ({ tokens: undefined, estimate });
  it.each<[string, Message[], MeasuredContext]>([
    ["nobody has said", [user("one")], told(undefined)],
    ["the last answer tells", [user("one"), answer(50), user("two"), answer(90)], told(90)],
    ["is about what a summary leaves", [answer(900), compaction()], about(100)],
    [
      "grows with what is said after a summary",
      [answer(900), compaction(), user("x".repeat(80))],
      about(120),
    ],
    ["is told by the first answer after a summary", [answer(900), compaction(), answer(130)], told(130)],
    [
      "is again about what it was when the summary is taken back",
      [answer(900), compaction(true)],
      about(900),
    ],
    [
      "is not what an answer told that was given to the summary",
      [answer(900), compaction(true), answer(130)],
      about(910),
    ],
    ["is what the first answer tells after that", [answer(900), compaction(true), answer(950)], told(950)],
    ["is not known where it never was", [answer(900), summary("s", [], true)], told(undefined)],
  ])("%s", (_what, messages, expected) => {
    expect(measuredContext(messages)).toEqual(expected);
  });
});

describe("what the model still gets", () => {
  it.each<[string, Message[], string[]]>([
    ["everything without a summary", [user("a"), model("b", text("b"))], ["a", "b"]],
    ["the summary and what came after it", [user("a"), summary("s1"), user("b")], ["s1", "b"]],
    [
      "what the summary keeps, behind it",
      [user("a"), user("b"), summary("s1", ["b"]), user("c")],
      ["s1", "b", "c"],
    ],
    ["the newest summary only", [user("a"), summary("s1"), user("b"), summary("s2", ["b"])], ["s2", "b"]],
    [
      "everything when the summary is undone",
      [user("a"), summary("s1", [], true), user("b")],
      ["a", "s1", "b"],
    ],
    [
      "what the summary before it covers not, when the newest is undone",
      [user("a"), summary("s1"), user("b"), summary("s2", [], true), user("c")],
      ["s1", "b", "s2", "c"],
    ],
    ["nothing that is gone, though the summary kept it", [summary("s1", ["gone"]), user("b")], ["s1", "b"]],
  ])("is %s", (_title, messages, ids) => {
    expect(contextOf(messages).map(({ id }) => id)).toEqual(ids);
  });
});

describe("a compaction keeps word for word", () => {
  it.each<[string, Message[], string[] | undefined]>([
    [
      "the last prompt and its turn when that is small",
      [user("a", big), user("b"), model("c", text("c"))],
      ["b", "c"],
    ],
    ["the last prompt, however long", [user("a"), user("b", big)], ["b"]],
    [
      "the end of a long turn as far as it is small",
      [user("a", big), user("b"), call("c", big), call("d"), model("e", text("e"))],
      ["b", "d", "e"],
    ],
    [
      "nothing behind a last result that is long",
      [user("a", big), user("b"), call("c"), call("d", big)],
      ["b"],
    ],
    [
      "all that was asked in the turn, also while it ran",
      [user("a", big), user("b"), call("c", big), user("d", "d", { steered: true }), call("e", big)],
      ["b", "d"],
    ],
    ["what SessionStart hooks said", [standing, user("a", big), user("b")], ["s", "b"]],
    [
      "no message of a hook for a prompt",
      [user("a", big), user("b"), call("c", big), user("d", "d", { origin: hook }), call("e", big)],
      ["b"],
    ],
    ["nothing of an earlier summary", [user("a"), summary("s1", ["a"]), user("b", big), user("c")], ["c"]],
    ["all, so there is nothing to do", [user("a")], undefined],
    ["all behind a summary, so there is nothing to do", [user("x"), summary("s1"), user("a")], undefined],
    ["what is not sent anyway", [model("w", { type: "warn", content: big }), user("a")], undefined],
  ])("%s", (_title, messages, keeps) => {
    expect(planCompaction(messages)?.keeps).toEqual(keeps);
  });
});

describe("the request for a summary", () => {
  const messages = [
    user("a", "FIRST"),
    ...Array.from({ length: 20 }, (_, n) => user(`m${n}`, `NUMBER-${n} ${big}`)),
  ];

  it("has who said what, calls with their results, and nothing that the model never got", () => {
    const conversation = conversationText(
      [
        user("a", "do it"),
        model("b", { type: "reasoning", content: "hm" }, text("I do"), toolBlock("t", { result: "fine" })),
        user("c", "go on", { origin: hook }),
        model("d", { type: "error", content: "oops" }),
      ],
      Infinity,
    );
    expect(conversation).toBe(
      '[user]\ndo it\n\n[you]\nI do\ncalled Bash {"command":"true"}\nresult: fine\n\n[hook h]\ngo on',
    );
  });

  it.each([30_000, 8_000, 2_000])(
    "of at most %d characters has the beginning and the end, and says what is missing",
    (maxChars) => {
      const conversation = conversationText(messages, maxChars);
      expect(conversation.length).toBeLessThan(maxChars + 200);
      expect(conversation).toContain("FIRST");
      expect(conversation).toContain("NUMBER-19");
      expect(conversation.includes("messages are left out here")).toBe(maxChars < 22_000);
    },
  );

  it("keeps both ends of a long result and of a last message that alone is too long", () => {
    const result = `START${"x".repeat(9_000)}END`;
    const short = conversationText([user("a"), call("b", result)], 1_500);
    for (const shown of [short, conversationText([user("a"), call("b", result)], Infinity)]) {
      expect(shown).toMatch(/START[^]*bytes cut[^]*END/);
      expect(shown.length).toBeLessThan(5_000);
    }
  });

  it("has the wish of the person, when there is one", () => {
    const options = { maxChars: Infinity };
    expect(summaryRequest(messages, { ...options, instructions: " keep it " })).toContain(
      "says about this summary: keep it\n",
    );
    expect(summaryRequest(messages, options)).not.toContain("says about this summary");
  });
});
