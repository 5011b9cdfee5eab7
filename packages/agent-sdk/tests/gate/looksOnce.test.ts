import { Session } from "node:inspector/promises";
import { describe, expect, it } from "vitest";
import { playSession } from "../support/playSession.ts";
import { memoryFolder } from "../support/tempFolder.ts";

/** How often each function of Wave's ran meanwhile, as the engine counts it. */
async function callsDuring(work: () => Promise<unknown>): Promise<(name: string) => number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const counted = result.flatMap(({ functions }) => functions);
    return (name) =>
      counted
        .filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  } finally {
    session.disconnect();
  }
}

const hook = (name: string, command: string) => ({ type: "command", name, command });

describe("a command line", () => {
  it.each([
    ["that no hook changes", ":", 1],
    [
      "that a hook rewrites",
      `grep -q '"pass":1' && echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo two"}}}'; exit 0`,
      2,
    ],
  ])(
    "%s is read once for hooks, their if, rules and the record together, and once more if hooks changed it",
    async (_what, command, times) => {
      using folder = memoryFolder();
      const counted = await callsDuring(() =>
        playSession(folder.path, {
          settings: {
            hooks: {
              PreToolUse: [
                {
                  matcher: "Bash",
                  hooks: [hook("before", command), { ...hook("pushes", ":"), if: "Bash(git push:*)" }],
                },
              ],
              PostToolUse: [
                { matcher: "Bash", hooks: [hook("after", ":"), { ...hook("edits", ":"), if: "Bash(rm:*)" }] },
              ],
            },
            permissions: { deny: ["Read(./secret)"] },
          },
          scenario: [{ call: { name: "Bash", arguments: { command: "echo one" } } }, { say: "done" }],
        }),
      );
      // Each different command of a hook is read once as well, when its scripts are looked for.
      const hookCommands = new Set([command, ":"]).size;
      expect([counted("viewCommand"), counted("readLine")]).toEqual([times, times + hookCommands]);
    },
  );
});
