import { z } from "zod";
import { describeState, findShell } from "./bashOutput.ts";
import { GatePass } from "./gatePass.ts";
import { cannotRun } from "./outcome.ts";
import { defineTool } from "./tool.ts";

const description = "Ends a background shell and everything it started.";

const input = z.strictObject({ shell_id: z.string().min(1).describe("Id that Bash gave") });

export const killShellTool = defineTool<z.infer<typeof input>>({
  name: "KillShell",
  description,
  input,
  parallel: false,
  pathFields: [],
  effect: () => ({ does: "nothing" }),
  preflight: async ({ shell_id }, { session }) => {
    const found = findShell(shell_id, session.shells);
    return "problem" in found ? found : {};
  },
  async run(pass, { session }) {
    const found = findShell(GatePass.open(pass).shell_id, session.shells);
    if ("problem" in found) return cannotRun(found);
    const { shell } = found;
    const before = shell.state;
    await shell.kill();
    const result =
      before.is === "running"
        ? `${shell.id} was ended with everything it started: ${shell.command}`
        : `There was nothing to end: ${shell.id} is already ${describeState(before)}.`;
    return {
      success: true,
      result,
      response: { message: result, shell_id: shell.id, command: shell.command },
    };
  },
});
