import {
  findSession,
  listSessions,
  loadSession,
  SessionError,
  sessionsDirFor,
  type TimedDecision,
} from "wave-agent-sdk";
import type { Surroundings } from "../../cli/surroundings.ts";
import { waveHome } from "../../modes/readSettings.ts";
import { printable, printableJson } from "../../utils/printable.ts";
import { shortenPaths } from "../../utils/shortPath.ts";
import { failed, wrongUsage } from "../wrongUsage.ts";
import type { HooksInvocation } from "./index.ts";
import { storyOf } from "./story.ts";

/** Who decided what, and why, from the decision records of a session. */
export async function explainHooks(
  words: readonly string[],
  invocation: HooksInvocation,
  around: Surroundings,
): Promise<number> {
  if (words.length > 1)
    return wrongUsage(around, `wave hooks explain takes one call, but ${JSON.stringify(words[1])} follows.`);
  const [wanted = "last"] = words;
  try {
    const file = await sessionFile(invocation.session, around);
    if (file === undefined)
      return failed(around, "There are no sessions in this folder yet, so there is nothing to explain.");
    const session = await loadSession(file, { decisions: true });
    for (const problem of session?.problems ?? [])
      around.stderr.write(printable(`wave: ${file}: ${problem}\n`));
    const decisions = session?.decisions ?? [];
    if (decisions.length === 0)
      return failed(
        around,
        `Session ${session?.id ?? ""} has no decisions: no hook ran and no tool was called.`,
      );
    const chosen =
      wanted === "last"
        ? lastStory(decisions)
        : decisions.filter(({ toolUseId }) => toolUseId?.startsWith(wanted));
    if (chosen.length === 0)
      return failed(
        around,
        `Session ${session?.id ?? ""} has no call ${JSON.stringify(wanted)}. ${calls(decisions)}`,
      );
    if (invocation.json) around.stdout.write(`${printableJson(chosen)}\n`);
    else around.stdout.write(`${printable(shortenPaths(chosen.flatMap(storyOf).join("\n"), around.cwd))}\n`);
    return 0;
  } catch (error) {
    if (error instanceof SessionError) return failed(around, error.message);
    throw error;
  }
}

async function sessionFile(id: string | undefined, { cwd, env }: Surroundings): Promise<string | undefined> {
  const folder = sessionsDirFor(waveHome(env), cwd);
  return id === undefined ? (await listSessions(folder))[0]?.file : findSession(folder, id);
}

/** Everything about the last tool call; without one, the last event. */
export function lastStory(decisions: readonly TimedDecision[]): TimedDecision[] {
  const id = decisions.findLast(({ toolUseId }) => toolUseId !== undefined)?.toolUseId;
  return id === undefined ? decisions.slice(-1) : decisions.filter(({ toolUseId }) => toolUseId === id);
}

function calls(decisions: readonly TimedDecision[]): string {
  const names = new Map(
    decisions.flatMap((one) => (one.toolUseId ? [[one.toolUseId, one.toolName ?? "?"] as const] : [])),
  );
  if (names.size === 0) return "It called no tool.";
  const shown = [...names].slice(-5).map(([id, name]) => `${id} (${name})`);
  return `Its ${names.size > 5 ? "last " : ""}calls: ${shown.join(", ")}.`;
}
