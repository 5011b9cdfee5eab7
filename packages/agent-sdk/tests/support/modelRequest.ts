import type { ModelOptions, ModelRequest, RetryNotice } from "@/services/aiService.ts";
import type { ModelCall, Quirk, QuirkState } from "@/model/call.ts";
import { resolveModel } from "@/model/resolveModel.ts";
import { ModelError, type ModelErrorKind } from "@/errors.ts";

export const KEY = "sk-secret-4711";

/** A request for one answer, with everything a test does not care about filled in. */
export function modelRequest(
  model: Partial<ModelOptions> & { baseUrl: string },
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    messages: [{ role: "user", content: "hello" }],
    tools: [],
    model: {
      apiKey: KEY,
      model: "m1",
      settings: { model: undefined, baseUrl: undefined },
      env: { PATH: process.env["PATH"] },
      ...model,
    },
    projectDir: "/",
    cwd: "/",
    believed: true,
    instructions: "",
    ...more,
  };
}

/** The same for one attempt. */
export function modelCall(baseUrl: string, more: Partial<ModelCall> = {}): ModelCall {
  return {
    target: { ...resolveModel(modelRequest({ baseUrl }).model), model: "m1" },
    messages: [{ role: "user", content: "hello" }],
    tools: [],
    signal: undefined,
    on: {},
    quirks: new Map<Quirk, QuirkState>(),
    refusedImages: new Set<string>(),
    ...more,
  };
}

/** The ModelError a call ended with, as a plain value; anything else is a failure of the test. */
export async function modelFailure(
  call: Promise<unknown>,
): Promise<{ kind: ModelErrorKind; status: number | undefined; message: string }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ModelError)
      return { kind: error.kind, status: error.status, message: error.message };
    throw error;
  }
  throw new Error("The call was answered.");
}

/** Callbacks for a request that write down what a call tells while it runs. */
export function listener() {
  const heard: string[] = [];
  const retries: RetryNotice[] = [];
  return {
    heard,
    retries,
    onText: (text: string): void => void heard.push(`text ${text}`),
    onReasoning: (text: string): void => void heard.push(`reasoning ${text}`),
    onToolCall: (name: string): void => void heard.push(`call ${name}`),
    onRetry: (notice: RetryNotice): void => void retries.push(notice),
  };
}
