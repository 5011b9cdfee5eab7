import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/tempFolder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const examples = join(root, "examples");

interface Listed {
  name: string;
  /** Programs that this machine lacks. */
  missing: string[];
}

/** Each of them reads the same sources: the second one need not compile them. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "wave-examples-cache") };
const node = (...args: string[]) => ["--conditions=@wave/source", ...args];
const listed = execFileSync(process.execPath, node(join(examples, "run.ts"), "--list"), { encoding: "utf8" })
  .trim()
  .split("\n")
  .map((line): Listed => JSON.parse(line));

function run(file: string, ...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, node(file, ...args), { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });
}

const programs = listed.filter(({ name }) => name.startsWith("sdk/"));
const hookExamples = listed.filter(({ name }) => name.startsWith("hooks/"));

describe("the examples", () => {
  it("are at least eight programs and eight hook folders, and all of them are run (T198)", () => {
    const files = readdirSync(join(examples, "sdk")).map((file) => `sdk/${file.replace(/\.ts$/, "")}`);
    const folders = readdirSync(join(examples, "hooks")).map((folder) => `hooks/${folder}`);
    expect(files.length).toBeGreaterThanOrEqual(8);
    expect(folders.length).toBeGreaterThanOrEqual(8);
    expect(programs.map(({ name }) => name)).toEqual(files.sort());
    expect(hookExamples.map(({ name }) => name)).toEqual(folders.sort());
  });

  for (const { name } of programs) {
    it(`${name} does what it shows`, { timeout: 180_000 }, async () => {
      const { code, stdout, stderr } = await run(join(examples, `${name}.ts`));
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/\S/);
    });
  }

  for (const { name, missing } of hookExamples) {
    const note =
      missing.length > 0 ? `(${missing.join(" and ")} not installed here, so this is not tried) ` : "";
    it.skipIf(missing.length > 0)(`${note}${name} does what it shows`, { timeout: 180_000 }, async () => {
      const ended = await run(join(examples, "run.ts"), name);
      expect(ended).toEqual({ code: 0, stdout: `ok       ${name}\n`, stderr: "" });
    });
  }

  it("fail when a program is wrong or a hook says nothing", { timeout: 300_000 }, async () => {
    using folder = tempFolder();
    const copy = join(folder.path, "examples");
    cpSync(examples, copy, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder.path, "node_modules"), "dir");
    appendFileSync(join(copy, "sdk", "01-hello.ts"), 'assert.fail("wrong on purpose");\n');
    silenceHooks(join(copy, "hooks"));

    const playable = hookExamples.filter(({ missing }) => missing.length === 0);
    const { code, stdout } = await run(join(copy, "run.ts"), "sdk/01-hello", "hooks/");
    expect(code).toBe(1);
    expect(stdout).toContain("wrong on purpose");
    expect(stdout.match(/^ok .*/gm)).toBeNull();
    expect(stdout.match(/^failed .*/gm)).toEqual(
      ["sdk/01-hello", ...playable.map(({ name }) => name)].map((name) => `failed   ${name}`),
    );
  });

  it("are named when somebody asks for one that does not exist", async () => {
    const { code, stderr } = await run(join(examples, "run.ts"), "no-such-example");
    expect(code).toBe(1);
    expect(stderr).toContain("no example is named like no-such-example; there are: sdk/01-hello, ");
  });
});

/** Every hook becomes one that reads its input and approves. */
function silenceHooks(hooks: string): void {
  for (const entry of readdirSync(hooks, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(sh|py|mjs)$/.test(entry.name))
      writeFileSync(join(entry.parentPath, entry.name), "#!/bin/sh\ncat > /dev/null\n");
}
