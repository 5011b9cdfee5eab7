import { afterAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());
const given = { deny: ["Bash(touch:*)", "Bash(rm:*)", "Bash(curl:*)"], mode: "bypassPermissions" } as const;
const decided = (line: string) => bench.decide(line, given).decision;

/** Of these Wave knows that they run what they are told. */
const RUNNERS = [
  "prove -e touch F",
  "prove --exec 'touch F'",
  "dpkg-architecture -c touch F",
  "dpkg-architecture --command=touch F",
  "debconf touch F",
  "wget --use-askpass=touch http://localhost",
  `python3 -m timeit 'os.system("touch F")'`,
  `python3 -m timeit -s 'import os; os.system("touch F")' 1`,
  `echo 'import os; os.system("touch F")' | python3 -m asyncio`,
  "make -E '$(shell touch F)' -f /dev/null",
  "make -E'$(shell touch F)' -f /dev/null",
  "gmake -sE '$(shell touch F)'",
  "make -f /dev/null 'X:=$(shell touch F)'",
  "make -f /dev/null 'X=${shell touch F}'",
  "make 'X!=touch F' -f /dev/null",
  "npm explore left -- touch F",
  "npm explore left touch F",
  "npm --script-shell=curl run test",
  "npm run test --script-shell curl",
  "install -s --strip-program=touch README.md x",
  "install -s --strip-prog=touch README.md x",
  "install -s --strip-program touch README.md x",
];

/** Of these nobody knows, and the denied command stands among their words. */
const UNKNOWN_PROGRAMS = [
  "foo touch F",
  "foo -- touch F",
  "foo -c 'touch F'",
  "foo --exec=touch F",
  "foo 'cd x; touch F'",
  "foo -n 5 touch F",
  "foo --pager /usr/bin/touch",
  "foo x=1 t'ou'ch F",
  "ls | foo env touch F",
  "time foo touch F",
  "gcc -wrapper touch,F x.c",
  "foo -etouch F",
  "foo tou*h F",
  "make CC='touch F'",
  "make SHELL=touch",
  "gh alias set x '!touch F'",
  "RUSTC_WRAPPER=touch cargo build",
  "CMAKE_C_COMPILER_LAUNCHER='touch F' cmake .",
  "cargo watch -s 'touch F'",
  "kubectl debug pod -- touch F",
];

/** The name of a denied program is a word of the program's own, or of a person's. */
const EVERYDAY = [
  "apt-get install -y curl git",
  "brew install curl",
  "docker rm -f web",
  "docker compose rm -sf db",
  "npm rm lodash",
  "pip install curl",
  "aws s3 rm s3://bucket/x",
  "terraform state rm x",
  "svn rm x",
  "which curl",
  "man curl",
  "pytest -k touch",
  "make touch",
  "npm run curl",
  "cargo test touch",
  "go test -run Touch ./...",
  "rake touch",
  "gh pr create --title 'rm old files' --body 'curl fails; touch it'",
  "git commit -m 'rm old files'",
];

describe("a rule that denies a command", () => {
  it("asks when a shell for a person first runs a file that a variable names (G33)", () => {
    const lines = [
      "ENV=x.sh sh -i <<< ''",
      "env ENV=x.sh sh -ic :",
      "ENV=./x.sh; export ENV; dash -i < README.md",
    ];
    expect(lines.filter((line) => decided(line) !== "ask")).toEqual([]);
    expect(decided("ENV=production npm start")).toBe("allow");
  });

  it("speaks when a program is told to run it (G1, G33)", () => {
    expect(RUNNERS.filter((line) => decided(line) === "allow")).toEqual([]);
  });

  it("asks when the command stands among the words of a program that Wave does not know (G1, G33)", () => {
    expect(UNKNOWN_PROGRAMS.filter((line) => decided(line) !== "ask")).toEqual([]);
    const { reason } = bench.decide("foo -c 'touch F'", given);
    expect(reason).toContain("foo may run touch F");
  });

  it("asks for nothing where its program is only named (G33)", () => {
    expect(EVERYDAY.filter((line) => decided(line) !== "allow")).toEqual([]);
  });
});

describe("options that name a file to write", () => {
  it.each([
    "curl --hsts .npmrc http://127.0.0.1:1/",
    "curl --alt-svc .npmrc http://127.0.0.1:1/",
    "wget -e output_document=.npmrc http://127.0.0.1:1/",
    "wget --execute output_document=.npmrc http://127.0.0.1:1/",
    "wget --execute=logfile=.npmrc http://127.0.0.1:1/",
  ])("%s is asked about in every mode (G27)", (line) => {
    expect(bench.decide(line, { mode: "bypassPermissions" }).decision).toBe("ask");
  });
});
