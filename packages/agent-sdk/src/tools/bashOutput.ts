import { z } from "zod";
import { withinTime } from "../utils/withinTime.ts";
import { describeEnd, joinOutput } from "./commandOutput.ts";
import { GatePass } from "./gatePass.ts";
import { cannotRun } from "./outcome.ts";
import type { BackgroundShell, ShellRegistry, ShellState } from "./shells.ts";
import { defineTool, type CannotRun } from "./tool.ts";

const description = "Gives what a background shell printed since the last call, and whether it still runs.";

/** In characters: an expression may take long to be read, too. */
const MOST_FILTER = 1_000;
/** In milliseconds. Some expressions take longer than the universe will last, on a line of forty characters. */
const FILTER_MS = 300;

const input = z.strictObject({
  bash_id: z.string().min(1).describe("Id that Bash gave"),
  filter: z.string().max(MOST_FILTER).optional().describe("Regular expression; other lines are dropped"),
});

export const bashOutputTool = defineTool<z.infer<typeof input>>({
  name: "BashOutput",
  description,
  input,
  parallel: false,
  pathFields: [],
  effect: () => ({ does: "nothing" }),
  preflight: async (asked, { session }) => {
    const found = find(asked, session.shells);
    return "problem" in found ? found : {};
  },
  async run(pass, { session }) {
    // Before anything is taken: what a bad filter asked for is still there for the next call.
    const found = find(GatePass.open(pass), session.shells);
    if ("problem" in found) return cannotRun(found);
    const { shell, pattern } = found;

    // First the state, then the output: what is printed before the end is never reported after it.
    const state = shell.state;
    const { stdout, stderr } = shell.takeUnread();
    const printed = joinOutput(stdout, stderr);
    const shown = pattern && printed !== "" ? onlyMatching(printed, pattern) : printed;
    const { command, bounds } = shell;
    const refused = { stdout: stdout.text, stderr: stderr.text, failed: false, command, bounds };
    const hint = session.sandbox?.hint(refused) ?? "";
    const output = [shown, hint].filter((part) => part !== "").join("\n");
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

function find(
  { bash_id, filter }: z.infer<typeof input>,
  shells: ShellRegistry,
): CannotRun | { shell: BackgroundShell; pattern: RegExp | undefined } {
  const found = findShell(bash_id, shells);
  if ("problem" in found) return found;
  const pattern = filter === undefined ? undefined : parsePattern(filter);
  if (pattern && "problem" in pattern) return pattern;
  return { ...found, pattern: pattern?.regex };
}

export function findShell(id: string, shells: ShellRegistry): CannotRun | { shell: BackgroundShell } {
  const shell = shells.get(id);
  return shell ? { shell } : { problem: explainUnknownShell(id, shells) };
}

function explainUnknownShell(id: string, shells: ShellRegistry): string {
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
  const wanted = (line: string) => regex.test(line) || /^\[… [\d,]+ bytes cut …\]$/.test(line);
  const done = withinTime(FILTER_MS, () => lines.filter(wanted));
  // What was printed is told once, so here it is told in full.
  if (!done)
    return `${text}\n[The filter ${regex.source} took too long and was not used. Write a simpler one.]`;
  const matching = done.value;
  const dropped = lines.length - matching.length;
  return [...matching, ...(dropped > 0 ? [`[${dropped} other lines dropped by the filter]`] : [])].join("\n");
}
