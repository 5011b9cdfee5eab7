import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { DecisionRecord } from "@/hooks/record.ts";
import type { PendingPermission, PermissionAnswer } from "@/permissions/request.ts";
import { whyNoAnswer, type FailedHook } from "@/permissions/request.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const call = { call: { name: "Bash", arguments: { command: "echo ran > out" } } };
const done = { say: "done" };
/** Fails until somebody mends it: the file is what a person would correct. */
const flaky = (name: string, onError: unknown) => ({
  type: "command",
  name,
  command: "test -e mended && exit 0; echo broken >&2; exit 7",
  onError,
});
const denies = { type: "command", name: "real", command: "echo 'not here' >&2; exit 2" };
const asks = {
  type: "command",
  name: "asker",
  command: `echo '{"permissionDecision":"ask","permissionDecisionReason":"sure?"}'`,
};
const before = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ hooks }] } });
const onPrompt = (...hooks: object[]) => ({ hooks: { UserPromptSubmit: [{ hooks }] } });

/** Answers one question after the other, and keeps them. */
function answering(...answers: ((request: PendingPermission, folder: string) => PermissionAnswer)[]) {
  const asked: PendingPermission[] = [];
  return (folder: string): { asked: PendingPermission[]; options: AgentOptions } => ({
    asked,
    options: {
      onPermissionRequest: (request) => {
        asked.push(request);
        const answer = answers[asked.length - 1] ?? answers.at(-1);
        if (!answer) throw new Error("nobody answers this");
        return answer(request, folder);
      },
    },
  });
}

const retry = (): PermissionAnswer => ({ decision: "retry" });
const mendAndRetry = (_request: PendingPermission, folder: string): PermissionAnswer => {
  writeFileSync(join(folder, "project", "mended"), "");
  return { decision: "retry" };
};
const ids = ({ failedHooks = [] }: PendingPermission) => failedHooks.map(({ id }) => id);
const once = (request: PendingPermission): PermissionAnswer => ({ decision: "allow", without: ids(request) });
const forSession = (request: PendingPermission): PermissionAnswer =>
  ({ ...once(request), forSession: true }) as PermissionAnswer;
const yes = (): PermissionAnswer => ({ decision: "allow" });
const no = (): PermissionAnswer => ({ decision: "deny" });

async function play(
  settings: object,
  who?: ReturnType<typeof answering>,
  more: Partial<Parameters<typeof playSession>[1]> = {},
) {
  using folder = tempFolder();
  const { asked, options } = who?.(folder.path) ?? { asked: [], options: {} };
  const { options: others, ...rest } = more;
  const played = await playSession(folder.path, {
    settings,
    scenario: [call, done],
    ...rest,
    options: { ...options, ...others },
  });
  const file = join(folder.path, "project", "out");
  return { ...played, asked, ran: existsSync(file) && readFileSync(file, "utf8") === "ran\n" };
}

const recordsOf = ({ events }: PlayedSession, name: string): DecisionRecord[] =>
  events.flatMap((event) =>
    event.type === "hooks_decided" && event.record.event === name ? [event.record] : [],
  );

