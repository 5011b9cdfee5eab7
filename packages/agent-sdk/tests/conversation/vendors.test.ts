import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentEvent } from "@/events.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import { saveSession, type SessionHandle } from "@/services/session.ts";
import {
  startScriptedModel,
  VENDORS,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedReply,
  type SpokenReply,
  type VendorServer,
} from "@/testing/index.ts";
import { liveAgent, saidIn } from "../support/liveAgent.ts";
import { added, toolBlock, userMessage } from "../support/sessionRecords.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { bodyOf, SAID } from "../support/tooLongWords.ts";

const ls: ScriptedCall = { name: "LS", arguments: { path: "." } };

/** Five calls, the odd ones first: names and ids that no server takes back, half a character in each place. */
const TASK: SpokenReply[] = [
  {
    calls: [
      { ...ls, name: "functions.Bash", id: `call_${"x".repeat(60)}` },
      { ...ls, name: "", id: "" },
      { ...ls, name: "Ba\ud83d", id: "half\udc00", arguments: '{"path":"\\ud83d"}' },
    ],
  },
  { say: "Half a sign: \ud83d", calls: [{ ...ls, id: "functions.LS:0" }] },
  { calls: [{ ...ls, id: "functions.LS:0" }] },
  { say: "Done." },
];

const later: SpokenReply[] = [
  { say: "Still here.", calls: [ls] },
  { say: "Still here." },
  { say: "THE-SUMMARY" },
  { calls: [ls] },
  { say: "Resumed." },
];

const CONTEXT = {
  hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "context" },
} as const;

/** How many changes of the request each vendor's words ask for; where nothing is said, none. */
const LEARNED: Record<string, number> = {
  "OpenAI, not verified": 1,
  "Gemini behind a gateway": 2,
  "DeepSeek R1": 2,
  Mistral: 3,
  OpenRouter: 2,
  "a Mistral template": 1,
  "a Gemma template": 2,
  Zhipu: 2,
  "Bedrock behind a gateway": 3,
  "LM Studio": 1,
  "a server of 2023": 1,
};

function serve({ rules, adds }: VendorServer): Promise<ScriptedModel> {
  const replies = [...TASK, ...later];
  const scenario = (_request: unknown, n: number) => {
    const reply = replies[n];
    return reply && (adds?.(reply, n) ?? reply);
  };
  return startScriptedModel(scenario, { rules });
}

async function agentAt(
  model: ScriptedModel,
  folder: string,
  more: { resume?: string; onEvent?: (event: AgentEvent) => void },
) {
  const workdir = join(folder, "project");
  mkdirSync(workdir, { recursive: true });
  return Agent.create({
    workdir,
    trust: "given",
    waveHome: join(folder, "home"),
    managedSettingsFile: join(folder, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    env: {},
    hooks: {
      // Two messages of the user in a row, and one after results.
      UserPromptSubmit: [{ hooks: [{ type: "function", run: () => CONTEXT }] }],
      PostToolUse: [
        { hooks: [{ type: "function", run: () => ({ decision: "block", reason: "look again" }) }] },
      ],
    },
    ...more,
  });
}

describe("a task of five calls, with odd names and ids in its first answers, ends well at", () => {
  it.each(VENDORS.map((server) => [server.vendor, server] as const))("%s", async (vendor, server) => {
    using folder = tempFolder();
    await using model = await serve(server);
    const notices: string[] = [];
    const onEvent = (event: AgentEvent) => {
      if (event.type === "notice") notices.push(event.text);
    };
    const agent = await agentAt(model, folder.path, { onEvent });
    expect(await agent.sendMessage("go")).toMatchObject({ because: "done", answer: "Done." });
    const refused = model.requests.length - TASK.length;
    // What was learned is known: nothing later is refused, and each change was said once.
    expect(await agent.sendMessage("and?")).toMatchObject({ because: "done", answer: "Still here." });
    expect(model.requests.length).toBe(TASK.length + 2 + refused);
    expect(await agent.compact()).toMatchObject({ compacted: true });
    const learned = notices.filter((text) => text.includes("from now on Wave"));
    expect(learned).toHaveLength(refused);
    expect(new Set(learned).size).toBe(refused);
    expect(refused).toBe(LEARNED[vendor] ?? 0);
    const { sessionId } = agent;
    await agent.destroy();

    const resumed = await agentAt(model, folder.path, { resume: sessionId });
    expect(await resumed.sendMessage("again")).toMatchObject({ because: "done", answer: "Resumed." });
    await resumed.destroy();
    // What came from this vendor is there to go back to it, and nothing had to be made up.
    expect(model.requests.map(({ text }) => text).join()).not.toMatch(/\(not kept\)|skip_thought_signature/);
    // Whatever went over the wire, it is in the session as it came.
    const ids = resumed.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === "tool" ? [block] : [])),
    );
    expect(ids.slice(0, 3).map(({ name }) => name)).toEqual(["functions.Bash", "", "Ba\ufffd"]);
    expect(ids[0]?.id).toBe(`call_${"x".repeat(60)}`);
  });
});

