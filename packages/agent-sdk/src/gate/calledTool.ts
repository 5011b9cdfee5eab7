import type { ToolLookup } from "../tools/sources/registry.ts";
import type { Tool } from "../tools/tool.ts";
import type { PreparedCall } from "../conversation/turn/prepareCall.ts";
import { describeMisfit } from "../utils/describeMisfit.ts";
import { headAndTail } from "../utils/headAndTail.ts";
import type { Refused } from "./refusals.ts";
import type { ToolJudgement } from "./toolJudge.ts";

/** The tool of a call whose input fits it; otherwise what the model is told. */
export function calledTool(
  { call, judged }: { call: PreparedCall; judged: ToolJudgement },
  tools: ToolLookup,
): { tool: Tool } | { problem: string } {
  const tool = tools.get(call.name);
  if (!tool)
    return { problem: `There is no tool named ${call.name}. Tools: ${[...tools.keys()].join(", ")}.` };
  if (call.broken && !judged.rewritten) {
    const raw = headAndTail(call.broken.raw, 2_000).text;
    return { problem: `The arguments could not be read: ${call.broken.error}. They were: ${raw}` };
  }
  const wrong = misfit(tool, judged.input);
  return wrong === undefined ? { tool } : { problem: `The input does not fit ${call.name}: ${wrong}` };
}

export function misfit(tool: Tool, input: Record<string, unknown>): string | undefined {
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return undefined;
  return describeMisfit({ name: tool.name, schema: tool.input, input, issues: parsed.error.issues });
}

/** No decision of anybody's: the call could not have done what it is for. */
export const cannotRun = (result: string): Refused => ({
  result,
  error: "the call cannot be run",
  decidedBy: "the call itself",
  kind: "cannot-run",
});
