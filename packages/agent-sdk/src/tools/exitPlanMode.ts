import { z } from "zod";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import { defineTool } from "./tool.ts";

const input = z.strictObject({
  plan: z
    .string()
    .min(1)
    .max(50_000)
    .describe("The whole plan, in Markdown: steps, files, how it is checked"),
});

/** The question about the plan is the gate's; this is what a yes does. */
export const exitPlanModeTool = defineTool<z.infer<typeof input>>({
  name: "ExitPlanMode",
  description: "In plan mode: shows the user your plan and asks whether to carry it out.",
  input,
  parallel: false,
  pathFields: [],
  effect: () => ({ does: "leave-plan" }),
  async run(pass, { session }) {
    const { plan } = GatePass.open(pass);
    const mode = session.leavePlan?.() ?? "was-not-planning";
    if (mode === "was-not-planning") return refusal("This is not plan mode: go on with the work.");
    return {
      success: true,
      result: `The user approved the plan. The mode is ${mode} now: carry it out.`,
      response: { plan, mode },
    };
  },
});