describe("a conversation goes on with another model, at", () => {
  const others = ["DeepSeek", "Kimi", "Gemini 3"];
  it.each(
    VENDORS.filter(({ vendor }) => others.includes(vendor)).map((server) => [server.vendor, server] as const),
  )("%s, without what the first had attached for itself, which is said once", async (_vendor, server) => {
    using folder = tempFolder();
    const first: SpokenReply[] = [
      { think: "mine", calls: [ls] },
      { think: "mine", say: "Done." },
    ];
    await using before = await startScriptedModel(first);
    const agent = await agentAt(before, folder.path, {});
    await agent.sendMessage("go");
    await agent.destroy();

    await using after = await startScriptedModel([{ say: "Hello." }, { say: "Again." }], {
      rules: server.rules,
    });
    const notices: string[] = [];
    const resumed = await agentAt(after, folder.path, {
      resume: agent.sessionId,
      onEvent: (event) => event.type === "notice" && notices.push(event.text),
    });
    expect(await resumed.sendMessage("go on")).toMatchObject({ because: "done", answer: "Hello." });
    expect(await resumed.sendMessage("and?")).toMatchObject({ because: "done", answer: "Again." });
    await resumed.destroy();
    expect(after.requests.map(({ text }) => text.includes("mine"))).toEqual([false, false, false]);
    expect(notices.filter((text) => text.includes("but not what another"))).toEqual([
      expect.stringMatching(
        /^"scripted" gets the whole conversation, but not what another model attached to \d+ earlier answers? for itself, such as reasoning\.$/,
      ),
    ]);
    expect(notices.filter((text) => text.includes("from now on Wave"))).toHaveLength(1);
  });
});

describe("a session that an older Wave left behind", () => {
  it("works, whatever names, ids and half characters are in it", async () => {
    using folder = tempFolder();
    await using model = await startScriptedModel([{ say: "Fine." }]);
    const agent = await agentAt(model, folder.path, {});
    const { sessionFile, sessionId } = agent;
    await agent.destroy();
    const odd = [
      ["functions.Bash", `call_${"1".repeat(36)}`],
      ["", ""],
      ["Ba\ud83d", "\udc00"],
      ["LS", "again"],
      ["LS", "again"],
    ] as const;
    const handle: SessionHandle = { id: sessionId, file: sessionFile, cwd: join(folder.path, "project") };
    saveSession(handle, [
      added(userMessage("u1", "half \ud83d")),
      ...odd.map(([name, id], at): SessionRecord => {
        const block = toolBlock(id, {
          name,
          stage: "ended",
          result: `output \ud800 ${at}`,
          parameters: '{"a":"\\ud800"}',
        });
        return added({ id: `a${at}`, role: "assistant", blocks: [block] });
      }),
    ]);
    handle.close?.();
    const resumed = await agentAt(model, folder.path, { resume: sessionId });
    expect(await resumed.sendMessage("go on")).toMatchObject({ because: "done", answer: "Fine." });
    await resumed.destroy();
    const sent = model.requests[0]?.body.messages ?? [];
    expect(sent.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual(
      odd.map((_, at) => `output \ufffd ${at}`),
    );
  });
});

describe("a conversation that is too long is summed up, in the words of", () => {
  const vendors = ["Moonshot", "Zhipu", "Qwen", "SGLang", "TGI, Together", "Copilot", "Cohere"];
  it.each(vendors)("%s", async (vendor) => {
    using folder = tempFolder();
    const [, status = 400, said] = SAID.find(([of]) => of === vendor) ?? [];
    const tooLong: ScriptedReply = { status, body: bodyOf(said) };
    const replies = [{ say: "One." }, tooLong, { say: "THE-SUMMARY" }, { say: "Two." }];
    await using live = await liveAgent(folder.path, replies);
    await live.agent.sendMessage("first");
    expect(await live.agent.sendMessage("second")).toMatchObject({ because: "done", answer: "Two." });
    expect(saidIn(live.model.requests.at(-1))[0]).toContain("THE-SUMMARY");
  });
});
