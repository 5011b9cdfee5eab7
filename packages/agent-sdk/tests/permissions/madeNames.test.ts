import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

beforeAll(() => {
  mkdirSync(join(bench.project, "sub"));
  for (const name of [".npm", ".env", ".bash", "sub/.npm", "tasks"])
    writeFileSync(join(bench.project, name), "");
});

/** What was in a file is kept under its name and a suffix: `.npm` and `rc`. */
const BACKUPS = [
  "cp -b -S rc README.md .npm",
  "cp -S rc README.md .env",
  "cp --backup --suffix=rc README.md .bash",
  "cp --backup=simple -Src README.md .npm",
  "cp -bSrc README.md .npm",
  "cp -t . -b -S rc sub/.npm",
  "cp -b -S rc sub/.npm .",
  "cp -b -S /../.npmrc README.md sub",
  's=rc; cp -b -S "$s" README.md .npm',
  'cp -b -S "$X" README.md .npm',
  "mv -b -S rc README.md .npm",
  "mv --backup --suffix rc README.md .npm",
  "SIMPLE_BACKUP_SUFFIX=rc cp -b README.md .npm",
  "SIMPLE_BACKUP_SUFFIX=rc; export SIMPLE_BACKUP_SUFFIX; mv -b README.md .npm",
  "env SIMPLE_BACKUP_SUFFIX=rc cp -b README.md .npm",
  "ln -b -S rc -f README.md .npm",
  "ln -sfbSrc README.md .npm",
  "install -b -S rc README.md .npm",
  "SIMPLE_BACKUP_SUFFIX=rc install -b README.md .npm",
  "patch -b -z rc .npm x.diff",
  "patch -b -Y .npm rc x.diff",
  "perl -pirc -e1 .npm",
  "perl -i'.vscode/*' -pe1 tasks",
  "ruby -irc -pe1 .npm",
  "sed -irc p .npm",
  "rsync -b --suffix=rc README.md .npm",
  "rsync --backup --suffix rc README.md .npm",
  "gcp -bS rc README.md .npm",
  "gmv -bS rc README.md .npm",
  "pigz -S rc .npm",
  "gzip -S rc .npm",
  "xz --suffix=rc .npm",
  "split -a 1 README.md .npmr",
  "csplit -f .npmr -b 'c%.0d' README.md 2",
];

const HARMLESS = [
  "cp -b README.md docs/a.md",
  "cp -b -S .bak README.md docs/a.md",
  "mv --backup --suffix=.orig README.md docs/a.md",
  "sed -i.bak s/a/b/ README.md",
];

describe("a name that a program makes of two parts", () => {
  it.each(["acceptEdits", "bypassPermissions"] as const)(
    "is asked about in %s when it is that of a protected file (G27)",
    (mode) => {
      expect(BACKUPS.filter((line) => bench.decide(line, { mode }).decision === "allow")).toEqual([]);
    },
  );

  it("is no reason to ask otherwise (G27)", () => {
    const asked = HARMLESS.filter((line) => bench.decide(line, { mode: "acceptEdits" }).decision !== "allow");
    expect(asked).toEqual([]);
  });
});
