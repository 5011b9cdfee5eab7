import { z } from "zod";
import type { AgentDefinition } from "../workspace/agents/definition.ts";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Each call of a sub-agent is judged by itself, so starting one touches nothing. */
export function agentTool(definitions: readonly AgentDefinition[]): Tool {
  const names = definitions.map(({ name }) => name);
  const input = z.strictObject({
    description: z.string().min(1).describe("In three to five words"),
    prompt: z.string().min(1).describe("All it has to know: it sees nothing of this conversation"),
    subagent_type: z.enum(names).optional().describe("Default general"),
    run_in_background: z.boolean().optional().describe("Its answer is told later"),
  });
  const kinds = definitions.map(({ name, description }) => `${name} (${description})`).join(", ");
  return defineTool<z.infer<typeof input>>({
    name: "Agent",
    description: `Gives a task to a sub-agent with a context of its own and returns its answer. Several in one answer work at once. Types: ${kinds}.`,
    input,
    parallel: true,
    pathFields: [],
    effect: () => ({ does: "nothing" }),
    async run(pass, { session, ...context }) {
      const asked = GatePass.open(pass);
      const { description, prompt, subagent_type: type = "general" } = asked;
      if (!session.agents) return refusal("No sub-agent can be started here.");
      const background = asked.run_in_background ?? false;
      const task = { type, description, prompt, background, toolUseId: pass.toolUseId };
      return session.agents.start(task, context);
    },
  });
}
