import type { Beginning } from "../shell/rebinding.ts";

/** A program that runs code of a language which is not read here: on its line, or from its input. */
interface Interpreter {
  /** Options whose value is code. */
  code: readonly string[];
  /** Options whose value is the code's file, or whatever else there is to run. */
  files: readonly string[];
  /** Other options with a value of their own. */
  values: readonly string[];
  /** Behind these and their value nothing is the interpreter's own. */
  last: readonly string[];
  /** Without a file and without code it reads code from its input. */
  input: boolean;
  /** It is called every day with code on the line, which is searched for names and otherwise let be. */
  everyday: boolean;
}

interface Given {
  files?: string;
  values?: string;
  last?: string;
  input?: false;
}

function interpreter(code: string, given: Given = {}): Interpreter {
  const words = (text = "") => text.split(" ").filter((word) => word !== "");
  return {
    code: words(code),
    files: words(given.files),
    values: words(given.values),
    last: words(given.last),
    input: given.input ?? true,
    everyday: false,
  };
}

const everyday = (...given: Parameters<typeof interpreter>): Interpreter => ({
  ...interpreter(...given),
  everyday: true,
});

const PYTHON = everyday("c", { files: "m", values: "W X Q", last: "c m" });
const NODE = everyday("e p pe ep eval print", {
  values: "r C require import loader experimental-loader conditions env-file input-type title",
});
const LISP = interpreter("e c x eval", { files: "l load s script i" });

const MAKE = interpreter("eval", {
  files: "f file makefile",
  values: "C I o W directory include-dir old-file assume-old what-if new-file",
  input: false,
});

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map(
  Object.entries({
    python: PYTHON,
    pypy: PYTHON,
    ipython: PYTHON,
    bpython: PYTHON,
    micropython: PYTHON,
    hy: PYTHON,
    node: NODE,
    nodejs: NODE,
    tsx: NODE,
    "ts-node": NODE,
    zx: NODE,
    qjs: NODE,
    d8: NODE,
    gjs: interpreter("c"),
    bun: everyday("e p eval print", { input: false }),
    deno: everyday("eval", { input: false }),
    perl: everyday("e E", { values: "I M m F" }),
    raku: everyday("e"),
    ruby: everyday("e", { values: "I r C E K" }),
    jruby: everyday("e"),
    irb: everyday("e"),
    php: everyday("r B R E", { files: "f F", values: "d c z" }),
    lua: everyday("e", { values: "l" }),
    luajit: everyday("e", { values: "l" }),
    Rscript: everyday("e"),
    R: everyday("e", { files: "f file" }),
    julia: everyday("e E eval print", { values: "L p t J" }),
    tclsh: interpreter(""),
    wish: interpreter(""),
    jimsh: interpreter("e"),
    expect: interpreter("c", { files: "f" }),
    guile: LISP,
    racket: LISP,
    sbcl: LISP,
    clisp: LISP,
    emacs: interpreter("eval execute", { files: "l load script", input: false }),
    emacsclient: interpreter("e eval", { input: false }),
    clojure: interpreter("e eval"),
    clj: interpreter("e eval"),
    bb: interpreter("e"),
    osascript: interpreter("e"),
    gnuplot: interpreter("e"),
    octave: interpreter("eval"),
    groovy: interpreter("e"),
    elixir: interpreter("e eval"),
    iex: interpreter("e eval"),
    erl: interpreter("eval"),
    swipl: interpreter("g t"),
    ocaml: interpreter("e"),
    ghci: interpreter("e"),
    ghc: interpreter("e", { input: false }),
    runghc: interpreter("e"),
    scala: interpreter("e"),
    kotlin: interpreter("e", { input: false }),
    jshell: interpreter(""),
    sage: interpreter("c"),
    mongosh: interpreter("eval"),
    mongo: interpreter("eval"),
    bpftrace: interpreter("e", { input: false }),
    stap: interpreter("e", { input: false }),
    dc: interpreter("e", { files: "f" }),
    m4: interpreter(""),
    pwsh: interpreter("c Command command EncodedCommand"),
    powershell: interpreter("c Command command EncodedCommand"),
    nu: interpreter("c"),
    xonsh: interpreter("c"),
    elvish: interpreter("c"),
    lldb: interpreter("o O one-line one-line-before-file", { files: "s source" }),
    make: MAKE,
    gmake: MAKE,
  } satisfies Record<string, Interpreter>),
);

