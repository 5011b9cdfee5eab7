import { basename } from "node:path";
import { processName, stateOfNamed, type ProcessIdentity } from "wave-agent-sdk";

/** Whose a draft is, as the name of its file says it: one rename hands it over, and only one of two can make it. */
export type DraftState =
  /** Of this process. */
  | "own"
  /** Of a process that still types. */
  | "alive"
  /** Its process is gone: whoever renames it first has it. */
  | "left"
  /** Its process cannot be seen from here, so nobody can say that it is gone. */
  | "elsewhere";

const NAME = /^(?<project>[0-9a-f]{16})(?:\.(?<owner>\d+\.\d*\.[0-9a-f]{12})(?:\.\d+)?)?\.json$/;

export function draftName(project: string, owner: ProcessIdentity, number?: number): string {
  const parts = [project, processName(owner), ...(number === undefined ? [] : [number])];
  return `${parts.join(".")}.json`;
}

/** Undefined: no draft of this project. `me` is who looks. */
export function draftState(file: string, project: string, me: ProcessIdentity): DraftState | undefined {
  const name = NAME.exec(basename(file))?.groups;
  if (name?.["project"] !== project) return undefined;
  const { owner } = name;
  // Written before drafts had owners.
  if (owner === undefined) return "left";
  const state = stateOfNamed(owner, me);
  return state === "dead" ? "left" : state;
}
