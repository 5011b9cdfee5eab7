import { describe, expect, it } from "vitest";
import type { FailedHook, PendingPermission } from "wave-agent-sdk";
import { arrange } from "../../src/asking/arrange.ts";
import { choicesFor } from "../../src/asking/choices.ts";
import { describeRequest } from "../../src/asking/describe.ts";
import { layOut } from "../../src/asking/layout.ts";
import { countOf, emptyQueue, type Queue } from "../../src/asking/openRequests.ts";
import { updateQueue } from "../../src/asking/queue.ts";
import type { Typed } from "../../src/asking/typed.ts";
import { PermissionDialog } from "../../src/components/PermissionDialog.tsx";
import { draw } from "../panels/drawn.tsx";
import { bash, ENTER, key, pending, view } from "./requests.ts";

const failed = (name: string, mayPass: FailedHook["mayPass"] = "session"): FailedHook => ({
  id: `id of ${name}`,
  name,
  source: "/home/me/project/.wave/settings.json:12",
  kind: "timeout",
  onError: "block",
  message: `hook failed: ${name} (/home/me/project/.wave/settings.json:12) timed out after 10 s; onError for timeout says block: the call does not run unless a person says so; raise its "timeout"`,
  mayPass,
  attempt: 1,
});

const held = (...failedHooks: FailedHook[]) =>
  pending({
    failedHooks,
    reason: failedHooks.map(({ message }) => message).join("\n"),
    askedBy: failedHooks.map(({ name, source }) => `hook ${name} (${source})`),
  });

function asked(request: ReturnType<typeof pending>): Queue {
  const steps = [
    { event: "arrived", request, at: 0 },
    { event: "tick", at: 200 },
  ] as const;
  return steps.reduce((now, event) => updateQueue(now, event)[0], emptyQueue());
}

function press(queue: Queue, typed: Typed) {
  const { visible } = queue;
  const seen = visible && { id: visible.request.id, inputHash: visible.inputHash, ...view() };
  return updateQueue(queue, { event: "typed", typed, seen, at: 5_000 });
}

const answersTo = (queue: Queue, typed: Typed) =>
  press(queue, typed)[1].flatMap((effect) => (effect.do === "answer" ? [effect.answer] : []));

it("a question about a hook that failed fits 40 columns and 9 rows, with all that can be done about it (T8, T73)", async () => {
  const queue = asked(held(failed("guard")));
  if (!queue.visible) throw new Error("nothing is visible");
  const drawn = await draw(
    <PermissionDialog
      visible={queue.visible}
      count={countOf(queue)}
      columns={40}
      rows={9}
      asks="r1"
      onTyped={() => "r1"}
      onEarly={() => false}
      onStop={() => {}}
    />,
  );
  expect(drawn.lines().slice(-3)).toEqual([
    " r ask again · y once without guard",
    " s session without guard ·›n deny",
    " d deny, and say",
  ]);
});

