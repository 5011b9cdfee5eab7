import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { liveAgent } from "../support/liveAgent.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const pre = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ hooks }] } });
const bash = (text: string) => ({ name: "Bash", arguments: { command: text } });
const linesOf = (file: string) => readFileSync(file, "utf8").trim().split("\n");

/** What a machine without time does to a program: again and again nothing happens for 100 ms. Costs no processor time. */
function stalling(): Disposable {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const timer = setInterval(() => Atomics.wait(never, 0, 0, 100), 200);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

describe("nothing of a tool exists before the verdict", () => {
  it("of the last of 50 hooks, while the program stands still for 100 ms at a time (T10, G2)", async () => {
    using folder = tempFolder();
    const log = join(folder.path, "log");
    const quick = Array.from({ length: 49 }, (_, index) => command(`echo hook ${index} >> '${log}'`));
    using _ = stalling();
    await playSession(folder.path, {
      settings: pre(command(`sleep 0.5; echo hook 49 >> '${log}'`), ...quick),
      scenario: [{ calls: [bash(`echo tool >> '${log}'`)] }, { say: "done" }],
    });
    const kinds = linesOf(log).map((line) => line.replace(/ \d+$/, ""));
    expect(kinds).toEqual([...Array.from({ length: 50 }, () => "hook"), "tool"]);
  });

  it("in a batch that runs in parallel and comes in pieces: each call waits for its own hook (G2)", async () => {
    using folder = tempFolder();
    // The first call of the batch waits longest.
    const judge = `read -r in; [[ $in == *mark-a* ]] && sleep 0.3; [[ $in == *mark-no* ]] && exit 2; exit 0`;
    const { events } = await playSession(folder.path, {
      settings: pre(command(judge)),
      scenario: [
        {
          calls: ["mark-a", "mark-no", "mark-b"].map((id) => ({
            name: "Grep",
            arguments: { pattern: id },
            id,
          })),
          chunkSize: 4,
        },
        { say: "done" },
      ],
    });
    const order = events.flatMap((event) =>
      event.type === "hook_finished" || event.type === "tool_started"
        ? [`${event.type} ${event.toolUseId}`]
        : [],
    );
    expect(order.filter((line) => line.startsWith("tool")).toSorted()).toEqual([
      "tool_started mark-a",
      "tool_started mark-b",
    ]);
    for (const id of ["mark-a", "mark-b"])
      expect(order.indexOf(`hook_finished ${id}`)).toBeLessThan(order.indexOf(`tool_started ${id}`));
  });

  it("and a halt holds also after a tool that failed: what comes next does not start (G2)", async () => {
    using folder = tempFolder();
    const halt = command(`echo '{"continue": false, "stopReason": "enough"}'`);
    const played = await playSession(folder.path, {
      settings: { hooks: { PostToolUse: [{ hooks: [halt] }] } },
      scenario: [{ calls: [bash("exit 3"), bash("touch next")] }, { say: "never" }],
    });
    expect(played.end).toMatchObject({ because: "halted", reason: "enough", modelCalls: 1 });
    expect(played.events.filter((event) => event.type === "tool_started")).toHaveLength(1);
    expect(blocksOf(played.messages, "tool").map(({ success }) => success)).toEqual([false, false]);
  });
});

it("a hook that exits with 2 and prints nothing at all blocks, and the model reads which hook it was (T1)", async () => {
  using folder = tempFolder();
  const played = await playSession(folder.path, {
    settings: pre(command("exit 2", { name: "silent guard" })),
    scenario: [{ calls: [bash("touch marker")] }, { say: "done" }],
  });
  expect(played.events.filter((event) => event.type === "tool_started")).toEqual([]);
  const answer = "blocked by hook silent guard (exit code 2, without a reason)";
  expect(blocksOf(played.messages, "tool")).toMatchObject([{ success: false, result: answer }]);
  expect(played.requests[1]?.text).toContain(answer);
});

describe("on a clock of its own", () => {
  afterEach(() => void vi.useRealTimers());

  it("a deny that comes after 90 s of a time limit of 120 s still blocks: no other deadline is shorter (T12)", async () => {
    using folder = tempFolder();
    const gate = join(folder.path, "gate");
    execFileSync("mkfifo", [gate]);
    const started = Promise.withResolvers<void>();
    const guard = command(`read -r word < '${gate}'; echo "$word" >&2; exit 2`, { timeout: 120 });
    await using live = await liveAgent(folder.path, [{ calls: [bash("touch marker")] }, { say: "done" }], {
      settings: pre(guard),
      onEvent: (event) => event.type === "hook_started" && started.resolve(),
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const turn = live.agent.sendMessage("go");
    await started.promise;
    // Opens when the hook is there to read.
    await using pipe = await open(gate, "w");
    await vi.advanceTimersByTimeAsync(90_000);
    await pipe.write("late, and still no\n");
    await turn;
    expect(blocksOf(live.agent.messages, "tool")).toMatchObject([
      { success: false, result: "late, and still no" },
    ]);
  });
});
