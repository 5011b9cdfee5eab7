import { posix } from "node:path";
import { GIT_ESCAPES_BEHIND, GIT_GLOBAL_ESCAPES } from "./git/runs.ts";
import { launchedAt } from "../ruleTable/beginnings.ts";
import { isLocalAddress } from "../ruleTable/localAddress.ts";
import type { ProgramRow } from "../ruleTable/row.ts";
import { rowOf } from "../ruleTable/table.ts";
import { literal, type ShellWord, type SimpleCommand } from "../words/words.ts";

/** Where a rule counts. */
export interface RulePlace {
  /** The project's folder: a path to it is none that leads elsewhere. */
  project?: string | undefined;
}

/**
 * The first argument from `from` on that a rule does not cover silently, or undefined: options with which a program that looks
 * harmless writes a file, runs another program or evaluates text, and paths out of the project for those that run what they
 * find there. A rule such as `Bash(git log:*)` was not written with them in mind, so it covers them only where it names them
 * itself.
 */
export function escapingWord(
  command: SimpleCommand,
  from: number,
  place: RulePlace = {},
): string | undefined {
  const program = literal(command[0]);
  const row = rowOf(program);
  if (!row || (row.anything && from <= 1)) return undefined;
  const at = launchedAt(row, command.map(literal));
  if (at !== undefined) return escapingWord(command.slice(at), Math.max(from - at, 0), place);
  if (program === "curl") return escapingRequest(command, from, row);
  const namesSubcommand = from > 1;
  let value: "text" | "other" | undefined;
  for (const [index, word] of command.entries()) {
    const behind = value;
    const name = optionName(word, row);
    const takesNext = row.values.some((one) => withDashes(one, row) === name);
    const isText = row.texts.some((one) => withDashes(one, row) === name);
    value = !takesNext || word.text.includes("=") ? undefined : isText ? "text" : "other";
    if (index < Math.max(from, 1) || behind === "text") continue;
    const refuses = program === "git" ? [...row.refuses, ...gitEscapes(command, index)] : row.refuses;
    if (isUnknownOption(word) || isRefused(word, { ...row, refuses })) return word.text;
    const text = literal(word) ?? word.known.join("");
    if (row.never?.test(text)) return word.text;
    if (text.startsWith("-") && row.options && behind === undefined && !isListed(text, row.options))
      return word.text;
    const isMore = row.words === "none" && namesSubcommand && behind === undefined && !text.startsWith("-");
    if (isMore && !SWITCH.test(text)) return word.text;
    if (row.words !== "any" && leadsOut(word, place)) return word.text;
  }
  return undefined;
}

/** `VERBOSE=1`, `TEST=tests/a_test.rb`: words that no program is named in. */
const SWITCH = /^([A-Z][A-Z0-9_]*=(\d+|true|false|yes|no|on|off)?|(TESTS?|FILES?|PKG)=[\w./:-]+)$/;

/** `$X` and `*` may become any option once bash has expanded them. */
function isUnknownOption({ known: [start = "", ...others] }: ShellWord): boolean {
  return others.length > 0 && (start === "" || start.startsWith("-"));
}

/** What depends on where the word stands. */
function gitEscapes(command: SimpleCommand, at: number): readonly string[] {
  const subcommand = command.findIndex((word, index) => index > 0 && !word.text.startsWith("-"));
  if (subcommand < 0 || at < subcommand) return GIT_GLOBAL_ESCAPES;
  return GIT_ESCAPES_BEHIND.get(literal(command[subcommand]) ?? "") ?? [];
}

/** To some programs `-prefix` is `--prefix`. */
function withDashes(text: string, { dashes }: Pick<ProgramRow, "dashes">): string {
  return dashes === "either" ? text.replace(/^-(?=\w{2})/, "--") : text;
}

function optionName({ known: [start = ""] }: ShellWord, row: ProgramRow): string {
  return withDashes(start.split("=")[0] ?? "", row);
}

function isRefused(word: ShellWord, row: Pick<ProgramRow, "refuses" | "dashes" | "shortens">): boolean {
  const start = withDashes(word.known[0] ?? "", row);
  const [name = ""] = start.split("=");
  return row.refuses.some((given) => {
    const option = withDashes(given, row);
    if (option.startsWith("--"))
      return (
        name === option ||
        option === name.split(".")[0] ||
        (row.shortens && name.length > 2 && option.startsWith(name))
      );
    if (option.length > 2 || !option.startsWith("-")) return name === option;
    // A short option may carry its value, and may hide in a bundle: `-o/etc/x`, `-uo`.
    return /^-[A-Za-z]/.test(start) && !start.startsWith("--") && start.includes(option[1] ?? "");
  });
}

/** `-qB` is `-q -B`, and `-T4` is `-T 4`. */
function isListed(text: string, options: readonly string[]): boolean {
  const [name = ""] = text.split("=");
  if (options.includes(name)) return true;
  const letters = /^-([A-Za-z]+)\d*$/.exec(name)?.[1];
  return letters !== undefined && letters.split("").every((letter) => options.includes(`-${letter}`));
}

/** Whether a word may be a path out of the project, or an address of another machine. */
function leadsOut({ text, known }: ShellWord, { project }: RulePlace): boolean {
  // What a variable holds is not known; a star finds names in the folder before it.
  if (known.length > 1 && /[$`]/.test(text)) return true;
  return known
    .join("")
    .split(/[=,:;@]/)
    .map((piece) => piece.replace(/^-[A-Za-z]+(?=[/~])/, ""))
    .some((piece) => {
      if (piece.startsWith("~") || piece.split("/").includes("..")) return true;
      if (!piece.startsWith("/") || piece === "/dev/null") return false;
      const path = posix.normalize(piece);
      return project === undefined || (path !== project && !path.startsWith(`${project}/`));
    });
}

/** Beside an address of this machine a rule covers no other one, no file that is written or sent, and no setting. */
function escapingRequest(command: SimpleCommand, from: number, row: ProgramRow): string | undefined {
  const texts = command.map((word) => literal(word) ?? "$");
  // `http://localhost:1@example.com` begins like one, and is none.
  if (!texts.some((text) => /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])/.test(text))) return undefined;
  const found = texts.findIndex((text, at) => {
    if (at < Math.max(from, 1)) return false;
    const before = texts[at - 1] ?? "";
    // `-d @file` sends a file, and `-H @file` reads one.
    if (row.values.includes(before))
      return row.texts.includes(before) ? false : /^@|%output/.test(text) || text === "$";
    return text.startsWith("-") ? !isListed(text, row.options ?? []) : !isLocalAddress(text);
  });
  return found < 0 ? undefined : command[found]?.text;
}
