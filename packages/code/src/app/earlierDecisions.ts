import { findSession, loadSession, type TimedDecision } from "wave-agent-sdk";
import { beganAt } from "../utils/localTime.ts";

/** The decisions of a session from before it was opened here; a copy also has those of what it was copied from. */
export async function earlierDecisions(
  sessionFile: string,
  { sessionsDir, before }: { sessionsDir: string; before: string },
): Promise<TimedDecision[]> {
  const session = await loadSession(sessionFile, { decisions: true });
  const own = (session?.decisions ?? []).filter(({ ts }) => ts < before);
  const parent = session?.parent === undefined ? undefined : fileOf(sessionsDir, session.parent);
  // A session is never older than what it was copied from, so this comes to an end.
  if (parent === undefined || parent === sessionFile) return own;
  return [
    ...(await earlierDecisions(parent, { sessionsDir, before: beginOf(session?.id) ?? before })),
    ...own,
  ];
}

/** Undefined when it was deleted: then nobody can say what was decided in it. */
function fileOf(sessionsDir: string, id: string): string | undefined {
  try {
    return findSession(sessionsDir, id);
  } catch {
    return undefined;
  }
}

const beginOf = (id = ""): string | undefined => beganAt(id)?.toISOString();
