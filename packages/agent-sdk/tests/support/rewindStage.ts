import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import { startScriptedModel, type ScriptedModel, type ScriptedReply } from "@/testing/index.ts";
import { tempFolder } from "./tempFolder.ts";

/** A project with a session in it, and a model that does what each prompt says. */
export interface RewindStage extends AsyncDisposable {
  agent: Agent;
  readonly model: ScriptedModel;
  readonly home: string;
  path(name: string): string;
  put(name: string, text: string, mode?: number): void;
  /** Null: no file. */
  content(name: string): string | null;
  mode(name: string): number;
  /** Says a prompt whose lines are calls as JSON; resolves to the id of its message. */
  say(...calls: Call[]): Promise<string>;
  /** Ends the agent and goes on with its session in another one. */
  resume(options?: AgentOptions): Promise<void>;
}

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export const edit = (file_path: string, old_string: string, new_string: string): Call => ({
  name: "Edit",
  arguments: { file_path, old_string, new_string },
});
export const write = (file_path: string, content: string): Call => ({
  name: "Write",
  arguments: { file_path, content },
});
export const read = (file_path: string): Call => ({ name: "Read", arguments: { file_path } });
export const bash = (command: string): Call => ({ name: "Bash", arguments: { command } });

export async function rewindStage(options: AgentOptions = {}): Promise<RewindStage> {
  const folder = tempFolder();
  const workdir = join(folder.path, "project");
  mkdirSync(workdir);
  // The calls of a prompt are made one after the other; then the model says that it is done.
  const model = await startScriptedModel((request): ScriptedReply => {
    const { messages } = request.body;
    const at = messages.findLastIndex(
      ({ content }) => typeof content === "string" && content.startsWith("prompt "),
    );
    const prompt = messages[at]?.content;
    const [, calls = "[]"] = typeof prompt === "string" ? prompt.split("\n") : [];
    const next = (JSON.parse(calls) as Call[])[
      messages.slice(at).filter(({ role }) => role === "tool").length
    ];
    return next ? { call: next } : { say: "done" };
  });
  const settings: AgentOptions = {
    workdir,
    waveHome: join(folder.path, "home"),
    managedSettingsFile: join(folder.path, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    ...options,
  };
  let prompts = 0;
  const stage: RewindStage = {
    agent: await Agent.create(settings),
    model,
    home: join(folder.path, "home"),
    path: (name) => join(workdir, name),
    put(name, text, mode) {
      writeFileSync(join(workdir, name), text);
      if (mode !== undefined) chmodSync(join(workdir, name), mode);
    },
    content: (name) => (existsSync(join(workdir, name)) ? readFileSync(join(workdir, name), "utf8") : null),
    mode: (name) => statSync(join(workdir, name)).mode & 0o7777,
    async say(...calls) {
      await stage.agent.sendMessage(`prompt ${++prompts}\n${JSON.stringify(calls)}`);
      return stage.agent.rewindPoints().at(-1)?.messageId ?? "";
    },
    async resume(more = {}) {
      await stage.agent.destroy();
      stage.agent = await Agent.create({ ...settings, resume: stage.agent.sessionId, ...more });
    },
    async [Symbol.asyncDispose]() {
      await stage.agent.destroy();
      await model.close();
      folder[Symbol.dispose]();
    },
  };
  return stage;
}
