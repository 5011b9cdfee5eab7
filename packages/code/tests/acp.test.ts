import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { main } from "../src/cli/main.ts";
import { Signals } from "../src/cli/signals.ts";
import { sinkFor } from "../src/output/sink.ts";
import { makeProject } from "./support/project.ts";

/** `wave acp` and an editor: the official client on the other side of the same two pipes. */
async function editor(
  scenario: Scenario,
  setup: {
    settings?: object;
    /** What the person chooses, by what is offered. */
    choose?: (options: readonly acp.PermissionOption[]) => string | undefined;
    files?: Record<string, string>;
    args?: string[];
  } = {},
) {
  const made = makeProject();
  const { folder: project, home } = made;
  writeFileSync(join(home, "settings.json"), JSON.stringify(setup.settings ?? {}));
  for (const [name, text] of Object.entries(setup.files ?? {})) writeFileSync(join(project, name), text);
  const model = await startScriptedModel(scenario);
  const env = { WAVE_HOME: home, WAVE_BASE_URL: model.baseUrl, WAVE_API_KEY: "key", WAVE_MODEL: "scripted" };
  const [toWave, fromWave, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const done = main(["acp", ...(setup.args ?? [])], {
    stdin: toWave,
    stdout: sinkFor(fromWave, env),
    stderr: sinkFor(stderr, env),
    env,
    cwd: project,
    version: "0.0.0",
    signals: new Signals(process),
  });
  const updates: acp.SessionUpdate[] = [];
  const asked: acp.RequestPermissionRequest[] = [];
  const client = acp
    .client({ name: "an editor" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      const optionId = setup.choose?.(params.options);
      return {
        outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
      };
    });
  const connection = client.connect(
    acp.ndJsonStream(
      Writable.toWeb(toWave) as WritableStream<Uint8Array>,
      Readable.toWeb(fromWave) as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
  const initialized = await agent.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION });
  const opened = await agent.request("session/new", { cwd: project, mcpServers: [] });
  return {
    agent,
    initialized,
    opened,
    updates,
    asked,
    project,
    model,
    prompt: (text: string, sessionId = opened.sessionId) =>
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    ofKind: <Kind extends acp.SessionUpdate["sessionUpdate"]>(kind: Kind) =>
      updates.filter(
        (update): update is Extract<acp.SessionUpdate, { sessionUpdate: Kind }> =>
          update.sessionUpdate === kind,
      ),
    [Symbol.asyncDispose]: async () => {
      connection.close();
      toWave.end();
      expect(await done).toBe(0);
      await model.close();
      made[Symbol.dispose]();
    },
  };
}

const edit = { file_path: "a.txt", old_string: "one", new_string: "two" };
const EDITING: Scenario = [
  { call: { name: "Read", arguments: { file_path: "a.txt" } } },
  { call: { name: "Edit", arguments: edit } },
  { say: "Done." },
];
const words = (updates: readonly { content: acp.ContentBlock }[]) =>
  updates.map(({ content }) => (content.type === "text" ? content.text : "")).join("");

describe("the official client of the Agent Client Protocol", () => {
  it("drives a session with an edit: asked with its diff, made, and shown with it", async () => {
    await using wave = await editor(EDITING, { files: { "a.txt": "one\n" }, choose: () => "allow" });
    expect(wave.initialized.agentCapabilities).toMatchObject({ loadSession: true });
    expect(wave.opened.modes?.currentModeId).toBe("default");
    expect(await wave.prompt("Write two")).toMatchObject({ stopReason: "end_turn" });
    expect(readFileSync(join(wave.project, "a.txt"), "utf8")).toBe("two\n");
    const path = join(wave.project, "a.txt");
    expect(wave.asked).toMatchObject([
      {
        toolCall: { kind: "edit", content: [{ type: "diff", path, oldText: "one\n", newText: "two\n" }, {}] },
      },
    ]);
    expect(wave.ofKind("tool_call").map(({ title, kind }) => [title, kind])).toEqual([
      ["Read a.txt", "read"],
      ["Edit a.txt", "edit"],
    ]);
    const statuses = wave.ofKind("tool_call_update").map(({ status }) => status);
    expect(statuses).toEqual(["in_progress", "completed", "in_progress", "completed"]);
    expect(words(wave.ofKind("agent_message_chunk"))).toBe("Done.");
  });

  it("hears of a call that a person denied, and the model goes on or the turn ends as they chose", async () => {
    for (const [choice, answers] of [
      ["deny", 3],
      ["stop", 2],
      [undefined, 2],
    ] as const) {
      await using wave = await editor(EDITING, { files: { "a.txt": "one\n" }, choose: () => choice });
      expect(await wave.prompt("Write two")).toMatchObject({ stopReason: "end_turn" });
      expect(readFileSync(join(wave.project, "a.txt"), "utf8")).toBe("one\n");
      expect(wave.ofKind("tool_call_update").at(-1)).toMatchObject({ status: "failed" });
      expect(wave.model.requests).toHaveLength(answers);
    }
  });

  it("gets a plan from the task list", async () => {
    const todos = [
      { content: "Look", status: "completed" },
      { content: "Write", status: "in_progress" },
    ];
    await using wave = await editor([{ call: { name: "TodoWrite", arguments: { todos } } }, { say: "ok" }]);
    await wave.prompt("Plan it");
    expect(wave.ofKind("plan")).toEqual([
      { sessionUpdate: "plan", entries: todos.map((todo) => ({ ...todo, priority: "medium" })) },
    ]);
  });

  it("cannot get past hooks: each call is judged once, and a deny, an ask and a rewrite hold", async () => {
    const log = (line: string) => `{ cat; echo; } >> ../hooks.log; ${line}`;
    const decide = (decision: object) =>
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } })}'`;
    const hook = (matcher: string, command: string) => ({
      matcher,
      hooks: [{ type: "command", command: log(command) }],
    });
    const settings = {
      permissions: { defaultMode: "bypassPermissions" },
      hooks: {
        PreToolUse: [
          hook("Grep", decide({ permissionDecision: "deny", permissionDecisionReason: "no searching" })),
          hook("LS", decide({ permissionDecision: "ask", permissionDecisionReason: "really?" })),
          hook(
            "Bash",
            decide({ permissionDecision: "allow", updatedInput: { command: "echo other > made" } }),
          ),
        ],
      },
    };
    const scenario: Scenario = [
      { call: { name: "Grep", arguments: { pattern: "x" } } },
      { call: { name: "LS", arguments: { path: "." } } },
      { call: { name: "Bash", arguments: { command: "echo mine > made" } } },
      { say: "ok" },
    ];
    await using wave = await editor(scenario, { settings, choose: () => "deny" });
    await wave.prompt("go");
    const results = wave
      .ofKind("tool_call_update")
      .flatMap(({ rawOutput }) => (rawOutput === undefined ? [] : [rawOutput]));
    expect(results.slice(0, 2)).toEqual(["no searching", "The user said no."]);
    expect(wave.asked).toHaveLength(1);
    expect(JSON.stringify(wave.asked[0]?.toolCall.content)).toContain("really?");
    expect(readFileSync(join(wave.project, "made"), "utf8")).toBe("other\n");
    const judged = readFileSync(join(wave.project, "../hooks.log"), "utf8")
      .trim()
      .split("\n")
      .filter(Boolean);
    const ids = judged.map((line): string => JSON.parse(line).tool_use_id);
    // A rewritten input is judged once more.
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(3);
  });

  it("interrupts a turn, changes the mode, and opens an earlier session with what was said", async () => {
    await using wave = await editor([{ say: "It begins", hang: true }, { say: "Back." }]);
    const { sessionId } = wave.opened;
    const turn = wave.prompt("go");
    while (wave.ofKind("agent_message_chunk").length === 0) await new Promise((wake) => setTimeout(wake, 5));
    await wave.agent.notify("session/cancel", { sessionId });
    expect(await turn).toMatchObject({ stopReason: "cancelled" });
    await wave.agent.request("session/set_mode", { sessionId, modeId: "plan" });
    await expect(wave.agent.request("session/set_mode", { sessionId, modeId: "fast" })).rejects.toThrow(
      /no mode "fast"/,
    );
    await wave.prompt("again");
    await wave.agent.request("session/close", { sessionId });
    await expect(wave.prompt("x")).rejects.toThrow(/no open session/);
    wave.updates.length = 0;
    await wave.agent.request("session/load", { sessionId, cwd: wave.project, mcpServers: [] });
    expect(words(wave.ofKind("user_message_chunk"))).toContain("again");
    expect(words(wave.ofKind("agent_message_chunk"))).toContain("Back.");
  });

  it("is told in words why the model did not answer, and what a hook said to the person", async () => {
    const settings = {
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              { type: "command", command: "grep -q secret && { echo 'not this' >&2; exit 2; }; exit 0" },
            ],
          },
        ],
      },
    };
    await using wave = await editor([{ status: 401, message: "no" }], { settings });
    await expect(wave.prompt("hello")).rejects.toThrow(/refused the key/);
    expect(await wave.prompt("secret")).toMatchObject({ stopReason: "refusal" });
    expect(words(wave.ofKind("agent_message_chunk"))).toContain("[wave] not this");
  });
});
