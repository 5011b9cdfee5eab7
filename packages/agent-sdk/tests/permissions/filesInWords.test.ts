import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());
const at = (name: string) => join(bench.project, name);

beforeAll(() => {
  mkdirSync(at("private"));
  for (const name of [".env", "secret", "private/key", "plain", "my secret"]) writeFileSync(at(name), "x\n");
  symlinkSync(".env", at("linked"));
  symlinkSync("private/key", at("toKey"));
  symlinkSync("plain", at("toPlain"));
  linkSync(at(".env"), at("second"));
  linkSync(at("private/key"), at("src/another"));
});

const deny = ["Read(.env)", "Read(secret)", "Read(private/**)", "Read(my secret)"];
/** The names under which the files are on the disk, none of which looks like a path. */
const KEPT = ["secret", "linked", "toKey", "second"];

/** `NAME` stands for one of them, and for a file that no rule is about. */
const ROWS: Record<string, string[]> = {
  "an operand or the value of an option of git": [
    "git commit --allow-empty -F NAME",
    "git commit --allow-empty -FNAME",
    "git commit --allow-empty -qaFNAME",
    "git commit --allow-empty --file=NAME",
    "git commit --allow-empty --template NAME",
    "git commit -m x --pathspec-from-file=NAME",
    "git add --pathspec-from-file NAME",
    "git tag -a v1 -F NAME",
    "git notes add -FNAME",
    "git hash-object -w NAME",
    "echo NAME | git hash-object -w --stdin-paths",
  ],
  "the value of an option of another program": [
    "node --env-file=NAME -p 1",
    "node --env-file NAME -p 1",
    "make --file=NAME",
    "make -fNAME",
    "tsc -p NAME",
    "docker run --env-file=NAME image",
    "openssl enc -base64 -in NAME",
    "ssh-keygen -lf NAME",
  ],
  "a word of a program that nobody knows": [
    "foo NAME",
    "foo --input=NAME",
    "foo -iNAME",
    "foo -abciNAME",
    "foo input=NAME",
    "foo @NAME",
    "foo -F 'data=@NAME'",
    "foo --mount=type=bind,src=NAME,dst=/x",
    "foo -v NAME:/data",
    "A=NAME; foo $A",
    "echo NAME | xargs foo",
  ],
  "a word that comes there by another word of the line": [
    "f() { git commit --allow-empty -F $1; }; f NAME",
    'a=(NAME); git commit --allow-empty -F "${a[0]}"',
    "read x <<< NAME; foo $x",
    "printf -v x %s NAME; foo --in=$x",
    'f() { foo "$@"; }; cd src; cd ..; f NAME',
  ],
  "what a variable tells a program": [
    "NODE_OPTIONS=--env-file=NAME node -p 1",
    "MAKEFILES=NAME make",
    "MAKEFLAGS=-fNAME make",
    "export WGETRC=NAME; wget http://localhost",
    "env CURL_HOME=NAME foo",
  ],
  "a name in text that nobody can read": ["foo 'include NAME'", "foo -e 'read NAME'", "foo '|cat NAME'"],
  "a name in code of another language": [
    `python3 -c 'print(open("NAME").read())'`,
    `node -e 'console.log(require("fs").readFileSync("NAME", "utf8"))'`,
    `ruby -e "puts File.read('NAME')"`,
    `python3 <<'E'\nprint(open("NAME").read())\nE`,
    "sqlite3 :memory: '.read NAME'",
    "vim -es '+r NAME' +p +q!",
  ],
};

describe("a word that is the name of a file on the disk", () => {
  const bypass = { deny, mode: "bypassPermissions" } as const;

  it.each(Object.entries(ROWS))("is asked about where a rule keeps that file back: %s (G32)", (_, lines) => {
    const silent = lines
      .flatMap((line) => KEPT.map((name) => line.replace("NAME", name)))
      .filter((line) => bench.decide(line, bypass).decision === "allow");
    expect(silent).toEqual([]);
  });

  it.each(Object.entries(ROWS))("is no reason to ask where no rule is about it: %s (G32)", (_, lines) => {
    const asked = lines
      .flatMap((line) => ["plain", "toPlain", "missing"].map((name) => line.replace("NAME", name)))
      .filter((line) => bench.decide(line, bypass).decision !== "allow");
    expect(asked).toEqual([]);
  });

  it("is asked about with a rule for the command, in every mode that asks at all (G32)", () => {
    const allow = ["Bash(git commit:*)", "Bash(git tag:*)", "Bash(make:*)", "Bash(foo:*)"];
    for (const mode of ["default", "acceptEdits", "bypassPermissions"] as const)
      for (const line of ["git commit -F linked", "git tag -F second v1", "foo -isecret", "foo @.env"])
        expect([mode, line, bench.decide(line, { deny, allow, mode }).decision]).toEqual([mode, line, "ask"]);
  });

  it("counts when a pattern finds it, and when it has blanks in it (G32)", () => {
    for (const line of [
      "foo sec*",
      "git commit -F l?nked",
      "foo *",
      "foo src/*",
      "git commit -F 'my secret'",
    ])
      expect([line, bench.decide(line, bypass).decision]).toEqual([line, "ask"]);
    for (const line of ["foo doc*", "npx prettier --write src/*.ts", "git commit -m 'keep my secret safe'"])
      expect([line, bench.decide(line, bypass).decision]).toEqual([line, "allow"]);
  });

  it("changes nothing for modes: a value beside a folder of that name is no file (G33)", () => {
    const given = { allow: ["Bash(npm test:*)"], mode: "acceptEdits" } as const;
    expect(bench.decide("export NODE_ENV=tests; npm test", given).decision).toBe("allow");
  });

  it("counts for a rule about changing it as well (G32)", () => {
    const given = { deny: ["Edit(.env)"], mode: "bypassPermissions" } as const;
    for (const line of ["foo --output=second", "foo -olinked", "make OUT=linked"])
      expect([line, bench.decide(line, given).decision]).toEqual([line, "ask"]);
  });
});

describe("an archive of a folder", () => {
  const kept = { deny: ["Read(./.env)", "Read(./private/**)"], mode: "bypassPermissions" } as const;

  it.each([
    ["zip -qr - ."],
    ["zip -qr - . > o.zip"],
    ["zip - -r ."],
    ["zip -r - ./ | base64"],
    ["zip -rq o.zip private"],
    ["7z a a.7z ."],
    ["7z a a.7z"],
    ["7za a -so a ."],
    ["rar a - ."],
    ["jar cf a.jar ."],
    ["rsync -a - . copy"],
  ])("holds what a rule keeps back in it, wherever it is written: %s (G32)", (line) => {
    expect(bench.decide(line, kept).decision).not.toBe("allow");
  });

  it.each([["zip -r - docs"], ["zip o.zip README.md"], ["7z a a.7z docs"], ["7z l a.7z"], ["jar tf a.jar"]])(
    "of other files does not: %s (G32)",
    (line) => {
      expect(bench.decide(line, kept).decision).toBe("allow");
    },
  );
});
