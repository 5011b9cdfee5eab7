import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import fc from "fast-check";
import { GIT_READS } from "../../src/programs/git/reads.ts";
import { READERS } from "../../src/programs/readerTable.ts";

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
  bash: ["x -c 'cat a.txt'", "-c 'cat a.txt' x"],
  npm: ["x", "ls x", "run x"],
  ...Object.fromEntries(Object.keys(GIT_READS).map((name) => [`git ${name}`, ["x", "x HEAD", "x -- a.txt"]])),
};

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#".split("");

export const SWEPT: readonly string[] = Object.keys(TAILS);

const BUILTINS = new Set(["type", "wait", "exit", "break", "continue", ":"]);

export function isOnMachine(line: string): boolean {
  const [name = ""] = line.split(" ");
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return BUILTINS.has(name) || folders.some((folder) => existsSync(join(folder, name)));
}

function listedOptionsOf(name: string): string[] {
  const [, subcommand = ""] = name.split(" ");
  const row = Object.hasOwn(READERS, name) ? READERS[name] : GIT_READS[subcommand];
  return [...(row?.options().keys() ?? [])];
}

/** The long options that a program says it has. */
function longOptionsOf(name: string): string[] {
  // Of git that is a page for people, which takes seconds.
  if (name.startsWith("git ")) return [];
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
  find: [
    ..."-name -iname -path -type -size -mtime -newer -exec -ok -execdir -delete -print -printf -fprint -ls -prune -o ! -not".split(
      " ",
    ),
    ..."( ) + {} f d a.txt '*' src . .. 1 +5 list secrets/key new cat touch -maxdepth -files0-from -follow -quit".split(
      " ",
    ),
    "\\;",
    "-exec cat {} +",
    "-exec touch {} +",
  ],
  git: [
    ..."log diff show grep status -C . .. -p --stat -- a.txt HEAD HEAD~0 :a.txt :(top) :/ :!src word -n 1 secrets/key".split(
      " ",
    ),
    ..."--output=new --output new --ext-diff --no-index --textconv -O -G -S --format=%h --format=%G? --oneline".split(
      " ",
    ),
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
  find: (text) => `find ${text.replaceAll(/[()!]/g, "\\$&")}`,
  git: (text) => `git ${text.replaceAll(/[()!]/g, "\\$&")}`,
};

export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
