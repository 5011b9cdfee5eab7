import { vi } from "vitest";
import type { HookEvent } from "@/hooks/events.js";
import type { HookExecutionResult } from "@/hooks/result.js";
import { callAgent } from "@/services/aiService.js";
import { executeHooks } from "@/services/hook.js";

export function result(
  exitCode: number,
  output: { stdout?: string; stderr?: string } = {},
): HookExecutionResult {
  return {
    success: exitCode === 0,
    exitCode,
    stdout: output.stdout ?? "",
    stderr: output.stderr ?? "",
    duration: 1,
    timedOut: false,
  };
}

/** Hooks answer by event; an event that is not named has no hooks. Each list is used up call by call, the last stays. */
export function hooksAnswer(byEvent: Partial<Record<HookEvent, HookExecutionResult[][]>>): void {
  vi.mocked(executeHooks).mockImplementation(async (event) => {
    const answers = byEvent[event] ?? [];
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  });
}

/** The model says these things one after the other, and nothing after the last. */
export function modelSays(...answers: Awaited<ReturnType<typeof callAgent>>[]): void {
  const mock = vi.mocked(callAgent).mockReset();
  for (const answer of answers) mock.mockResolvedValueOnce(answer);
}

export const toolCall = (id: string, name: string, input: unknown) => ({
  id,
  type: "function" as const,
  index: 0,
  function: { name, arguments: JSON.stringify(input) },
});
