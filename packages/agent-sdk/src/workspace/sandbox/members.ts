import { dirname } from "node:path";
import { readOnlyPlan, type ReadOnlyPlace } from "../../permissions/readOnlyPlan.ts";
import { readOnlyProfile } from "../../permissions/readOnlyProfile.ts";
import { startProcess, type ProcessRequest, type RunningProcess } from "../../services/process.ts";
import { statOf } from "../files/fileFacts.ts";
import { findBubblewrap, runInBubblewrap, type Availability } from "./bubblewrap.ts";

/** A program of the machine that can run another one where it only reads. */
export interface ReadOnlyProgram {
  /** `writable`: folders from which it is not taken. */
  find(path: string | undefined, writable: readonly string[]): Availability;
  start(
    program: string,
    place: ReadOnlyPlace,
    request: ProcessRequest,
    endedByItself: () => boolean,
  ): RunningProcess;
}

const BUBBLEWRAP: ReadOnlyProgram = {
  find: findBubblewrap,
  start: (program, place, request, endedByItself) =>
    runInBubblewrap(program, readOnlyPlan(place), request, endedByItself),
};

const SANDBOX_EXEC: ReadOnlyProgram = {
  find: () =>
    statOf("/usr/bin/sandbox-exec")?.isFile()
      ? { is: "there", program: "/usr/bin/sandbox-exec" }
      : { is: "missing", why: "there is no sandbox-exec on this Mac" },
  start: (program, place, request) => {
    const [file] = place.written;
    return startProcess({
      ...request,
      file: program,
      args: ["-p", readOnlyProfile(place), request.file, ...request.args],
      env: { ...request.env, ...(file === undefined ? {} : { TMPDIR: dirname(file) }) },
    });
  },
};

const NONE: ReadOnlyProgram = {
  find: () => ({ is: "missing", why: `Wave knows no sandbox for ${process.platform}` }),
  start: (_program, _place, request) => startProcess(request),
};

/** What a system has for it. */
const MEMBERS: Partial<Record<NodeJS.Platform, ReadOnlyProgram>> = {
  linux: BUBBLEWRAP,
  darwin: SANDBOX_EXEC,
};

export const readOnlyProgram = (platform: NodeJS.Platform = process.platform): ReadOnlyProgram =>
  MEMBERS[platform] ?? NONE;
