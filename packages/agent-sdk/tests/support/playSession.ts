import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { AgentEvent, TurnEnd } from "@/events.ts";
import type { Block, Message } from "@/messages/blocks.ts";
import { startScriptedModel, type Scenario, type ScriptedRequest } from "@/testing/index.ts";

export interface PlayedSession {
  end: TurnEnd;
  messages: readonly Message[];
  /** Everything the model server received, as bytes. */
  wire: string;
  requests: readonly ScriptedRequest[];
  /** The session file, as text. */
  file: string;
  sessionFile: string;
  events: AgentEvent[];
}

/** One prompt through a real agent with real hook processes and a model at its wire; ended, so that SessionEnd ran too. */
export async function playSession(
  folder: string,
  setup: {
    settings?: object;
    scenario: Scenario;
    prompt?: string;
    options?: AgentOptions;
  },
): Promise<PlayedSession> {
  const workdir = join(folder, "project");
  mkdirSync(join(workdir, ".wave"), { recursive: true });
  if (setup.settings) writeFileSync(join(workdir, ".wave", "settings.json"), JSON.stringify(setup.settings));
  await using model = await startScriptedModel(setup.scenario);
  const events: AgentEvent[] = [];
  const agent = await Agent.create({
    workdir,
    trust: "given",
    waveHome: join(folder, "home"),
    managedSettingsFile: join(folder, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    onEvent: (event) => void events.push(event),
    ...setup.options,
  });
  const end = await agent.sendMessage(setup.prompt ?? "PROMPT-TEXT");
  await agent.destroy();
  return {
    end,
    messages: agent.messages,
    wire: model.requests.map((request) => request.text).join("\n"),
    requests: model.requests,
    file: readFileSync(agent.sessionFile, "utf8"),
    sessionFile: agent.sessionFile,
    events,
  };
}

export function blocksOf<T extends Block["type"]>(
  messages: readonly Message[],
  type: T,
): Extract<Block, { type: T }>[] {
  return messages.flatMap((message) =>
    message.blocks.filter((block): block is Extract<Block, { type: T }> => block.type === type),
  );
}