describe("a call that is held back because a hook failed", () => {
  it.each(["ask", "block"] as const)(
    "asks again when the person wants that, and runs once the hook is mended (onError %s)",
    async (onError) => {
      const played = await play(before(flaky("guard", onError)), answering(retry, mendAndRetry));
      expect(played.ran).toBe(true);
      expect(played.asked).toHaveLength(2);
      expect(played.asked[0]).toMatchObject({
        toolName: "Bash",
        input: { command: "echo ran > out" },
        reason: expect.stringMatching(
          /^hook failed: guard \(.*settings\.json:\d+\) ended with exit code 7: broken; onError for crash says (ask|block)/,
        ),
        rule: { offered: false },
        failedHooks: [{ name: "guard", kind: "crash", onError, mayPass: "session", attempt: 1 }],
      });
      // What the question says and what its answers offer is one thing.
      if (onError === "block")
        expect(played.asked[0]?.reason).toContain(
          "the call does not run unless a person says so; run its command",
        );
      expect(played.asked[1]?.failedHooks).toMatchObject([{ attempt: 2 }]);
      expect(blocksOf(played.messages, "warn").map(({ content }) => content)).toContain(
        "hook guard, which had failed (crash), judged this at attempt 3",
      );
      const [record, ...others] = recordsOf(played, "PreToolUse");
      expect(others).toEqual([]);
      expect(record).toMatchObject({
        decision: "allow",
        brokenGuards: [{ name: "guard", did: "retried" }, { did: "retried" }],
        // Every run is told, and not only the last.
        earlier: [{ name: "guard", ended: "exit 7", failureKind: "crash" }, { ended: "exit 7" }],
        hooks: [{ name: "guard", ended: "exit 0" }],
      });
      expect(played.file).toContain('"did":"retried"');
    },
  );

  it("names a hook that failed and holds nothing back, in the question about another (T8)", async () => {
    const lint = { type: "command", name: "lint", command: "exit 7", onError: "continue" };
    const settings = before(flaky("guard", "ask"), lint);
    const { asked } = await play(settings, answering(no));
    expect(asked[0]?.reason).toMatch(
      /^hook failed: guard .*\nhook failed: lint \(.*settings\.json:\d+\) ended with exit code 7/,
    );
    expect(asked[0]?.failedHooks).toMatchObject([{ name: "guard" }]);
    const aboutPrompt = await play(onPrompt(flaky("guard", "ask"), lint), answering(no));
    expect(aboutPrompt.asked[0]?.reason).toMatch(/guard[^]*\nhook failed: lint/);
  });

  it.each(["ask", "block"] as const)(
    "runs once without the hook when the person says so, and that is recorded (onError %s)",
    async (onError) => {
      const played = await play(before(flaky("guard", onError)), answering(once), {
        scenario: [call, call, done],
      });
      expect(played.ran).toBe(true);
      // Once is once: the next call is asked about again.
      expect(played.asked).toHaveLength(2);
      const [record] = recordsOf(played, "PreToolUse");
      expect(record).toMatchObject({
        decision: "allow",
        decidedBy: "person",
        brokenGuards: [
          {
            name: "guard",
            source: expect.stringMatching(/settings\.json:\d+$/),
            kind: "crash",
            did: "passed-once",
          },
        ],
      });
      expect(blocksOf(played.messages, "warn").map(({ content }) => content)).toContain(
        "you let this go on without hook guard, which failed (crash)",
      );
      expect(played.wire).not.toContain("you let this go on");
    },
  );

  it("runs without the hook for the rest of the session when the person switches it off, also its copy in another file (T8)", async () => {
    using folder = tempFolder();
    const copy = join(folder.path, "copy.json");
    writeFileSync(copy, JSON.stringify(before(flaky("copy of guard", "ask"))));
    const played = await play(before(flaky("guard", "block")), answering(forSession), {
      scenario: [call, call, done],
      options: { settingsFile: copy },
    });
    expect(played.ran).toBe(true);
    expect(played.asked).toHaveLength(1);
    const [first, second] = recordsOf(played, "PreToolUse");
    expect(first?.brokenGuards).toMatchObject([{ name: "guard", did: "switched-off" }]);
    expect(second).toMatchObject({
      hooks: [],
      skipped: [{ why: "switched off for this session" }, { why: "switched off for this session" }],
    });
    expect(played.events).toContainEqual({
      type: "notice",
      level: "warning",
      text: "hook guard is off for this session, by your hand",
    });
  });

  it("does not run when the person says no, and the turn ends (PD-2)", async () => {
    const played = await play(before(flaky("guard", "block")), answering(no));
    expect(played.ran).toBe(false);
    expect(played.end.because).toBe("denied");
    expect(recordsOf(played, "PreToolUse")).toMatchObject([{ decision: "deny", decidedBy: "person" }]);
  });

  it("is not let through by a yes that does not name the hook that blocks: a program that says yes to everything opens no guard (G5)", async () => {
    const played = await play(before(flaky("guard", "block")), answering(yes));
    expect(played.ran).toBe(false);
    expect(played.end).toMatchObject({ because: "done", unanswered: false });
    expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(
      /^hook failed: guard .*\nThe answer was yes without naming the hooks/,
    );
  });

  it("is let through by a plain yes where the hook was told to ask (T6)", async () => {
    const played = await play(before(flaky("guard", "ask")), answering(yes));
    expect(played.ran).toBe(true);
    expect(recordsOf(played, "PreToolUse")).toMatchObject([{ brokenGuards: [{ did: "passed-once" }] }]);
  });

  it.each([
    ["nobody can answer", {}],
    [
      "the mode is dontAsk",
      { permissionMode: "dontAsk", onPermissionRequest: () => ({ decision: "allow" }) },
    ],
    [
      "the mode is plan, which would not let it run anyway",
      { permissionMode: "plan", onPermissionRequest: () => ({ decision: "allow" }) },
    ],
  ] as [string, AgentOptions][])(
    "stays blocked without a question where %s; the model is told that, and the user also what to do",
    async (_why, options) => {
      const played = await play(before(flaky("guard", "block")), undefined, { options });
      expect(played.ran).toBe(false);
      expect(played.events.some(({ type }) => type === "permission_requested")).toBe(false);
      expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(
        /^hook failed: guard .*onError for crash says block: the call does not run$/,
      );
      expect(blocksOf(played.messages, "warn")).toMatchObject([
        {
          content: expect.stringMatching(
            /^what helps: run its command by hand .*, or create the agent with hookScope "no-project"$/,
          ),
          origin: { hookEvent: "PreToolUse", hook: "guard" },
        },
      ]);
      expect(played.wire).not.toMatch(/hookScope|by hand/);
      expect(played.end).toMatchObject({ because: "done", unanswered: false });
    },
  );

  it("gives the model no advice either where it asks and nobody can answer, nor after the call", async () => {
    const hooks = [{ hooks: [flaky("late", "block")] }];
    const settings = before(flaky("guard", "ask"));
    const asks = await play(settings);
    const after = await play({ hooks: { PostToolUse: hooks } });
    for (const { wire } of [asks, after]) {
      expect(wire).toMatch(/hook failed: (guard|late) /);
      expect(wire).not.toMatch(/hookScope|by hand/);
    }
    const advised = [asks, after].map(({ messages }) =>
      blocksOf(messages, "warn").map(({ content }) => content),
    );
    expect(advised).toEqual([
      [expect.stringMatching(/^what helps: /)],
      [expect.stringMatching(/^what helps: /)],
    ]);
  });

  it("stays denied without a question when another hook really denies (G1)", async () => {
    const played = await play(before(flaky("guard", "block"), denies), answering(once));
    expect(played).toMatchObject({ ran: false, asked: [] });
    expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(/^hook failed: guard .*\nnot here$/);
  });

  it("stays denied without a question when a rule denies (T30)", async () => {
    const settings = { ...before(flaky("guard", "block")), permissions: { deny: ["Bash"] } };
    expect(await play(settings, answering(once))).toMatchObject({ ran: false, asked: [] });
  });

  it("is one question with everything that is asked about it (PD-1)", async () => {
    const settings = {
      ...before(flaky("guard", "block"), flaky("other", { crash: "ask" }), asks),
      permissions: { ask: ["Bash"] },
    };
    // The same command with the same secrets would be one hook.
    settings.hooks.PreToolUse[0]?.hooks.splice(1, 1, {
      ...flaky("other", { crash: "ask" }),
      command: "exit 8",
    });
    const played = await play(settings, answering(once));
    expect(played.ran).toBe(true);
    expect(played.asked).toHaveLength(1);
    expect(played.asked[0]?.reason).toMatch(
      /^hook failed: guard [^\n]*\n.*hook failed: other [^\n]*\nsure\?\nRule Bash/s,
    );
    expect(played.asked[0]?.failedHooks).toMatchObject([{ name: "guard" }, { name: "other" }]);
  });

  it("shows and runs what the other hooks made of it, judged by all of them (G8)", async () => {
    const rewrites = {
      type: "command",
      name: "rewriter",
      command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo rewritten > out2"}}}'`,
    };
    using folder = tempFolder();
    const { asked, options } = answering(once)(folder.path);
    await playSession(folder.path, {
      settings: before(flaky("guard", "block"), rewrites),
      scenario: [call, done],
      options,
    });
    expect(asked).toMatchObject([
      { input: { command: "echo rewritten > out2" }, originalInput: { command: "echo ran > out" } },
    ]);
    expect(readFileSync(join(folder.path, "project", "out2"), "utf8")).toBe("rewritten\n");
    expect(existsSync(join(folder.path, "project", "out"))).toBe(false);
  });

  it("is not asked about when the hook that failed on the first look denies on the second (G1)", async () => {
    const twice = {
      type: "command",
      name: "twice",
      command: `case "$(cat)" in *'"pass":2'*) echo 'now I see it' >&2; exit 2;; esac; exit 7`,
      onError: "block",
    };
    const rewrites = {
      type: "command",
      name: "rewriter",
      command: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo x > out2"}}}'`,
    };
    const played = await play(before(twice, rewrites), answering(once));
    expect(played).toMatchObject({ ran: false, asked: [] });
    expect(blocksOf(played.messages, "tool")[0]?.result).toContain("now I see it");
  });
});

