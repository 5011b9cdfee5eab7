import { cpSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../utils/errorCode.ts";
import type { LoadedSession } from "./loadedSession.ts";
import { agentsFolderOf } from "./sessionPaths.ts";
import { readSession } from "./sessionReader.ts";

/** The transcript of a sub-agent, by the id that the call in the session names; undefined when it is not there. */
export async function loadSubAgent(sessionFile: string, id: string): Promise<LoadedSession | undefined> {
  // An id never leads out of the folder.
  return /^\w+$/.test(id) ? readSession(join(agentsFolderOf(sessionFile), `${id}.jsonl`), {}) : undefined;
}

/** A copy of a session has those of the one that it was copied from. */
export function copySubAgents(from: string, to: string): void {
  try {
    const isTranscript = (path: string) => !/\.lock/.test(path);
    cpSync(agentsFolderOf(from), agentsFolderOf(to), { recursive: true, filter: isTranscript });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
