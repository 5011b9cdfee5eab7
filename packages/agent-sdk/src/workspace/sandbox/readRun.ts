import { constants } from "node:os";
import type { ProcessRequest, ProcessRun } from "../../services/process.ts";
import { startFailure } from "../../process/startFailure.ts";

/** Only of a program that was really started does bubblewrap report how it ended. */
export function readRun(run: ProcessRun, request: ProcessRequest, endedByItself: () => boolean): ProcessRun {
  const { report = "", ...rest } = run;
  if (rest.end !== "exited") return rest;
  if (!report.includes('"exit-code"')) return { ...rest, ...explainFailure(rest.stderr.text, request) };
  const signal = Object.entries(constants.signals).find(([, number]) => number === rest.code - 128)?.[0];
  if (signal === undefined || endedByItself()) return rest;
  return { ...rest, end: "signalled", signal };
}

function explainFailure(stderr: string, request: ProcessRequest): ProcessRun & { end: "not-started" } {
  const said = /^bwrap: (.*)$/m.exec(stderr)?.[1] ?? "bubblewrap ended without a word";
  const nothing = { text: "", bytes: 0, cut: 0 };
  const empty = { stdout: nothing, stderr: nothing, durationMs: 0 };
  const code = EXEC_FAILURES.find(([words]) => said.startsWith("execvp ") && said.endsWith(words))?.[1];
  if (code !== undefined)
    return {
      end: "not-started",
      ...startFailure(Object.assign(new Error(said), { code }), request),
      ...empty,
    };
  const userns = /user namespace|uid map|Operation not permitted|Permission denied|No permissions/i.test(
    said,
  );
  const why = userns
    ? "; user namespaces may be switched off on this machine, see docs/guide/sandbox.md"
    : "";
  return {
    end: "not-started",
    code: "SANDBOX",
    message: `the sandbox cannot be set up: ${said}${why}`,
    ...empty,
  };
}

const EXEC_FAILURES = [
  ["No such file or directory", "ENOENT"],
  ["Permission denied", "EACCES"],
  ["Argument list too long", "E2BIG"],
] as const;
