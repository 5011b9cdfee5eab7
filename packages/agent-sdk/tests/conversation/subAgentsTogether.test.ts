import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "@/events.ts";
import type { PendingPermission, PermissionAnswer } from "@/permissions/request.ts";
import type { Scenario, ScriptedReply, ScriptedRequest } from "@/testing/index.ts";
import { liveAgent, saidIn, type LiveAgent } from "../support/liveAgent.ts";
import { isOfSubAgent, startAgent } from "../support/playSubAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

/** Whose request it is: the first message of a sub-agent is its task, and each task here is a name. */
const nameOf = (request: ScriptedRequest): string =>
  isOfSubAgent(request) ? (saidIn(request)[0]?.replace(/^user: /, "") ?? "") : "main";

/** Each has a script of its own. */
function scripts(of: Record<string, readonly ScriptedReply[]>): Scenario {
  const played: Record<string, number> = {};
  return (request) => {
    const name = nameOf(request);
    const at = played[name] ?? 0;
    played[name] = at + 1;
    return of[name]?.[at];
  };
}

const touch = (name: string) => ({ name: "Bash", arguments: { command: `touch ${name}` } });
const agents = (...names: string[]) => names.map((name) => startAgent(name, { description: name }));

const started = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "subagent_started" ? [event.agent] : []));
const ended = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === "subagent_ended" ? [[event.agent.description, event.end.because]] : [],
  );
const idOf = ({ events }: LiveAgent, name: string) =>
  started(events).find(({ description }) => description === name)?.id ?? "";

/** Hooks that ask about every command, each naming whose call it was told of. */
const asking = {
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          {
            type: "command",
            command: `jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: ("of " + (.agent_id // "main") + ": " + .tool_input.command)}}'`,
          },
        ],
      },
    ],
  },
};

describe("two sub-agents and the main conversation that ask at once", () => {
  it("have questions, answers and records of their own, and interrupting one leaves the others (acceptance 7)", async () => {
    using folder = tempFolder();
    const open = new Map<
      string,
      { request: PendingPermission; answer: (answer: PermissionAnswer) => void }
    >();
    const done = { say: "done" };
    await using live = await liveAgent(
      folder.path,
      scripts({
        main: [
          {
            calls: agents("one", "two", "three").map((call) => ({
              ...call,
              arguments: { ...call.arguments, run_in_background: true },
            })),
          },
          { call: touch("by-main") },
          done,
          done,
        ],
        one: [{ call: touch("by-one") }, done],
        two: [{ call: touch("by-two") }, done],
        three: [{ call: touch("by-three") }, done],
      }),
      {
        settings: asking,
        options: {
          onPermissionRequest: (request) =>
            new Promise((answer) => open.set(request.agent?.description ?? "main", { request, answer })),
        },
      },
    );
    const turn = live.agent.sendMessage("go");
    await waitFor("all four ask", () => open.size === 4);
    // Each question names who asks, and the hook that asked was told of the same.
    for (const [name, { request }] of open) {
      const id = name === "main" ? "main" : idOf(live, name);
      expect(request.agent?.id ?? "main").toBe(id);
      expect(request.reason).toBe(`of ${id}: touch by-${name}`);
      expect(request.input["command"]).toBe(`touch by-${name}`);
    }
    expect(await live.agent.endBackgroundTask(idOf(live, "three"))).toBe(true);
    expect(live.agent.pendingPermissions.map(({ agent }) => agent?.description ?? "main").toSorted()).toEqual(
      ["main", "one", "two"],
    );
    open.get("two")?.answer({ decision: "deny" });
    open.get("main")?.answer({ decision: "allow" });
    open.get("one")?.answer({ decision: "allow" });
    await waitFor("three have ended", () => ended(live.events).length === 3);
    expect((await turn).because).toBe("done");
    expect(Object.fromEntries(ended(live.events))).toEqual({ one: "done", two: "denied", three: "aborted" });
    const made = ["by-main", "by-one", "by-two", "by-three"].map((name) =>
      existsSync(join(folder.path, "project", name)),
    );
    expect(made).toEqual([true, true, false, false]);
    const records = live.events.flatMap((event) =>
      event.type === "hooks_decided" &&
      event.record.event === "PreToolUse" &&
      event.record.toolName === "Bash"
        ? [event.record]
        : [],
    );
    const about = Object.fromEntries(records.map((record) => [record.agentId ?? "main", record]));
    expect(about["main"]).toMatchObject({ decision: "allow", decidedBy: "person" });
    expect(about[idOf(live, "one")]).toMatchObject({ decision: "allow", decidedBy: "person" });
    expect(about[idOf(live, "two")]).toMatchObject({ decision: "deny", decidedBy: "person" });
    expect(about[idOf(live, "three")]).toMatchObject({ decision: "deny" });
  });
});

