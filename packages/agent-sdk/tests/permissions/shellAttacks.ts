/**
 * Command lines that run something, or write a file, from a place where nobody looks for it. Each of them really does: they are
 * run in `tests/property/shellAttacks.test.ts`, where `gamma` is a program and `.envrc` a file that nobody may touch. Whether a
 * rule denies the one or Wave protects the other, none of them may run without a question, and none is taken for reading.
 */

const COMPOUND = [
  "{ :; }",
  "( : )",
  "for f in a; do :; done",
  "for ((; 0; )); do :; done",
  "while false; do :; done",
  "until true; do :; done",
  "if true; then :; fi",
  "case a in b) ;; esac",
  "select f in a; do :; done",
  "[[ a ]]",
  "(( 1 ))",
  "! { :; }",
  "time { :; }",
  "{ :; } | { :; }",
];

const REDIRECTIONS = [
  "<<< $(gamma)",
  "<<<`gamma`",
  '<<< "${X:-$(gamma)}"',
  "<<< {a,$(gamma)}",
  "<<< $((`gamma`))",
  "3<<< $(gamma)",
  "< <(gamma)",
  "> >(gamma)",
  "2> >(gamma)",
  "<<E\n$(gamma)\nE",
  "<<-E\n\t`gamma`\n\tE\n",
  "<<E\n${X:-$(gamma)}\nE",
  "<<E\n${PATH:+'$(gamma)'}\nE",
  "<<E\n$(: > .envrc)\nE",
  "< <(: > .envrc)",
  "<<< `: > .envrc`",
];

const NAMED = ["f() { :; }", "f() ( : )", "function f { :; }", "f() if true; then :; fi"];

/** Variables in which bash counts, the names that set one to `TEXT`, and the text. */
const COUNTED = ["RANDOM", "SRANDOM", "OPTIND", "HISTCMD"];
const SETS = [
  "NAME='TEXT'",
  "NAME+='TEXT'",
  "NAME=('TEXT')",
  "x='TEXT'; NAME=x",
  "read NAME <<< 'TEXT'",
  "for NAME in 'TEXT'; do :; done",
  "select NAME in 'TEXT'; do break; done <<< 1",
  "printf -v NAME %s 'TEXT'",
  "declare NAME='TEXT'",
  "export NAME='TEXT'",
  "readonly NAME='TEXT'",
  "mapfile NAME <<< 'TEXT'",
  "declare -n r=NAME; r='TEXT'",
];
const TEXTS = ["a[$(gamma)]", "a[`gamma`]", "a[$(: > .envrc)]"];

export const ATTACKS: Record<string, string[]> = {
  "a redirection of a compound command": [
    ...COMPOUND.flatMap((command) => REDIRECTIONS.map((redirection) => `${command} ${redirection}`)),
    ...NAMED.flatMap((named) => REDIRECTIONS.map((redirection) => `${named} ${redirection}\nf`)),
    ...REDIRECTIONS.map((redirection) => `coproc { :; } ${redirection}\nwait`),
    "while read l; do echo $l; done <<< $(gamma)",
    "{ { cat; } < <(gamma); } < in.txt",
    "if cat <<< a; then cat; fi <<< $(gamma)",
    "echo $(for f in a; do :; done <<< `gamma`)",
  ],
  "quotes that are none where they stand": [
    "cat <<E\n${PATH:+'$(gamma)'}\nE",
    "cat <<E\n${X:-'`gamma`'}\nE",
    "cat <<E\n${PATH:+$'$(gamma)'}\nE",
    "cat <<E\n${PATH:+${PATH:+'$(: > .envrc)'}}\nE",
    "cat <<E\n$(( '$(gamma)' ))\nE",
    "echo \"${PATH:+'$(gamma)'}\"",
    "echo \"${PATH:'$(gamma)'}\"",
    "echo $(( '$(gamma)' ))",
  ],
  "text that is nested deeper than the parser goes": [
    `cat <<E\n${"${PATH:+".repeat(257)}$(gamma)${"}".repeat(257)}\nE`,
    `cat <<E\n${"${PATH:+".repeat(400)}\`gamma\`${"}".repeat(400)}\nE`,
    `cat <<E\n${"${PATH:+".repeat(300)}$(: > .envrc)${"}".repeat(300)}\nE`,
    `cat <<E\n${"${PATH:+".repeat(258)}$'$(gamma)'${"}".repeat(258)}\nE`,
    `{ cat; } <<E\n${"${X:-".repeat(270)}$(gamma)${"}".repeat(270)}\nE`,
  ],
  "a variable in which bash counts": [
    ...COUNTED.flatMap((name) =>
      SETS.flatMap((set) => TEXTS.map((text) => set.replace("NAME", name).replace("TEXT", () => text))),
    ),
    ...TEXTS.map((text) => `for SECONDS in '${text}'; do :; done`),
    "SECONDS=('a[$(gamma)]')",
    "x='a[$(ga'; RANDOM=\"$x\"'mma)]'",
  ],
};
