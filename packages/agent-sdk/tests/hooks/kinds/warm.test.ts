import { describe, expect, it } from "vitest";
import { HookRunners } from "@/hooks/kinds/runners.ts";
import { readAnswer, requestLine } from "@/hooks/kinds/warm/protocol.ts";
import { isAlive } from "../../support/processes.ts";
import { waitFor } from "../../support/waitFor.ts";
import { askWarm, oddHook, warmHook } from "../../support/warmHooks.ts";

const NOTHING = { decision: "none", by: "hook" };
const DENIED = { decision: "deny", by: "hook" };
const FAILED = { decision: "deny", by: "failure" };

describe("a hook that stays", () => {
  it("is one process for many calls, also at the same time, and ends with the session", async () => {
    const runners = new HookRunners();
    const hook = oddHook();
    const first = await askWarm(hook, runners, "pid");
    expect(await askWarm(hook, runners, "deny")).toMatchObject(DENIED);
    expect(await askWarm(hook, runners, "deny by exit code")).toMatchObject(DENIED);
    expect(await askWarm(hook, runners, "log")).toMatchObject(DENIED);
    // The slow one was asked first and answers last.
    const together = ["slow", "nothing", "pid"].map((command) => askWarm(hook, runners, command));
    const [slow, nothing, pid] = await Promise.all(together);
    expect([slow, nothing, pid]).toMatchObject([DENIED, { decision: "none" }, { stdout: first.stdout }]);
    expect(isAlive(Number(first.stdout))).toBe(true);
    await runners.close();
    expect(isAlive(Number(first.stdout))).toBe(false);
  });

  it.each([
    ["hang", "timed-out"],
    ["end well", "no-answer"],
    ["end badly", undefined],
    ["killed", undefined],
    ["half a line", "no-answer"],
    ["chatter", "broken-output"],
    ["another id", "broken-output"],
    ["a misspelt field", "broken-output"],
    ["a text as the id", "broken-output"],
    ["flood", "broken-output"],
  ])("%s: that call fails under its onError, and the next one has an answer (T7, T14)", async (act, way) => {
    const runners = new HookRunners();
    const hook = oddHook({ timeoutMs: act === "hang" ? 400 : 30_000 });
    try {
      expect(await askWarm(hook, runners, act)).toMatchObject({ ...FAILED, way });
      // Asked at once it has a process of its own.
      const alone = { ...hook, timeoutMs: 30_000 };
      expect(await askWarm(alone, runners, "deny")).toMatchObject(DENIED);
      expect(await askWarm(alone, runners, "nothing")).toMatchObject({ decision: "none", by: NOTHING.by });
    } finally {
      await runners.close();
    }
  });

  it("denies when it ends with exit code 2, as any other hook does", async () => {
    const runners = new HookRunners();
    expect(await askWarm(oddHook(), runners, "end with 2")).toMatchObject(DENIED);
    await runners.close();
  });

  it("goes on with the calls that it works on when one of them takes too long", async () => {
    const runners = new HookRunners();
    const hook = oddHook();
    const [hung, slow] = await Promise.all([
      askWarm({ ...hook, timeoutMs: 5 }, runners, "hang"),
      askWarm(hook, runners, "slow"),
    ]);
    expect([hung.way, slow]).toMatchObject(["timed-out", DENIED]);
    await runners.close();
  });

  it("is started again a moment after a failure, and has a process for each call until then", async () => {
    const runners = new HookRunners();
    const hook = oddHook();
    const pid = async () => (await askWarm(hook, runners, "pid")).stdout;
    const first = await pid();
    expect(await askWarm(hook, runners, "killed")).toMatchObject(FAILED);
    expect(new Set([first, await pid(), await pid()]).size).toBe(3);
    const again = performance.now() + 300;
    await waitFor("the pause to be over", () => performance.now() > again);
    const stays = await pid();
    expect([await pid(), await pid()]).toEqual([stays, stays]);
    await runners.close();
  });

  it("ends its call with the turn, and is not confused by the answer that comes later", async () => {
    const runners = new HookRunners();
    const hook = oddHook();
    const first = await askWarm(hook, runners, "pid");
    const turn = new AbortController();
    const slow = askWarm(hook, runners, "slow", { signal: turn.signal });
    turn.abort();
    expect(await slow).toMatchObject({ way: "aborted" });
    expect(await askWarm(hook, runners, "slow")).toMatchObject(DENIED);
    expect(await askWarm(hook, runners, "pid")).toMatchObject({ stdout: first.stdout });
    await runners.close();
  });

  it("has the environment of any other hook, and a new process where that changes", async () => {
    const runners = new HookRunners();
    const hook = oddHook();
    const read = async (more = {}) =>
      JSON.parse((await askWarm(hook, runners, "environment", more)).stdout ?? "") as Record<string, string>;
    const env = await read({ withheld: { WAVE_API_KEY: "secret" } });
    expect(env).toMatchObject({ WAVE_HOOK_EVENT: "PreToolUse", WAVE_HOOK_WARM: "1", CLAUDECODE: "1" });
    expect(JSON.stringify(env)).not.toContain("secret");
    const before = await askWarm(hook, runners, "pid");
    expect(await read({ sessionId: "session-2" })).toMatchObject({ WAVE_SESSION_ID: "session-2" });
    await waitFor("the old process to end", () => !isAlive(Number(before.stdout)));
    await runners.close();
  });

  it("fails as missing when its program is not there", async () => {
    const runners = new HookRunners();
    const hook = warmHook("no-such-program-anywhere");
    const words = { timeout: "continue", crash: "continue", missing: "block", invalid: "continue" } as const;
    expect(await askWarm({ ...hook, onError: words }, runners, "deny")).toMatchObject(FAILED);
    await runners.close();
  });
});

describe("the lines between Wave and a hook that stays", () => {
  it("carry the input of the event as it is", () => {
    expect(requestLine(7, '{"tool_name":"Bash"}\n')).toBe('{"id":7,"input":{"tool_name":"Bash"}}\n');
  });

  it.each([
    ['{"id":1}', { stdout: "", stderr: "", exitCode: 0 }],
    ['{"id":1,"output":{"decision":"block"}}', { stdout: '{"decision":"block"}' }],
    ['{"id":1,"stdout":"context"}', { stdout: "context" }],
    ['{"id":1,"exitCode":2,"stderr":"no"}', { exitCode: 2, stderr: "no" }],
  ])("answer %s", (line, answer) => expect(readAnswer(line)).toMatchObject({ id: 1, answer }));

  it.each([
    "",
    "ready",
    "[]",
    '{"output":{}}',
    '{"id":"1"}',
    '{"id":1,"output":"deny"}',
    '{"id":1,"output":null}',
    '{"id":1,"decision":"block"}',
    '{"id":1,"exitCode":-1}',
    '{"id":1,"exitCode":2.5}',
    '{"id":1,"stdout":"a","output":{}}',
  ])("take %j for no answer", (line) => expect(readAnswer(line)).toHaveProperty("problem"));
});
