import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { AgentEvent } from "@/events.ts";
import { startScriptedModel, type ScriptedReply } from "@/testing/index.ts";
import { processesWith } from "../support/processes.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const slow = { type: "command", command: "sleep 60" };
const bash = (command: string): ScriptedReply => ({ call: { name: "Bash", arguments: { command } } });

type Moment = [
  title: string,
  setup: {
    hooks?: object;
    replies: ScriptedReply[];
    options?: AgentOptions;
    when: (event: AgentEvent) => boolean;
  },
];

const moments: Moment[] = [
  ["while the server thinks", { replies: [{ hang: true }], when: (event) => event.type === "model_started" }],
  [
    "in the middle of an answer",
    { replies: [{ say: "one two three", hang: true }], when: (event) => event.type === "text_delta" },
  ],
  [
    "while the server is asked again",
    {
      replies: [{ status: 503, headers: { "retry-after": "50" } }],
      when: (event) => event.type === "model_retry",
    },
  ],
  [
    "in a UserPromptSubmit hook",
    {
      hooks: { UserPromptSubmit: [{ hooks: [slow] }] },
      replies: [],
      when: (event) => event.type === "hook_started",
    },
  ],
  [
    "in a PreToolUse hook",
    {
      hooks: { PreToolUse: [{ hooks: [slow] }] },
      replies: [bash("true")],
      when: (event) => event.type === "hook_started",
    },
  ],
  [
    "in a PostToolUse hook",
    {
      hooks: { PostToolUse: [{ hooks: [slow] }] },
      replies: [bash("true")],
      when: (event) => event.type === "hook_started",
    },
  ],
  [
    "in a Stop hook",
    {
      hooks: { Stop: [{ hooks: [slow] }] },
      replies: [{ say: "done" }],
      when: (event) => event.type === "hook_started",
    },
  ],
  [
    "in a running command",
    { replies: [bash("echo begun; sleep 60")], when: (event) => event.type === "tool_output" },
  ],
  [
    "with a question open",
    {
      replies: [bash("touch asked")],
      options: { permissionMode: "default", onPermissionRequest: () => new Promise(() => {}) },
      when: (event) => event.type === "permission_requested",
    },
  ],
  [
    "between two tools",
    {
      replies: [
        {
          calls: [
            { name: "LS", arguments: { path: "." } },
            { name: "Bash", arguments: { command: "touch second" } },
          ],
        },
      ],
      when: (event) => event.type === "tool_ended",
    },
  ],
];

describe("an interrupt", () => {
  it.each(moments)(
    "%s ends the turn, leaves no process, and the next prompt works (T64, G45)",
    async (_title, moment) => {
      using folder = tempFolder();
      const workdir = join(folder.path, "project");
      mkdirSync(join(workdir, ".wave"), { recursive: true });
      writeFileSync(join(workdir, ".wave", "settings.json"), JSON.stringify({ hooks: moment.hooks ?? {} }));
      let interrupted = false;
      await using model = await startScriptedModel((_request, number) =>
        interrupted ? { say: "next" } : (moment.replies[number] ?? { say: "?" }),
      );
      const events: AgentEvent[] = [];
      const agent = await Agent.create({
        workdir,
        trust: "given",
        waveHome: join(folder.path, "home"),
        baseUrl: model.baseUrl,
        apiKey: "key",
        model: "scripted",
        permissionMode: "bypassPermissions",
        env: { ...process.env, MARK_OF_THIS_TEST: folder.path },
        ...moment.options,
        onEvent: (event) => {
          events.push(event);
          if (interrupted || !moment.when(event)) return;
          interrupted = true;
          // From outside, as a person would: not in the middle of the code that told of it.
          setImmediate(() => agent.abort());
        },
      });
      const end = await agent.sendMessage("PROMPT");
      expect(end.because).toBe("aborted");
      await waitFor(
        "no process is left",
        () => processesWith(`MARK_OF_THIS_TEST=${folder.path}`).length === 0,
      );
      expect(agent.pendingPermissions).toEqual([]);
      const stops = () =>
        events.filter((event) => event.type === "hooks_decided" && event.record.event === "Stop");
      expect(stops(), "an interrupted turn asks no Stop hooks").toEqual([]);
      const started = events.filter((event) => event.type === "hook_started").length;
      expect(
        events.filter((event) => event.type === "hook_finished"),
        "each started hook is reported as finished (T153)",
      ).toHaveLength(started);

      if (moment.hooks === undefined) {
        expect(await agent.sendMessage("NEXT")).toMatchObject({ because: "done", answer: "next" });
        expect(stops(), "and the next one does").toHaveLength(1);
        expect(model.requests.flatMap((request) => request.problems)).toEqual([]);
      }
      const ending = agent.destroy();
      await ending;
    },
  );

  it("keeps what was said before it, and says that it did not end by itself", async () => {
    using folder = tempFolder();
    await using model = await startScriptedModel([{ say: "half of it", hang: true }]);
    const agent = await Agent.create({
      workdir: folder.path,
      waveHome: join(folder.path, "home"),
      baseUrl: model.baseUrl,
      apiKey: "key",
      model: "scripted",
      onEvent: (event) =>
        event.type === "text_delta" && event.text.includes("it") && setImmediate(() => agent.abort()),
    });
    await agent.sendMessage("PROMPT");
    expect(agent.messages.at(-1)).toMatchObject({
      role: "assistant",
      blocks: [
        { type: "text", content: "half of it" },
        { type: "warn", content: "interrupted" },
      ],
    });
    await agent.destroy();
  });

  it("of a command says for how long it ran, and that effects may exist (T81)", async () => {
    using folder = tempFolder();
    await using model = await startScriptedModel([bash("echo begun; sleep 60")]);
    const agent = await Agent.create({
      workdir: folder.path,
      waveHome: join(folder.path, "home"),
      baseUrl: model.baseUrl,
      apiKey: "key",
      model: "scripted",
      permissionMode: "bypassPermissions",
      onEvent: (event) => event.type === "tool_output" && setImmediate(() => agent.abort()),
    });
    await agent.sendMessage("PROMPT");
    expect(JSON.stringify(agent.messages)).toMatch(/when stopped; effects may exist/);
    await agent.destroy();
  });
});
