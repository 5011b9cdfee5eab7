import { describe, expect, it } from "vitest";
import { readLine } from "../../src/index.ts";
import { readAwk } from "../../src/programs/languages/awk.ts";
import type { TextDoings } from "../../src/programs/languages/textDoings.ts";
import { onlyLooksAtInput } from "../../src/programs/languages/jq.ts";
import { LONGEST_PROGRAM, Scanner } from "../../src/programs/languages/scanner.ts";
import { readSed } from "../../src/programs/languages/sed.ts";

const onlyPrints = (effects: TextDoings | undefined) => {
  const { unproven: _, ...more } = effects ?? { unread: "it cannot be read" };
  return Object.values(more).flat().length === 0;
};

describe("a sed script", () => {
  it.each([
    "p",
    "1p",
    "$p",
    "1,5p",
    "/a/p",
    "/a/,/b/p",
    "10q",
    "s/a/b/",
    "s/a/b/g",
    "s|a|b|gI",
    "s/a\\/b/c/p",
    "/x/d",
    "1!p",
    "2,+3p",
    "=",
    "n;d",
    "y/ab/cd/",
    "/a/I,5p",
    "1{p;q}",
    "# words\np",
    "",
    "/a/{s/b/c/;p}",
    "s/[[:space:]]*$//",
    "s/[^]]*]//",
    "s/x/[/",
    "s/x/]/;p",
    "s/\\[a\\]/b/",
    ":a;N;$!ba;s/\\n/ /g",
    "$!N;P;D",
    "1!G;h;$!d",
    "0~3p",
    "/start/,/end/{//!d}",
    "s/\\(a\\)\\(b\\)/\\2\\1/",
    "/^$/d;/^#/d",
  ])("that only prints is known to: %j (G33)", (script) => {
    expect(onlyPrints(readSed([script]))).toBe(true);
  });

  it.each([
    "w out",
    "1w out",
    "s/a/b/w out",
    "s/a/b/e",
    "e",
    "1e rm x",
    "r /etc/passwd",
    "R x",
    "W out",
    "s/a/b/gw out",
    "a\\\nw",
    "s/a",
    "s/a/b",
    "/a",
    "k",
    "p w out",
    "s/a/b/ w out",
    "1,",
    "s\na\nb\n",
    "{w out\n}",
    // Some versions take the slash in brackets for the end, some do not.
    "s/[/]/x/",
    "/[/]/p",
    "s/x/[/;e rm y #]/",
    "s/x/[/;w y #]/",
    "y/a/[/;e rm y #]/",
    "s|x|[|;e rm y #]|",
    "s/x/\\[/;e rm y #]/",
    "s/[\\]/x/;e rm y #]/",
    "s/a/b/\ne rm y",
    "p;e rm y",
    "/x/{p;e rm y\n}",
    "b a}\ne rm y",
    "s/ü\\/;e rm y/z/",
    "v",
    "}",
    "{p",
  ])("that may do more is not: %j (G33)", (script) => {
    expect(onlyPrints(readSed([script]))).toBe(false);
  });

  const effects: [parts: string[], effects: Partial<TextDoings> | undefined][] = [
    [["s/x/[/;e rm y #]/"], { runs: ["rm y #]/"] }],
    [["1e cd x; rm y"], { runs: ["cd x; rm y"] }],
    [["w out;p"], { writes: ["out;p"] }],
    [["r in", "w out"], { reads: ["in"], writes: ["out"] }],
    [["s/a/b/gw out"], { writes: ["out"] }],
    [["s/a/b/ge"], { runsMore: "a sed script runs what it reads" }],
    // What stands behind a backslash at the end of one part belongs to it in some versions.
    [["a x\\", "e rm y"], undefined],
    [["s/a/b\\", "e rm y/"], undefined],
  ];
  it.each(effects)("is read to its end, also where it does more: %j (G33)", (parts, expected) => {
    const found = readSed(parts);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });
});

