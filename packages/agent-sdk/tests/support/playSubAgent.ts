import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentOptions } from "@/agentOptions.ts";
import type { TurnEnd } from "@/events.ts";
import type { HookEvent } from "@/hooks/events.ts";
import { loadSession } from "@/services/session.ts";
import { agentsFolderOf } from "@/session/file/sessionPaths.ts";
import type { Scenario, ScriptedReply, ScriptedRequest } from "@/testing/index.ts";
import { playSession, type PlayedSession } from "./playSession.ts";

/** Whether a sub-agent asks. */
export const isOfSubAgent = ({ text }: Pick<ScriptedRequest, "text">): boolean =>
  text.includes("You are a sub-agent");

/** What the main conversation is answered, and what the sub-agents are, each from its own script. */
export function scenarioOf(main: readonly ScriptedReply[], sub: readonly ScriptedReply[]): Scenario {
  const played = { main: 0, sub: 0 };
  return (request) => (isOfSubAgent(request) ? sub[played.sub++] : main[played.main++]);
}

export const startAgent = (prompt: string, more: object = {}) => ({
  name: "Agent",
  arguments: { description: "look around", prompt, subagent_type: "general", ...more },
});

/** The same as playSession, seen from the one sub-agent that the main conversation starts. */
export async function playSubAgent(
  folder: string,
  setup: { settings?: object; scenario: readonly ScriptedReply[]; options?: AgentOptions },
): Promise<PlayedSession & { main: PlayedSession }> {
  const { scenario, ...rest } = setup;
  const main = await playSession(folder, {
    ...rest,
    scenario: scenarioOf([{ call: startAgent("PROMPT-TEXT") }, { say: "all done" }], scenario),
  });
  const ended = main.events.find((event) => event.type === "subagent_ended");
  const [file = ""] = ended ? transcriptsOf(main) : [];
  const read = await loadSession(file);
  if (!ended || !read) throw new Error("no sub-agent was started");
  const end: TurnEnd = ended.end;
  const requests = main.requests.filter(isOfSubAgent);
  const text = `${readFileSync(file, "utf8")}${main.file}`;
  return {
    ...main,
    main,
    end,
    messages: read.messages,
    requests,
    file: text,
    wire: requests.map((request) => request.text).join("\n"),
  };
}

/** Where an event happens: in the conversation of a sub-agent, or in the main one. */
export const playerOf = (event: HookEvent) => (event.startsWith("Subagent") ? playSubAgent : playSession);

/** The files of the sub-agents of a session. */
export function transcriptsOf({ sessionFile }: Pick<PlayedSession, "sessionFile">): string[] {
  const folder = agentsFolderOf(sessionFile);
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => join(folder, name));
}
