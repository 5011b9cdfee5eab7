import { describe, expect, it } from "vitest";
import { filledIn, readJudgement } from "@/hooks/kinds/promptRequest.ts";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import type { ScriptedReply, ScriptedRequest } from "@/testing/index.ts";

const QUESTION = "Is this command harmless? $ARGUMENTS";
const isJudge = ({ text }: ScriptedRequest) => text.includes("You judge one event");

/** One call of `touch made` under a prompt hook whose model answers with `judge`. */
async function judged(
  judge: ScriptedReply | ((request: ScriptedRequest) => ScriptedReply),
  more: object = {},
) {
  using folder = tempFolder();
  const hook = { type: "prompt", prompt: QUESTION, onError: "block", ...more };
  const played = await playSession(folder.path, {
    settings: { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } },
    scenario: (request) => {
      if (isJudge(request)) return typeof judge === "function" ? judge(request) : judge;
      return request.text.includes("tool_call_id")
        ? { say: "done" }
        : { call: { name: "Bash", arguments: { command: "touch made" } } };
    },
  });
  const [tool] = blocksOf(played.messages, "tool");
  return { ...played, tool, asked: played.requests.filter(isJudge) };
}

describe("a hook that asks a model", () => {
  it("lets a call pass with a yes, and sends the question and the event and nothing of the conversation", async () => {
    const { tool, asked, file } = await judged({ say: '{"ok": true}', usage: { input: 90, output: 7 } });
    expect(tool).toMatchObject({ success: true });
    expect(asked).toHaveLength(1);
    const { messages, tools } = asked[0]?.body ?? {};
    expect(messages?.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(messages?.[1]?.content).toContain('"tool_input":{"command":"touch made"}');
    expect(JSON.stringify(messages)).not.toContain("PROMPT-TEXT");
    expect(tools ?? []).toEqual([]);
    // What it cost is part of what the session cost.
    expect(file).toMatch(
      /"because":"hook Is this command harmless\? \$ARGUMENTS","usage":\{[^}]*"inputTokens":90/,
    );
  });

  it("blocks a call with a no, and its reason is told to the model", async () => {
    const { tool, wire } = await judged({ say: '{"ok": false, "reason": "It makes a file."}' });
    expect(tool).toMatchObject({ success: false });
    expect(wire).toContain("It makes a file.");
  });

  it("asks the model that its entry names", async () => {
    const { asked } = await judged({ say: '{"ok": true}' }, { model: "small-judge" });
    expect(asked[0]?.body.model).toBe("small-judge");
  });

  it.each<[string, ScriptedReply, object, RegExp]>([
    ["an answer that is neither yes nor no", { say: "Sure, looks fine!" }, {}, /neither yes nor no/],
    [
      "an answer without an end",
      { say: `{"ok": true, "reason": "${"x".repeat(30_000)}"}` },
      {},
      /more than 20000/,
    ],
    [
      "a server that refuses",
      { status: 400, body: '{"error":{"message":"no such model"}}' },
      {},
      /not answered by its model/,
    ],
    ["a server that hangs", { hang: true }, { timeout: 0.3 }, /timed out/],
  ])("fails under its onError with %s (T7, T14)", async (_what, step, more, words) => {
    const { tool, asked } = await judged(step, more);
    expect(tool).toMatchObject({ success: false });
    expect(tool?.result).toMatch(words);
    expect(asked).toHaveLength(1);
  });
});

describe("what a judge answers", () => {
  it.each([
    ['{"ok": true}', 0, ""],
    ['```json\n{"ok": true}\n```', 0, ""],
    ['{"ok": false, "reason": "no"}', 2, "no"],
    ['{"ok": false}', 2, "a model judged against it and gave no reason"],
  ])("%s", (said, exitCode, stderr) => expect(readJudgement(said)).toMatchObject({ exitCode, stderr }));

  it.each([
    "",
    "yes",
    '{"ok": "true"}',
    '{"ok": 1}',
    "{}",
    "[true]",
    '{"ok": true} {"ok": false}',
    '{"ok": tr',
  ])("%j is neither yes nor no", (said) => expect(readJudgement(said).error?.way).toBe("broken-output"));

  it("the input stands where the prompt wants it, or behind it, and is not looked through", () => {
    expect(filledIn("Is $ARGUMENTS ok?", '{"a":"$ARGUMENTS"}')).toBe('Is {"a":"$ARGUMENTS"} ok?');
    expect(filledIn(String.raw`Costs \$5?`, "{}")).toBe("Costs $5?\n\nThe event:\n{}");
  });
});
