import { statSync, utimesSync } from "node:fs";
import { SessionError } from "../../errors.ts";
import { checkedName } from "../../messages/sessionName.ts";
import { loadSession, saveSession, type SessionHandle } from "../../services/session.ts";
import { sessionIdOf } from "./sessionPaths.ts";

/**
 * Gives a session that nobody has open a name; returns it as it was written down. Throws TypeError for a bad name and
 * SessionError when the session is in use, is gone or cannot be written.
 */
export async function renameSession(file: string, name: string): Promise<string> {
  const checked = checkedName(name);
  const before = statSync(file, { throwIfNoEntry: false });
  if (!before) throw new SessionError("not-found", `Session ${sessionIdOf(file)} is gone.`);
  const { newer } = (await loadSession(file)) ?? {};
  if (newer !== undefined)
    throw new SessionError(
      "newer",
      `Session ${sessionIdOf(file)} was written by a newer version of Wave (${newer}): upgrade Wave to rename it.`,
    );
  const handle: SessionHandle = { id: sessionIdOf(file), file, cwd: "" };
  const outcome = saveSession(handle, [{ type: "named", name: checked }], { sync: true });
  handle.close?.();
  if (!outcome.saved) throw new SessionError("unreadable", outcome.problem);
  // A name is no work: which session is the latest must not change by it.
  utimesSync(file, before.atime, before.mtime);
  return checked;
}
