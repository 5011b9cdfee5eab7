import type { PendingPermission } from "wave-agent-sdk";
import { expect, it } from "vitest";
import { choose } from "../../src/asking/answering.ts";
import { describeRequest } from "../../src/asking/describe.ts";
import { emptyQueue, arrive, offeredChoices, showNext } from "../../src/asking/openRequests.ts";

const request = (answers?: Record<string, string>): PendingPermission => ({
  id: "1",
  toolName: "AskUserQuestion",
  toolUseId: "call",
  origin: "model",
  input: {
    questions: [
      { question: "Which?", options: [{ label: "A", description: "the first" }, { label: "B" }] },
      { question: "When?", options: [{ label: "Now" }, { label: "Later" }] },
    ],
    ...(answers && { answers }),
  },
  originalInput: undefined,
  reason: "",
  askedBy: ["mode default"],
  rule: { offered: false, why: "each question is answered by itself" },
  cwd: "/project",
  since: 0,
});

function shown(asked: PendingPermission) {
  const [waiting] = arrive(emptyQueue(), asked, 0);
  const queue = showNext(waiting, 10_000);
  if (!queue.visible) throw new Error("nothing is shown");
  return { queue, visible: queue.visible };
}

it("a question of the model's offers its options by digit, one's own words, and no answer", () => {
  const { visible } = shown(request());
  expect(offeredChoices(visible).map(({ key, label }) => `${key} ${label}`)).toEqual([
    "1 A",
    "2 B",
    "d answer in your own words",
    "n do not answer",
  ]);
  const { title, input } = describeRequest(visible.request);
  expect(title).toBe("Main agent has a question");
  expect(input).toHaveLength(1);
  expect(JSON.stringify(input)).toContain("A: the first");
});

it("an option, or words, answer the question that is shown, and the next one follows", () => {
  const { queue, visible } = shown(request());
  const [, effects] = choose(queue, visible, { choice: "option-2", words: "" }, 0);
  expect(effects).toMatchObject([
    { do: "answer", answer: { decision: "allow", input: { answers: { "Which?": "B" } } } },
  ]);
  const second = shown(request({ "Which?": "B" }));
  expect(offeredChoices(second.visible)[0]?.label).toBe("Now");
  const [, spoken] = choose(second.queue, second.visible, { choice: "answer-with-words", words: "soon" }, 0);
  expect(spoken).toMatchObject([{ answer: { input: { answers: { "Which?": "B", "When?": "soon" } } } }]);
});
