import type { Assignment } from "unbash";
import { pay } from "../steps.ts";
import type { Arg } from "../words/expand.ts";
import { GAP } from "../words/unknownText.ts";
import type { TextDoings } from "./languages/textDoings.ts";
import { doingsOfAwk, doingsOfSed } from "./scripts.ts";
import { COMMAND_BEHIND } from "./wrapperTable.ts";
import { GIT_PROGRAM_LETTERS, GIT_PROGRAM_OPTIONS, gitSetting } from "./git/runs.ts";
import { literal, readWord, type ShellWord, type SimpleCommand } from "../words/words.ts";

/** Where the system keeps its programs. */
export const SYSTEM_PROGRAM = /^\/(usr\/)?(local\/)?s?bin\/[^/]+$/;

/** Text on the line that a program hands to a shell or runs as a program. */
export interface Embedded {
  commands: SimpleCommand[];
  scripts: string[];
  /** Why there may be more than that. */
  doubt: string | undefined;
  /** The same of a program that people use to read. */
  unread?: string;
}

/** A program that runs text which it is given in a place of its own. */
interface Embedder {
  /** Options whose value is the text; a short one may have it attached. */
  options?: readonly string[];
  /** Options that count only behind a word; the value is what they end with, or the next word. */
  behind?: ReadonlyMap<string, RegExp>;
  /** Its input is read as its words are. */
  reads?: true;
  /** What stands in any word, or in the next because of it. */
  within?: (text: string, next: string | undefined) => Partial<Embedded> | undefined;
  /** Any of its words may be where a command begins: one that runs on another machine. */
  anywhere?: true;
  /** What its words do together; undefined when they cannot be read. */
  program?: (args: readonly Arg[]) => TextDoings | undefined;
}

