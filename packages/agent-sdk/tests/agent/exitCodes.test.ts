import { beforeEach, describe, expect, it, vi } from "vitest";
import { Agent } from "@/agent.js";
import type { Message } from "@/messages/blocks.js";
import { callAgent } from "@/services/aiService.js";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.js";
import { hooksAnswer, modelSays, result, toolCall } from "./mockedServices.js";

vi.mock("@/services/session", () => ({
  saveSession: vi.fn(),
  loadSession: vi.fn(() => Promise.resolve(null)),
  getLatestSession: vi.fn(() => Promise.resolve(null)),
  cleanupExpiredSessions: vi.fn(() => Promise.resolve()),
}));
vi.mock("@/services/aiService");
vi.mock("@/services/hook");

const texts = (message: Message | undefined) =>
  message?.blocks.flatMap((block) => ("content" in block ? [block.content] : [])) ?? [];
const ofType = (agent: Agent, type: string) =>
  agent.messages.flatMap((message) => message.blocks.filter((block) => block.type === type));
const users = (agent: Agent) => agent.messages.filter((message) => message.role === "user");
const wire = (agent: Agent) => JSON.stringify(convertMessagesForAPI(agent.messages));

let agent: Agent;

beforeEach(async () => {
  vi.resetAllMocks();
  agent = await Agent.create({
    permissionMode: "bypassPermissions",
    callbacks: { onMessagesChange: vi.fn(), onLoadingChange: vi.fn() },
  });
});