/** Code among the words of a call, and whether more comes from its input. */
export interface ForeignCode {
  /** The word, and where in it the code begins. */
  pieces: { at: number; from: number }[];
  readsInput: boolean;
  everyday: boolean;
}

/** `python3.12`, `tclsh8.6`, `guile-3.0` */
const withoutVersion = (program: string) => program.replace(/(?<![-.\d])[-.\d]+$/, "");

const rowOf = (program: string) => INTERPRETERS.get(program) ?? INTERPRETERS.get(withoutVersion(program));

export const isInterpreter = (program: string) => rowOf(program) !== undefined;

/** Undefined: it is no such program. What may be code is taken for code, as every rule that holds back does. */
export function codeIn(program: string, words: readonly Beginning[]): ForeignCode | undefined {
  const row = rowOf(program);
  if (!row) return undefined;
  const pieces: ForeignCode["pieces"] = [];
  let hasFile = false;
  let readsInput = false;
  for (let at = 0; at < words.length; at++) {
    const { begins, whole } = words[at] ?? { begins: "", whole: true };
    const option = optionIn(begins, row);
    if (option) {
      if (option.from === undefined) at++;
      const value = { at, from: option.from ?? 0 };
      if (option.is === "code") pieces.push(value);
      if (option.is === "file") {
        hasFile = true;
        readsInput ||= isInput((words[at]?.begins ?? "").slice(value.from));
      }
      const module = option.name === "m" ? (words[at]?.begins ?? "").slice(value.from) : "";
      if (CODE_MODULES.has(module))
        words.forEach((_, behind) => behind > at && pieces.push({ at: behind, from: 0 }));
      readsInput ||= INPUT_MODULES.has(module);
      if (row.last.includes(option.name)) break;
    } else if (!begins.startsWith("-") || begins === "-") {
      // What is not known yet may be nothing at all.
      if (begins === "" && !whole) continue;
      hasFile = true;
      readsInput ||= isInput(begins);
      // Behind its file stand the words for what runs.
      break;
    }
  }
  return {
    pieces: pieces.filter(({ at }) => at < words.length),
    readsInput: readsInput || (row.input && !hasFile && pieces.length === 0 && !needsNoInput(words)),
    everyday: row.everyday,
  };
}

/** Modules of Python whose words are code, and such that read code as Python itself does. */
const CODE_MODULES = new Set(["timeit", "pdb"]);
const INPUT_MODULES = new Set(["asyncio", "code", "idlelib", "pdb"]);

const isInput = (file: string) => /^(-|\/dev\/(fd\/.*|stdin)|\/proc\/.*)$/.test(file);

/** Then it prints something about itself; `node --test` looks for the files of tests. */
const needsNoInput = (words: readonly Beginning[]) =>
  words.some(({ begins }) => /^(--?(version|help)|-[vVh]+|--test)$/.test(begins));

interface OptionFound {
  name: string;
  is: "code" | "file" | "value";
  /** Where in the word its value begins; undefined: it is the next word. */
  from: number | undefined;
}

/** Letters come in bundles: `-ne x`, `-pi.bak`; long names have one dash or two; some are words: `deno eval x`. */
function optionIn(word: string, row: Interpreter): OptionFound | undefined {
  const kindOf = (name: string): OptionFound["is"] | undefined => {
    if (row.code.includes(name)) return "code";
    if (row.files.includes(name)) return "file";
    return row.values.includes(name) ? "value" : undefined;
  };
  const isOption = word.startsWith("-");
  const [name = ""] = word.replace(/^--?/, "").split("=", 1);
  const is = name.length > 1 || isOption ? kindOf(name) : undefined;
  if (is && (isOption || is === "code"))
    return { name, is, from: word.includes("=") ? word.indexOf("=") + 1 : undefined };
  if (!isOption || word.startsWith("--")) return undefined;
  for (let at = 1; /^[A-Za-z0-9]$/.test(word[at] ?? ""); at++) {
    const letter = word[at] ?? "";
    const found = kindOf(letter);
    if (found) return { name: letter, is: found, from: at + 1 < word.length ? at + 1 : undefined };
  }
  return undefined;
}
