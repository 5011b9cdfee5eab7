import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { READERS } from "../../../shell-reader/src/programs/readerTable.ts";

import { programOnPath } from "@/workspace/files/fileFacts.ts";

/** What a sweep puts behind options. */
export interface SweepPlaces {
  /** A file outside of the project. */
  outside: string;
}

/** Programs that Wave may believe to read, and what stands behind their options; `x` stands for the place of an option. */
const TAILS: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    Object.entries(READERS).map(([name, { operands }]) => [
      name,
      operands === "pattern and files"
        ? ["x word a.txt", "x word", "word a.txt x"]
        : ["x a.txt", "x", "a.txt x"],
    ]),
  ),
  uniq: ["x a.txt", "x", "a.txt x"],
  xxd: ["x a.txt", "x", "a.txt x"],
  sed: ["x p a.txt", "x a.txt", "p a.txt x"],
  awk: ["x 1 a.txt", "x a.txt", "1 a.txt x"],
  mawk: ["x 1 a.txt", "x a.txt"],
  jq: ["x . a.json", "x a.json", ". a.json x", "x -n 1"],
  find: [". x", "x", "src x -name a", "x . -print"],
  xargs: ["x cat", "x", "x head -n 1"],
  date: ["x", "x +%F", "+%F x"],
  ps: ["x", "aux x"],
  printenv: ["x PATH", "x"],
  gzip: ["x -c a.txt", "-l x a.txt", "-c x"],
  gunzip: ["x -c a.txt.gz", "-l x a.txt.gz"],
  bzip2: ["x -c a.txt", "-c x"],
  xz: ["x -c a.txt", "-l x a.txt", "-c x"],
  zstd: ["x -c a.txt", "-c x"],
  unzip: ["x -l a.zip", "-l a.zip x", "-p x a.zip"],
  dd: ["x if=a.txt", "x"],
  echo: ["x a"],
  printf: ["x a", "%s x"],
  test: ["x a.txt", "x"],
  env: ["x cat a.txt", "x"],
  nice: ["x cat a.txt"],
  nohup: ["x cat a.txt"],
  stdbuf: ["x cat a.txt", "x -o0 cat a.txt"],
  setsid: ["x cat a.txt"],
  timeout: ["x 5 cat a.txt", "5 x cat a.txt"],
};

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#".split("");

export const SWEPT: readonly string[] = Object.keys(TAILS);

export const isOnMachine = (name: string) =>
  /^(type|wait|exit|break|continue|:)$/.test(name) || programOnPath(name, process.env["PATH"]) !== undefined;

const listedOptionsOf = (name: string) =>
  Object.hasOwn(READERS, name) ? [...(READERS[name]?.options().keys() ?? [])] : [];

