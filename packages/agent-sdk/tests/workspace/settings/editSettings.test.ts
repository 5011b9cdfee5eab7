import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { thisProcess } from "@/workspace/files/lockHolder.ts";
import { editSettings, type SettingsEdited } from "@/workspace/settings/editSettings.ts";
import { describeProblem } from "@/workspace/settings/problem.ts";
import { onOwnDisk } from "../../support/ownDisk.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const program = fileURLToPath(new URL("../../fixtures/settings/editOnce.ts", import.meta.url));
const add = (item: string) => ({ do: "add", path: ["permissions", "allow"], item }) as const;
const allowed = (text: string): unknown => JSON.parse(text).permissions.allow;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** The problem as a person reads it. */
function problemOf(edited: SettingsEdited): string {
  if (edited.edited !== "not") throw new Error("it was written");
  return describeProblem(edited.problem);
}

describe("the writer of settings files", () => {
  it("makes a file and its folder that nobody else can read, under every umask (G59)", () => {
    using folder = tempFolder();
    const file = join(folder.path, ".wave", "settings.local.json");
    const args = ["-c", 'umask 000; exec "$@"', "sh", process.execPath, program, file, "Bash(ls)"];
    expect(spawnSync("sh", args, { encoding: "utf8" }).stdout).toBe('{"edited":"written"}');
    expect(allowed(readFileSync(file, "utf8"))).toEqual(["Bash(ls)"]);
    expect([modeOf(join(folder.path, ".wave")), modeOf(file)]).toEqual(["700", "600"]);
    expect(readdirSync(join(folder.path, ".wave"))).toEqual(["settings.local.json"]);
  });

  it("keeps the mode, the byte order mark and the comments of a file that is there (G57, T175)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    writeFileSync(file, '\u{FEFF}{\n  // mine\n  "unknown": true\n}\n');
    chmodSync(file, 0o640);
    expect(await editSettings(file, add("Read"))).toEqual({ edited: "written" });
    expect(readFileSync(file, "utf8")).toMatch(/^\u{FEFF}\{\n {2}\/\/ mine\n {2}"unknown": true,\n/u);
    expect(modeOf(file)).toBe("640");
    const { mtimeMs, ino } = statSync(file);
    expect(await editSettings(file, add("Read"))).toEqual({ edited: "already" });
    expect(statSync(file)).toMatchObject({ mtimeMs, ino });
  });

  it("writes through a link to the file it leads to (G57)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "dotfiles"));
    const target = join(folder.path, "dotfiles", "wave.json");
    writeFileSync(target, "{}");
    const file = join(folder.path, "settings.json");
    symlinkSync("dotfiles/wave.json", file);
    expect(await editSettings(file, add("Read"))).toEqual({ edited: "written" });
    expect(readlinkSync(file)).toBe("dotfiles/wave.json");
    expect(allowed(readFileSync(target, "utf8"))).toEqual(["Read"]);
    expect(readdirSync(join(folder.path, "dotfiles"))).toEqual(["wave.json"]);
  });

  it.each<[string, (file: string) => void, RegExp]>([
    [
      "is not JSON",
      (file) => writeFileSync(file, '{\n  "a": 1\n  "b": 2\n}'),
      /settings\.json:3:3: a comma is missing/,
    ],
    ["is not UTF-8", (file) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d])), /save it as UTF-8/],
    [
      "has a list that is none",
      (file) => writeFileSync(file, '{\n  "permissions": {\n    "allow": "Read"\n  }\n}'),
      /settings\.json:3 \(permissions\.allow\): "allow" must be a list, not "Read"; correct it/,
    ],
    ["is a folder", (file) => mkdirSync(file), /this is a folder/],
    [
      "is a link that leads nowhere",
      (file) => symlinkSync("nowhere", file),
      /leads nowhere; correct the link/,
    ],
  ])("leaves a file alone that %s, and says where and what to do (T52, G11)", async (_what, make, words) => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    make(file);
    const before = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    expect(problemOf(await editSettings(file, add("Bash")))).toMatch(words);
    expect(statSync(file, { throwIfNoEntry: false })?.mtimeMs).toBe(before);
    expect(readdirSync(folder.path)).toEqual(["settings.json"]);
  });

  it("waits for another writer, and says after a while who it is", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    writeFileSync(file, "{}");
    writeFileSync(`${file}.lock`, JSON.stringify({ ...thisProcess(), host: "elsewhere.example" }));
    expect(problemOf(await editSettings(file, add("Bash"), { waitMs: 100 }))).toBe(
      `${file}: process ${process.pid} on elsewhere.example has been writing this file for 0.1 seconds, and cannot be seen ` +
        `from here; try again, or delete ${file}.lock if it is gone`,
    );
    writeFileSync(`${file}.lock`, JSON.stringify(thisProcess()));
    const waiting = editSettings(file, add("Bash"), { waitMs: 60_000 });
    writeFileSync(`${file}.lock`, JSON.stringify({ ...thisProcess(), started: "1" }));
    expect(await waiting).toEqual({ edited: "written" });
    expect(readdirSync(folder.path)).toEqual(["settings.json"]);
  });

  it("loses nothing when one process makes many edits at once (T174)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    const rules = Array.from({ length: 20 }, (_, index) => `Bash(echo ${index})`);
    const edits = await Promise.all(rules.map((rule) => editSettings(file, add(rule), { waitMs: 60_000 })));
    expect(new Set(edits.map(({ edited }) => edited))).toEqual(new Set(["written"]));
    expect(new Set([allowed(readFileSync(file, "utf8"))].flat())).toEqual(new Set(rules));
  });

  it("is not led astray by a planted link or by what a killed writer left (G59)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    const victim = join(folder.path, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, `${file}.new`);
    const dead = { ...thisProcess(), started: "1" };
    for (const name of [`${dead.pid}-abcdef`, "0123456789abcdef", `0123456789abcdef.${dead.pid}-abcdef`])
      writeFileSync(`${file}.lock.${name}`, JSON.stringify(dead));
    writeFileSync(`${file}.lock.1-fedcba`, "");
    utimesSync(`${file}.lock.1-fedcba`, 1, 1);
    expect(await editSettings(file, add("Read"))).toEqual({ edited: "written" });
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readdirSync(folder.path).toSorted()).toEqual(["settings.json", "victim"]);
  });
});

describe("a disk that does not take the settings", () => {
  it("full: the old file stays, and the sentence says why (G54, G57)", ({ skip }) => {
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    const rule = `Bash(${"x".repeat(20_000)})`;
    // A program that fills the disk first, in the place of a disk with no room for a lock and a sentence.
    const run = onOwnDisk(folder.path, "size=16k", program, [file, rule]);
    if ("impossible" in run) return skip(run.impossible);
    expect(run.output).toContain("this file cannot be written: the disk is full; free some space");
  });

  it("read-only: is told in one sentence", ({ skip }) => {
    using folder = tempFolder();
    const run = onOwnDisk(folder.path, "ro", program, [join(folder.path, ".wave", "settings.json"), "Read"]);
    if ("impossible" in run) return skip(run.impossible);
    expect(run.output).toContain("this file cannot be written: it is on a read-only disk");
  });

  it("write-protected: the file is not replaced behind its owner's back", async ({ skip }) => {
    if (process.getuid?.() === 0) return skip("root may write everywhere");
    using folder = tempFolder();
    const file = join(folder.path, "settings.json");
    writeFileSync(file, "{}", { mode: 0o400 });
    expect(problemOf(await editSettings(file, add("Read")))).toContain("there is no permission to write it");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });
});