describe("a question about a hook that failed", () => {
  const about = (failedHooks: FailedHook[], origin: PendingPermission["origin"] = "model") =>
    choicesFor({ origin, rule: { offered: false, why: "" }, failedHooks }).map(
      ({ key: letter, label }) => `${letter} ${label}`,
    );
  it.each([
    [
      "offers to ask it again, to go on without it, and to switch it off (T8)",
      about([failed("guard")]),
      [
        "r ask the hooks again",
        "y allow once, without guard",
        "s allow, and switch guard off this session",
        "n deny",
        "d deny, and say what to do instead",
      ],
    ],
    [
      "names all of them",
      about([failed("guard"), failed("lint")], "person"),
      [
        "r ask the hooks again",
        "y allow once, without guard and lint",
        "s allow, and switch guard and lint off this session",
        "n deny",
      ],
    ],
    [
      "does not offer to switch a managed one off (T169)",
      about([failed("guard"), failed("policy", "once")], "person"),
      ["r ask the hooks again", "y allow once, without guard and policy", "n deny"],
    ],
    [
      "offers no way past a managed one that blocks",
      about([failed("policy", "never"), failed("guard")], "person"),
      ["r ask the hooks again", "n deny"],
    ],
    [
      "draws nothing a name could draw",
      about([failed("\u001b[31mred")], "person").slice(1, 2),
      ["y allow once, without \\x1b[31mred"],
    ],
  ])("%s", (_what, offered, expected) => {
    expect(offered).toEqual(expected);
  });

  it.each([
    ["r", { decision: "retry" }],
    ["y", { decision: "allow", without: ["id of guard"] }],
    ["s", { decision: "allow", without: ["id of guard"], forSession: true }],
    ["n", { decision: "deny" }],
  ])("is answered by %s with %j", (letter, answer) => {
    expect(answersTo(asked(held(failed("guard"))), key(letter))).toEqual([answer]);
  });

  it("takes Enter for a no, also where nothing else but asking again is possible", () => {
    expect(answersTo(asked(held(failed("guard"))), ENTER)).toEqual([{ decision: "deny" }]);
    expect(answersTo(asked(held(failed("policy", "never"))), ENTER)).toEqual([{ decision: "deny" }]);
  });

  it("says that hooks are asked again, which attempt that is, and when it failed, too", () => {
    const again = { ...failed("guard"), attempt: 2 };
    const notices = (hooks: FailedHook[]) =>
      press(asked(held(...hooks)), key("r"))[1].flatMap((effect) =>
        effect.do === "notice" ? [effect.text] : [],
      );
    expect(notices([failed("guard")])).toEqual(["asking the hooks again: attempt 2"]);
    expect(notices([again, failed("lint")])).toEqual(["asking the hooks again: attempt 3"]);
    const rows = (hook: FailedHook) =>
      arrange(layOut(describeRequest(held(hook)), 60), Infinity, 60).rows.map(
        ({ gutter, pieces }) => gutter + pieces.map(({ text }) => text).join(""),
      );
    expect(rows(again)).toContain("attempt 2: guard failed again");
    expect(rows(failed("guard")).join("\n")).not.toContain("attempt");
  });

  it("takes y for text where no yes is possible", () => {
    const [, effects] = press(asked(held(failed("policy", "never"))), key("y"));
    expect(effects).toMatchObject([{ do: "to-draft", text: "y" }]);
  });

  it("asks a hook again at once, also about hidden characters: only a yes has to be confirmed (G36)", () => {
    const queue = asked(bash("ls\u200b", { failedHooks: [failed("guard")], askedBy: ["hook guard (s)"] }));
    expect(answersTo(queue, key("r"))).toEqual([{ decision: "retry" }]);
    expect(answersTo(queue, key("s"))).toEqual([]);
    const [confirming] = press(queue, key("s"));
    expect(answersTo(confirming, key("c"))).toMatchObject([{ decision: "allow", forSession: true }]);
  });

  it("shows hook, kind and remedy, and every choice, in 80 columns (T124)", async () => {
    const queue = asked(held(failed("no force push")));
    if (!queue.visible) throw new Error("nothing is visible");
    const drawn = await draw(
      <PermissionDialog
        visible={queue.visible}
        count={countOf(queue)}
        columns={80}
        rows={24}
        asks="r1"
        onTyped={() => "r1"}
        onEarly={() => false}
        onStop={() => {}}
      />,
    );
    // oxlint-disable-next-line no-control-regex -- colours are what it takes away
    const frame = drawn.frame().replaceAll(/\u001b\[[\d;]*m/g, "");
    const text = frame.replaceAll(/[│\s]+/g, " ");
    expect(text).toContain("hook failed: no force push");
    expect(text).toContain(
      'onError for timeout says block: the call does not run unless a person says so; raise its "timeout"',
    );
    expect(text).toContain("r ask the hooks again");
    expect(text).toContain("y allow once, without no force push");
    expect(text).toContain("s allow, and switch no force push off this session");
  });
});
