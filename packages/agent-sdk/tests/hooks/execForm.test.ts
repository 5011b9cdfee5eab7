import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileKind } from "@/hooks/command.ts";
import { execLine, execWords, planExec } from "@/hooks/execForm.ts";

const CHARACTERS = [
  "a",
  "b",
  "/",
  ".",
  "-",
  "'",
  '"',
  "\\",
  "$",
  "`",
  "{",
  "}",
  "(",
  "*",
  ";",
  "&",
  " ",
  "\n",
  "=",
  "#",
  "~",
];
const words = fc.array(fc.string({ unit: fc.constantFrom(...CHARACTERS) }), {
  minLength: 1,
  maxLength: 5,
});
const seed = Number(process.env["WAVE_SEED"] ?? 20_261_116);

describe("the line of a command with args", () => {
  it("has the words it was made of, whatever is in them (T136)", () => {
    fc.assert(
      fc.property(words, (given) => {
        expect(execWords(execLine(given), {})).toEqual(given);
      }),
      { seed },
    );
  });

  it("is read by a shell in the same way, so that reviews see what runs (T136)", () => {
    const given = fc.sample(words, { seed, numRuns: 100 });
    const script = given.map((one) => `printf '%s\\0' ${execLine(one)}; printf '\\n\\0'`).join("\n");
    const printed = execFileSync("bash", ["-c", script], { encoding: "utf8" });
    expect(printed).toBe(given.map((one) => `${one.map((word) => `${word}\0`).join("")}\n\0`).join(""));
  });

  it("fills in the project's folder as part of a word, spaces and all (T135)", () => {
    const line = execLine(["${WAVE_PROJECT_DIR}/a b.sh", "--in=${CLAUDE_PROJECT_DIR}", "$WAVE_PROJECT_DIR"]);
    const folder = "/my $HOME 'x'";
    expect(execWords(line, { WAVE_PROJECT_DIR: folder, CLAUDE_PROJECT_DIR: folder })).toEqual([
      "/my $HOME 'x'/a b.sh",
      "--in=/my $HOME 'x'",
      "$WAVE_PROJECT_DIR",
    ]);
  });
});

describe("a command with args", () => {
  const files: Record<string, FileKind> = {
    "/p/check.sh": "program",
    "/p/plain": "script without #!",
    "/p/off.sh": "not executable",
    "/usr/bin/node": "program",
    "/usr/bin/bash": "program",
  };
  const plan = (...given: string[]) =>
    planExec(execLine(given), {
      look: (path) => files[path] ?? "nothing",
      projectDir: "/p",
      env: { PATH: "relative:/usr/bin" },
      hookName: "h",
      hookArgs: () => ["never", "given"],
    });

  it.each<[string[], object]>([
    [["./check.sh", "a; b", "$(c)"], { start: "process", file: "/p/check.sh", args: ["a; b", "$(c)"] }],
    [["node", "x.js"], { start: "process", file: "/usr/bin/node", args: ["x.js"] }],
    [["node x.js"], { start: "nothing", why: 'no program "node x.js" on the PATH' }],
    [["./gone.sh"], { start: "nothing", why: "no such file: /p/gone.sh" }],
    [["./off.sh"], { start: "nothing", why: "not executable: /p/off.sh" }],
    [["./plain"], { start: "nothing", why: "/p/plain has no #! line, and there is no shell to read it" }],
  ])("%j is started as it is, without a shell, or not at all (T136)", (given, expected) => {
    expect(plan(...given)).toMatchObject(expected);
  });
});
