import { serveHook } from "../packages/agent-sdk/src/hookKit/index.ts";

serveHook<"PreToolUse">(({ tool_input }) =>
  /push.*--force/.test(String(tool_input["command"])) ? { decision: "block", reason: "no force" } : undefined,
);
