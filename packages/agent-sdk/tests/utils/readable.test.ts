import { describe, expect, it } from "vitest";
import { encodeHookInput } from "@/hooks/input.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { readableAnswer } from "@/model/answer.ts";
import { LiveAnswer } from "@/conversation/liveAnswer.ts";
import { prepareCall } from "@/conversation/turn/prepareCall.ts";
import { readableJson, ReadablePieces, readableText, whyUnreadable } from "@/utils/readable.ts";

const json: [what: string, given: string, read: unknown][] = [
  ["the first half of a pair", String.raw`"a\ud800b"`, "a\ufffdb"],
  ["the second half", String.raw`"a\uDC00b"`, "a\ufffdb"],
  ["two first halves", String.raw`"\ud83d\ud83d"`, "\ufffd\ufffd"],
  ["halves in the wrong order", String.raw`"\ude00\ud83d"`, "\ufffd\ufffd"],
  ["a half before a whole pair", String.raw`"\ud83d\ud83d\ude00"`, "\ufffd😀"],
  ["a half that is written out", '"a\ud800b"', "a\ufffdb"],
  ["one half written out, one as an escape", '"\ud83d\\ude00"', "\ufffd\ufffd"],
  ["a half in a name", String.raw`{"a\udfff":{"\ud800":1}}`, { "a\ufffd": { "\ufffd": 1 } }],
  ["a half at the end", String.raw`"rm victim # \ud800"`, "rm victim # \ufffd"],
  ["a whole pair, in letters of either case", String.raw`"\uD83D\ude00 \ud83d\uDE00"`, "😀 😀"],
  [
    "a backslash before the letters of an escape",
    String.raw`"\\ud800 \\\\udc00"`,
    String.raw`\ud800 \\udc00`,
  ],
  ["a backslash and then a half", String.raw`"\\\ud800"`, "\\\ufffd"],
  ["other escapes", String.raw`"\u0041\n\t\"\u00e9\ufffe\uffff"`, 'A\n\t"é\ufffe\uffff'],
];

describe("text that every guard reads alike (G42)", () => {
  it.each(json)("JSON with %s", (_what, given, read) => {
    expect(JSON.parse(readableJson(given))).toEqual(read);
    expect(readableJson(given)).toHaveLength(given.length);
  });

  it("JSON that is broken stays broken, without halves of characters", () => {
    expect(readableJson('{"a": "\\ud800')).toBe('{"a": "\\ufffd');
    expect(readableJson('"\\')).toBe('"\\');
    expect(readableJson('"\\ud8')).toBe('"\\ud8');
  });

  it("a NUL in a prompt is shown as what it is: no character", () => {
    expect(readableText("a\0b\ud800c😀")).toBe("a\ufffdb\ufffdc😀");
  });

  it("a pair that is streamed in two pieces stays one, and a half that nothing follows is replaced", () => {
    const pieces = new ReadablePieces();
    const streamed = ["a\ud83d", "\ude00b", "\ude00", "c\ud83d", "\ud83d"].map((piece) => pieces.push(piece));
    expect([...streamed, pieces.end(), pieces.end()]).toEqual([
      "a",
      "😀b",
      "\ufffd",
      "c",
      "\ufffd",
      "\ufffd",
      "",
    ]);
  });
});

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const refused: [what: string, given: string, why: RegExp | undefined][] = [
  ["a NUL in the command", String.raw`{"command":"rm a\u0000b"}`, /NUL character/],
  ["a NUL deep inside", String.raw`{"a":[{"b":["\u0000"]}]}`, /NUL character/],
  ["a NUL in a name", String.raw`{"a":{"b\u0000":1}}`, /NUL character/],
  ["a number beyond all numbers", '{"n":1e999}', /number that is too large/],
  ["the same below zero", '{"n":[-1e999]}', /number that is too large/],
  ["65 levels", nested(65), /nested more than 64 levels/],
  ["a hundred thousand levels", nested(100_000), /nested more than 64 levels/],
  ["a hundred thousand lists", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /nested more than/],
  ["64 levels", nested(64), undefined],
  ["a large number", '{"n":1e308,"m":12345678901234567890}', undefined],
  ["a name that JavaScript has plans for", '{"__proto__":{"command":"x"},"constructor":1}', undefined],
  ["control characters and a byte-order mark", String.raw`{"a":"\u0001\u001b\u007f\ufeff"}`, undefined],
];

