import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Surroundings } from "../../src/cli/surroundings.ts";
import { runHooks } from "../../src/commands/hooks/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wave-hooktest-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One run of the command: its status and what it printed. */
async function wave(...words: string[]): Promise<{ status: number; said: string }> {
  let said = "";
  const sink = { write: (text: string) => void (said += text) };
  const around = {
    stdout: sink,
    stderr: sink,
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder },
  };
  const invocation = { run: "hooks", words, json: false, settingsFile: undefined, session: undefined };
  const status = await runHooks(invocation as never, around as unknown as Surroundings);
  return { status, said };
}

const fixture = (name: string, content: object) =>
  writeFileSync(join(folder, `${name}.hooktest.json`), JSON.stringify(content));

describe("wave hooks new", () => {
  it.each(["block-commands", "protect-files", "add-context"])(
    "writes %s with a test that passes, and overwrites nothing",
    async (name) => {
      const made = await wave("new", name);
      expect(made).toMatchObject({ status: 0, said: expect.stringContaining(`.wave/hooks/${name}.sh`) });
      const tested = await wave("test");
      expect(tested.said).toMatch(/^ok .*\n(ok .*\n)*\d passed\n$/);
      expect(tested.status).toBe(0);
      expect(await wave("new", name)).toMatchObject({
        status: 2,
        said: expect.stringContaining("nothing was written"),
      });
    },
  );

  it("shows what there is to choose from", async () => {
    expect((await wave("new")).said).toContain("wave hooks new block-commands");
    expect(await wave("new", "nothing-like-it")).toMatchObject({ status: 2 });
  });
});

describe("wave hooks test", () => {
  it("says what differs, and fails", async () => {
    const command = { tool_name: "Bash", tool_input: { command: "ls" } };
    fixture("guard", {
      event: "PreToolUse",
      matcher: "Bash",
      hook: "echo no >&2; exit 2",
      tests: [
        { name: "as it is", input: command, expect: { decision: "deny", reason: "no", ran: true } },
        { name: "another reason", input: command, expect: { reason: "because" } },
        { name: "another decision", input: command, expect: { decision: "allow" } },
        { name: "another tool", input: { tool_name: "Read", tool_input: {} }, expect: { ran: false } },
      ],
    });
    fixture("crash", {
      event: "PreToolUse",
      hook: { type: "command", command: "exit 3", onError: "block" },
      tests: [
        { name: "not expected", input: command, expect: { decision: "deny" } },
        { name: "expected", input: command, expect: { failure: true } },
      ],
    });
    const { status, said } = await wave("test");
    expect(status).toBe(1);
    expect(said.split("\n").map((line) => line.trim())).toEqual([
      "failed  crash.hooktest.json: not expected",
      expect.stringMatching(/^it could not decide: .*exit code 3/),
      "ok      crash.hooktest.json: expected",
      "ok      guard.hooktest.json: as it is",
      "failed  guard.hooktest.json: another reason",
      'reason: expected "because", got "no"',
      "failed  guard.hooktest.json: another decision",
      'decision: expected "allow", got "deny"',
      "ok      guard.hooktest.json: another tool",
      "3 failed, 3 passed",
      "",
    ]);
  });

  it.each([
    ["no JSON", "{", /this is no JSON/],
    [
      "an unknown event",
      { event: "PreTool", hook: "true", tests: [{ input: {}, expect: { ran: true } }] },
      /no event "PreTool"/,
    ],
    [
      "nothing expected",
      { event: "Stop", hook: "true", tests: [{ input: {}, expect: {} }] },
      /expect must be an object that says something/,
    ],
    [
      "a misspelt expectation",
      { event: "Stop", hook: "true", tests: [{ input: {}, expect: { descision: "deny" } }] },
      /expect.descision is not known/,
    ],
    [
      "an entry that cannot be read",
      { event: "Stop", hook: { type: "command" }, tests: [{ input: {}, expect: { ran: true } }] },
      /no "command"/,
    ],
  ])("takes %s for a failure and not for a pass", async (_what, content, words) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(folder, "a.hooktest.json"), text);
    const { status, said } = await wave("test");
    expect([status, said]).toEqual([1, expect.stringMatching(words)]);
  });

  it("runs only the files that are named, and says when there are none", async () => {
    fixture("a", { event: "Stop", hook: "true", tests: [{ name: "a", input: {}, expect: { ran: true } }] });
    fixture("b", { event: "Stop", hook: "true", tests: [{ name: "b", input: {}, expect: { ran: false } }] });
    expect(await wave("test", "a.hooktest.json")).toMatchObject({ status: 0 });
    rmSync(join(folder, "a.hooktest.json"));
    rmSync(join(folder, "b.hooktest.json"));
    expect(await wave("test")).toMatchObject({ status: 2, said: expect.stringContaining("wave hooks new") });
  });
});
