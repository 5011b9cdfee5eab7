import { listSessions, type SessionSummary } from "wave-agent-sdk";
import { emptyNotShown, isWorthListing, lengthOf } from "../../panels/sessionList.ts";
import { localMinute } from "../../utils/localTime.ts";
import { printableJson, printableLine } from "../../utils/printable.ts";
import { nameSkipped } from "../nameSkipped.ts";
import type { SessionsRun } from "./run.ts";

/** A program gets all of them with their counts, and can choose for itself. */
export async function list({ json, all, sessionsDir, around }: SessionsRun): Promise<number> {
  const sessions = await listSessions(sessionsDir);
  nameSkipped(sessionsDir, around);
  if (json) {
    around.stdout.write(`${printableJson(sessions)}\n`);
    return 0;
  }
  if (sessions.length === 0) around.stdout.write("There are no sessions in this folder yet.\n");
  const shown = all ? sessions : sessions.filter(isWorthListing);
  for (const session of shown) around.stdout.write(`${sessionLine(session, around.stdout.columns)}\n`);
  const leftOut = sessions.length - shown.length;
  // Not among the sessions: whoever counts the lines of the list counts sessions.
  if (leftOut > 0) around.stderr.write(`${emptyNotShown(leftOut)}; --all shows them\n`);
  return 0;
}

function sessionLine(session: SessionSummary, columns: number): string {
  const { id, updatedAt } = session;
  const when = localMinute(new Date(updatedAt));
  return withRest(`${id}  ${when}  ${lengthOf(session)}`, aboutOf(session), columns);
}

/** What a session is about: its name, or what was asked first. */
export const aboutOf = ({ name, firstPrompt }: Pick<SessionSummary, "name" | "firstPrompt">): string =>
  name === undefined ? (firstPrompt ?? "(no prompt)") : `[${name}] ${firstPrompt ?? ""}`.trim();

/** The start has the id, which is for copying: it is never cut. The rest gets what is left, or a line of its own. */
export function withRest(start: string, text: string, columns: number, cut: Cut = cutAtEnd): string {
  const room = columns - start.length - 2;
  const [width, between] = room >= 20 ? [room, "  "] : [Math.max(columns - 2, 10), "\n  "];
  return start + between + cut(printableLine(text), width);
}

export type Cut = (line: string, width: number) => string;

const cutAtEnd: Cut = (line, width) => {
  const rest = Array.from(line);
  return rest.length > width ? `${rest.slice(0, width - 1).join("")}…` : line;
};
