import { findSession, listSessions, SessionError } from "wave-agent-sdk";
import { exportSession } from "../../export/exportSession.ts";
import { waveHome } from "../../modes/places.ts";
import { printable, printableLine } from "../../utils/printable.ts";
import { nameSkipped } from "../nameSkipped.ts";
import { failed } from "../wrongUsage.ts";
import type { SessionsRun } from "./run.ts";
import { aboutOf } from "./list.ts";

export async function exportOne({
  words: [id, target],
  force,
  sessionsDir,
  around,
}: SessionsRun): Promise<number> {
  const sessionFile = id === undefined ? await latest(sessionsDir, around) : findSession(sessionsDir, id);
  const done = await exportSession({
    sessionFile,
    target,
    folder: around.cwd,
    home: waveHome(around.env),
    force,
  });
  if (!done.written) return failed(around, `${done.why}.`);
  around.stdout.write(printable(`Written to ${done.file}\n`));
  return 0;
}

/** The session that was written last; one in which nothing was said only when there is no other. Says which it is. */
async function latest(sessionsDir: string, around: SessionsRun["around"]): Promise<string> {
  const sessions = await listSessions(sessionsDir);
  nameSkipped(sessionsDir, around);
  const newest = sessions.find(({ messageCount }) => messageCount > 0) ?? sessions[0];
  if (!newest) throw new SessionError("not-found", "There are no sessions in this folder yet.");
  around.stderr.write(`Exporting the latest session, ${newest.id}: ${printableLine(aboutOf(newest))}\n`);
  return newest.file;
}
