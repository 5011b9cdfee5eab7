import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { AgentEvent } from "@/events.ts";
import type { Scenario } from "@/testing/index.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { blocksOf } from "../../support/playSession.ts";
import { tempFolder } from "../../support/tempFolder.ts";

export const SERVER = fileURLToPath(new URL("../../fixtures/mcp/server.mjs", import.meta.url));

export const echo = (text: string) => ({ call: { name: "mcp__tiny__echo", arguments: { text } } });

/** A session with one server that behaves in this way, named in the person's own settings. */
export async function play(
  way: string,
  setup: { scenario?: Scenario; options?: AgentOptions; server?: object; prompts?: number } = {},
) {
  const folder = tempFolder();
  const workdir = join(folder.path, "project");
  const home = join(folder.path, "home");
  mkdirSync(workdir);
  mkdirSync(home);
  const tiny = { command: process.execPath, args: [SERVER, way, folder.path], ...setup.server };
  writeFileSync(join(home, "settings.json"), JSON.stringify({ mcpServers: { tiny } }));
  const model = await startScriptedModel(setup.scenario ?? [echo("hello"), { say: "done" }]);
  const events: AgentEvent[] = [];
  const agent = await Agent.create({
    workdir,
    waveHome: home,
    managedSettingsFile: join(folder.path, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "secret-model-key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    env: { ...process.env, WAVE_API_KEY: "secret-model-key" },
    onEvent: (event) => void events.push(event),
    ...setup.options,
  });
  const notes = () => {
    const file = join(folder.path, "notes");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  return {
    agent,
    events,
    notes,
    home,
    model,
    result: () => blocksOf(agent.messages, "tool").map(({ result }) => result),
    notices: () => events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).join("\n"),
    sent: (at: number) => {
      const body = JSON.parse(model.requests[at]?.text ?? "{}") as {
        tools?: { function: { name: string } }[];
      };
      return (body.tools ?? []).map((tool) => tool.function.name).filter((name) => name.startsWith("mcp__"));
    },
    pid: () => Number(/started (\d+)/.exec(notes())?.[1]),
    async [Symbol.asyncDispose]() {
      await agent.destroy();
      await model[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
