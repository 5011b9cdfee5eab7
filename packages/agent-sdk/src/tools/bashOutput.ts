import { z } from "zod";
import { describeEnd, joinOutput } from "./commandOutput.ts";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import type { ShellRegistry, ShellState } from "./shells.ts";
import { defineTool } from "./tool.ts";

const description = "Gives what a background shell printed since the last call, and whether it still runs.";

const input = z.strictObject({
  bash_id: z.string().min(1).describe("Id that Bash gave"),
  filter: z.string().optional().describe("Regular expression; other lines are dropped"),
});

export const bashOutputTool = defineTool<z.infer<typeof input>>({
  name: "BashOutput",
  description,
  input,
  parallel: false,
  pathFields: [],
  effect: () => ({ does: "nothing" }),
  async run(pass, { session }) {
    const { bash_id, filter } = GatePass.open(pass);
    const shell = session.shells.get(bash_id);
    if (!shell) return refusal(explainUnknownShell(bash_id, session.shells));
    const pattern = filter === undefined ? undefined : parsePattern(filter);
    // Before anything is taken: what a bad filter asked for is still there for the next call.
    if (pattern && "problem" in pattern) return refusal(pattern.problem);

    // First the state, then the output: what is printed before the end is never reported after it.
    const state = shell.state;
    const { stdout, stderr } = shell.takeUnread();
    const printed = joinOutput(stdout, stderr);
    const shown = pattern && printed !== "" ? onlyMatching(printed, pattern.regex) : printed;
    const output = [shown, session.sandbox?.hint(printed) ?? ""].filter((part) => part !== "").join("\n");
    return {
      success: true,
      result: `Status: ${describeState(state)}\n${output === "" ? "(no new output)" : output}`,
      response: {
        shellId: shell.id,
        command: shell.command,
        status: statusOf(state),
        exitCode: state.is === "ended" && state.run.end === "exited" ? state.run.code : null,
        stdout: stdout.text,
        stderr: stderr.text,
      },
    };
  },
});

export function explainUnknownShell(id: string, shells: ShellRegistry): string {
  const ids = shells.ids();
  return ids.length === 0
    ? `There is no background shell ${id}; none was started in this session.`
    : `There is no background shell ${id}. Known are: ${ids.join(", ")}.`;
}

export function describeState(state: ShellState): string {
  switch (state.is) {
    case "running":
      return "running";
    case "killed":
      return "killed";
    case "ended":
      return `ended (${describeEnd(state.run)})`;
  }
}

function statusOf(state: ShellState): "running" | "killed" | "completed" | "failed" {
  if (state.is !== "ended") return state.is;
  return state.run.end === "exited" && state.run.code === 0 ? "completed" : "failed";
}

function parsePattern(source: string): { regex: RegExp } | { problem: string } {
  try {
    return { regex: new RegExp(source) };
  } catch (error) {
    return { problem: `The filter is not a regular expression: ${(error as Error).message}.` };
  }
}

function onlyMatching(text: string, regex: RegExp): string {
  const lines = text.split("\n");
  // The mark of a cut stays, whatever is looked for.
  const matching = lines.filter((line) => regex.test(line) || /^\[… [\d,]+ bytes cut …\]$/.test(line));
  const dropped = lines.length - matching.length;
  return [...matching, ...(dropped > 0 ? [`[${dropped} other lines dropped by the filter]`] : [])].join("\n");
}
