import { describe, expect, it } from "vitest";
import type { BackgroundTask } from "wave-agent-sdk";
import type { PanelPress } from "../../src/panels/press.ts";
import { pressInTasks, taskItem, taskOutput, type TasksPlace } from "../../src/panels/tasks.ts";
import { textOf } from "../../src/view/span.ts";

const task = (changes: Partial<BackgroundTask> = {}): BackgroundTask => ({
  id: "bash_1",
  kind: "command",
  title: "npm run dev",
  since: 0,
  state: "running",
  output: "",
  ...changes,
});

describe("what runs in the background", () => {
  it.each<[changes: Partial<BackgroundTask>, now: number, words: string]>([
    [{}, 5_900, "running for 5 s"],
    [{}, 125_000, "running for 2 min"],
    [{}, 3_900_000, "running for 1 h 5 min"],
    [{ state: "killed" }, 0, "ended by Wave"],
    [{ state: "ended", end: "Exit code 0" }, 0, "done"],
    // A sub-agent has no exit code.
    [{ state: "ended" }, 0, "done"],
    [{ state: "ended", end: "Exit code 1" }, 0, "exit code 1"],
    [{ state: "ended", end: "Killed by SIGTERM" }, 0, "killed by SIGTERM"],
  ])("say how they are: %j", (changes, now, words) => {
    const lines = taskItem(task({ title: "npm\u001b[2J run\ndev", ...changes }), { columns: 40, now });
    expect(lines.map((line) => textOf(line).trimEnd())).toEqual([
      "npm\\x1b[2J run\\ndev",
      `  bash_1 · ${words}`,
    ]);
  });

  it("show what they printed", () => {
    expect(taskOutput(task(), 40).map(textOf)).toEqual(["It has printed nothing yet."]);
    expect(taskOutput(task({ output: "one\ntwo\n" }), 40).map(textOf)).toEqual(["one", "two"]);
  });

  const tasks = [task({ id: "b" }), task({ id: "a", state: "ended", end: "Exit code 0" })];
  const list: TasksPlace = { at: "list", selected: 0 };
  const output: TasksPlace = { at: "output", selected: 0, id: "b", from: "end" };
  it.each<[what: string, from: TasksPlace, press: PanelPress, result: ReturnType<typeof pressInTasks>]>([
    ["Enter reads", list, { key: "enter" }, { now: output }],
    ["x ends one that runs", list, { key: "text", text: "x" }, { now: list, effect: { do: "end", id: "b" } }],
    [
      "x ends nothing that has ended",
      { at: "list", selected: 1 },
      { key: "text", text: "x" },
      { now: { at: "list", selected: 1 } },
    ],
    [
      "x ends what is read",
      output,
      { key: "text", text: "x" },
      { now: output, effect: { do: "end", id: "b" } },
    ],
    ["Esc leads back", output, { key: "esc" }, { now: list }],
    ["and closes", list, { key: "esc" }, { now: list, effect: { do: "close" } }],
    ["arrows choose", list, { key: "down" }, { now: { at: "list", selected: 1 } }],
    ["and scroll", output, { key: "up" }, { now: { ...output, from: 7 } }],
    ["q closes everywhere", output, { key: "close" }, { now: output, effect: { do: "close" } }],
  ])("%s", (_what, from, press, result) => {
    expect(pressInTasks(from, press, { tasks, page: 5, scroll: () => 7 })).toEqual(result);
  });
});
