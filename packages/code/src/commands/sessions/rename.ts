import { findSession, renameSession } from "wave-agent-sdk";
import { printable } from "../../utils/printable.ts";
import { wrongUsage } from "../wrongUsage.ts";
import type { SessionsRun } from "./run.ts";

export async function rename({
  words: [id = "", ...name],
  sessionsDir,
  around,
}: SessionsRun): Promise<number> {
  const file = findSession(sessionsDir, id);
  try {
    const written = await renameSession(file, name.join(" "));
    around.stdout.write(printable(`The session is now called ${JSON.stringify(written)}.\n`));
    return 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return wrongUsage(around, `${error.message}.`);
  }
}