const SSH: Embedder = { options: ["-S", "-D"], within: sshSetting };
/** Text for a shell, in the table of cron behind five words that say when. */
const LATER: Embedder = {
  reads: true,
  within: (text) =>
    /\s/.test(text)
      ? { scripts: text.split("\n").map((row) => row.replace(/^\s*(?:[\d*/,-]+[ \t]+){5}/, "")) }
      : undefined,
};
const NETCAT: Embedder = { options: ["-e", "-c", "--exec", "--sh-exec"] };
const PACKAGES: Embedder = { options: ["-c", "--call", "--script-shell", "--shell", "--editor", "--viewer"] };
const TAR: Embedder = {
  options: ["-I", "--use-compress-program", "--to-command", "-F", "--info-script", "--rsh-command"],
  within: (text) => scriptsOf(/^(?:--checkpoint-action=)?exec=(.*)$/s.exec(text)?.[1]),
};
/** `:!x` and `+!x` hand x to a shell, and so do functions of the editor's own language. */
const EDITOR: Embedder = {
  reads: true,
  within: (text) => ({
    scripts: [
      ...matchesOf(text, /(?:^|[+:|\s%])!([^\n]+)/g),
      ...matchesOf(
        text,
        /\b(?:system|systemlist|execute|popen|termopen|term_start|jobstart|job_start)\s*\(\s*["'[]+([^"'\]]+)/g,
      ),
      ...matchesOf(text, /\bter(?:m|mi|min|mina|minal)?!?\s+([^\n|]+)/g),
    ],
  }),
};
/** A line that begins so is for a shell: `.shell x`, `\! x`, `!x`, `shell x`. */
const CONSOLE: Embedder = {
  reads: true,
  within: (text) => ({
    scripts: matchesOf(
      text,
      /(?:^|\n)[ \t]*(?:\.(?:sh|she|shel|shell|sys|syst|syste|system)\b|\\!|!|shell\b|system\b|\.\w+\s+["']?\|)\s*([^\n]+)/g,
    ),
  }),
};
const SED: Embedder = { program: doingsOfSed };
const AWK: Embedder = { program: doingsOfAwk };

/** Under the new name no rule knows it. */
const RENAMES: Embedder = {
  within: (text) =>
    SYSTEM_PROGRAM.test(text) ? { doubt: `${text} may be called by another name` } : undefined,
};

/** `-E` and `--eval` take text of a makefile; so does every variable that is set on the line. */
const MAKE_TEXT: Embedder = {
  within: (text) => {
    const scripts = [
      ...matchesOf(text, /\$[({]shell\s+([^)}]+)/g),
      ...matchesOf(text, /^\s*[\w.-]+\s*!=\s*(.+)/gs),
    ];
    if (scripts.length > 0) return { scripts };
    return /^--ev|^-[a-zA-Z]*E/.test(text) ? { doubt: "make evaluates text" } : undefined;
  },
};

const EMBEDDERS = new Map<string, Embedder>(
  Object.entries({
    git: { options: GIT_PROGRAM_OPTIONS, behind: GIT_PROGRAM_LETTERS, within: gitSetting },
    vim: EDITOR,
    vi: EDITOR,
    nvim: EDITOR,
    ex: EDITOR,
    ed: EDITOR,
    make: MAKE_TEXT,
    gmake: MAKE_TEXT,
    ln: RENAMES,
    link: RENAMES,
    cp: RENAMES,
    mv: RENAMES,
    install: {
      ...RENAMES,
      within: (text, next) => {
        const scripts = matchesOf(text, /^--strip-p\w*=(.+)/gs);
        return scripts.length > 0 ? { scripts } : RENAMES.within?.(text, next);
      },
      options: ["--strip-program"],
    },
    sqlite3: CONSOLE,
    gdb: CONSOLE,
    psql: CONSOLE,
    mysql: CONSOLE,
    gnuplot: CONSOLE,
    ftp: CONSOLE,
    zip: { options: ["-TT", "--unzip-command"] },
    wget: { options: ["--use-askpass"] },
    prove: { options: ["-e", "--exec"] },
    "dpkg-architecture": { options: ["-c", "--command"] },
    go: { options: ["-exec", "--exec", "-toolexec", "--toolexec"] },
    nodemon: { options: ["-x", "--exec"] },
    "nix-shell": { options: ["--run", "--command"] },
    "start-stop-daemon": { options: ["-x", "--exec", "-a", "--startas"] },
    split: { options: ["--filter"] },
    sort: { options: ["--compress-program"] },
    rg: { options: ["--pre", "--hostname-bin"] },
    ssh: { within: sshSetting, anywhere: true },
    socat: { within: (text) => ({ scripts: matchesOf(text, /\b(?:EXEC|SYSTEM|SHELL):["']?([^,"']+)/gi) }) },
    at: LATER,
    batch: LATER,
    crontab: LATER,
    open: { options: ["-a"] },
    nc: NETCAT,
    ncat: NETCAT,
    netcat: NETCAT,
    man: { options: ["-P", "--pager", "-H", "--html"] },
    less: { within: (text) => ({ scripts: matchesOf(text, /^\+[^!]*!(.+)/g) }) },
    scp: SSH,
    sftp: SSH,
    rsync: { options: ["-e", "--rsh"] },
    npm: PACKAGES,
    npx: PACKAGES,
    pnpm: PACKAGES,
    yarn: PACKAGES,
    bun: PACKAGES,
    tar: TAR,
    gtar: TAR,
    bsdtar: TAR,
    sed: SED,
    gsed: SED,
    awk: AWK,
    gawk: AWK,
    mawk: AWK,
    nawk: AWK,
    test: { within: evaluated },
    "[": { within: evaluated },
  } satisfies Record<string, Embedder>),
);

/** As for every wrapper: no more words than this are tried as the beginning of a command. */
const MOST_STARTS = 64;

/** Programs that also take such text from their input. */
export const readsCommands = (program: string) => EMBEDDERS.get(program)?.reads === true;

/** What a program that is no wrapper runs all the same. Names too much rather than too little, as for every rule that holds back. */
export function embeddedBy(program: string, args: SimpleCommand): Embedded {
  const found: Embedded = { commands: [], scripts: [], doubt: undefined };
  const embedder = EMBEDDERS.get(program);
  const before = COMMAND_BEHIND.get(program) ?? [];
  if (!embedder && before.length === 0) return found;
  const { options = [], behind, within, program: effectsOf } = embedder ?? {};
  if (effectsOf) return runByText(program, effectsOf(args.map(asArg)));
  const letters: RegExp[] = [];
  args.forEach((word, at) => {
    const text = literal(word);
    // The beginning is enough to know the option, and then what follows is not known.
    const begins = word.known[0] ?? "";
    pay(1 + begins.length);
    const value = valueBehind(begins, options) ?? valueOfLetter(begins, letters);
    const opening = behind?.get(begins);
    if (opening) letters.push(opening);
    if (value === "next") {
      const next = args[at + 1];
      const script = literal(next);
      if (script !== undefined) found.scripts.push(script);
      else if (next) found.doubt ??= `${program} runs ${next.text}`;
    } else if (value !== undefined) {
      if (text === undefined) found.doubt ??= `${program} runs what ${word.text} becomes`;
      else found.scripts.push(value);
    }
    if (before.includes(begins) || (embedder?.anywhere && at === 0)) {
      // Options of its own may stand before the command, and the command may be one text.
      const rest = args.slice(at + 1, at + 1 + MOST_STARTS);
      pay(rest.length * rest.length);
      rest.forEach((word, from) => {
        found.commands.push(rest.slice(from));
        if (/[\s;|&]/.test(literal(word) ?? "")) found.scripts.push(literal(word) ?? "");
      });
    }
    const more = within?.(begins, literal(args[at + 1]));
    if (more?.scripts && text === undefined) found.doubt ??= `${program} runs what ${word.text} becomes`;
    found.scripts.push(...(more?.scripts ?? []));
    found.doubt ??= more?.doubt;
  });
  return found;
}

function runByText(program: string, effects: TextDoings | undefined): Embedded {
  if (effects) return { commands: [], scripts: effects.runs, doubt: effects.runsMore };
  const unread = `${program} may run programs that cannot be read in its text`;
  return { commands: [], scripts: [], doubt: undefined, unread };
}

/** With a gap for what is not known yet. */
const asArg = ({ text, known }: ShellWord): Arg => ({
  source: text,
  texts: [known.join(GAP.any)],
  many: known.length > 1,
});

function valueBehind(text: string, options: readonly string[]): string | undefined {
  const [name = ""] = text.split("=", 1);
  for (const option of options) {
    if (text === option) return "next";
    if (!option.startsWith("--")) {
      if (text.startsWith(option) && !text.startsWith("--"))
        return text.slice(option.length).replace(/^=/, "");
    } else if (name.length > 2 && option.startsWith(name)) {
      return text.includes("=") ? text.slice(name.length + 1) : "next";
    }
  }
  return undefined;
}

function valueOfLetter(text: string, letters: readonly RegExp[]): string | undefined {
  const [value] = letters.flatMap((letter) => letter.exec(text)?.[1] ?? []);
  return value === "" ? "next" : value;
}

const matchesOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

const scriptsOf = (script: string | undefined) => (script === undefined ? undefined : { scripts: [script] });

function sshSetting(text: string): Partial<Embedded> | undefined {
  return scriptsOf(
    /^(?:-\w*o)?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+(.*)$/is.exec(text)?.[1],
  );
}

/** `-v` evaluates the index of an array. */
function evaluated(text: string): Partial<Embedded> | undefined {
  const index = text.indexOf("[");
  return index >= 0 && /\$\(|`/.test(text.slice(index))
    ? { doubt: "test evaluates its operands" }
    : undefined;
}

/** Variables that tell programs which others to run, or which file to run first. */
export const PROGRAM_VARIABLE =
  /^(GIT_(SSH|SSH_COMMAND|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|EXTERNAL_DIFF|EXEC_PATH|CONFIG\w*)|\w*PAGER|\w*EDITOR|VISUAL|\w*BROWSER|LESSOPEN|LESSCLOSE|BASH_ENV|ENV|PROMPT_COMMAND|PS\d|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|SHELL|CC|CXX|MAKEFLAGS|NODE_OPTIONS|PYTHON(STARTUP|PATH|HOME)|PERL5(OPT|LIB|DB)|RUBY(OPT|LIB)|LUA_INIT\w*|(LD|DYLD)_\w+|\w*JAVA_(TOOL_)?OPTIONS|npm_config_\w+|BASH_FUNC_.*)$/;

/** Variables with which a program prints or counts otherwise and that name no file and no program. */
const PLAIN_VARIABLE =
  /^(CI|NODE_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TZ|LANG|LC_\w+|DEBUG|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|COLUMNS|LINES|PORT|CGO_ENABLED|GOOS|GOARCH)$/;

/** `CI=1 npm test` is `npm test` to a rule: a plain value, and nothing that steers what is loaded or run. */
export function isPlainVariable({ name, value, append, index }: Assignment): boolean {
  if (!PLAIN_VARIABLE.test(name) || value.type === "ArrayValue" || append || index) return false;
  const text = literal(readWord(value));
  // Of a path a program might load something; only the names of time zones look like one.
  return (
    text !== undefined &&
    (/^[\w.,:@+*=-]*$/.test(text) || (name === "TZ" && /^[A-Z]\w+\/[A-Z]\w+$/.test(text)))
  );
}