describe("a managed hook that failed", () => {
  async function withManaged(onError: unknown, answer: (request: PendingPermission) => PermissionAnswer) {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "managed.json"), JSON.stringify(before(flaky("guard", onError))));
    const { asked, options } = answering(answer, no)(folder.path);
    const played = await playSession(folder.path, { scenario: [call, done], options });
    return { ...played, asked, ran: existsSync(join(folder.path, "project", "out")) };
  }

  it("and blocks cannot be passed, only asked again: its owner decided that", async () => {
    const played = await withManaged("block", once);
    expect(played.asked[0]?.failedHooks).toMatchObject([{ mayPass: "never" }]);
    expect(played.ran).toBe(false);
    expect((await withManaged("block", retry)).asked).toHaveLength(2);
  });

  it("and asks can be passed once, and not switched off", async () => {
    expect(await withManaged("ask", once)).toMatchObject({
      ran: true,
      asked: [{ failedHooks: [{ mayPass: "once" }] }],
    });
    expect((await withManaged("ask", forSession)).ran).toBe(false);
  });
});

describe("a prompt that is held back because a hook failed", () => {
  const rows = [
    ["block", "once", once, "done"],
    ["ask", "once", once, "done"],
    ["block", "a plain yes", yes, "prompt-blocked"],
    ["ask", "a plain yes", yes, "done"],
    ["block", "no", no, "prompt-blocked"],
    ["block", "for the session", forSession, "done"],
    ["block", "retry, mended", mendAndRetry, "done"],
  ] as const;
  it.each(rows)("with onError %s, answered with %s", async (onError, _what, answer, because) => {
    const played = await play(onPrompt(flaky("judge", onError)), answering(answer), { scenario: [done] });
    expect(played.end.because).toBe(because);
    expect(played.file.includes("PROMPT-TEXT")).toBe(because === "done");
    expect(played.asked[0]).toMatchObject({
      toolName: "prompt",
      reason: expect.stringMatching(/^hook failed: judge /),
      failedHooks: [{ name: "judge", onError }],
    });
    const [record] = recordsOf(played, "UserPromptSubmit");
    if (because === "done")
      expect(record).toMatchObject({ decision: "pass", brokenGuards: [{ name: "judge", kind: "crash" }] });
    else expect(record).toMatchObject({ decision: "blocked" });
    expect(record?.earlier?.map(({ ended }) => ended)).toEqual(
      answer === mendAndRetry ? ["exit 7"] : undefined,
    );
    expect(blocksOf(played.messages, "error")).toHaveLength(because === "done" ? 0 : 1);
  });

  it("stays blocked where nobody can answer, and says what to do", async () => {
    const played = await play(onPrompt(flaky("judge", "block")), undefined, { scenario: [done] });
    expect(played.end).toMatchObject({ because: "prompt-blocked", unanswered: false });
    expect(blocksOf(played.messages, "error")).toMatchObject([
      {
        content: expect.stringMatching(
          /^hook failed: judge .*: the prompt is not sent; .*hookScope "no-project"$/,
        ),
        failure: { kind: "crash" },
      },
    ]);
  });
});