describe("sub-agents", () => {
  it("of one answer work at the same time, and no more of them than the settings say", async () => {
    using folder = tempFolder();
    let working = 0;
    const most: number[] = [];
    const work: Scenario = async (request) => {
      if (!isOfSubAgent(request))
        return request.text.includes("tool_call_id")
          ? { say: "done" }
          : { calls: agents("one", "two", "three", "four", "five") };
      most.push(++working);
      // Whoever has a slot is here at the same time; nobody else comes.
      await sleep(50);
      working--;
      return { say: "done" };
    };
    await using live = await liveAgent(folder.path, work, { settings: { maxSubagents: 2 } });
    await live.agent.sendMessage("go");
    expect(Math.max(...most)).toBe(2);
    expect(ended(live.events)).toHaveLength(5);
  });

  it("that start others lend them their place, so that one place is enough for a tree", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(
      folder.path,
      scripts({
        main: [{ calls: agents("outer", "other") }, { say: "done" }],
        outer: [{ calls: agents("inner", "innermost") }, { say: "done" }],
        other: [{ say: "done" }],
        inner: [{ say: "done" }],
        innermost: [{ say: "done" }],
      }),
      { settings: { maxSubagents: 1 } },
    );
    expect((await live.agent.sendMessage("go")).because).toBe("done");
    expect(ended(live.events).map(([, because]) => because)).toEqual(["done", "done", "done", "done"]);
  });

  it("end with the turn that is interrupted, with what they have started (T102)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(
      folder.path,
      scripts({
        main: [{ calls: agents("outer", "hangs") }],
        outer: [{ calls: agents("inner") }],
        hangs: [{ call: { name: "Bash", arguments: { command: "sleep 600" } } }],
        inner: [{ hang: true }],
      }),
    );
    const turn = live.agent.sendMessage("go");
    await waitFor("inner is asked", () => live.model.requests.some((request) => nameOf(request) === "inner"));
    await waitFor("the command runs", () =>
      live.agent.backgroundTasks.some(({ output }) => output.includes("sleep 600")),
    );
    live.agent.abort();
    expect((await turn).because).toBe("aborted");
    expect(ended(live.events).map(([, because]) => because)).toEqual(["aborted", "aborted", "aborted"]);
  });

  it("end everybody when a hook of one says continue: false, also one in the background and the main turn (T149)", async () => {
    using folder = tempFolder();
    const halt = { continue: false, stopReason: "ENOUGH" };
    const { promise: others, resolve: othersAreThere } = Promise.withResolvers<void>();
    const of = scripts({
      main: [
        {
          calls: [
            startAgent("far", { description: "far", run_in_background: true }),
            ...agents("near", "halts"),
          ],
        },
        { say: "never asked" },
      ],
      far: [{ hang: true }],
      near: [{ hang: true }],
      halts: [{ call: touch("made") }],
    });
    const there = new Set<string>();
    const scenario: Scenario = async (request, n) => {
      const reply = typeof of === "function" ? of(request, n) : undefined;
      if (there.add(nameOf(request)).size === 4) othersAreThere();
      if (nameOf(request) === "halts") await others;
      return reply;
    };
    await using live = await liveAgent(folder.path, scenario, {
      settings: {
        hooks: {
          PreToolUse: [
            { matcher: "Bash", hooks: [{ type: "command", command: `echo '${JSON.stringify(halt)}'` }] },
          ],
        },
      },
    });
    const end = await live.agent.sendMessage("go");
    expect([end.because, end.reason]).toEqual(["halted", "ENOUGH"]);
    expect(Object.fromEntries(ended(live.events))).toEqual({
      far: "aborted",
      near: "aborted",
      halts: "halted",
    });
    expect(live.model.requests.filter((request) => nameOf(request) === "main")).toHaveLength(1);
  });

  it("in the background are listed, and the model reads their answer with its next request", async () => {
    using folder = tempFolder();
    const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
    const played: Scenario = async (request, n) => {
      if (isOfSubAgent(request)) {
        await allowed;
        return { say: "FROM-BEHIND" };
      }
      return n === 0 ? { call: startAgent("far", { run_in_background: true }) } : { say: "done" };
    };
    await using live = await liveAgent(folder.path, played);
    const first = await live.agent.sendMessage("go");
    expect(first.because).toBe("done");
    expect([live.agent.inBackground, live.agent.backgroundTasks[0]?.state]).toEqual([1, "running"]);
    allow();
    await waitFor("it has ended", () => live.agent.inBackground === 0);
    expect(live.agent.backgroundTasks).toMatchObject([
      { kind: "agent", title: "general: look around", state: "ended", output: "FROM-BEHIND" },
    ]);
    await live.agent.sendMessage("and now?");
    const said = saidIn(live.model.requests.at(-1));
    expect(said.findIndex((text) => text.includes("FROM-BEHIND"))).toBeGreaterThan(0);
    expect(said.at(-1)).toBe("user: and now?");
    // Its answer is part of the session from the moment it was there.
    expect(JSON.stringify(live.agent.messages)).toContain("FROM-BEHIND");
  });

  it("are told what a person typed with a no, as the next message of the one that asked (PD-2)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(
      folder.path,
      scripts({
        main: [{ calls: agents("one") }, { say: "done" }],
        one: [{ call: touch("made") }, { say: "then not" }],
      }),
      {
        settings: asking,
        options: { onPermissionRequest: () => ({ decision: "deny", reason: "use another name" }) },
      },
    );
    await live.agent.sendMessage("go");
    const [, second] = live.model.requests.filter(isOfSubAgent);
    expect(saidIn(second).at(-1)).toBe("user: use another name");
    expect(saidIn(live.model.requests.at(-1)).at(-1)).toBe("tool: then not");
  });

  it("end when the agent is destroyed, wherever they work", async () => {
    using folder = tempFolder();
    const live = await liveAgent(
      folder.path,
      scripts({
        main: [{ call: startAgent("far", { description: "far", run_in_background: true }) }, { say: "done" }],
        far: [{ hang: true }],
      }),
    );
    await live.agent.sendMessage("go");
    await waitFor("it is asked", () => live.model.requests.some((request) => nameOf(request) === "far"));
    await live.agent.destroy();
    expect(ended(live.events)).toEqual([["far", "aborted"]]);
    await live.model.close();
  });
});
