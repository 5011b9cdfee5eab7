import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Agent } from "@/agent.js";
import { GIVE_UP_MS } from "@/conversation/workQueue.js";
import { callAgent, type ModelAnswer } from "@/services/aiService.js";
import { executeHooks } from "@/services/hook.js";
import { saveSession } from "@/services/session.js";
import { toolCall } from "./mockedServices.js";

vi.mock("@/services/session", () => ({
  saveSession: vi.fn(),
  loadSession: vi.fn(),
  getLatestSession: vi.fn(),
  cleanupExpiredSessions: vi.fn(),
}));
vi.mock("@/services/aiService");
vi.mock("@/services/hook");

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => void vi.useRealTimers());

it("is given up what does not end when it is interrupted, and what it does later reaches nothing", async () => {
  const model = Promise.withResolvers<ModelAnswer>();
  vi.mocked(callAgent).mockReturnValue(model.promise);
  const events: string[] = [];
  const agent = await Agent.create({
    permissionMode: "bypassPermissions",
    onEvent: (event) => void events.push(event.type === "notice" ? event.text : event.type),
  });
  const sent = [agent.sendMessage("first"), agent.sendMessage("second")];
  await vi.waitFor(() => expect(callAgent).toHaveBeenCalledOnce());
  const destroyed = agent.destroy();
  await vi.advanceTimersByTimeAsync(GIVE_UP_MS);
  await destroyed;
  expect(await Promise.all(sent)).toMatchObject([
    { because: "aborted", reason: expect.stringContaining("did not end when it was interrupted") },
    { because: "aborted", reason: expect.stringContaining("before this prompt began") },
  ]);
  expect(events.filter((type) => type === "turn_ended")).toHaveLength(1);
  expect(events).toContainEqual(expect.stringMatching(/^what was running did not end within 1\.5 seconds/));
  expect(vi.mocked(executeHooks).mock.calls.at(-1)?.[0]).toBe("SessionEnd");

  const [heard, saved] = [events.length, vi.mocked(saveSession).mock.calls.length];
  model.resolve({ tool_calls: [toolCall("1", "Bash", { command: "touch x" })] });
  await vi.advanceTimersByTimeAsync(100);
  expect(events).toHaveLength(heard);
  expect(saveSession).toHaveBeenCalledTimes(saved);
  expect(callAgent).toHaveBeenCalledOnce();
});