describe("UserPromptSubmit", () => {
  it("with exit 0 adds what the hook printed as a second user message (FR-001, FR-004, FR-016)", async () => {
    hooksAnswer({ UserPromptSubmit: [[result(0, { stdout: "  context data\n", stderr: "noise" })]] });
    modelSays({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(users(agent).map(texts)).toEqual([["a prompt"], ["context data"]]);
    expect(agent.messages).toHaveLength(3);
    expect(agent.messages[1]?.blocks[0]).toMatchObject({ type: "text", content: "context data" });
    expect(wire(agent)).not.toContain("noise");
  });

  it("with exit 0 and no output adds nothing", async () => {
    hooksAnswer({ UserPromptSubmit: [[result(0)]] });
    modelSays({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(agent.messages.map((message) => message.role)).toEqual(["user", "assistant"]);
  });

  it("with exit 2 erases the prompt and shows why to the user only (FR-002, FR-009, FR-010, FR-011, FR-019)", async () => {
    hooksAnswer({ UserPromptSubmit: [[result(2, { stderr: "Invalid prompt format" })]] });
    const end = await agent.sendMessage("an invalid prompt");
    expect(users(agent)).toEqual([]);
    expect(agent.messages).toHaveLength(1);
    expect(agent.messages[0]).toMatchObject({
      role: "assistant",
      blocks: [{ type: "error", content: "Invalid prompt format" }],
    });
    expect(vi.mocked(callAgent)).not.toHaveBeenCalled();
    expect(wire(agent)).toBe("[]");
    expect(end).toMatchObject({ because: "prompt-blocked", promptBack: "an invalid prompt" });
  });

  it("with another exit code shows the error and goes on (FR-003, FR-014)", async () => {
    hooksAnswer({ UserPromptSubmit: [[result(1, { stdout: "not for the model", stderr: "careful" })]] });
    modelSays({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(ofType(agent, "error")).toMatchObject([{ content: "careful" }]);
    expect(wire(agent)).toContain("an answer");
    expect(wire(agent)).not.toMatch(/careful|not for the model/);
  });

  it("that timed out is an error that does not block (FR-003)", async () => {
    hooksAnswer({
      UserPromptSubmit: [[{ success: false, stderr: "", stdout: "", duration: 1000, timedOut: true }]],
    });
    modelSays({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(texts(agent.messages[1])[0]).toContain("timed out after 1 s");
    expect(vi.mocked(callAgent)).toHaveBeenCalledOnce();
  });
});

describe("PreToolUse", () => {
  const call = toolCall("call_1", "TodoWrite", { todos: [{ content: "x", status: "pending" }] });

  it("with exit 2 keeps the tool from running; its block has the stderr as the result (FR-006, FR-007, FR-017)", async () => {
    hooksAnswer({ PreToolUse: [[result(2, { stderr: "Tool blocked by hook" })]] });
    modelSays({ tool_calls: [call] }, { content: "understood" });
    const end = await agent.sendMessage("a prompt");
    const [block] = ofType(agent, "tool");
    expect(block).toMatchObject({ result: "Tool blocked by hook", success: false, stage: "ended" });
    expect(wire(agent)).toContain("Tool blocked by hook");
    expect(end).toMatchObject({ because: "done", answer: "understood", modelCalls: 2 });
    expect(end.denials).toMatchObject([{ toolName: "TodoWrite", reason: "Tool blocked by hook" }]);
  });

  it("with exit 0 lets the tool run, and its stdout reaches nobody (FR-001, FR-005)", async () => {
    hooksAnswer({ PreToolUse: [[result(0, { stdout: "chatter", stderr: "more chatter" })]] });
    modelSays({ tool_calls: [call] }, { content: "done" });
    await agent.sendMessage("a prompt");
    expect(ofType(agent, "tool")).toMatchObject([{ success: true }]);
    expect(JSON.stringify(agent.messages)).not.toContain("chatter");
  });

  it("with another exit code shows the error and runs the tool (FR-014, SC-005)", async () => {
    hooksAnswer({ PreToolUse: [[result(3, { stderr: "hm" })]] });
    modelSays({ tool_calls: [call] }, { content: "done" });
    await agent.sendMessage("a prompt");
    expect(ofType(agent, "tool")).toMatchObject([{ success: true }]);
    expect(ofType(agent, "error")).toMatchObject([{ content: "hm" }]);
    expect(wire(agent)).not.toContain('hm"');
  });

  it("runs for unknown tools and for arguments that do not parse", async () => {
    hooksAnswer({ PreToolUse: [[result(2, { stderr: "no" })]] });
    const broken = {
      id: "b",
      type: "function" as const,
      index: 1,
      function: { name: "Bash", arguments: "{" },
    };
    modelSays({ tool_calls: [toolCall("a", "NoSuchTool", {}), broken] }, { content: "ok" });
    await agent.sendMessage("a prompt");
    expect(ofType(agent, "tool")).toMatchObject([{ result: "no" }, { result: "no" }]);
  });
});

describe("PostToolUse", () => {
  const call = toolCall("call_1", "TodoWrite", { todos: [] });

  it("with exit 2 tells the model in a user message and leaves the result alone (FR-008, FR-018)", async () => {
    hooksAnswer({ PostToolUse: [[result(2, { stderr: "please check", stdout: "chatter" })]] });
    modelSays({ tool_calls: [call] }, { content: "checked" });
    await agent.sendMessage("a prompt");
    expect(users(agent).map(texts)).toEqual([["a prompt"], ["please check"]]);
    const [block] = ofType(agent, "tool");
    expect(block).toMatchObject({ success: true });
    expect(JSON.stringify(block)).not.toContain("please check");
    expect(vi.mocked(callAgent)).toHaveBeenCalledTimes(2);
  });

  it("with another exit code shows the error to the user (FR-014)", async () => {
    hooksAnswer({ PostToolUse: [[result(1, { stderr: "oops" })]] });
    modelSays({ tool_calls: [call] }, { content: "done" });
    await agent.sendMessage("a prompt");
    expect(ofType(agent, "error")).toMatchObject([{ content: "oops" }]);
    expect(users(agent)).toHaveLength(1);
  });
});

describe("Stop", () => {
  it("with exit 2 keeps the turn going with the stderr as a user message (FR-012, FR-013, FR-021)", async () => {
    hooksAnswer({ Stop: [[result(2, { stderr: "tests are missing" })], [result(0)]] });
    modelSays({ content: "done" }, { content: "now with tests" });
    const end = await agent.sendMessage("a prompt");
    expect(users(agent).map(texts)).toEqual([["a prompt"], ["tests are missing"]]);
    expect(end).toMatchObject({ because: "done", answer: "now with tests", modelCalls: 2 });
  });

  it("that always blocks is stopped after eight times, and the user is told (T100, G14)", async () => {
    hooksAnswer({ Stop: [[result(2, { stderr: "never" })]] });
    vi.mocked(callAgent).mockResolvedValue({ content: "again" });
    const end = await agent.sendMessage("a prompt");
    expect(end.because).toBe("stop-cap");
    expect(vi.mocked(callAgent)).toHaveBeenCalledTimes(8);
    expect(JSON.stringify(ofType(agent, "warn"))).toContain("never");
  });

  it("with another exit code shows the error and the turn ends (FR-014, T104)", async () => {
    hooksAnswer({ Stop: [[result(1, { stderr: "oops" })]] });
    modelSays({ content: "done" });
    const end = await agent.sendMessage("a prompt");
    expect(end.because).toBe("done");
    expect(ofType(agent, "error")).toMatchObject([{ content: "oops" }]);
  });
});

describe("an ErrorBlock", () => {
  it("and a WarnBlock stay out of what is sent (FR-020, MB-1)", async () => {
    const json = JSON.stringify({ systemMessage: "for the user's eyes" });
    hooksAnswer({ UserPromptSubmit: [[result(1, { stderr: "an error" }), result(0, { stdout: json })]] });
    modelSays({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(ofType(agent, "warn")).toMatchObject([{ content: "for the user's eyes" }]);
    expect(wire(agent)).not.toMatch(/an error|user's eyes/);
  });
});

describe("a result without output", () => {
  it.each([
    [2, "blocked by hook"],
    [7, "exit code 7"],
  ])("and exit code %i names the hook", async (code, words) => {
    hooksAnswer({ UserPromptSubmit: [[result(code)]] });
    modelSays({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(JSON.stringify(ofType(agent, "error"))).toContain(words);
  });
});
