// What scripts of hooks and their tests import as wave-agent-sdk/hooks. A script is loaded for each call, so the engine is loaded only
// when a test runs something.
import type { HookRan, HookToRun } from "./runHook.ts";

export { defineHook, hookInput } from "./defineHook.ts";
export { serveHook, type HookScript } from "./serveHook.ts";
export type { HookRan, HookToRun } from "./runHook.ts";
export type { HookEvent, HookInput, HookOutput } from "../hooks/events.ts";

/** Runs a hook through the engine that runs it in a session. Rejects with a sentence for an entry that cannot be read. */
export async function runHook(hook: HookToRun, input: Readonly<Record<string, unknown>>): Promise<HookRan> {
  const engine = await import("./runHook.ts");
  return engine.runHook(hook, input);
}