/** The long options that a program says it has. */
function longOptionsOf(name: string): string[] {
  const help = spawnSync("timeout", ["5", name, "--help"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const named = [...`${help.stdout ?? ""}${help.stderr ?? ""}`.matchAll(/(?<=\s|\[)--([a-z][\w-]+)/g)].map(
    ([, found = ""]) => found,
  );
  return named;
}

/** Every way in which an option and a value may be written. */
function formsOf(name: string, option: string, value: string): string[] {
  if (option.length === 1)
    return [
      `-${option}`,
      `-${option} ${value}`,
      `-${option}${value}`,
      `-n${option} ${value}`,
      `-${option}q ${value}`,
    ];
  const short = option.slice(0, Math.max(3, option.length - 2));
  return [
    `--${option}`,
    `--${option} ${value}`,
    `--${option}=${value}`,
    `--${short} ${value}`,
    `--${short}=${value}`,
    ...(/^(find|xxd|unzip|ps)$/.test(name) ? [`-${option} ${value}`, `-${option}`] : []),
  ];
}

const valuesOf = ({ outside }: SweepPlaces) => [outside, "secrets/key", "list", "src", "2", "new"];

/** The option in its place, between blanks, so that the `x` of a word is not one. */
const lineOf = (name: string, tail: string, form: string) =>
  `${name} ${` ${tail} `.replace(" x ", ` ${form} `).trim()}`;

/** All lines of the sweep over one program: also with options that Wave does not list. */
export function allLines(name: string, places: SweepPlaces): string[] {
  const options = new Set([...LETTERS, ...listedOptionsOf(name), ...longOptionsOf(name)]);
  const lines = [...options].flatMap((option) =>
    valuesOf(places).flatMap((value) =>
      formsOf(name, option, value).flatMap((form) =>
        (TAILS[name] ?? ["x"]).map((tail) => lineOf(name, tail, form)),
      ),
    ),
  );
  return [...new Set(lines)];
}

/** One of them, of an option that Wave lists where there is a list. */
export function someLine(name: string, places: SweepPlaces): fc.Arbitrary<string> {
  const listed = listedOptionsOf(name).filter((option) => /^\w/.test(option));
  return fc
    .tuple(
      fc.constantFrom(...(listed.length > 0 ? listed : LETTERS)),
      fc.constantFrom(...valuesOf(places)),
      fc.constantFrom(...(TAILS[name] ?? ["x"])),
      fc.nat(),
    )
    .map(([option, value, tail, at]) => {
      const forms = formsOf(name, option, value);
      return lineOf(name, tail, forms[at % forms.length] ?? "");
    });
}

/** Pieces of small programs: put together at random they are mostly nonsense, and sometimes what a parser takes for harmless. */
export const PIECES: Record<string, readonly string[]> = {
  sed: [
    ..."s y / | , # [ ] ^ $ * \\ ; { } ! p d n 1 2 , x a i c q g I & ~ + = : b t w r e".split(" "),
    "\n",
    " ",
    "s/a/b/",
    "/a/",
    "[^/]",
    "[[:space:]]",
    "\\/",
    "\\n",
    "s/x/[/",
    "#]/",
    ";e touch new",
    "e touch new",
    "w new",
    "a text\\",
    "}",
    "y/a/b/",
  ],
  awk: [
    ..."print { } ( ) , ; $1 $NF a b 1 2 + - / % == > >> | || && ! ~ ? : ++ = += [ ] x".split(" "),
    "\n",
    " ",
    '"new"',
    '"touch new"',
    "/a/",
    "/[/]/",
    "/=",
    "\\/",
    '"\\""',
    '# "',
    'system("touch new")',
    "getline",
    'getline x < "secrets/key"',
    "BEGIN",
    "END",
    "NR",
    "length",
    "if (1)",
    "for (k in a)",
    "else",
    "printf",
    "print $1,",
    "function f(x)",
    "f(1)",
    "\\\n",
  ],
  jq: [
    ..."| , . [ ] { } ( ) : ; ? // + - * / == and or not if then else end as $x $ENV env .env .a ..".split(
      " ",
    ),
    " ",
    '"a"',
    '"\\(',
    ')"',
    "@sh",
    "@base64",
    "length",
    "keys",
    "select(.a)",
    "{a}",
    "{env}",
    "input",
    'import "list" as $l;',
    'include "list";',
    "# env\n",
    "reduce .[] as $x (0; .)",
    "1",
  ],
};

/** What the small programs run on. */
export const RUN_PROGRAM: Record<string, (text: string) => string> = {
  sed: (text) => `sed ${quoted(text)} a.txt`,
  awk: (text) => `awk ${quoted(text)} a.txt`,
  jq: (text) => `jq ${quoted(text)} a.json`,
};

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

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
  secrets: string;
  temporary: string;
}

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

/** Runs lines one after the other in a container without network, and says what they did beyond reading in the project. */
export function runTraced(
  lines: readonly { line: string; programs: readonly string[] }[],
  stage: SweepStage,
  env: Record<string, string>,
): SweepEffect[] {
  const driver = `cd ${quoted(stage.project)}
at=0
while IFS= read -r -d '' line; do
  : < "/wave-line/$at"
  timeout -k 1 1 bash --norc --noprofile -c "$line" < a.txt
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

function effectsIn(
  trace: string,
  lines: readonly { line: string; programs: readonly string[] }[],
  stage: SweepStage,
): SweepEffect[] {
  const effects: SweepEffect[] = [];
  let at = -1;
  for (const row of trace.split("\n")) {
    const marker = /"\/wave-line\/(\d+|end)"/.exec(row)?.[1];
    if (marker !== undefined) at = marker === "end" ? lines.length : Number(marker);
    const now = lines[at];
    const did = now && effectOf(row, now.programs, stage);
    if (now && did !== undefined) effects.push({ line: now.line, did });
  }
  if (at !== lines.length) throw new Error(`only ${at} of ${lines.length} lines were run`);
  return effects;
}

const SINK = /^(\/dev\/(null|tty|pts\/\d+|stdout|stderr)|pipe:|socket:|anon_inode)/;
const OWN = new Set(["bash", "timeout", "strace"]);

/** What one row of the trace says, where it is more than reading in the project. */
function effectOf(row: string, programs: readonly string[], stage: SweepStage): string | undefined {
  const [, call = "", args = "", result = ""] = /^\d+ +(\w+)\((.*)\) += (.*)$/.exec(row) ?? [];
  if (call === "" || (result.startsWith("-1") && call !== "execve")) return undefined;
  if (call === "execve") {
    const program = /^"(?:[^"]*\/)?([^"/]*)"/.exec(args)?.[1] ?? "";
    return result === "0" && !OWN.has(program) && !programs.includes(program)
      ? `started ${program}`
      : undefined;
  }
  if (call === "connect")
    return /AF_INET|AF_INET6/.test(args) ? `connected: ${args.slice(0, 100)}` : undefined;
  if (/^(sethostname|settimeofday|clock_settime)$/.test(call)) return call;
  const opened = /^\d+<(.*)>$/.exec(result)?.[1];
  const named = /^(?:\w+<([^>]*)>, )?"([^"]*)"/.exec(args);
  const path = opened ?? placeOf(named?.[1] ?? stage.project, named?.[2] ?? "");
  const reads = /^(stat|lstat|newfstatat|fstat|statx|readlink|readlinkat)$/.test(call);
  const writes = /^(open|openat|creat)$/.test(call) ? /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args) : !reads;
  if (writes) return SINK.test(path) || path.startsWith(stage.temporary) ? undefined : `${call} ${path}`;
  const kept = [stage.outside, stage.secrets].find((place) => path === place || path.startsWith(`${place}/`));
  return kept === undefined ? undefined : `${call} ${path}`;
}

function placeOf(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of (name.startsWith("/") ? name : `${folder}/${name}`).split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return `/${parts.join("/")}`;
}
