import { skippedSessions } from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";
import { printableLine } from "../utils/printable.ts";

/** Says which sessions of a folder cannot be read: whoever looks for one of them would look in vain. */
export function nameSkipped(sessionsDir: string, { stderr }: Pick<Surroundings, "stderr">): void {
  for (const { file, why } of skippedSessions(sessionsDir))
    stderr.write(printableLine(`wave: skipped ${file}: ${why}`) + "\n");
}
