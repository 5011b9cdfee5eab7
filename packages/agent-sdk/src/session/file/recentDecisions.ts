import { loadSession } from "../../services/session.ts";
import { SessionError } from "../../errors.ts";
import type { TimedDecision } from "./loadedSession.ts";
import { newestSessions } from "./sessionList.ts";

export interface RecentDecisions {
  /** Oldest first. */
  decisions: TimedDecision[];
  /** How many sessions were looked at. */
  sessions: number;
}

/** What was decided in the newest sessions of a project. One that cannot be read is passed over: lists of sessions name it. */
export async function recentDecisions(sessionsDir: string, atMost: number): Promise<RecentDecisions> {
  const found: TimedDecision[][] = [];
  for (const { file } of newestSessions(sessionsDir).slice(0, atMost)) {
    const session = await loadSession(file, { decisions: true }).catch((error: unknown) => {
      if (error instanceof SessionError) return undefined;
      throw error;
    });
    if (session) found.push(session.decisions ?? []);
  }
  return { decisions: found.toReversed().flat(), sessions: found.length };
}
