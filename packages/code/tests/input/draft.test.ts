import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { draftFile, DraftKeeper } from "../../src/input/draft.ts";
import { makeProject, type Project } from "../support/project.ts";

const keeperFor = ({ home, folder }: Project) =>
  new DraftKeeper({ home, projectDir: folder, writeAfterMs: 20 });

describe("a draft", () => {
  it("is offered to the next Wave in this folder, byte for byte (T166)", async () => {
    using project = makeProject();
    const text = "half a thought\n\t日本 👩‍👩‍👧 \u0000\u001b";
    const keeper = keeperFor(project);
    keeper.change("half");
    keeper.change(text);
    await keeper.flush();
    expect(keeperFor(project).load()).toMatchObject({ text });
    expect(
      new DraftKeeper({ home: project.home, projectDir: dirname(project.folder) }).load(),
    ).toBeUndefined();
  });

  it("is written without anybody asking, also while the person goes on typing", async () => {
    using project = makeProject();
    const keeper = keeperFor(project);
    const typing = setInterval(() => keeper.change(`x${Math.random()}`), 2);
    try {
      await expect
        .poll(() => existsSync(draftFile(project.home, project.folder)), { timeout: 20_000 })
        .toBe(true);
    } finally {
      clearInterval(typing);
      await keeper.flush();
    }
  });

  it("can be read by nobody else", async () => {
    using project = makeProject();
    const keeper = keeperFor(project);
    keeper.change("secret");
    await keeper.flush();
    const file = draftFile(project.home, project.folder);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("is gone when the prompt is sent, whatever was being written at that moment", async () => {
    using project = makeProject();
    for (let round = 0; round < 20; round++) {
      const keeper = keeperFor(project);
      keeper.change("sent ".repeat(10_000));
      void keeper.flush();
      // Another moment of the write each time.
      for (let turn = 0; turn < round; turn++) await nextTurn();
      keeper.change("sent with one more letter");
      await keeper.clear();
      expect(keeperFor(project).load()).toBeUndefined();
    }
    expect(readdirSync(join(project.home, "drafts"))).toEqual([]);
  });

  it("of an earlier Wave is gone, too, when it was offered and the prompt is sent", async () => {
    using project = makeProject();
    const earlier = keeperFor(project);
    earlier.change("offered");
    await earlier.flush();
    const keeper = keeperFor(project);
    expect(keeper.load()?.text).toBe("offered");
    await keeper.clear();
    expect(keeperFor(project).load()).toBeUndefined();
  });

  it("of another Wave that runs in the same folder stays", async () => {
    using project = makeProject();
    const [mine, other] = [keeperFor(project), keeperFor(project)];
    mine.load();
    other.change("still being typed");
    await other.flush();
    await mine.clear();
    expect(keeperFor(project).load()?.text).toBe("still being typed");
  });

  it("that is not one is no draft", () => {
    using project = makeProject();
    const file = draftFile(project.home, project.folder);
    mkdirSync(dirname(file), { recursive: true });
    for (const content of ["", "{", '{"text":"x"}', "null"]) {
      writeFileSync(file, content);
      expect(keeperFor(project).load()).toBeUndefined();
    }
  });

  it("leaves no half-written copies behind for good", () => {
    using project = makeProject();
    const copy = `${draftFile(project.home, project.folder)}.half`;
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, "{");
    keeperFor(project).load();
    expect(existsSync(copy)).toBe(true);
    utimesSync(copy, new Date(0), new Date(0));
    keeperFor(project).load();
    expect(existsSync(copy)).toBe(false);
  });

  it("that cannot be written is told once, in a sentence", async () => {
    using project = makeProject();
    writeFileSync(join(project.home, "drafts"), "in the way");
    const told: string[] = [];
    const keeper = new DraftKeeper({
      home: project.home,
      projectDir: project.folder,
      onProblem: (sentence) => told.push(sentence),
    });
    for (const text of ["a", "b"]) {
      keeper.change(text);
      await keeper.flush();
    }
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^What you type would be lost in a crash: .*drafts.* cannot be written \(E[A-Z]+\)\.$/,
    );
  });

  it("survives kill -9, at most a second old and never half of it (T166)", async () => {
    using project = makeProject();
    const program = fileURLToPath(new URL("draftTyper.ts", import.meta.url));
    const child = spawn(process.execPath, [program, project.home, project.folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const said: { at: number; typed: number }[] = [];
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [at = 0, typed = 0] = line.split(" ").map(Number);
        said.push({ at, typed });
      });
      await expect.poll(() => said.length, { timeout: 30_000 }).toBeGreaterThan(200);
      child.kill("SIGKILL");
      await once(child, "close");
      const text = keeperFor(project).load()?.text ?? "";
      const [, kept = "0", rest] = /^draft (\d+) (ü+)$/.exec(text) ?? [];
      expect(rest).toBe("ü".repeat(5_000));
      const last = said.at(-1)?.at ?? 0;
      const keptAt = said.find(({ typed }) => typed === Number(kept))?.at ?? 0;
      // A second is the promise; a busy machine gets ten.
      expect(last - keptAt).toBeLessThan(10_000);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
