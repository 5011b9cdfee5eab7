import { beforeEach, describe, expect, it, vi } from "vitest";
import { Agent } from "@/agent.js";
import * as aiService from "@/services/aiService.js";
import * as hookService from "@/services/hook.js";
import { result, toolCall } from "./mockedServices.js";

vi.mock("@/services/session", () => ({
  saveSession: vi.fn(),
  loadSession: vi.fn(() => Promise.resolve(null)),
  getLatestSession: vi.fn(() => Promise.resolve(null)),
  cleanupExpiredSessions: vi.fn(() => Promise.resolve()),
}));
vi.mock("@/services/aiService");
vi.mock("@/services/hook");

/**
 * In the way of the planning papers: the agent is created first, and `clearAllMocks` leaves what the test before had the hook
 * service answer. So every agent but the first begins its session with another test's result.
 */
describe("a mocked hook service that still answers as in the test before", () => {
  let agent: Agent;

  beforeEach(async () => {
    agent = await Agent.create({ callbacks: { onMessagesChange: vi.fn(), onLoadingChange: vi.fn() } });
    vi.clearAllMocks();
  });

  const hooksSay = (...results: Parameters<typeof result>) =>
    vi.mocked(hookService.executeHooks).mockResolvedValue([result(...results)]);
  const errors = () => agent.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "error"));
  const users = () => agent.messages.filter(({ role }) => role === "user");

  it("gives a prompt its context as a second user message (FR-016)", async () => {
    hooksSay(0, { stdout: "context data" });
    vi.mocked(aiService.callAgent).mockResolvedValue({ content: "an answer" });
    await agent.sendMessage("a prompt");
    expect(users()).toHaveLength(2);
    expect(agent.messages[1]?.blocks[0]).toMatchObject({ content: "context data" });
  });

  it("blocks a prompt, and nothing of the other test is in the conversation (FR-009, FR-019)", async () => {
    expect(agent.messages).toEqual([]);
    hooksSay(2, { stderr: "Invalid prompt format" });
    await agent.sendMessage("an invalid prompt");
    expect(errors()).toMatchObject([{ content: "Invalid prompt format" }]);
    expect(users()).toEqual([]);
  });

  it("blocks a tool, and nothing of the other test is in the conversation (FR-006, FR-017)", async () => {
    expect(agent.messages).toEqual([]);
    vi.mocked(hookService.executeHooks).mockImplementation((event) =>
      Promise.resolve(event === "PreToolUse" ? [result(2, { stderr: "Tool blocked by hook" })] : []),
    );
    vi.mocked(aiService.callAgent)
      .mockResolvedValueOnce({ tool_calls: [toolCall("call_123", "run_terminal_cmd", { command: "x" })] })
      .mockResolvedValueOnce({ content: "understood" });
    await agent.sendMessage("a prompt");
    const tools = agent.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool"));
    expect(tools).toMatchObject([
      { result: expect.stringContaining("Tool blocked by hook"), success: false },
    ]);
  });
});
