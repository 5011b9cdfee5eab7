import { join } from "node:path";
import { isInside } from "../../permissions/paths.ts";
import { sandboxArguments, type SandboxPlan } from "../../permissions/sandbox.ts";
import { socketFilter } from "../../permissions/socketFilter.ts";
import { startProcess, type ProcessRequest, type RunningProcess } from "../../services/process.ts";
import { searchFolders } from "../../utils/searchPath.ts";
import { mayExecute, realPath, statOf } from "../files/fileFacts.ts";
import { readRun } from "./readRun.ts";

/** Whether commands of a session can be put into a sandbox, and if not, why and what to do. */
export type Availability = { is: "there"; program: string } | { is: "missing"; why: string };

const CHECK_MS = 10_000;
const INSTALL = "install bubblewrap (apt install bubblewrap, dnf install bubblewrap)";

/** Not from a folder that commands can write: they would bring their own. */
export function findBubblewrap(path: string | undefined, writable: readonly string[]): Availability {
  const [first = "/"] = writable;
  const folders = searchFolders(path, first);
  const safe = folders.filter((folder) => !writable.some((open) => isInside(open, realPath(folder))));
  const program = safe.map((folder) => join(folder, "bwrap")).find(isProgram);
  return program === undefined
    ? { is: "missing", why: `there is no bwrap on the PATH; ${INSTALL}` }
    : { is: "there", program };
}

/** Runs nothing, with everything that a command gets. */
export async function tryOut(
  found: Extract<Availability, { is: "there" }>,
  cwd: string,
  path: string | undefined,
  start: (request: ProcessRequest) => RunningProcess,
): Promise<Availability> {
  const env = { PATH: path ?? "", LC_ALL: "C" };
  const nothing = { file: "/bin/sh", args: ["-c", ":"], cwd, env, timeoutMs: CHECK_MS, keepBytes: 2_000 };
  const run = await start(nothing).done;
  if (run.end === "exited" && run.code === 0) return found;
  const why = run.end === "not-started" ? run.message : "it does not come to an end";
  return { is: "missing", why: `${found.program} is there, but ${why}` };
}

/** `endedByItself`: see `startIn`. */
export function runInBubblewrap(
  program: string,
  plan: SandboxPlan,
  request: ProcessRequest,
  endedByItself: () => boolean,
): RunningProcess {
  const filter = plan.onlyReads ? socketFilter(process.arch) : undefined;
  const isFiltered = filter !== undefined;
  const running = startProcess({
    ...request,
    file: program,
    args: [...sandboxArguments({ ...plan, isFiltered }), request.file, ...request.args],
    isWrapper: true,
    wrapperInput: filter,
  });
  return {
    get pid() {
      return running.pid;
    },
    write: (text) => running.write(text),
    kill: () => running.kill(),
    done: running.done.then((run) => readRun(run, request, endedByItself)),
  };
}

/** A process that needs the sandbox and cannot have it. */
export function refusedStart(why: string): RunningProcess {
  const nothing = { text: "", bytes: 0, cut: 0 };
  const end = { end: "not-started", code: "SANDBOX", message: `it needs the sandbox: ${why}` } as const;
  return {
    pid: undefined,
    write: () => {},
    kill: () => {},
    done: Promise.resolve({ ...end, stdout: nothing, stderr: nothing, durationMs: 0 }),
  };
}

const isProgram = (path: string) => mayExecute(path) && statOf(path)?.isFile() === true;
