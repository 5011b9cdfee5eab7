import { findSession } from "wave-agent-sdk";
import { exportSession } from "../../export/exportSession.ts";
import { printable } from "../../utils/printable.ts";
import { failed } from "../wrongUsage.ts";
import type { SessionsRun } from "./index.ts";

export async function exportOne({
  words: [id = "", target],
  force,
  sessionsDir,
  around,
}: SessionsRun): Promise<number> {
  const sessionFile = findSession(sessionsDir, id);
  const done = await exportSession({ sessionFile, target, folder: around.cwd, force });
  if (!done.written) return failed(around, `${done.why}.`);
  around.stdout.write(printable(`Written to ${done.file}\n`));
  return 0;
}
