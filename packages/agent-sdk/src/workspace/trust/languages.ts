/** A language whose programs load other code by names that are not, or not wholly, paths of files. */
export interface Language {
  /** Its scripts, by their ending. */
  scripts: RegExp;
  /** What starts them, in a command or after `#!`. */
  interpreter: RegExp;
  /** Names of files that it loads as code. */
  loads: RegExp;
  /** A load whose name is not written out. */
  computes: RegExp;
  /**
   * "always": a plain import may be of anything in the script's folder, and comes before a library of the same name.
   * "computed": a name that is written out says which files can be meant.
   */
  wholeFolder: "always" | "computed";
}

export const PYTHON: Language = {
  scripts: /\.(?:pyw?|pyc|pyo)$/i,
  interpreter: /\b(?:python|pypy)[\d.]*\b/,
  loads: /\.(?:pyw?|pyc|pyo|so|pyd)$/i,
  computes:
    /\b(?:__import__|import_module)\s*\((?!\s*(["'])[\w.]+\1\s*\))|(?<!\.)\bexec\s*\(|\b(?:run_path|run_module|spec_from_file_location)\s*\(|\bsys\.path\b/,
  wholeFolder: "always",
};

export const NODE: Language = {
  scripts: /\.[cm]?[jt]sx?$/i,
  interpreter: /\b(?:node|nodejs|bun|deno|tsx|ts-node)\b/,
  loads: /(?:\.(?:[cm]?[jt]sx?|node|wasm)|(?:^|\/)package\.json)$/i,
  computes:
    /(?:\b(?:require|import|Worker|fork)|\b(?:require|meta)\s*\.\s*resolve)\s*\((?!\s*(?:(["'`])[^"'`\\$\n]*\1\s*[,)]|\)))|[=(,:[?|&]\s*require\s*[;),\]}\n]|\brequire\s*(?:\[|\.\s*(?:call|apply|bind)\b)|\b(?:createRequire|dlopen|eval)\s*\(/,
  wholeFolder: "computed",
};

/** The one list of what can load what (G19). */
export const LANGUAGES: readonly Language[] = [
  PYTHON,
  NODE,
  {
    // Ruby
    scripts: /\.rb$/i,
    interpreter: /\bj?ruby[\d.]*\b/,
    loads: /\.(?:rb|so|bundle)$/i,
    computes:
      /(?:^|[;({=])[ \t]*(?:require|require_relative|load|autoload)\b[ \t(]+(?!\s*(["'])[^"'#\n]*\1)|\$(?:LOAD_PATH|:)|\beval\b/m,
    wholeFolder: "always",
  },
  {
    // Perl
    scripts: /\.(?:pl|pm|t)$/i,
    interpreter: /\bperl[\d.]*\b/,
    loads: /\.(?:pl|pm|pmc|ph|al|so)$/i,
    computes: /\b(?:require|do)\s*\(?\s*(?:\$|"[^"\n]*\$)|\beval\b(?!\s*\{)|@INC\b|\buse\s+lib\b/,
    wholeFolder: "always",
  },
  {
    // PHP
    scripts: /\.(?:php|phtml|inc)$/i,
    interpreter: /\bphp[\d.]*\b/,
    loads: /\.(?:php|phtml|inc|phar)$/i,
    computes:
      /\b(?:include|require)(?:_once)?\b[ \t(]+(?!\s*(?:__DIR__\s*\.\s*)?(["'])(?!\/?\.\.)[^"'$\n]*\1\s*\)?\s*;)|\beval\s*\(/,
    wholeFolder: "always",
  },
  {
    // Lua
    scripts: /\.lua$/i,
    interpreter: /\blua(?:jit)?[\d.]*\b/,
    loads: /\.(?:luac?|so)$/i,
    computes:
      /(?:^|[;(=])[ \t]*(?:require|dofile|loadfile)\b[ \t(]+(?!\s*(["'])[^"'\n]*\1)|\bpackage\.c?path\b|\bload(?:string)?\s*\(/m,
    wholeFolder: "always",
  },
];

/** What a script can load besides what it names as a path. */
export interface Loading {
  languages: readonly Language[];
  /** Whether all that lies in its folder counts. */
  whole: boolean;
  /** It loads code by names that it computes. */
  computes: boolean;
}

/** The languages a file shows by its ending or its first line. */
export function languagesOf(path: string, text: string): Language[] {
  const [firstLine = ""] = /^#!.*/.exec(text) ?? [];
  return LANGUAGES.filter(({ scripts, interpreter }) => scripts.test(path) || interpreter.test(firstLine));
}

/** Undefined for what loads nothing by itself. */
export function loadingOf(languages: readonly Language[], text: string): Loading | undefined {
  if (languages.length === 0) return undefined;
  const computes = languages.some((language) => language.computes.test(text));
  return {
    languages,
    whole: computes || languages.some(({ wholeFolder }) => wholeFolder === "always"),
    computes,
  };
}

export const isLoadedBy = (languages: readonly Language[], path: string) =>
  languages.some(({ loads }) => loads.test(path));

/** Compiled forms that Python keeps beside its sources, and believes when it may. */
export const COMPILED = "__pycache__";

/** Options and ways of starting Python with which it does not hear that it should leave compiled forms alone. */
export const HEARS_NO_VARIABLES = /\s-[A-Za-z]*[EIX]|\benv\s+-|\bunset\b|PYCACHE/;

/** Says to a language of this list where else to look for code. */
export const SAYS_WHERE = /\b(?:PYTHONPATH|NODE_PATH|RUBYLIB|PERL5?LIB|LUA_C?PATH)=|\s-I/;
