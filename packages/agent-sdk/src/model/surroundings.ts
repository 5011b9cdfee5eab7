import { arch, release } from "node:os";
import { delimiter } from "node:path";
import { childEnvironment } from "../utils/environment.ts";
import { searchFolders } from "../utils/searchPath.ts";
import { isPlain, mayFilter, repositoryAt } from "../workspace/git/gitFacts.ts";
import { GitPlumbing, Unanswered } from "../workspace/git/gitPlumbing.ts";
import { runProcess } from "../services/process.ts";
import type { Surroundings } from "./systemPrompt.ts";

const GIT_STATUS_LINES = 20;
const GIT_BYTES = 16 * 1024;
/** In a huge repository the status takes longer than it is worth. */
const GIT_TIMEOUT_MS = 2_000;

export interface Place {
  projectDir: string;
  cwd: string;
  /** Otherwise git is asked only about a plain repository: others can name programs that git starts. */
  believed: boolean;
  /** Of the project, as far as a person approved them. */
  instructions: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal | undefined;
}

/** Looks around once; what is missing is said in its place and never stops a call. */
export async function lookAround(place: Place): Promise<Surroundings> {
  const { projectDir, cwd, believed, instructions } = place;
  return {
    projectDir,
    cwd,
    platform: `${process.platform} ${release()} (${arch()})`,
    date: today(),
    git: await (believed ? gitState(place) : plainGitState(place)),
    agentsFile: instructions,
  };
}

/** The session began where and when it began; only the project's instructions may be others by now. */
export async function lookAgain(first: Surroundings, place: Place): Promise<Surroundings> {
  const { believed, instructions } = place;
  const git = believed && first.git === NOT_BELIEVED ? await gitState(place) : first.git;
  return { ...first, git, agentsFile: instructions };
}

const NOT_BELIEVED =
  "not looked at, its settings could make git run programs and the user has not approved this folder (wave hooks trust shows how).";

/** Of a folder that nobody approved: git is told which repository it was that looked plain, so that it finds no other. */
async function plainGitState({ projectDir, env, signal }: Place): Promise<string> {
  const repository = repositoryAt(projectDir);
  if (!repository) return NO_REPOSITORY;
  if (!isPlain(repository)) return NOT_BELIEVED;
  const { top, gitDir } = repository;
  try {
    const place = { projectDir: top, env, timeoutMs: GIT_TIMEOUT_MS, ...(signal && { signal }) };
    const git = new GitPlumbing(projectDir, place);
    const status = await git.mayDeny(`--git-dir=${gitDir}`, `--work-tree=${top}`, ...STATUS);
    return status === undefined ? NO_ANSWER : describeStatus(status, false);
  } catch (error) {
    if (error instanceof Unanswered) return `unknown, ${error.message}.`;
    throw error;
  }
}

async function gitState({ projectDir, env, signal }: Place): Promise<string> {
  const repository = repositoryAt(projectDir);
  // Only a variable can lead git to a repository that is not there: nothing is started for that answer.
  if (!repository && env["GIT_DIR"] === undefined) return NO_REPOSITORY;
  if (repository && mayFilter(repository)) return NOT_ASKED;
  const run = await runProcess({
    file: "git",
    args: [...UNLOCKED, ...STATUS],
    cwd: projectDir,
    env: {
      ...childEnvironment(env).env,
      ...FOR_GIT,
      PATH: searchFolders(env["PATH"], projectDir).join(delimiter),
    },
    timeoutMs: GIT_TIMEOUT_MS,
    ...(signal && { signal }),
    keepBytes: GIT_BYTES,
  });
  if (run.end === "exited" && run.code === 0) return describeStatus(run.stdout.text, run.stdout.cut > 0);
  if (run.end === "exited" && run.stderr.text.includes("not a git repository")) return NO_REPOSITORY;
  return run.end === "timed-out" ? "the status took too long to read." : NO_ANSWER;
}

/**
 * A repository may name a program as its file watcher, and so may each of its submodules: asking for the status must not start
 * it, nor take a lock.
 */
const UNLOCKED = "-c core.fsmonitor= --no-pager --no-optional-locks".split(" ");
const STATUS = "status --short --branch --ignore-submodules=all".split(" ");

const NO_REPOSITORY = "not a repository.";
const NO_ANSWER = "unknown, git could not be asked.";
const NOT_ASKED = "not asked, the settings of this repository name programs that git would run.";

/** `git status --short --branch`, bounded. */
export function describeStatus(output: string, wasCut: boolean): string {
  const [head = "", ...changes] = output.split("\n").filter((line) => line !== "");
  const name = head.replace(/^## /, "");
  const unborn = /^No commits yet on (.*)$/.exec(name)?.[1];
  const branch = unborn === undefined ? `branch ${name}` : `branch ${unborn}, no commits yet`;
  if (changes.length === 0) return `${branch}, nothing changed.`;
  const shown = changes.slice(0, GIT_STATUS_LINES);
  const left = changes.length - shown.length;
  const rest = left > 0 ? [`… and ${wasCut ? "many" : left} more`] : [];
  return [`${branch}, changed files:`, ...shown, ...rest].join("\n");
}

/** The sentence "not a git repository" is looked for, so git must not translate it. */
const FOR_GIT = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };

function today(): string {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