describe("arguments that not every guard can read", () => {
  it.each(refused)("%s", (_what, given, why) => {
    const wire = {
      id: "1",
      type: "function" as const,
      index: 0,
      function: { name: "Bash", arguments: given },
    };
    const { input, broken } = prepareCall(wire, [], String);
    if (why === undefined) {
      expect(broken).toBeUndefined();
      expect(JSON.parse(encodeHookInput("PreToolUse", { tool_input: input }))["tool_input"]).toEqual(
        JSON.parse(given),
      );
    } else {
      expect(broken?.error).toMatch(why);
      expect(input).toEqual({});
    }
    const update = { hookEventName: "PreToolUse", updatedInput: JSON.parse(given) };
    if (given.length > 10_000) return expect(whyUnreadable(update)).toMatch(why ?? "");
    const stdout = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":${given}}}`;
    const result = { success: true, exitCode: 0, duration: 1, timedOut: false, stdout, stderr: "" };
    const hook = { name: "guard", source: "settings", onError: "continue" as const };
    const { decision, reason, rewrite } = readVerdict("PreToolUse", result, hook);
    if (why === undefined) expect(rewrite).toEqual({ to: JSON.parse(given) });
    else
      expect({ decision, reason: reason?.text }).toEqual({
        decision: "deny",
        reason: expect.stringMatching(why),
      });
  });

  it("of a name that is there twice everybody sees the value that runs", () => {
    const given = '{"command":"ls","command":"rm victim"}';
    const wire = {
      id: "1",
      type: "function" as const,
      index: 0,
      function: { name: "Bash", arguments: given },
    };
    const { input } = prepareCall(wire, [], String);
    const line = encodeHookInput("PreToolUse", { tool_input: input });
    expect(line.match(/"command"/g)).toHaveLength(1);
    expect(JSON.parse(line)["tool_input"]).toEqual({ command: "rm victim" });
  });
});

describe("what comes from a model, a hook or a result", () => {
  it("a model's names, ids, arguments, text and reasoning are readable before anybody sees them", () => {
    const call = (id: string) => ({
      id,
      type: "function" as const,
      index: 0,
      function: { name: "B\ud800", arguments: String.raw`{"\udc00":"\ud800"}` },
    });
    expect(
      readableAnswer({ content: "a\ud800\0", reasoning: "\udc00", tool_calls: [call("i\ud800")] }),
    ).toEqual({
      content: "a\ufffd\ufffd",
      reasoning: "\ufffd",
      tool_calls: [
        {
          ...call("i\ufffd"),
          function: { name: "B\ufffd", arguments: String.raw`{"\ufffd":"\ufffd"}` },
        },
      ],
    });
    expect(readableAnswer({})).toEqual({});
  });

  it("so is what streams, to the last character that the answer has", () => {
    const events: unknown[] = [];
    const live = new LiveAnswer(
      () => {},
      (event) => events.push(event),
    );
    for (const piece of ["a\ud83d", "\ude00", "\ud83d"]) live.callbacks.onText?.(piece);
    live.callbacks.onReasoning?.("\udc00");
    live.callbacks.onToolCall?.("B\ud800");
    live.end();
    expect(live.blocks).toEqual([
      { type: "reasoning", content: "\ufffd" },
      { type: "text", content: "a😀\ufffd" },
    ]);
    expect(JSON.stringify(events)).not.toContain("\\ud8");
  });

  it("a hook's words and rewrites are readable, printed as JSON or as text", () => {
    const judge = (event: "PreToolUse" | "UserPromptSubmit", stdout: string, exitCode = 0, stderr = "") =>
      readVerdict(
        event,
        { success: exitCode === 0, exitCode, duration: 1, timedOut: false, stdout, stderr },
        { name: "guard", source: "settings", onError: "continue" },
      );
    const rewrite = String.raw`{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"rm \ud800"},"permissionDecision":"ask","permissionDecisionReason":"\udc00"}}`;
    expect(judge("PreToolUse", rewrite)).toMatchObject({
      rewrite: { to: { command: "rm \ufffd" } },
      reason: { text: "\ufffd" },
    });
    expect(judge("PreToolUse", "", 2, "no \ud800").reason?.text).toBe("no \ufffd");
    expect(judge("UserPromptSubmit", "a\ud800").context?.text).toBe("a\ufffd");
  });

  it("a tool's result that was cut in a character leaves a hook's line readable", () => {
    const line = encodeHookInput("PostToolUse", { tool_response: { "a\ud800": "b\udc00" } });
    expect(JSON.parse(line)["tool_response"]).toEqual({ "a\ufffd": "b\ufffd" });
  });
});
