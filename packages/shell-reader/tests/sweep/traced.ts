import { execFileSync, spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import type { Reading } from "wave-shell-reader";
import { quoted } from "./lines.ts";

/** Something that a line did, and should not have done. */
export interface SweepEffect {
  line: string;
  did: string;
}

export interface SweepStage {
  /** What is mounted writable: the project, and what lies outside of it. */
  root: string;
  project: string;
  outside: string;
  temporary: string;
}

/** A line, and what its reading says that it does. */
export interface StatedLine {
  line: string;
  programs: readonly string[];
  /** Places that it reads, with all that lies in them or only with the names in them; undefined: it may be any. */
  reads: readonly { path: string; below: boolean }[] | undefined;
}

export function statedBy({ line, programs, accesses, git }: Reading): StatedLine {
  const reads = [
    ...accesses.map(({ path, below }) => ({
      path: path.known && resolve(path.known),
      below: below || path.names.length > 0,
    })),
    ...git.map(({ folder }) => ({ path: folder.known, below: true })),
  ];
  return {
    line,
    programs: programs.map(({ name }) => name),
    reads: reads.every(isKnown) ? reads : undefined,
  };
}

const isKnown = (read: {
  path: string | undefined;
  below: boolean;
}): read is { path: string; below: boolean } => read.path !== undefined;

export const canTrace = () =>
  spawnSync("bwrap", [...CONTAINER, "strace", "-f", "true"], { stdio: "ignore" }).status === 0;

const CONTAINER = [
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--unshare-all",
  "--die-with-parent",
];
const WATCHED =
  "execve,openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat," +
  "chmod,fchmod,fchmodat,chown,fchown,fchownat,lchown,truncate,ftruncate,utimensat,mknod,mknodat,connect,sethostname," +
  "settimeofday,clock_settime,%stat,readlink,readlinkat";

/** Runs lines one after the other in a container without network, and says what they did beyond what was stated. */
export function runTraced(
  lines: readonly StatedLine[],
  stage: SweepStage,
  env: Record<string, string>,
): SweepEffect[] {
  const driver = `cd ${quoted(stage.project)}
at=0
while IFS= read -r -d '' line; do
  : < "/wave-line/$at"
  timeout -k 1 1 bash --norc --noprofile -c "$line" < ../stdin
  at=$((at + 1))
done
: < "/wave-line/end"
true`;
  const trace = `${stage.root}/trace`;
  const watching = `strace -f -y -qq --seccomp-bpf -s 400 -o ${trace} -e trace=${WATCHED}`.split(" ");
  execFileSync(
    "bwrap",
    CONTAINER.concat(["--bind", stage.root, stage.root], watching, [
      "bash",
      "--norc",
      "--noprofile",
      "-c",
      driver,
    ]),
    { input: lines.map(({ line }) => `${line}\0`).join(""), env, stdio: ["pipe", "ignore", "ignore"] },
  );
  return effectsIn(execFileSync("cat", [trace], { encoding: "utf8", maxBuffer: 1 << 30 }), lines, stage);
}

function effectsIn(trace: string, lines: readonly StatedLine[], stage: SweepStage): SweepEffect[] {
  const effects: SweepEffect[] = [];
  let at = -1;
  for (const row of trace.split("\n")) {
    const marker = /"\/wave-line\/(\d+|end)"/.exec(row)?.[1];
    if (marker !== undefined) at = marker === "end" ? lines.length : Number(marker);
    const now = lines[at];
    const did = now && effectOf(row, now, stage);
    if (now && did !== undefined) effects.push({ line: now.line, did });
  }
  if (at !== lines.length) throw new Error(`only ${at} of ${lines.length} lines were run`);
  return effects;
}

const SINK = /^(\/dev\/(null|tty|pts\/\d+|stdout|stderr)|pipe:|socket:|anon_inode)/;
const OWN = new Set(["bash", "timeout", "strace"]);
/** The program itself is a script, and this is what it runs in. */
const WRITTEN_FOR: Record<string, readonly string[]> = { npm: ["node", "env"] };

/** What one row of the trace says, where it is more than reading what was stated, in the project or outside of it. */
function effectOf(row: string, { programs, reads }: StatedLine, stage: SweepStage): string | undefined {
  const [, call = "", args = "", result = ""] = /^\d+ +(\w+)\((.*)\) += (.*)$/.exec(row) ?? [];
  if (call === "" || (result.startsWith("-1") && call !== "execve")) return undefined;
  if (call === "execve") {
    const program = /^"(?:[^"]*\/)?([^"/]*)"/.exec(args)?.[1] ?? "";
    const stated = programs.flatMap((name) => [name, ...(WRITTEN_FOR[name] ?? [])]);
    return result === "0" && !OWN.has(program) && !stated.includes(program)
      ? `started ${program}`
      : undefined;
  }
  if (call === "connect")
    return /AF_INET|AF_INET6/.test(args) ? `connected: ${args.slice(0, 100)}` : undefined;
  if (/^(sethostname|settimeofday|clock_settime)$/.test(call)) return call;
  const opened = /^\d+<(.*)>$/.exec(result)?.[1];
  const named = /^(?:\w+<([^>]*)>, )?"([^"]*)"/.exec(args);
  const path = opened ?? placeOf(named?.[1] ?? stage.project, named?.[2] ?? "");
  const looks = /^(stat|lstat|newfstatat|fstat|statx|readlink|readlinkat)$/.test(call);
  const writes = /^(open|openat|creat)$/.test(call) ? /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args) : !looks;
  if (writes) return SINK.test(path) || isBelow(path, stage.temporary) ? undefined : `${call} ${path}`;
  // What lies around it on the machine is there for every program.
  if (!isBelow(path, stage.outside) && !isBelow(path, stage.project)) return undefined;
  const isStated = reads?.some((read) => (read.below ? isBelow(path, read.path) : isIn(path, read.path)));
  return isStated === false && path !== stage.project ? `${call} ${path}` : undefined;
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
/** The folder itself, or a name in it. */
const isIn = (path: string, folder: string) => path === folder || dirname(path) === folder;

function placeOf(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of (name.startsWith("/") ? name : `${folder}/${name}`).split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return `/${parts.join("/")}`;
}
