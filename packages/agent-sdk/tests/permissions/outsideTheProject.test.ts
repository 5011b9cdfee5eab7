import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());
const at = (name: string) => join(bench.project, name);

beforeAll(() => {
  for (const folder of ["template/deep", "plain/deep", "there"]) mkdirSync(at(folder), { recursive: true });
  for (const file of ["template/deep/.npmrc", "template/a.md", "plain/deep/a.md"])
    writeFileSync(at(file), "x\n");
  writeFileSync(join(bench.user, "notes"), "x\n");
  linkSync(join(bench.user, "notes"), at("second"));
  symlinkSync(join(bench.user, "notes"), at("linked"));
});

describe("a folder that is copied as a whole", () => {
  it.each([
    ["cp -R template new"],
    ["cp -r template there"],
    ["cp -r template/ there/"],
    ["cp -a ./template docs/new"],
    ["cp -rT template new"],
    ["cp -RL template new"],
    ["cp -r docs template there"],
    ['cp -r "$PWD/template" new'],
    ["rsync -a template new"],
    ["mv template new"],
    ["git mv template new"],
  ])("is asked about in every mode when a protected file comes with it: %s (G27)", (line) => {
    for (const mode of ["acceptEdits", "bypassPermissions"] as const)
      expect([mode, bench.decide(line, { mode }).decision]).toEqual([mode, "ask"]);
  });

  it("is not when none does, nor when it becomes a new folder elsewhere (G27)", () => {
    for (const line of ["cp -R plain new", "cp -r plain there", "mv plain new", 'cp -R template "$HOME/new"'])
      expect([line, bench.decide(line, { mode: "bypassPermissions" }).decision]).toEqual([line, "allow"]);
    expect(bench.decide("cp -R plain new", { mode: "acceptEdits" }).decision).toBe("allow");
    const { reason } = bench.decide("cp -R template new", { mode: "acceptEdits" });
    expect(reason).toContain("new/deep/.npmrc");
  });
});

describe("a file of the project that has another name elsewhere", () => {
  it.each([
    ["echo x > second"],
    ["echo x >> second"],
    ["cp README.md second"],
    ["tee second < README.md"],
    ["truncate -s 0 second"],
    ["sed -i s/x/y/ second"],
  ])("is not written unasked in acceptEdits: %s (G27)", (line) => {
    expect(bench.decide(line, { mode: "acceptEdits" }).decision).toBe("ask");
  });

  it("can be removed, and others can be written (G27)", () => {
    for (const line of ["rm second", "echo x > new.md", "cp README.md docs/a.md"])
      expect([line, bench.decide(line, { mode: "acceptEdits" }).decision]).toEqual([line, "allow"]);
  });
});

describe("a look whether a file is there", () => {
  it.each([
    ["[ -e /etc/passwd ]"],
    ["[ -f ../user/notes ] && echo y"],
    ["test -d ~/x"],
    ["[ ! -s ../x ]"],
    ["[ README.md -nt ../user/notes ]"],
    ["[ ../user/notes -ef README.md ]"],
    ["[ -n x -a -r ../x ]"],
    ["[ -e linked ]"],
    ["if [ -L ../x ]; then echo y; fi"],
    ["[[ -e ../x ]] && echo y"],
    ["[[ -n a && -d ~ ]] && ls"],
    ["[[ README.md -ot ../x ]] || ls"],
  ])("is reading outside of the project where the file would lie there: %s (G31)", (line) => {
    expect(bench.decide(line).decision).toBe("ask");
  });

  it("is no reading of the file for rules, and needs none in the project (G32)", () => {
    const given = { deny: ["Read(README.md)", "Read(./template/**)"] };
    for (const line of [
      "[ -f README.md ] && echo y",
      "test -d src",
      "[[ -f template/a.md ]] && ls docs",
      "[ README.md -nt docs/a.md ]",
      "[ -t 1 ]",
      "[ a = b ]",
    ])
      expect([line, bench.decide(line, given).decision]).toEqual([line, "allow"]);
  });
});
