import fc from "fast-check";
import { numberLine, valueLine } from "./shellValues.ts";

/**
 * Command lines made from the grammar of bash: every kind of command, with every kind of redirection, with every kind of
 * expansion, in every kind of quotes. In the places where bash runs a command from within a word there is a hole; what fills
 * the holes is harmless in all but one, and often in all.
 */

/** Programs that log their name and do nothing. Some bear the names of programs that are known to only read. */
export const STUBS = [
  "alpha",
  "beta",
  "gamma",
  "delta",
  "ls",
  "cat",
  "grep",
  "wc",
  "git",
  "rm",
  "tee",
  "find",
  "head",
];
/** They log their name and then are the real program, so that what they start is started. */
export const WRAPPERS = ["env", "nice", "nohup", "timeout", "xargs", "setsid", "stdbuf"];

/** What a person might have allowed. The other stubs are nobody's to run. */
export const RULES = [
  "Bash(alpha:*)",
  "Bash(beta:*)",
  "Bash(echo:*)",
  "Bash(xargs alpha:*)",
  "Bash(cd:*)",
  "Bash(eval:*)",
  "Bash(source:*)",
  "Bash(printf:*)",
  "Bash(test:*)",
  "Bash(git log:*)",
  ...["ls", "cat", "wc", "head", "git status"].map((name) => `Bash(${name}:*)`),
  "Bash(true)",
];

/** What nobody may start, whatever else is allowed. */
export const DENIED = ["gamma", "delta", "rm"];
/** What nobody may write, whatever else is allowed. */
export const PROTECTED_FILE = ".envrc";

const choose = (...items: string[]) => fc.constantFrom(...items);
const often = (usual: fc.Arbitrary<string>, seldom: fc.Arbitrary<string>, times = 9) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: seldom });

/** A command that bash finds in a word goes here. */
const HOLE = "·";
/** The text of a here-document between these two goes behind the end of its line. */
const [BODY, END_BODY] = ["«", "»"];

const name = choose(
  "alpha",
  "beta",
  "ls",
  "cat",
  "wc",
  "head",
  "echo",
  "git status",
  "git log",
  "true",
  "printf",
);
const variable = choose("PATH", "USER", "PATH", "USER", "LANG", "HOME", "X", "P", "RANDOM", "1", "@");
const plain = choose(
  ..."a b.txt -l -n a\\ b ./*.txt a#b $HOME ~/x {a,b} -- in.txt \\; %s --color=never - * [ab].txt".split(" "),
  "'a b'",
  '"a b"',
  "'$(gamma)'",
  "'`gamma`'",
  "'a;gamma'",
  "'#'",
  '"it\'s"',
  "'&& gamma'",
  "'|'",
  "$'a\\tb'",
  "$'\\x24(gamma)'",
  "''",
  "#x",
  "x=y",
);

/** Where a word has a command in it. */
const live = fc
  .tuple(
    variable,
    choose(
      "$(H)",
      "$( H )",
      "`H`",
      "${V:-$(H)}",
      "${V:+$(H)}",
      "${V-`H`}",
      "${V#$(H)}",
      "${V%%`H`}",
      "${V/a/$(H)}",
      "${V//$(H)/a}",
      "${V:$(H):1}",
      "${V^^$(H)}",
      "${V:+${V:+$(H)}}",
      "${V:+'$(H)'}",
      "${V#'$(H)'}",
      "${V:='$(H)'}",
      "${V?$(H)}",
      "${V@Q}$(H)",
      "${a[$(H)]}",
      "${#a[`H`]}",
      "$(($(H)))",
      "$((1+`H`))",
      "$((${V:-$(H)}))",
      "$[$(H)]",
      "$((a[$(H)]))",
      "<(H)",
      ">(H)",
      "{a,$(H)}",
      "[$(H)]",
      "[a`H`].txt",
      "~$(H)",
      "a$(H)b",
      "$(H)$(H)",
      "$'a'$(H)",
      '$"$(H)"',
      "$(echo $(H))",
      "$(echo `H`)",
      "`echo $(H)`",
      "$(cat <<E" + BODY + "$(H)\nE\n" + END_BODY + "\n)",
      "$(cat <<'E'" + BODY + "$(H)\nE\n" + END_BODY + "\n)",
      "$(case a in a) H;; esac)",
      "$((H) )",
      "$( (H) )",
      "$(<$(H))",
      "$(((1) ? $(H) : 2))",
      "${!V*}$(H)",
      "${!V}$(H)",
      "${V@P}$(H)",
      "${V~~}$(H)",
      "${ H; }",
      "${| H; }",
      "@($(H))",
      "\\$(H)",
      "\\\\$(H)",
      "'$(H)'",
      "\\`H\\`",
    ),
  )
  .map(([name, form]) => form.replaceAll("H", HOLE).replaceAll("V", name));

