import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { PendingPermission, RuleScope } from "@/permissions/request.ts";
import { startScriptedModel, type ScriptedModel } from "@/testing/index.ts";
import { blocksOf } from "./playSession.ts";
import { tempFolder } from "./tempFolder.ts";

/** A project whose model calls the tool that the prompt names, once for each prompt. */
export class RuleProject implements AsyncDisposable {
  readonly #folder = tempFolder();
  readonly dir = join(this.#folder.path, "project");
  readonly local = join(this.dir, ".wave", "settings.local.json");
  readonly managed = join(this.#folder.path, "managed.json");
  readonly home = join(this.#folder.path, "home");
  /** Everything that was asked, in all sessions. */
  readonly asked: PendingPermission[] = [];
  readonly #agents: Agent[] = [];
  #model: ScriptedModel | undefined;

  /** `keep`: answer questions with the rule that they offer, for so long. */
  async open(options: Omit<AgentOptions, "onPermissionRequest"> & { keep?: RuleScope } = {}): Promise<Agent> {
    mkdirSync(join(this.dir, ".git"), { recursive: true });
    this.#model ??= await startScriptedModel(({ body }) => {
      const last = body.messages.at(-1);
      const prompt = last?.role === "user" ? last.content : undefined;
      return typeof prompt === "string" ? JSON.parse(prompt) : { say: "done" };
    });
    const { keep, ...rest } = options;
    const agent = await Agent.create({
      workdir: this.dir,
      waveHome: this.home,
      managedSettingsFile: this.managed,
      baseUrl: this.#model.baseUrl,
      apiKey: "key",
      model: "scripted",
      onPermissionRequest: async (request) => {
        this.asked.push(request);
        if (!keep || !request.rule.offered) return { decision: "deny" };
        for (const rule of request.rule.choices[0]?.rules ?? []) await agent.allowRule(rule, keep);
        return { decision: "allow" };
      },
      ...rest,
    });
    this.#agents.push(agent);
    return agent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents) await agent.destroy();
    await this.#model?.close();
    this.#folder[Symbol.dispose]();
  }
}

/** Lets the model call Bash once; the result of the call. */
export async function bash(
  agent: Agent,
  command: string,
): Promise<{ success?: boolean | undefined; result?: string | undefined }> {
  await agent.sendMessage(JSON.stringify({ call: { name: "Bash", arguments: { command } } }));
  return blocksOf(agent.messages, "tool").at(-1) ?? {};
}