describe("an awk program", () => {
  it.each([
    "{print $1}",
    "{print $1, $3}",
    "$3 > 10 {print $1}",
    "NR==5",
    "NR>=10 && NR<=20",
    '/export/ {print NR": "$0}',
    "END {print NR}",
    "{s+=$2} END {print s}",
    "{ if ($1 > 3) n++ } END { print n }",
    "length > 100",
    'length($0) > 100 {print FILENAME": "FNR}',
    "!seen[$0]++",
    "{ if ($1 / 2 > 3 || $2) print $1 / 2 }",
    '/a|b/ { print $1 "|" $2 }',
    "{for(i=1;i<=NF;i++) s+=$i} END{print s/NR}",
    'BEGIN{FS=":"} {print $NF}',
    "{a[$1]++} END{for (k in a) print k, a[k]}",
    "function f(x) { return x*2 }\n{print f($1)}",
    '{gsub(/a/,"b"); print}',
    "$1 ~ /^a/ && $2 !~ /b$/",
    "/start/,/end/",
    'NF{print;next} {print "-"}',
    '{print ($1>2)?"a":"b"}',
    '{printf "%s %d\\n", $1, $2}',
    '{sub(/\\/$/,""); print}',
    '{$1=""; print $0}',
    "{x[NR]=$0}\nEND{\nfor(i=NR;i;i--)\nprint x[i]\n}",
    '{if(x) print "a"; else print "b"}',
    "{print $1,\n$2}",
    "$1 &&\n$2",
    "1 # comment",
  ])("that only prints is known to: %j (G33)", (program) => {
    expect(onlyPrints(readAwk(program))).toBe(true);
  });

  it.each([
    '{ print $1,\n$2 > "y" }',
    '{ print $1 &&\n$2 > "y" }',
    '{ print $1 ||\n$2 >> "y" }',
    '{ printf "%s",\n$1 | "sh" }',
    '{ print $1 > "y" }',
    "{ print $2 > $1 }",
    '{ print > "y" ".txt" }',
    'BEGIN { system("rm y") }',
    'BEGIN { "rm y" | getline }',
    'BEGIN { "rm y" |& getline }',
    'BEGIN { f = "system"; @f("rm y") }',
    '@include "x"\n1',
    '@load "filefuncs"\n1',
    '{ getline x < "secret"; print x }',
    "{ while ((getline x < $1) > 0) print x }",
    '{ print ENVIRON["KEY"] }',
    'BEGIN { ARGV[1] = "secret"; ARGC = 2 }',
    '{ print PROCINFO["pid"] }',
    // A division to some and a pattern to others.
    'BEGIN { if (1) / 1; system("rm y"); y = 2 / 1 }',
    'BEGIN { x++ / 1; system("rm y"); y = 2 / 3 }',
    '{ print length / 2; system("rm y") /1/ }',
    '{ x = /=/; system("rm y"); y = 1/ 2 }',
    '{ if (/[/]/) system("rm y") # ]/) }',
    '# \\\nBEGIN { system("rm y") }',
    'BEGIN { print "a\\\n"; system("rm y") #" }',
    "{ print f($1) }",
    "{ print",
    "{ print } }",
    '{ print "a }',
  ])("that may do more is not: %j (G33)", (program) => {
    expect(onlyPrints(readAwk(program))).toBe(false);
  });

  const effects: [program: string, effects: Partial<TextDoings>][] = [
    ['{ print $1,\n$2 > "y" }', { writes: ["y"] }],
    ['{ print | "sort -n" }', { runs: ["sort -n"] }],
    ['BEGIN { while (("ls" | getline f) > 0) print f }', { runs: ["ls"] }],
    ['BEGIN { system("cd x; rm y") }', { runs: ["cd x; rm y"] }],
    ['{ getline x < "in" }', { reads: ["in"] }],
    ['{ print > ("a" $1) }', { writesMore: "an awk program writes to a file that it names itself" }],
    ['BEGIN { c = "l" "s"; system(c) }', { runsMore: "an awk program runs what it puts together" }],
    ['BEGIN { x = "l" "s" | getline }', { runsMore: "an awk program runs what it puts together" }],
  ];
  it.each(effects)("is read to its end, also where it does more: %j (G33)", (program, expected) => {
    expect(readAwk(program)).toMatchObject(expected);
  });
});

