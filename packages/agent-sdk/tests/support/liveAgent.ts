import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { AgentEvent } from "@/events.ts";
import {
  startScriptedModel,
  type Scenario,
  type ScriptedModel,
  type ScriptedRequest,
} from "@/testing/index.ts";
import { tempFolder } from "./tempFolder.ts";

/** An agent that stays, for tests of several prompts; ended and cleaned up with `await using`. */
export interface LiveAgent extends AsyncDisposable {
  agent: Agent;
  model: ScriptedModel;
  events: AgentEvent[];
}

export async function liveAgent(
  folder: string,
  scenario: Scenario,
  setup: {
    settings?: object;
    options?: AgentOptions;
    /** Default: the program names the scripted model. */
    named?: "by-program" | "elsewhere";
    onEvent?: (event: AgentEvent, agent: Agent) => void;
  } = {},
): Promise<LiveAgent> {
  const home = join(folder, "home");
  const workdir = join(folder, "project");
  mkdirSync(home, { recursive: true });
  mkdirSync(workdir, { recursive: true });
  if (setup.settings) writeFileSync(join(home, "settings.json"), JSON.stringify(setup.settings));
  const model = await startScriptedModel(scenario, { models: ["scripted", "other"] });
  const events: AgentEvent[] = [];
  let made: Agent | undefined;
  const agent = await Agent.create({
    workdir,
    trust: "given",
    waveHome: home,
    managedSettingsFile: join(folder, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    ...(setup.named === "elsewhere" ? {} : { model: "scripted" }),
    permissionMode: "bypassPermissions",
    env: {},
    onEvent: (event) => {
      events.push(event);
      if (made) setup.onEvent?.(event, made);
    },
    ...setup.options,
  });
  made = agent;
  return {
    agent,
    model,
    events,
    [Symbol.asyncDispose]: async () => {
      await agent.destroy();
      await model.close();
    },
  };
}

/** The same with a folder of its own. */
export async function inFolder(...[scenario, setup]: Tail<Parameters<typeof liveAgent>>): Promise<LiveAgent> {
  const folder = tempFolder();
  const live = await liveAgent(folder.path, scenario, setup);
  const dispose = async () => {
    await live[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  return { ...live, [Symbol.asyncDispose]: dispose };
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** What a request says, without the system prompt: the text of each message behind its role. */
export function saidIn(request: ScriptedRequest | undefined): string[] {
  return (request?.body.messages ?? []).slice(1).map(({ role, content, tool_calls: calls }) => {
    const text = typeof content === "string" ? content : JSON.stringify(content ?? null);
    return `${role}: ${calls ? calls.map((call) => call.function.name).join() : text}`;
  });
}

export const isSummaryRequest = (request: ScriptedRequest): boolean =>
  request.text.includes("Now write the summary, and nothing else.");
