import type { Surroundings } from "../../cli/surroundings.ts";

/** What a sub-command is run with. */
export interface SessionsRun {
  words: readonly string[];
  json: boolean;
  all: boolean;
  force: boolean;
  /** Where the sessions of this project are. */
  sessionsDir: string;
  around: Surroundings;
}
