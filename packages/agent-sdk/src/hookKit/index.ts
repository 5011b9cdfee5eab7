// What scripts of hooks import as wave-agent-sdk/hooks. It loads nothing of the agent, because it is loaded for each call.
export { serveHook, type HookScript } from "./serveHook.ts";
export type { HookEvent, HookInput, HookOutput } from "../hooks/events.ts";
