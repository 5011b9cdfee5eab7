// Runs one turn of an agent whose three services are replaced, between two marks that a trace of system calls shows.
import { openSync } from "node:fs";
import { registerHooks } from "node:module";

const replaced = {
  "services/session.ts":
    "export const saveSession = () => undefined, loadSession = saveSession, getLatestSession = saveSession, cleanupExpiredSessions = saveSession;",
  "services/aiService.ts": "export const callAgent = async () => ({ content: 'hello' });",
  "services/hook.ts": "export const executeHooks = async () => [];",
};
registerHooks({
  load(url, context, next) {
    const name = Object.keys(replaced).find((path) => url.endsWith(`/src/${path}`));
    return name ? { format: "module", source: replaced[name], shortCircuit: true } : next(url, context);
  },
});
const { Agent } = await import("../../src/agent.ts");

mark("AGENT-BEGINS");
const agent = await Agent.create();
await agent.sendMessage("hello");
await agent.destroy();
mark("AGENT-ENDS");
process.stdout.write("done\n");

function mark(name) {
  try {
    openSync(`/${name}`);
  } catch {
    // ENOENT: the attempt is what the trace shows.
  }
}
