import { GIT_ESCAPES, GIT_ESCAPES_BEHIND, GIT_GLOBAL_ESCAPES } from "./git/runs.ts";
import { literal, type ShellWord, type SimpleCommand } from "../words/words.ts";

/**
 * Options with which a program that looks harmless writes a file, runs another program or evaluates text. A rule such as
 * `Bash(git log:*)` was not written with them in mind, so it covers them only where it names them itself.
 */
const ESCAPES = new Map<string, readonly string[]>([
  ["git", GIT_ESCAPES],
  ["find", ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"]],
  ["fd", ["-x", "-X", "--exec", "--exec-batch"]],
  ["fdfind", ["-x", "-X", "--exec", "--exec-batch"]],
  ["rg", ["--pre", "--hostname-bin", "--search-zip", "-z"]],
  ["sort", ["-o", "--output", "--compress-program"]],
  ["tree", ["-o", "-R"]],
  ["iconv", ["-o", "--output"]],
  ["shuf", ["-o", "--output"]],
  ["file", ["-C", "--compile", "-z", "-Z", "--uncompress", "--uncompress-noreport"]],
  ["date", ["-s", "--set"]],
  ["yq", ["-i", "--inplace", "--in-place"]],
  ["less", ["-o", "-O", "--log-file", "--LOG-FILE"]],
  ["man", ["-P", "--pager", "-H", "--html"]],
  [
    "tar",
    [
      "-I",
      "--use-compress-program",
      "--to-command",
      "--checkpoint-action",
      "--rsh-command",
      "-F",
      "--info-script",
    ],
  ],
  [
    "npm",
    ["--script-shell", "--prefix", "-C", "--node-options", "--userconfig", "--globalconfig", "--logs-dir"],
  ],
  ["cargo", ["--config", "-Z", "-C", "--manifest-path", "--target-dir", "--artifact-dir", "--out-dir"]],
  ["test", ["-v", "-R"]],
  ["[", ["-v", "-R"]],
]);

/** They read `-prefix` as `--prefix`. */
const ONE_DASH_DOES = new Set(["npm"]);

/** The first argument from `from` on that a rule does not cover silently, or undefined. */
export function escapingOption(command: SimpleCommand, from: number): string | undefined {
  const program = literal(command[0]) ?? "";
  const options = ESCAPES.get(program);
  if (!options) return undefined;
  return command.slice(from).find((word, at) => {
    const meant = ONE_DASH_DOES.has(program) ? withTwoDashes(word) : word;
    return isEscape(meant, program === "git" ? [...options, ...gitEscapes(command, from + at)] : options);
  })?.text;
}

/** What depends on where the word stands. */
function gitEscapes(command: SimpleCommand, at: number): readonly string[] {
  const subcommand = command.findIndex((word, index) => index > 0 && !word.text.startsWith("-"));
  if (subcommand < 0 || at < subcommand) return GIT_GLOBAL_ESCAPES;
  return GIT_ESCAPES_BEHIND.get(literal(command[subcommand]) ?? "") ?? [];
}

function withTwoDashes({ text, known: [first = "", ...others] }: ShellWord): ShellWord {
  return { text, known: [first.replace(/^-(?=\w{2})/, "--"), ...others] };
}

function isEscape(word: ShellWord, options: readonly string[]): boolean {
  const start = word.known[0] ?? "";
  // `$X` and `*` may become any option once bash has expanded them.
  if (word.known.length > 1 && (start === "" || start.startsWith("-"))) return true;
  const [name = ""] = start.split("=");
  return options.some((option) => {
    if (option.startsWith("--")) return name === option || (name.length > 2 && option.startsWith(name));
    if (option.length > 2) return name === option;
    // A short option may carry its value, and may hide in a bundle: `-o/etc/x`, `-uo`.
    return /^-[A-Za-z]/.test(start) && !start.startsWith("--") && start.includes(option[1] ?? "");
  });
}
