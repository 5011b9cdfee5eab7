import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import type { AgentEvent } from "@/events.ts";
import { startScriptedModel, type Scenario } from "@/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";

async function started(folder: string, scenario: Scenario, options: AgentOptions = {}) {
  const model = await startScriptedModel(scenario);
  const agent = await Agent.create({
    workdir: folder,
    trust: "given",
    waveHome: join(folder, "home"),
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    ...options,
  });
  const dispose = async () => {
    await agent.destroy();
    await model[Symbol.asyncDispose]();
  };
  return { agent, model, [Symbol.asyncDispose]: dispose };
}

const context = { UserPromptSubmit: [{ hooks: [{ type: "command" as const, command: "echo context" }] }] };

describe("a prompt that the model never answered", () => {
  it("is given back when the server refuses, and can be taken out of the conversation (T163)", async () => {
    using folder = tempFolder();
    await using session = await started(folder.path, [{ status: 401 }, { say: "fine" }], { hooks: context });
    const { agent, model } = session;
    expect(await agent.sendMessage("my prompt")).toMatchObject({
      because: "model-error",
      promptBack: "my prompt",
    });
    // Whoever does not give it back keeps it: it was said.
    expect(agent.messages.filter(({ role }) => role === "user")).toHaveLength(2);
    expect(agent.takeBackPrompt()).toBe(true);
    // With the error about it: it would read as one of the turn before.
    expect(agent.messages).toEqual([]);
    expect(agent.takeBackPrompt()).toBe(false);

    await agent.sendMessage("my prompt, better");
    expect(JSON.stringify(model.requests.at(-1)?.body["messages"])).not.toContain('"my prompt"');
  });

  it("is given back when it is interrupted before the first word, and not after it (T163)", async () => {
    using folder = tempFolder();
    const abortAt = (type: AgentEvent["type"]): AgentOptions => ({
      onEvent: (event) => void (event.type === type && setImmediate(() => session.agent.abort())),
    });
    let session = await started(folder.path, [{ hang: true }], abortAt("model_started"));
    await using _first = session;
    expect(await session.agent.sendMessage("soon")).toMatchObject({ because: "aborted", promptBack: "soon" });
    expect(session.agent.takeBackPrompt()).toBe(true);

    session = await started(join(folder.path), [{ say: "half of", hang: true }], abortAt("text_delta"));
    await using _second = session;
    const end = await session.agent.sendMessage("late");
    expect(end.because).toBe("aborted");
    expect(end.promptBack).toBeUndefined();
    expect(session.agent.takeBackPrompt()).toBe(false);
  });

  it("is given back without a key", async () => {
    using folder = tempFolder();
    const agent = await Agent.create({
      workdir: folder.path,
      waveHome: join(folder.path, "home"),
      baseUrl: "https://models.example/v1",
      env: { PATH: process.env["PATH"] },
    });
    expect(await agent.sendMessage("keyless")).toMatchObject({ promptBack: "keyless" });
    // What the person ran meanwhile stays.
    await agent.runShell("true");
    expect(agent.takeBackPrompt()).toBe(true);
    expect(agent.messages.map(({ role }) => role)).toEqual(["user"]);
    await agent.destroy();
  });
});
