import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { PendingPermission } from "@/permissions/request.ts";
import { PENDING_LIMIT, PermissionManager } from "@/session/permissionManager.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const printed = (fields: object) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } })}'`;
const asks = (reason: string) => ({
  type: "command",
  name: `asks ${reason}`,
  command: printed({ permissionDecision: "ask", permissionDecisionReason: reason }),
});
const rewrites = {
  type: "command",
  name: "rewriter",
  command: `grep -q '"pass":1' && ${printed({ updatedInput: { command: "echo rewritten > out" } })}; exit 0`,
};
const call = { call: { name: "Bash", arguments: { command: "echo original > out" } } };

const question = {
  toolName: "Bash",
  toolUseId: "x",
  origin: "model" as const,
  input: {},
  originalInput: undefined,
  reason: "?",
  askedBy: [],
  rule: { offered: false, why: "nobody asked" } as const,
  cwd: "/",
};

describe("an ask", () => {
  it("runs exactly the input that was shown when the answer is allow (PD-2, G8)", async () => {
    using folder = tempFolder();
    const seen: PendingPermission[] = [];
    let forged = true;
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [asks("sure?"), rewrites] }] } },
      scenario: [call, { say: "done" }],
      options: {
        onPermissionRequest: (request) => {
          seen.push(structuredClone(request));
          // Whoever shows the request cannot change what runs.
          forged = Reflect.set(request.input, "command", "echo forged > out");
          return { decision: "allow" };
        },
      },
    });
    expect(seen).toMatchObject([
      {
        toolName: "Bash",
        input: { command: "echo rewritten > out" },
        originalInput: { command: "echo original > out" },
      },
    ]);
    expect(forged).toBe(false);
    expect(readFileSync(join(folder.path, "project", "out"), "utf8")).toBe("rewritten\n");
    expect(played.end.because).toBe("done");
    const resolved = played.events.find((event) => event.type === "permission_resolved");
    expect(resolved).toMatchObject({
      by: "person",
      decision: { decision: "allow", toolName: "Bash", shouldContinueRecursion: true },
    });
  });

  it("is one question per call, however many hooks and rules ask, and knows how many calls wait behind it (PD-1, T70)", async () => {
    using folder = tempFolder();
    const seen: PendingPermission[] = [];
    await playSession(folder.path, {
      settings: {
        hooks: { PreToolUse: [{ hooks: [asks("one"), asks("two")] }] },
        permissions: { ask: ["Bash"] },
      },
      scenario: [{ calls: [call.call, call.call, call.call] }, { say: "done" }],
      options: { onPermissionRequest: (request) => (seen.push(request), { decision: "allow" }) },
    });
    expect(seen.map(({ callsBehind }) => callsBehind)).toEqual([2, 1, undefined]);
    expect(seen[0]?.reason).toMatch(/one\ntwo\n.*Bash/s);
    expect(seen[0]?.askedBy.join()).toMatch(/asks one.*asks two.*rule Bash/);
  });

  it("names the mode in which it would not be asked, for edits in the project and nothing else", async () => {
    using folder = tempFolder();
    const seen: PendingPermission[] = [];
    const write = (path: string) => ({ name: "Write", arguments: { file_path: path, content: "x" } });
    const calls = [
      write("a.txt"),
      write(join(folder.path, "outside.txt")),
      write(".git/config"),
      write("asked.txt"),
      call.call,
    ];
    await playSession(folder.path, {
      settings: { permissions: { ask: ["Edit(asked.txt)"] } },
      scenario: [{ calls }, { say: "done" }],
      options: {
        permissionMode: "default",
        onPermissionRequest: (request) => {
          seen.push(request);
          return { decision: "allow" };
        },
      },
    });
    const allowed = seen.flatMap(({ input, rule }) =>
      rule.mode ? [input["file_path"] ?? input["command"]] : [],
    );
    expect(seen.map(({ input }) => input["file_path"] ?? input["command"])).toHaveLength(calls.length);
    expect(allowed[0]).toBe(join(folder.path, "project", "a.txt"));
    expect(allowed.slice(1)).not.toContainEqual(expect.stringMatching(/\.txt$|config$/));
  });

  it("answered with no answers the call, ends the turn and gives the prompt back (PD-2)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [asks("sure?")] }] } },
      scenario: [
        { calls: [call.call, { name: "Bash", arguments: { command: "touch second" } }] },
        { say: "never" },
      ],
      options: { onPermissionRequest: () => ({ decision: "deny" }) },
    });
    expect(played.end).toMatchObject({ because: "denied", promptBack: "PROMPT-TEXT", modelCalls: 1 });
    expect(blocksOf(played.messages, "tool").map((block) => block.success)).toEqual([false, false]);
    expect(existsSync(join(folder.path, "project", "second"))).toBe(false);
    const resolved = played.events.find((event) => event.type === "permission_resolved");
    expect(resolved).toMatchObject({ decision: { decision: "deny", shouldContinueRecursion: false } });
  });

  it("answered with no and words sends the words as the next message (PD-2, T29)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [asks("sure?")] }] } },
      scenario: [call, { say: "then I use the other file" }],
      options: { onPermissionRequest: () => ({ decision: "deny", reason: "use the other file" }) },
    });
    expect(played.end).toMatchObject({ because: "done", answer: "then I use the other file" });
    expect(played.requests).toHaveLength(2);
    expect(played.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: "user",
      content: "use the other file",
    });
  });

  it.each(["default", "acceptEdits", "bypassPermissions", "dontAsk"] as const)(
    "where nobody can answer is a deny that says so, in mode %s, and the turn goes on (PD-3, G3)",
    async (permissionMode) => {
      using folder = tempFolder();
      const played = await playSession(folder.path, {
        settings: { hooks: { PreToolUse: [{ hooks: [asks("sure?")] }] }, permissions: { allow: ["Bash"] } },
        scenario: [call, { say: "went on" }],
        options: { permissionMode },
      });
      expect(played.end).toMatchObject({
        because: "done",
        answer: "went on",
        unanswered: permissionMode !== "dontAsk",
      });
      expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(/sure\?/);
      expect(existsSync(join(folder.path, "project", "out"))).toBe(false);
    },
  );

  it("whose callback fails is a deny, never an allow (PD-3)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [asks("sure?")] }] } },
      scenario: [call, { say: "went on" }],
      options: { onPermissionRequest: () => Promise.reject(new Error("the window is gone")) },
    });
    expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(/the window is gone/);
    expect(existsSync(join(folder.path, "project", "out"))).toBe(false);
  });

  it("is shown as it cannot be changed, whoever shows it (PD-2, G8)", async () => {
    const shown: PendingPermission[] = [];
    const ask = (request: PendingPermission) => (shown.push(request), { decision: "allow" as const });
    const manager = new PermissionManager({ ask, emit: () => {} });
    const asked = { ...question, input: { command: "ls", env: { A: "1" } } };
    await manager.request(asked, new AbortController().signal);
    expect(shown.map(({ input }) => Object.isFrozen(input["env"]))).toEqual([true]);
  });

  it("stays open after an answer that is none, and a callback that gives one counts as nobody (PD-3)", async () => {
    const manager = new PermissionManager({ ask: () => new Promise(() => {}), emit: () => {} });
    const abort = new AbortController();
    const answered = manager.request(question, abort.signal);
    const [open] = manager.pending;
    // No hook failed, so there is nothing to retry.
    expect(manager.answer(open?.id ?? "", { decision: "retry" })).toBe(false);
    expect(manager.pending).toHaveLength(1);
    expect(manager.answer(open?.id ?? "", { decision: "deny" })).toBe(true);
    expect(await answered).toMatchObject({ outcome: "answered", decision: { decision: "deny" } });

    const wrong = new PermissionManager({ ask: () => ({ decision: "retry" }), emit: () => {} });
    expect(await wrong.request(question, abort.signal)).toEqual({
      outcome: "nobody",
      why: expect.stringMatching(/callback failed: .*nothing to retry/),
    });
  });

  it("that is number 65 in the queue is denied with that reason (PD-1)", async () => {
    const manager = new PermissionManager({ ask: () => new Promise(() => {}), emit: () => {} });
    const abort = new AbortController();
    const waiting = Array.from({ length: PENDING_LIMIT }, () => manager.request(question, abort.signal));
    expect(await manager.request(question, abort.signal)).toMatchObject({
      outcome: "nobody",
      why: expect.stringContaining("64"),
    });
    abort.abort();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ outcome: "cancelled" })));
    expect(manager.pending).toEqual([]);
  });

  it("in one session does not hold up another one (PD-1, T79)", async () => {
    using folder = tempFolder();
    await using model = await startScriptedModel((request) =>
      request.body.messages.some((message) => message.role === "tool") ||
      JSON.stringify(request.body.messages).includes("quick")
        ? { say: "done" }
        : call,
    );
    const shared = {
      workdir: folder.path,
      trust: "given" as const,
      waveHome: join(folder.path, "home"),
      baseUrl: model.baseUrl,
      apiKey: "k",
      model: "m",
    };
    const waiting = Promise.withResolvers<PendingPermission>();
    const slow = await Agent.create({
      ...shared,
      onPermissionRequest: (request) => (waiting.resolve(request), new Promise(() => {})),
    });
    const quick = await Agent.create(shared);
    const slowTurn = slow.sendMessage("slow");
    const request = await waiting.promise;
    expect((await quick.sendMessage("quick")).because).toBe("done");
    expect(slow.pendingPermissions).toHaveLength(1);
    expect(slow.answerPermission(request.id, { decision: "allow" })).toBe(true);
    expect(slow.answerPermission(request.id, { decision: "deny" })).toBe(false);
    expect((await slowTurn).because).toBe("done");
    await Promise.all([slow.destroy(), quick.destroy()]);
  });
});

describe("onError ask on a prompt", () => {
  const broken = {
    UserPromptSubmit: [{ hooks: [{ type: "command", name: "judge", command: "exit 9", onError: "ask" }] }],
  };

  it.each([
    ["allow", "done", 1],
    ["deny", "prompt-blocked", 0],
  ] as const)("answered with %s ends as %s", async (decision, because, requests) => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: broken },
      scenario: [{ say: "done" }],
      options: { onPermissionRequest: () => ({ decision }) },
    });
    expect(played.end.because).toBe(because);
    expect(played.requests).toHaveLength(requests);
    expect(played.file.includes("PROMPT-TEXT")).toBe(decision === "allow");
  });

  it("blocks the prompt where nobody can answer (PD-3, T6)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: broken },
      scenario: [{ say: "never" }],
    });
    expect(played.end).toMatchObject({ because: "prompt-blocked", unanswered: true });
    expect(played.requests).toEqual([]);
  });
});
