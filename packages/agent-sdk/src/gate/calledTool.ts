import type { ToolLookup } from "../tools/sources/registry.ts";
import type { PreparedCall } from "../conversation/turn/prepareCall.ts";
import { shortened } from "../utils/quoted.ts";
import { headAndTail } from "../utils/headAndTail.ts";
import type { Refused } from "./refusals.ts";
import type { ToolJudgement } from "./toolJudge.ts";

/** Why a call cannot run, as the model is told; undefined when it can. */
export function whyNotRun(
  { call, judged }: { call: PreparedCall; judged: Pick<ToolJudgement, "rewritten" | "facts"> },
  tools: ToolLookup,
): string | undefined {
  if (!tools.get(call.name))
    return `There is no tool named ${call.name}. Tools: ${shortened([...tools.keys()].join(", "), 4_000)}.`;
  if (call.broken && !judged.rewritten) {
    const raw = headAndTail(call.broken.raw, 2_000).text;
    return `The arguments could not be read: ${call.broken.error}. They were: ${raw}`;
  }
  const { fit } = judged.facts;
  return fit.fits ? undefined : `The input does not fit ${call.name}: ${fit.why}`;
}

/** No decision of anybody's: the call could not have done what it is for. */
export const cannotRun = (result: string): Refused => ({
  result,
  error: "the call cannot be run",
  decidedBy: "the call itself",
  kind: "cannot-run",
});
