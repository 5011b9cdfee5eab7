import { inQuotes } from "../../words/words.ts";

/** Text that git hands to a shell or runs as a program, or why there may be some. */
interface GitRuns {
  scripts?: string[];
  doubt?: string;
}

/**
 * Options of git whose value is a program, whichever subcommand they belong to. git takes every beginning of a long one that is
 * the beginning of no other option of the subcommand.
 */
export const GIT_PROGRAM_OPTIONS: readonly string[] = [
  "-O",
  "--open-files-in-pager",
  "-x",
  "--exec",
  "--extcmd",
  "--upload-pack",
  "--receive-pack",
  "--setup",
  "--tree-filter",
  "--index-filter",
  "--msg-filter",
  "--env-filter",
  "--commit-filter",
  "--parent-filter",
  "--tag-name-filter",
  "--access-hook",
  "--smtp-server",
  "--sendmail-cmd",
  "--to-cmd",
  "--cc-cmd",
  "--header-cmd",
  "--httpd",
  "--browser",
];

/** Those of one letter that mean something else to other subcommands, or that hide in a bundle. */
export const GIT_PROGRAM_LETTERS: ReadonlyMap<string, RegExp> = new Map([
  ["clone", /^-[lnqsv46]*u(.*)$/s],
  ["difftool", /^-[dgy]*x(.*)$/s],
  ["grep", /^-[aciIlLnovwWpqrhHEFGPz]*O(.*)$/s],
  ["rebase", /^-[fikmnqrv]*x(.*)$/s],
  ["instaweb", /^-[bd](.*)$/s],
]);

/** Settings whose value is a program: `-c core.pager=x`, `config alias.x '!y'`. */
const PROGRAM_SETTING =
  /^(alias\..+|pager\..+|core\.(fsmonitor|sshcommand|pager|editor|askpass|gitproxy|hookspath|alternaterefscommand)|sequence\.editor|diff\.(external|.+\.(command|textconv))|(difftool|mergetool|man|browser|guitool)\..+\.(cmd|path)|merge\..+\.driver|filter\..+|credential\.(.+\.)?helper|gpg\.(.+\.)?(program|defaultkeycommand)|interactive\.difffilter|remote\..+\.(uploadpack|receivepack|vcs)|trailer\..+\.(command|cmd)|uploadpack\.packobjectshook|gc\.recentobjectshook|hook\..+\.command|imap\.tunnel|init\.templatedir|instaweb\.(browser|httpd)|lfs\..+\.(clean|path|smudge)|submodule\..+\.update|tar\..+\.command|web\.browser|sendemail\.(.+\.)?(.+cmd|smtpserver)|include(if\..+)?\.path)$/i;

const LONGEST_KEY = 2_000;

/** They show text, or do nothing. */
const HARMLESS_PROGRAM = /^(cat|less( -\w+)?|more|true|false|:|\/dev\/null|)$/;

/** Whether a setting of git (`core.pager=x`) names a program that may do anything. */
export function namesProgram(setting: string): boolean {
  const runs = gitSetting(setting, "");
  return runs !== undefined && !runs.scripts?.every((script) => HARMLESS_PROGRAM.test(script));
}

/** What stands in a word of git's, or in the next because of it. */
export function gitSetting(text: string, next: string | undefined): GitRuns | undefined {
  const transport = /^ext::(.*)$/s.exec(text)?.[1];
  if (transport !== undefined) return { scripts: [ofTransport(transport)] };
  const [, variable, key = "", attached] = /^(--config-env=)?([^=\s]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (key.length > LONGEST_KEY) return { doubt: "git is told something that is longer than its settings" };
  if (!PROGRAM_SETTING.test(key)) return undefined;
  if (variable !== undefined) return { doubt: `${key} tells git what to run` };
  const value = attached ?? next;
  if (value === undefined) return undefined;
  const isAlias = /^alias\./i.test(key) && !value.startsWith("!");
  return { scripts: [isAlias ? `git ${value}` : value.replace(/^!/, "")] };
}

/** `ext::sh -c rm% x`: words are cut at blanks, and `%` takes a blank its meaning. */
const ofTransport = (text: string) =>
  text
    .split(/(?<!%) /)
    .map((word) => inQuotes(word.replace(/%(.)/g, "$1")) ?? word)
    .join(" ");

/**
 * Options with which git runs another program or writes a file although its subcommand sounds harmless: a rule that names only
 * the subcommand does not cover them.
 */
export const GIT_ESCAPES: readonly string[] = [
  "--output",
  "--ext-diff",
  "--exec",
  "--upload-pack",
  "--receive-pack",
  "--open-files-in-pager",
  "-O",
  "--extcmd",
];

/** Those that are harmless behind other subcommands: `push -u`. */
export const GIT_ESCAPES_BEHIND: ReadonlyMap<string, readonly string[]> = new Map([
  ["clone", ["-u", "-c", "--config", "--template"]],
  ["commit", ["-t", "--template"]],
  ["checkout", ["-f", "--force"]],
  ["switch", ["-f", "--force", "--discard-changes"]],
  ["difftool", ["-x"]],
  ["rebase", ["-x"]],
]);

/** Before its subcommand git takes options that set what it runs. */
export const GIT_GLOBAL_ESCAPES: readonly string[] = ["-c", "--exec-path", "--config-env"];
