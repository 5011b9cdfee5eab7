import { z } from "zod";
import type { AgentDefinition } from "../workspace/agents/definition.ts";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Each call of a sub-agent is judged by itself, so starting one touches nothing. */
export function agentTool(definitions: readonly AgentDefinition[]): Tool {
  const names = definitions.map(({ name }) => name);
  const input = z.strictObject({
    description: z.string().min(1).describe("The task in three to five words"),
    prompt: z
      .string()
      .min(1)
      .describe("All that the sub-agent has to know: it sees nothing of this conversation"),
    subagent_type: z.enum(names).optional().describe("Default general"),
  });
  const kinds = definitions.map(({ name, description }) => `${name} (${description})`).join(", ");
  return defineTool<z.infer<typeof input>>({
    name: "Agent",
    description: `Gives a task of many steps to a sub-agent with a context of its own and returns its final answer. Several in one answer work at the same time. Types: ${kinds}.`,
    input,
    parallel: true,
    pathFields: [],
    effect: () => ({ does: "nothing" }),
    async run(pass, { session, ...context }) {
      const { description, prompt, subagent_type: type = "general" } = GatePass.open(pass);
      if (!session.agents) return refusal("No sub-agent can be started here.");
      return session.agents.start({ type, description, prompt, toolUseId: pass.toolUseId }, context);
    },
  });
}
