import { delimiter } from "node:path";
import { runProcess } from "../services/process.ts";
import { searchFolders } from "../utils/searchPath.ts";
import { describeEnd } from "./commandOutput.ts";
import { findProgram } from "./ripgrep.ts";

export type Program = { found: true; version: string } | { found: false; why: string };

const TIMEOUT_MS = 5_000;

/** The programs Wave itself starts, asked for their version. Nothing of the project is read, and nothing in it is run. */
export async function findPrograms(place: {
  projectDir: string;
  env: Record<string, string | undefined>;
}): Promise<{ git: Program; ripgrep: Program }> {
  const path = searchFolders(place.env["PATH"], place.projectDir).join(delimiter);
  const rg = await findProgram();
  const [git, ripgrep] = await Promise.all([
    versionOf("git", path),
    "problem" in rg ? { found: false as const, why: rg.problem } : versionOf(rg.path, path),
  ]);
  return { git, ripgrep };
}

async function versionOf(file: string, path: string): Promise<Program> {
  const run = await runProcess({
    file,
    args: ["--version"],
    // Not in the project: a repository can name programs that git starts.
    cwd: "/",
    env: { PATH: path, LC_ALL: "C" },
    timeoutMs: TIMEOUT_MS,
    keepBytes: 1_000,
  });
  const [first = ""] = run.stdout.text.split("\n");
  if (run.end === "exited" && run.code === 0) return { found: true, version: first.replace(/^\D*/, "") };
  return { found: false, why: describeEnd(run) };
}