const quotes = choose(
  "W",
  "W",
  '"W"',
  '"a W b"',
  "'W'",
  "$'W'",
  'a"W"',
  "'a'W",
  '"${PATH:+W}"',
  '"${X:-W}"',
  "\\W",
  '""W',
);
const quoted = fc.tuple(quotes, live).map(([form, word]) => form.replaceAll("W", () => word));
const dull = choose(
  "$X",
  '"$@"',
  "$1",
  "${USER:-y}",
  '"$PATH"',
  "$((1+1))",
  "$PATH",
  "${#PATH}",
  "$?",
  '"$(alpha)"',
  "$(beta)",
  "*.txt",
);
const word = fc.oneof(
  { weight: 32, arbitrary: plain },
  { weight: 3, arbitrary: dull },
  { weight: 3, arbitrary: quoted },
);

const stranger = choose(
  "gamma",
  "delta",
  "rm",
  "tee",
  "./local",
  "$P",
  '"$P"',
  "${P:-gamma}",
  "g{amma,}",
  "{gamma,x}",
  "gam?a",
  "\\gamma",
  "ga''mma",
  "$(echo gamma)",
  '"$@"',
  '"${a[@]}"',
  "$1",
  "$'gam\\x6da'",
  "@(gamma)",
);

const bodyOf = (lines: fc.Arbitrary<string>) =>
  fc
    .tuple(choose("E", "'E'", '"E"', "\\E", "E", "E F", "$E"), choose("<<", "<<-", "3<<"), lines)
    .map(([end, operator, text]) => {
      const [delimiter = "E"] = /\w+/.exec(end) ?? [];
      const tab = operator === "<<-" ? "\t" : "";
      // One in another stands where it is.
      const inner = text.replaceAll(BODY, "\n").replaceAll(END_BODY, "");
      return ` ${operator}${end}${BODY}${tab}${inner}\n${tab}${delimiter}\n${END_BODY}`;
    });
const inBody = fc.oneof(plain, live, live, choose("${PATH:+'$(·)'}", "'$(·)'", "\\$(·)", "a `·` b"));

const redirection = fc.oneof(
  fc.tuple(choose(" <<< ", " 3<<< ", "<<<"), word).map((parts) => parts.join("")),
  bodyOf(inBody),
  bodyOf(inBody),
  choose(" < <(·)", " > >(·)", " 2> >(·)", " < <(cat <(·))"),
  fc
    .tuple(
      choose(
        " < ",
        " > ",
        " >> ",
        " <> ",
        " &> ",
        " &>> ",
        " >| ",
        " 2> ",
        " {fd}> ",
        " {fd}< ",
        " >& ",
        " 3> ",
      ),
      word,
    )
    .map((parts) => parts.join("")),
  choose(
    " < in.txt",
    " > /dev/null",
    " 2>&1",
    " 2>/dev/null",
    " >&2",
    " <&-",
    " 3>&1",
    " > out.txt",
    ` > ${PROTECTED_FILE}`,
  ),
);
const redirections = fc.array(redirection, { maxLength: 2 }).map((all) => all.join(""));
const maybeRedirected = often(choose(""), redirections, 12);

const assignment = fc
  .tuple(
    choose("X", "P", "a", "N", "CI", "IFS", "RANDOM", "a[0]", "X+", "PATH", "REPLY"),
    fc.oneof(word, choose("1", "gamma", "'a[$(gamma)]'", "(gamma x)", "alpha")),
  )
  .map(([target, value]) => `${target}=${value}`);

const simple = fc
  .tuple(
    often(
      choose(""),
      assignment.map((one) => `${one} `),
      8,
    ),
    often(name, stranger, 40),
    fc.array(word, { maxLength: 3 }),
    maybeRedirected,
  )
  .map(([before, program, args, after]) => before + [program, ...args].join(" ") + after);

