/**
 * What `set` and `shopt` switch, as far as it matters to whoever reads the line: nothing; what becomes of variables, stars and
 * folders ("values"); or what any word means ("words"). What is in neither list is taken for the worst.
 */
export type Switched = "nothing" | "values" | "words";

type Word = string | undefined;

/** Letters and names with which the same commands run on the same files. */
const PLAIN_LETTERS = /^[abefhmnptuvxBCET]*$/;
const PLAIN_NAMES = new Set(
  (
    "allexport braceexpand emacs errexit errtrace functrace hashall ignoreeof interactive-comments monitor noclobber noexec noglob " +
    "nolog notify nounset onecmd pipefail verbose vi xtrace"
  ).split(" "),
);
const PLAIN_OPTIONS = new Set(
  (
    "cdspell checkhash checkjobs checkwinsize cmdhist complete_fullquote direxpand dirspell execfail force_fignore gnu_errfmt histappend " +
    "histreedit histverify hostcomplete huponexit inherit_errexit interactive_comments lithist mailwarn no_empty_cmd_completion " +
    "nocasematch progcomp promptvars shift_verbose varredir_close xpg_echo"
  ).split(" "),
);

/** Words behind `--`, or behind one that is no option, are only values. */
export function switchedBySet(words: readonly Word[]): Switched {
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) return "words";
    if (word === "--" || word === "-" || !/^[-+]/.test(word)) return "nothing";
    const letters = word.slice(1);
    // Each `o` takes a name behind the word; without one it only prints.
    const named = letters.split("o").length - 1;
    const names = words.slice(at + 1, at + 1 + named);
    if (!PLAIN_LETTERS.test(letters.replaceAll("o", ""))) return "words";
    if (!names.every((name) => name !== undefined && PLAIN_NAMES.has(name))) return "words";
    at += named;
  }
  return "nothing";
}

export function switchedByShopt(words: readonly Word[]): Switched {
  const options = words.filter((word) => word?.startsWith("-"));
  const names = words.filter((word) => !word?.startsWith("-"));
  if (words.includes(undefined)) return "words";
  if (!options.some((word) => /[su]/.test(word ?? "")) || options.some((word) => word?.includes("q")))
    return "nothing";
  if (options.some((word) => word?.includes("o")))
    return names.every((name) => PLAIN_NAMES.has(name ?? "")) ? "nothing" : "words";
  if (names.includes("expand_aliases")) return "words";
  return names.every((name) => PLAIN_OPTIONS.has(name ?? "")) ? "nothing" : "values";
}

/** From then on every variable is one that programs get. */
export const exportsAll = (words: readonly Word[]) =>
  words.some(
    (word, at) => /^-\w*a/.test(word ?? "") || (word === "allexport" && /^-\w*o$/.test(words[at - 1] ?? "")),
  );

/** Variables that switch something by being set. */
export const isSwitch = (name: string) => name === "GLOBIGNORE" || name === "POSIXLY_CORRECT";
