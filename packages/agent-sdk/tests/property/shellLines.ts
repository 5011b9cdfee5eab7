import fc from "fast-check";

/** Stubs that log their name and do nothing. Some bear the names of programs that are known to only read. */
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
/** Stubs that log their name and then are the real program, so that what they start is started. */
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

const choose = (...items: string[]) => fc.constantFrom(...items);
const program = choose("alpha", "beta", "ls", "cat", "wc", "head", "echo", "git status", "git log", "true");
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
  "gam?a",
  "\\gamma",
  "ga''mma",
  "$(echo gamma)",
);
const plain = choose(
  "a",
  "b.txt",
  "-l",
  "-n",
  "'a b'",
  '"a b"',
  "a\\ b",
  "./*.txt",
  "'$(gamma)'",
  "\\$(gamma)",
  "'`gamma`'",
  "'a;gamma'",
  "a#b",
  "'#'",
  "$HOME",
  "~/x",
  "{a,b}",
  "--",
  "in.txt",
  '"it\'s"',
  "'&& gamma'",
  "\\;",
  "'|'",
);
const lively = choose(
  "$(alpha)",
  "`beta`",
  '"$(beta)"',
  "<(alpha)",
  "${X:-y}",
  "$X",
  '"$X"',
  "*.txt",
  "\"$(echo 'gamma')\"",
  "#x",
  "x=y",
  "$((1+1))",
);
const hostile = choose(
  "$(gamma)",
  "`gamma`",
  '"$(gamma)"',
  "${X:-$(gamma)}",
  "${X:-`delta`}",
  "<(gamma)",
  ">(gamma)",
  "$(($(gamma)))",
  '"a $(echo "$(gamma)")"',
  "${X//a/$(gamma)}",
  "$'$(gamma)'\"$(gamma)\"",
  "${ gamma; }",
  "{a,$(gamma)}",
  "a;b",
  "a\ngamma",
);

const words = fc
  .tuple(
    fc.oneof({ weight: 14, arbitrary: program }, { weight: 1, arbitrary: stranger }),
    fc.array(
      fc.oneof(
        { weight: 14, arbitrary: plain },
        { weight: 3, arbitrary: lively },
        { weight: 1, arbitrary: hostile },
      ),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([name, args]) => [name, ...args].join(" "));

const wrapped = fc.oneof(
  { weight: 14, arbitrary: words },
  { weight: 1, arbitrary: words.map((line) => `env ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `timeout 5 ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `nice -n 5 ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `command ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `nohup ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `xargs ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `bash -c '${line.replaceAll("'", `'\\''`)}'`) },
  { weight: 1, arbitrary: words.map((line) => `eval '${line.replaceAll("'", `'\\''`)}'`) },
  { weight: 1, arbitrary: words.map((line) => `X=a ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `exec ${line}`) },
  { weight: 1, arbitrary: words.map((line) => `builtin ${line}`) },
);

const redirected = fc
  .tuple(
    wrapped,
    choose(
      "",
      "",
      "",
      "",
      "",
      " > /dev/null",
      " 2>&1",
      " < in.txt",
      " > out.txt",
      " <<< x",
      " 2>/dev/null",
      " <<E\n$(alpha)\nE",
      " <<'E'\n$(gamma)\nE",
      " <<E\n$(gamma)\nE",
      " &> out.txt",
    ),
  )
  .map(([line, redirect]) => line + redirect);

const joined = fc
  .tuple(
    redirected,
    fc.array(fc.tuple(choose(" && ", " || ", "; ", " | ", "\n", " & ", " |& "), redirected), {
      maxLength: 2,
    }),
  )
  .map(
    ([first, rest]) =>
      first + rest.map(([operator, line]) => (first.includes("<<") ? "\n" : operator) + line).join(""),
  );

/** What stands before commands every day, and what looks like it. */
const before = choose(
  "set -e; ",
  "set -euo pipefail\n",
  "set -- gamma; ",
  "N=3; echo $((N + 1)); ",
  "N='a[$(gamma)]'; echo $((N)); ",
  "N=1; N='a[$(gamma)]'; echo $((N)); ",
  "export CI=1 FOO=1\n",
  'echo "--- $(alpha) ---"; ',
  "read -r P <<< gamma; ",
  "P=alpha; read -r P <<< gamma; ",
  "P=$(echo gamma); ",
);

/** Command lines as people write them, and as somebody writes them who wants to get something past a reader. */
export const lineArb: fc.Arbitrary<string> = fc.oneof(
  { weight: 14, arbitrary: joined },
  { weight: 1, arbitrary: joined.map((line) => `(${line}\n)`) },
  { weight: 1, arbitrary: joined.map((line) => `{ ${line}\n}`) },
  { weight: 1, arbitrary: joined.map((line) => `if ${line}\nthen alpha\nelse beta\nfi`) },
  { weight: 1, arbitrary: joined.map((line) => `for f in a b\ndo ${line}\ndone`) },
  { weight: 1, arbitrary: joined.map((line) => `while false\ndo ${line}\ndone`) },
  { weight: 1, arbitrary: joined.map((line) => `case $X in a) ${line}\n;; *) alpha;; esac`) },
  { weight: 1, arbitrary: joined.map((line) => `! ${line}`) },
  { weight: 1, arbitrary: joined.map((line) => `time ${line}`) },
  { weight: 1, arbitrary: joined.map((line) => `f() { ${line}\n}; f`) },
  { weight: 1, arbitrary: joined.map((line) => `alpha() { gamma; }; ${line}`) },
  { weight: 1, arbitrary: joined.map((line) => `P=gamma; ${line}`) },
  { weight: 3, arbitrary: fc.tuple(before, joined).map(([first, line]) => first + line) },
  { weight: 1, arbitrary: joined.map((line) => `while read -r P\ndo ${line}\ndone <<< gamma`) },
  { weight: 1, arbitrary: joined.map((line) => `[[ -f a ]] && ${line}`) },
  { weight: 1, arbitrary: joined.map((line) => `trap gamma EXIT; ${line}`) },
  { weight: 1, arbitrary: joined.map((line) => `echo "$(${line}\n)"`) },
  { weight: 1, arbitrary: joined.map((line) => `${line} # gamma\n`) },
  { weight: 1, arbitrary: joined.map((line) => `alias alpha=gamma\n${line}`) },
);