const inQuotes = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`;
const wrapped = fc.oneof(
  { weight: 16, arbitrary: simple },
  ...[
    "env",
    "timeout 5",
    "nice -n 5",
    "command",
    "nohup",
    "xargs",
    "exec",
    "builtin",
    "time",
    "! ",
    "X=a",
    "time -p",
    "coproc",
  ].map((before) => ({ weight: 1, arbitrary: simple.map((line) => `${before} ${line}`) })),
  { weight: 1, arbitrary: simple.map((line) => `bash -c ${inQuotes(line)}`) },
  { weight: 1, arbitrary: simple.map((line) => `eval ${inQuotes(line)}`) },
  { weight: 2, arbitrary: assignment },
  { weight: 1, arbitrary: redirection },
);

/** What stands before commands every day, and what looks like it. */
const before = choose(
  "set -e; ",
  "set -euo pipefail\n",
  "set -- gamma; ",
  'set -- gamma; "$@"; ',
  "set -k; ",
  "N=3; echo $((N + 1)); ",
  "N='a[$(gamma)]'; echo $((N)); ",
  "N=1; N='a[$(gamma)]'; echo $((N)); ",
  "RANDOM='a[$(gamma)]'; ",
  "for SECONDS in 'a[$(gamma)]'; do :; done; ",
  "export CI=1 FOO=1\n",
  'echo "--- $(alpha) ---"; ',
  "read -r P <<< gamma; ",
  "P=alpha; read -r P <<< gamma; ",
  "P=$(echo gamma); ",
  "P=gamma; ",
  "a=(gamma x); ",
  "shopt -s lastpipe; ",
  "shopt -s extglob dotglob\n",
  "alias alpha=gamma\n",
  "alpha() { gamma; }; ",
  "trap gamma EXIT; ",
  "IFS=x; P=gammaxb; ",
  "PS4='$(gamma)'; set -x; ",
);

const { line } = fc.letrec<{ line: string; compound: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3 },
    { weight: 5, arbitrary: wrapped },
    { weight: 2, arbitrary: tie("compound") },
  ),
  compound: fc
    .tuple(
      choose(
        "( L\n)",
        "{ L\n}",
        "if L\nthen L\nfi",
        "if [ -f W ]\nthen alpha\nelif W\nthen L\nelse L\nfi",
        "while L\ndo L\nbreak\ndone",
        "until L\ndo L\nbreak\ndone",
        "while read -r P\ndo L\ndone",
        "for f in W W\ndo L\ndone",
        "for f in a b\ndo L\ndone",
        "for f\ndo L\ndone",
        "for ((i = 0; i < 1; i++))\ndo L\ndone",
        "for ((i = W; i < 1; i++))\ndo L\nbreak\ndone",
        "select f in W\ndo L\nbreak\ndone",
        "case W in a) L\n;; *) alpha;; esac",
        "case a in W) L\n;& b) L\n;;& *) beta;; esac",
        "f() { L\n}",
        "f() { L\n}; f",
        "function f { L\n}\nf W",
        "f() ( L\n)",
        "coproc { L\n}",
        "coproc P { L\n}",
        "[[ -f W ]]",
        "[[ W == W ]]",
        "[[ W =~ W && ( a -eq W || ! -v W ) ]]",
        "(( W ))",
        "(( a[W] + 1 ))",
        "{ L\n} | L",
        "L | while read -r P\ndo L\ndone",
        "! { L\n}",
        "time { L\n}",
      ),
      fc.array(tie("piece"), { minLength: 3, maxLength: 3 }),
      fc.array(word, { minLength: 3, maxLength: 3 }),
      fc.oneof(choose(""), redirections),
    )
    .map(([form, lines, words, after]) => {
      let [line, one] = [0, 0];
      return (
        form.replace(/\b[LW]\b/g, (sign) => (sign === "L" ? lines[line++ % 3] : words[one++ % 3]) ?? "") +
        after
      );
    }),
  line: fc
    .tuple(
      often(choose(""), before, 12),
      tie("piece"),
      fc.array(
        fc.tuple(choose(" && ", " || ", "; ", " | ", "\n", " & ", " |& ", " # gamma\n"), tie("piece")),
        { maxLength: 2 },
      ),
    )
    .map(([first, piece, rest]) => first + piece + rest.flat().join("")),
}));

const harmless = choose("alpha", "echo a", "cat in.txt", "ls", "beta b", "true");
const hostile = choose(
  "gamma",
  "delta x",
  "ga''mma",
  "rm b.txt",
  "$'gam\\x6da'",
  "P=gamma; $P",
  "echo x > out.txt",
  `: > ${PROTECTED_FILE}`,
  "\\gamma",
);

/** One of the holes gets a hostile command, or none does. */
const filled = fc
  .tuple(
    line,
    fc.array(harmless, { minLength: 4, maxLength: 4 }),
    fc.option(hostile, { freq: 1 }),
    fc.nat(100),
  )
  .map(([text, fillings, enemy, place]) => {
    const [first = "", ...pieces] = text.split(HOLE);
    const target = enemy === null ? -1 : place % Math.max(pieces.length, 1);
    return first + pieces.map((piece, at) => (at === target ? enemy : fillings[at % 4]) + piece).join("");
  });

/** The texts of here-documents go where bash looks for them. */
function placed(text: string): string {
  let out = "";
  let waiting = "";
  for (const piece of text.split(/(«[^»]*»|\n)/)) {
    if (piece.startsWith(BODY)) waiting += piece.slice(1, -1);
    else if (piece === "\n") {
      out += `\n${waiting}`;
      waiting = "";
    } else out += piece;
  }
  return waiting === "" ? out : `${out}\n${waiting}`;
}

const SIGNS = [
  ..."'\"\\`$(){}[]<>;&|\n #!=~*?@-:,".split(""),
  "$(",
  "<<",
  "\\\n",
  "((",
  "]]",
  "$'",
  '$"',
  " in ",
  " do ",
  "}",
];

/** A sign more or less: what nobody would write, and bash reads somehow all the same. */
const damaged = fc
  .tuple(filled.map(placed), fc.nat(10_000), fc.constantFrom(...SIGNS), fc.nat(2))
  .map(([text, place, sign, cut]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + sign + text.slice(at + cut);
  });

/** Command lines as people write them, and as somebody writes them who wants to get something past a reader. */
export const lineArb: fc.Arbitrary<string> = fc.oneof(
  { weight: 16, arbitrary: filled.map(placed) },
  { weight: 1, arbitrary: damaged },
  { weight: 2, arbitrary: valueLine },
  { weight: 1, arbitrary: numberLine },
);