describe("hookDefaults of the user", () => {
  it.each([
    [undefined, false],
    ["continue", false],
    [{ crash: "continue" }, false],
    [{ timeout: "continue" }, false],
  ])("close the gate of a project's hook that says %j when it fails (T11, G18)", async (onError, ran) => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "home"));
    const defaults = { hookDefaults: { onError: "block" } };
    writeFileSync(join(folder.path, "home", "settings.json"), JSON.stringify(defaults));
    await playSession(folder.path, { settings: before(flaky("guard", onError)), scenario: [call, done] });
    expect(existsSync(join(folder.path, "project", "out"))).toBe(ran);
  });
});

describe("an answer", () => {
  const failed = (id: string, mayPass: FailedHook["mayPass"]): FailedHook => ({
    id,
    name: id,
    source: "s",
    kind: "crash",
    onError: "block",
    message: "m",
    mayPass,
    attempt: 1,
  });
  const failedHooks = [failed("a", "session"), failed("b", "once"), failed("c", "never")];
  it.each([
    [{ decision: "allow" }, true],
    [{ decision: "deny" }, true],
    [{ decision: "retry" }, true],
    [{ decision: "allow", without: ["a"] }, true],
    [{ decision: "allow", without: ["a"], forSession: true }, true],
    [{ decision: "allow", without: ["a", "b"] }, true],
    [{ decision: "allow", without: ["a", "b"], forSession: true }, false],
    [{ decision: "allow", without: ["c"] }, false],
    [{ decision: "allow", without: ["d"] }, false],
    [{ decision: "yes" }, false],
    [undefined, false],
  ] as [PermissionAnswer | undefined, boolean][])(
    "%j fits a question about failed hooks: %s",
    (answer, fits) => {
      expect(whyNoAnswer({ failedHooks }, answer) === undefined).toBe(fits);
    },
  );

  it("cannot be retry where no hook failed", () => {
    expect(whyNoAnswer({}, { decision: "retry" })).toBe("no hook failed, so there is nothing to retry");
  });
});
