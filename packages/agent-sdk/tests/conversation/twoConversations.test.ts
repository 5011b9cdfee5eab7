import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { Conversation, type ConversationOptions } from "@/conversation/conversation.ts";
import type { AgentEvent } from "@/events.ts";
import type { PermissionMode } from "@/permissions/modes.ts";
import { openSession } from "@/session/openSession.ts";
import { Session } from "@/session/session.ts";
import { SessionLog } from "@/session/sessionLog.ts";
import { startScriptedModel, type Scenario } from "@/testing/index.ts";
import { builtInSource } from "@/tools/sources/builtIn.ts";
import { ToolRegistry } from "@/tools/sources/registry.ts";
import { readConfiguration } from "@/workspace/configuration.ts";
import { Workspace } from "@/workspace/workspace.ts";
import { blocksOf } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

type Rules = { [Behavior in "allow" | "ask" | "deny"]?: readonly string[] };

/** Two conversations of one session: the second works for the first, with rules and a mode of its own. */
async function play(
  folder: string,
  {
    scenario,
    first,
    second,
    settings = {},
  }: {
    scenario: Scenario;
    first: { mode: PermissionMode };
    second: { mode: PermissionMode; rules?: Rules };
    settings?: object;
  },
) {
  const workdir = join(folder, "project");
  mkdirSync(join(workdir, ".wave"), { recursive: true });
  writeFileSync(join(workdir, ".wave", "settings.json"), JSON.stringify(settings));
  await using server = await startScriptedModel(scenario);
  const asked: string[] = [];
  const options: AgentOptions = {
    workdir,
    trust: "given",
    waveHome: join(folder, "home"),
    managedSettingsFile: join(folder, "managed.json"),
    baseUrl: server.baseUrl,
    apiKey: "key",
    model: "scripted",
    onPermissionRequest: ({ input }) => {
      asked.push(String(input["command"]));
      return { decision: "deny" };
    },
  };
  const tools = new ToolRegistry([builtInSource()]);
  const configuration = readConfiguration(options, [...tools.keys()]);
  const workspace = await Workspace.open(options, configuration, () => [...tools.keys()]);
  const { home, projectDir } = workspace;
  const opened = await openSession({ home, projectDir, resume: undefined, fork: false, source: "startup" });
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent) => void events.push(event);
  const session = new Session(workspace, { options, opened, tools, emit });
  const common = { cwd: workdir } satisfies Partial<ConversationOptions>;
  const main = new Conversation(session, {
    ...common,
    log: session.log,
    rules: configuration.rules,
    mode: first.mode,
  });
  const file = join(folder, "second.jsonl");
  const rules = (["allow", "ask", "deny"] as const).flatMap((behavior) =>
    (second.rules?.[behavior] ?? []).map((rule) => ({
      rule,
      behavior,
      scope: "user" as const,
      file: undefined,
      line: undefined,
      base: workdir,
    })),
  );
  const helper = new Conversation(session, {
    ...common,
    log: new SessionLog({ id: "second", file, cwd: workdir }, () => {}),
    rules,
    mode: second.mode,
    parent: main,
  });
  const { signal } = new AbortController();
  const turnOf = async (conversation: Conversation, prompt: string) => {
    await conversation.prompts.submit({ text: prompt, images: [], source: "sdk" }, signal);
    await conversation.ai.sendAIMessage(signal);
  };
  await turnOf(main, "FIRST-PROMPT");
  await turnOf(helper, "SECOND-PROMPT");
  await workspace.environment.runners.close();
  session.log.close();
  workspace.close({ isShared: false });
  const records = events.flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []));
  return {
    main,
    helper,
    asked,
    records,
    requests: server.requests.map(({ text }) => text),
    files: [readFileSync(opened.handle.file, "utf8"), readFileSync(file, "utf8")],
    made: (name: string) => existsSync(join(workdir, name)),
  };
}

const touch = (name: string) => ({ call: { name: "Bash", arguments: { command: `touch ${name}` } } });
const done = { say: "done" };

describe("two conversations of one session", () => {
  it("see nothing of each other's transcript, on the wire, in memory and on disk", async () => {
    using folder = tempFolder();
    const played = await play(folder.path, {
      scenario: [{ say: "FIRST-ANSWER" }, { say: "SECOND-ANSWER" }],
      first: { mode: "default" },
      second: { mode: "default" },
    });
    const [first, second] = [played.main, played.helper].map(({ messages }) =>
      JSON.stringify(messages.messages),
    );
    for (const [own, other, text] of [
      ["FIRST", "SECOND", first],
      ["SECOND", "FIRST", second],
      ["FIRST", "SECOND", played.files[0]],
      ["SECOND", "FIRST", played.files[1]],
      ["SECOND", "FIRST", played.requests[1]],
    ] as const) {
      expect(text).toContain(`${own}-PROMPT`);
      expect(text).not.toContain(`${other}-`);
    }
  });

  it.each([
    // mode of the first, of the second, rules of the second, whether the second may, whether a person was asked
    ["bypassPermissions", "bypassPermissions", {}, true, 0],
    ["bypassPermissions", "default", {}, false, 1],
    ["default", "bypassPermissions", {}, false, 1],
    ["default", "default", { allow: ["Bash(touch:*)"] }, false, 1],
    ["bypassPermissions", "default", { allow: ["Bash(touch:*)"] }, true, 0],
    ["bypassPermissions", "bypassPermissions", { deny: ["Bash(touch:*)"] }, false, 0],
    ["plan", "bypassPermissions", { allow: ["Bash(touch:*)"] }, false, 0],
    ["dontAsk", "bypassPermissions", {}, false, 0],
  ] as const)(
    "decide both about a call of the second, and the stricter counts: %s, %s, %j",
    async (first, second, rules, may, questions) => {
      using folder = tempFolder();
      const played = await play(folder.path, {
        scenario: [done, touch("made"), done],
        first: { mode: first },
        second: { mode: second, rules },
      });
      expect([played.made("made"), played.asked.length]).toEqual([may, questions]);
      expect(blocksOf(played.helper.messages.messages, "tool")).toMatchObject([{ success: may }]);
      expect(
        played.main.messages.messages.some(({ blocks }) => blocks.some(({ type }) => type === "tool")),
      ).toBe(false);
    },
  );

  it("have the hooks of the session, which speak in the conversation whose call it is, and rules of the first that hold in both", async () => {
    using folder = tempFolder();
    const says = JSON.stringify({ systemMessage: "SEEN" });
    const played = await play(folder.path, {
      scenario: [done, touch("made"), touch("kept"), done],
      settings: {
        hooks: { PreToolUse: [{ hooks: [{ type: "command", command: `echo '${says}'` }] }] },
        permissions: { deny: ["Bash(touch kept)"] },
      },
      first: { mode: "bypassPermissions" },
      second: { mode: "bypassPermissions" },
    });
    expect([played.made("made"), played.made("kept")]).toEqual([true, false]);
    expect(blocksOf(played.helper.messages.messages, "warn").map(({ content }) => content)).toContain("SEEN");
    expect(blocksOf(played.main.messages.messages, "warn")).toEqual([]);
    expect(played.records.filter(({ event }) => event === "PreToolUse")).toMatchObject([
      { decision: "allow" },
      { decision: "deny", decidedBy: "rule Bash(touch kept)" },
    ]);
    // Every decision of the session is explained in its file, whoever's call it was about.
    expect(played.files[0]?.match(/"type":"decision"/g)).toHaveLength(2);
  });
});
