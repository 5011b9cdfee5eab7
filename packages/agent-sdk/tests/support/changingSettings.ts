import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentOptions } from "@/agentOptions.ts";

/** Somebody else changes the project's settings while the first tool call is judged: at the next event it is noticed. */
export function changingSettings(folder: string): { options: AgentOptions } {
  const file = join(folder, "project", ".wave", "settings.json");
  const changer = { type: "function" as const, name: "changer", run: () => appendFileSync(file, "\n") };
  return { options: { hooks: { PreToolUse: [{ hooks: [changer] }] } } };
}
