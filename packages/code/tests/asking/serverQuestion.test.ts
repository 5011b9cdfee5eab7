import { describe, expect, it } from "vitest";
import type { PendingPermission } from "wave-agent-sdk";
import { describeRequest } from "../../src/asking/describe.ts";
import { emptyQueue, offeredChoices, type QueueEffect } from "../../src/asking/openRequests.ts";
import { updateQueue } from "../../src/asking/queue.ts";
import type { Typed } from "../../src/asking/typed.ts";
import { ENTER, ESC, key, pending, view } from "./requests.ts";

type Wants = NonNullable<PendingPermission["wants"]>;

const question = (wants?: Partial<Wants>) =>
  pending({
    toolName: "mcp__tiny",
    toolUseId: undefined,
    input: { question: "Where does it go?", ...(wants && { field: "Folder (1 of 2)" }) },
    reason: "The MCP server tiny asks you; what you answer goes to it.",
    askedBy: ["MCP server tiny"],
    rule: { offered: false, why: "every question of a server has an answer of its own" },
    ...(wants && { wants: { label: "Folder", kind: "text", required: true, place: "1 of 2", ...wants } }),
  });

/** What comes of these keys in front of the question. */
function press(request: PendingPermission, keys: readonly Typed[]) {
  let [queue] = updateQueue(emptyQueue(), { event: "arrived", request, at: 0 });
  [queue] = updateQueue(queue, { event: "tick", at: 200 });
  const done: QueueEffect[] = [];
  for (const typed of keys) {
    const { visible } = queue;
    const seen = visible && { id: visible.request.id, inputHash: visible.inputHash, ...view() };
    const [next, effects] = updateQueue(queue, { event: "typed", typed, seen, at: 5_000 });
    queue = next;
    done.push(...effects);
  }
  return done.flatMap((effect) => (effect.do === "answer" ? [effect.answer] : []));
}

const labels = (request: PendingPermission) => {
  let [queue] = updateQueue(emptyQueue(), { event: "arrived", request, at: 0 });
  [queue] = updateQueue(queue, { event: "tick", at: 200 });
  return queue.visible ? offeredChoices(queue.visible).map(({ key: on, label }) => `${on} ${label}`) : [];
};

describe("a question of an MCP server on the screen", () => {
  it("says who asks, what, and for which field; no folder and no rule belongs to it", () => {
    const { title, folder, whyNoRule, input } = describeRequest(question({}), { rule: question().rule });
    expect({ title, folder, whyNoRule }).toEqual({
      title: "MCP server tiny asks you",
      folder: undefined,
      whyNoRule: undefined,
    });
    expect(input.map(({ heading }) => heading)).toEqual(["", "field"]);
  });

  it.each<[Partial<Wants> | undefined, string[]]>([
    [undefined, ["y accept", "n decline"]],
    [{}, ["t type the answer", "n decline"]],
    [{ required: false }, ["t type the answer", "y leave it empty", "n decline"]],
    [{ proposed: "docs" }, ["t type the answer", "y take docs", "n decline"]],
    [{ options: ["now", "later"] }, ["t type one of: now, later", "n decline"]],
  ])("%j offers %j", (wants, offered) => {
    expect(labels(question(wants))).toEqual(offered);
  });

  it.each<[string, Typed[], object[]]>([
    ["typed", [key("t"), key("d"), key("o"), ENTER], [{ decision: "allow", value: "do" }]],
    ["typed after Enter on the first choice", [ENTER, key("x"), ENTER], [{ decision: "allow", value: "x" }]],
    ["taken as proposed", [key("y")], [{ decision: "allow" }]],
    ["declined", [key("n")], [{ decision: "deny" }]],
    ["declined with Esc", [ESC], [{ decision: "deny" }]],
    ["not yet given", [key("t"), key("n")], []],
  ])("is %s", (_how, keys, answers) => {
    expect(press(question({ proposed: "docs" }), keys)).toEqual(answers);
  });
});