describe("a jq program", () => {
  it.each([
    ".",
    ".a.b[]",
    ".x | length",
    '.[] | select(.a == "b") | .c',
    ".env",
    "{env, name, x: .y}",
    '"\\(.env) and \\(.a[1:3])"',
    'to_entries[] | "\\(.key)=\\(.value)"',
    "reduce .[] as $x (0; . + $x)",
    "if .a then 1 else 2 end",
    "{(.a): .b}",
    ". as {a: $x} | $x",
    '.a // "x" | @base64d',
    "del(.a) | .b |= map(.+1)",
    '[.[] | {"a": .x, b: [1, {c}]}]',
  ])("that only looks at its input is known to: %j (G33)", (program) => {
    expect(onlyLooksAtInput(program)).toBe(true);
  });

  it.each([
    "env",
    "env.PATH",
    "$ENV",
    "$ENV.PATH",
    "{a: env}",
    "{a: 1} | env",
    "{a: (1, env)}",
    "[1, env]",
    "[.a,env]",
    '"\\(env)"',
    '@sh "\\("\\($ENV)")"',
    "{$ENV}",
    ". env",
    "..env",
    'import "a" as $a; $a',
    'include "a"; .',
    "input_filename",
    "$__prog_args",
    "a::b",
    "def env: 1; env",
    "get_search_list",
    ".a # env",
    '"a',
    "[.a",
    ".a]",
    "{a: 1",
  ])("that may do more is not: %j (G33)", (program) => {
    expect(onlyLooksAtInput(program)).toBe(false);
  });
});

describe("the time that a program text takes", () => {
  const texts: [language: string, read: (text: string, scanner: Scanner) => unknown, pieces: string[]][] = [
    [
      "sed",
      (text, scanner) => readSed([text], scanner),
      [
        "p;",
        "s/a/[/;",
        "e",
        "{",
        "\n",
        "s/[[:a:]",
        "/a/",
        "a\\\n",
        "w x\n",
        "\\",
        ";e x\n",
        "1~",
        "s/.*/x/e;",
      ],
    ],
    [
      "awk",
      (text, scanner) => readAwk(text, scanner),
      [
        "{print}",
        "(",
        '"a"',
        "a[",
        "if(a)",
        "/[/",
        "\n",
        "a,\n",
        "print>",
        "a|getline;",
        "#\n",
        "x++/",
        "else ",
        "!",
      ],
    ],
    [
      "jq",
      (text, scanner) => onlyLooksAtInput(text, scanner),
      [".a|", "[", '"\\(', "{a:", '"', ".", "env", "$a,", "@csv ", "//"],
    ],
  ];
  const rows = texts.flatMap(([language, read, pieces]) =>
    pieces.map((piece) => [language, piece, read] as const),
  );

  it.each(rows)("of %s grows no faster than the text does: %j again and again (G33)", (_, piece, read) => {
    const looks = [1_000, 2_000, 4_000].map((length) => {
      const text = piece.repeat(length / piece.length);
      const scanner = new Scanner(text);
      read(text, scanner);
      return scanner.looks / text.length;
    });
    expect(Math.max(...looks)).toBeLessThan(60);
  });

  it("of an expression of find is bounded: beyond 300 parts it is not followed (G33)", () => {
    const of = (parts: number) =>
      readLine(`find . ${"-name x -exec cat {} + ".repeat(parts / 2)}`, {
        folder: "/p",
        variables: {},
      });
    expect(of(300).shown).toHaveLength(151);
    expect(of(302).unclear).toBe("find has more than 300 parts");
    expect(of(302).shown).toHaveLength(1);
  });

  it("of what printf prints is bounded: a long format for many words is not written down (G33)", () => {
    const line = `printf '${"a".repeat(1_000)}%s' ${"b ".repeat(300)}| xargs cat`;
    const { unclear, accesses } = readLine(line, { folder: "/p", variables: {} });
    expect(unclear).toEqual(expect.any(String));
    expect(accesses.filter(({ path }) => path.shown.length > 200_000)).toEqual([]);
  });

  it("is bounded: a text that is longer than a person would write is not read, and the line asks (G33)", () => {
    const text = "p;".repeat(LONGEST_PROGRAM);
    const scanner = new Scanner(text);
    expect(readSed([text], scanner)).toBeUndefined();
    expect(scanner.looks).toBe(0);
    const { unclear, accesses } = readLine(`sed -n '${text.slice(0, 60_000)}' x`, {
      folder: "/p",
      variables: {},
    });
    expect(unclear).toEqual(expect.any(String));
    expect(accesses.some(({ access, unread }) => access === "write" && unread !== undefined)).toBe(true);
  });
});
