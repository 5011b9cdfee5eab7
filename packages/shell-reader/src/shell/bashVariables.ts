/** What bash itself looks at. */
export const OF_BASH =
  /^(BASH\w*|CDPATH|CHILD_MAX|COLUMNS|COMP_?\w*|COPROC|DIRSTACK|EMACS|EPOCH\w*|E?UID|EXECIGNORE|FCEDIT|FIGNORE|FUNCNAME|FUNCNEST|GLOB\w*|GROUPS|HIST\w*|HOME|HOST\w*|IFS|IGNOREEOF|INPUTRC|INSIDE_EMACS|LANG|LC_\w+|LINENO|LINES|MACHTYPE|MAIL\w*|MAPFILE|OLDPWD|OPT\w*|OSTYPE|PATH|PIPESTATUS|POSIXLY_CORRECT|PPID|PROMPT\w*|PS\d|PWD|RANDOM|READLINE_\w*|REPLY|SECONDS|SHELL\w*|SHLVL|SRANDOM|TIMEFORMAT|TMOUT|TMPDIR|_)$/;

/** A variable that bash sets by itself, at the latest when it is read. */
export const isSetByBash = (name: string) =>
  OF_BASH.test(name) && !/^(SHELL|BASH|HOME|PATH|LANG|LC_\w+)$/.test(name);

/** The same, and while the line runs: whatever it was set to, it may be something else by the next command. */
export const isSetAlong = (name: string) =>
  /^(_|BASH_\w+|COPROC|DIRSTACK|EPOCH\w+|FUNCNAME|HISTCMD|LINENO|MAPFILE|OPT\w+|PIPESTATUS|REPLY|SECONDS|S?RANDOM)$/.test(
    name,
  );

/** Those of them that hold text. */
const TEXTS_OF_BASH =
  /^(BASH_(ALIASES|CMDS|ENV|COMMAND|REMATCH)|CDPATH|COLUMNS|EXECIGNORE|GLOBIGNORE|HIST(CONTROL|FILE|IGNORE|TIMEFORMAT)|HOME|HOST\w*|IFS|INPUTRC|LANG|LC_\w+|LINES|MAIL|MAILPATH|MAPFILE|OLDPWD|OPTARG|PATH|POSIXLY_CORRECT|PROMPT_COMMAND|PS\d|PWD|REPLY|SHELL|TIMEFORMAT|TMPDIR|_)$/;

/**
 * A variable in which bash counts, such as RANDOM, SECONDS and OPTIND: what it is given, in whatever way, is taken for a sum.
 * Which ones do so differs between versions of bash, so it is all of bash's own but those that are known to hold text.
 */
export const isCountedByBash = (name: string) => OF_BASH.test(name) && !TEXTS_OF_BASH.test(name);
