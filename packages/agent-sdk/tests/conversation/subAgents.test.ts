import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionDenial } from "@/events.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { playSubAgent, scenarioOf, startAgent, transcriptsOf } from "../support/playSubAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const touch = (name: string): ScriptedReply => ({
  call: { name: "Bash", arguments: { command: `touch ${name}` } },
});
const done: ScriptedReply = { say: "SUB-ANSWER" };

/** A hook that writes what it was told into a file, one line for each event. */
const writesDown = (folder: string) => ({
  type: "command",
  command: `cat >> ${join(folder, "told")}; echo >> ${join(folder, "told")}`,
});

const toldTo = (folder: string): Record<string, unknown>[] =>
  readFileSync(join(folder, "told"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Record<string, unknown> => JSON.parse(line));

const made = (folder: string, name: string) => existsSync(join(folder, "project", name));

describe("a sub-agent", () => {
  it("works in a conversation of its own, and its final answer is the result of the call", async () => {
    using folder = tempFolder();
    const sub = await playSubAgent(folder.path, { scenario: [touch("made"), done] });
    expect(made(folder.path, "made")).toBe(true);
    const [call] = blocksOf(sub.main.messages, "tool");
    expect(call).toMatchObject({ name: "Agent", success: true, result: "SUB-ANSWER" });
    expect(call?.agent?.type).toBe("general");
    expect(sub.requests[0]?.text).not.toContain("look around");
    expect(JSON.stringify(sub.main.messages)).not.toContain("touch made");
    expect(sub.messages.map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    expect(sub.main.end.answer).toBe("all done");
  });

  it("has one PreToolUse for each of its calls, with its id and type on every event, and none of its own prompt (T13, T14)", async () => {
    using folder = tempFolder();
    const hooks = Object.fromEntries(
      ["UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "Stop"].map(
        (event) => [event, [{ hooks: [writesDown(folder.path)] }]],
      ),
    );
    const sub = await playSubAgent(folder.path, {
      settings: { hooks },
      scenario: [touch("one"), touch("two"), done],
    });
    const told = toldTo(folder.path);
    const id = blocksOf(sub.main.messages, "tool")[0]?.agent?.id;
    expect(
      told.map((event) => [event["hook_event_name"], event["tool_name"], event["agent_id"] === id]),
    ).toEqual([
      ["UserPromptSubmit", undefined, false],
      ["PreToolUse", "Agent", false],
      ["SubagentStart", undefined, true],
      ["PreToolUse", "Bash", true],
      ["PostToolUse", "Bash", true],
      ["PreToolUse", "Bash", true],
      ["PostToolUse", "Bash", true],
      ["SubagentStop", undefined, true],
      ["PostToolUse", "Agent", false],
      ["Stop", undefined, false],
    ]);
    const own = told.filter((event) => event["agent_id"] !== undefined);
    expect(new Set(own.map((event) => event["agent_type"]))).toEqual(new Set(["general"]));
    expect(told.find((event) => event["hook_event_name"] === "SubagentStop")).toMatchObject({
      last_assistant_message: "SUB-ANSWER",
      agent_transcript_path: transcriptsOf(sub)[0],
      stop_hook_active: false,
    });
    // The records tell whose call each was about.
    const records = sub.events.flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []));
    expect(records.filter(({ agentId }) => agentId === id).map(({ event }) => event)).toEqual(
      own.map((event) => event["hook_event_name"]),
    );
  });

  it.each([
    [
      "a hook",
      { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "exit 2" }] }] } },
      {},
    ],
    ["a rule", { permissions: { deny: ["Bash(touch:*)"] } }, {}],
    ["plan mode", {}, { permissionMode: "plan" }],
    ["nobody who could answer", {}, { permissionMode: "default" }],
  ] as const)(
    "is held back by %s as the main conversation is (T14, T20)",
    async (_who, settings, options) => {
      using folder = tempFolder();
      const sub = await playSubAgent(folder.path, { settings, options, scenario: [touch("made"), done] });
      expect(made(folder.path, "made")).toBe(false);
      expect(blocksOf(sub.messages, "tool")).toMatchObject([{ success: false }]);
      const denials: PermissionDenial[] = sub.main.end.denials;
      expect(denials).toMatchObject([{ toolName: "Bash" }]);
      expect(sub.main.end.unanswered).toBe(
        "permissionMode" in options && options.permissionMode === "default",
      );
    },
  );

  it("has a transcript in Claude's shape for hooks of Claude Code, beside that of the session", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project", ".claude"), { recursive: true });
    const hooks = { SubagentStop: [{ hooks: [writesDown(folder.path)] }] };
    writeFileSync(join(folder.path, "project", ".claude", "settings.json"), JSON.stringify({ hooks }));
    await playSubAgent(folder.path, { scenario: [touch("made"), done] });
    const [told] = toldTo(folder.path);
    const linesOf = (field: string) =>
      readFileSync(String(told?.[field]), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.stringify(JSON.parse(line)));
    expect(linesOf("agent_transcript_path").some((line) => line.includes("touch made"))).toBe(true);
    expect(linesOf("agent_transcript_path").at(-1)).toContain("SUB-ANSWER");
    expect(linesOf("transcript_path").some((line) => line.includes("touch made"))).toBe(false);
    expect(linesOf("transcript_path")[0]).toContain("PROMPT-TEXT");
  });

  it.each(["Agent", "Task"])("is not started at all where a rule denies %s", async (rule) => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { permissions: { deny: [rule] } },
      scenario: scenarioOf([{ call: startAgent("go") }, { say: "done" }], []),
    });
    expect(blocksOf(played.messages, "tool")).toMatchObject([{ name: "Agent", success: false }]);
    expect(played.end.denials).toMatchObject([{ by: `rule ${rule}` }]);
  });

  it("ends with everybody when a hook says continue: false (T149)", async () => {
    using folder = tempFolder();
    const halt = JSON.stringify({ continue: false, stopReason: "ENOUGH" });
    const hooks = {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: `echo '${halt}'` }] }],
    };
    const sub = await playSubAgent(folder.path, { settings: { hooks }, scenario: [touch("made"), done] });
    expect(made(folder.path, "made")).toBe(false);
    expect([sub.end.because, sub.main.end.because, sub.main.end.reason]).toEqual([
      "halted",
      "halted",
      "ENOUGH",
    ]);
    expect(sub.main.requests).toHaveLength(2);
    // A person reads it where they look.
    expect(blocksOf(sub.main.messages, "warn").map(({ content }) => content)).toEqual([
      expect.stringContaining("sub-agent general (look around): "),
    ]);
  });

  it("costs what is counted in the turn that it works for", async () => {
    using folder = tempFolder();
    const sub = await playSubAgent(folder.path, { scenario: [touch("made"), done] });
    const usages = sub.main.events.flatMap((event) => {
      const inner = event.type === "subagent_event" ? event.event : event;
      return inner.type === "model_ended" ? [inner.usage?.inputTokens ?? 0] : [];
    });
    expect(usages).toHaveLength(4);
    expect(sub.main.end.usage.inputTokens).toBe(usages.reduce((sum, one) => sum + one, 0));
  });

  it("that explores is offered only what reads, and anything else does not run", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"), { recursive: true });
    writeFileSync(join(folder.path, "project", "note"), "NOTE-TEXT");
    const explore = startAgent("look", { subagent_type: "explore" });
    const played = await playSession(folder.path, {
      scenario: scenarioOf(
        [{ call: explore }, { say: "done" }],
        [touch("made"), { call: { name: "Read", arguments: { file_path: "note" } } }, done],
      ),
    });
    const offered = (at: number) => (played.requests[at]?.body.tools ?? []).map((tool) => tool.function.name);
    expect(offered(1)).toEqual(["Read", "Glob", "Grep", "LS"]);
    expect(offered(0)).toContain("Agent");
    expect(made(folder.path, "made")).toBe(false);
    expect(played.requests.at(-2)?.text).toContain("NOTE-TEXT");
  });

  it("of a project's file can be started after a yes to its text, and not before (G22)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project", ".claude", "agents"), { recursive: true });
    const file = join(folder.path, "project", ".claude", "agents", "helper.md");
    writeFileSync(file, "---\ndescription: helps\ntools: Read\n---\nHELP-TEXT");
    const types = async (trust: "store" | "given") => {
      const { requests } = await playSession(folder.path, { scenario: [{ say: "hi" }], options: { trust } });
      const agent = requests[0]?.body.tools?.find((tool) => tool.function.name === "Agent");
      return JSON.stringify(agent).includes("helper (helps)");
    };
    expect([await types("store"), await types("given")]).toEqual([false, true]);
  });

  it("may start another, which starts none, and whose events name all three (T14)", async () => {
    using folder = tempFolder();
    const played = await nested(folder.path);
    const started = played.events.flatMap((event) =>
      event.type === "subagent_started" ? [event.agent] : [],
    );
    expect(started).toMatchObject([{ type: "general" }, { type: "general", parentId: started[0]?.id }]);
    const call = toldTo(folder.path).find((event) => event["tool_name"] === "Bash");
    expect(call).toMatchObject({ agent_id: started[1]?.id, parent_agent_id: started[0]?.id });
    const offered = played.requests.map(({ body }) =>
      (body.tools ?? []).some((tool) => tool.function.name === "Agent"),
    );
    expect(offered).toEqual([true, true, false, false, true, true]);
    expect(made(folder.path, "made")).toBe(true);
  });
});

function nested(folder: string): Promise<PlayedSession> {
  return playSession(folder, {
    settings: { hooks: { PreToolUse: [{ hooks: [writesDown(folder)] }] } },
    scenario: scenarioOf(
      [{ call: startAgent("outer") }, { say: "all done" }],
      [{ call: startAgent("inner") }, touch("made"), done, done],
    ),
  });
}
