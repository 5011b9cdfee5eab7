import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { thisProcess, type ProcessIdentity } from "wave-agent-sdk";
import { DraftKeeper } from "../../src/input/draft.ts";
import type { SentText } from "../../src/input/storedDraft.ts";
import { draftNotices } from "../../src/view/draftNotices.ts";
import { makeProject, type Project } from "../support/project.ts";

const keeperFor = ({ home, folder }: Project, owner: ProcessIdentity = thisProcess()) =>
  new DraftKeeper({ home, projectDir: folder, writeAfterMs: 20, owner });

/** A process that has ended. */
const gone = (): ProcessIdentity => ({ ...thisProcess(), pid: spawnSync("true").pid, started: "1" });

/** One that lives and is not this one. */
const parent = (): ProcessIdentity => ({ ...thisProcess(), pid: process.ppid, started: "" });

async function typed(project: Project, owner: ProcessIdentity, text: string): Promise<DraftKeeper> {
  const keeper = keeperFor(project, owner);
  keeper.change(text);
  keeper.flush();
  return keeper;
}

describe("a draft", () => {
  it("is offered to the next Wave in this folder, byte for byte (T166)", async () => {
    using project = makeProject();
    const text = "half a thought\n\t日本 👩‍👩‍👧 \u0000\u001b";
    const keeper = keeperFor(project, gone());
    keeper.change("half");
    keeper.change(text);
    keeper.flush();
    const elsewhere = new DraftKeeper({ home: project.home, projectDir: dirname(project.folder) });
    expect(await elsewhere.load()).toEqual({ text: "", notProcessed: 0, takenOver: 0, unseen: [] });
    expect(await keeperFor(project).load()).toEqual({ text, notProcessed: 0, takenOver: 1, unseen: [] });
  });

  it("is written without anybody asking, also while the person goes on typing", async () => {
    using project = makeProject();
    const keeper = keeperFor(project);
    const typing = setInterval(() => keeper.change(`x${Math.random()}`), 2);
    try {
      await expect.poll(() => existsSync(keeper.file), { timeout: 20_000 }).toBe(true);
    } finally {
      clearInterval(typing);
      keeper.flush();
    }
  });

  it("can be read by nobody else", async () => {
    using project = makeProject();
    const keeper = keeperFor(project);
    keeper.change("secret");
    keeper.flush();
    const { file } = keeper;
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("is gone when the prompt is declined", async () => {
    using project = makeProject();
    const keeper = await typed(project, gone(), "sent ".repeat(10_000));
    keeper.change("with one more letter");
    keeper.change("");
    await expect.poll(() => existsSync(keeper.file)).toBe(false);
    expect((await keeperFor(project).load()).text).toBe("");
    expect(readdirSync(join(project.home, "drafts"))).toEqual([]);
  });

  it("of an earlier Wave is gone, too, when it was offered and the prompt is sent", async () => {
    using project = makeProject();
    await typed(project, gone(), "offered");
    await typed(project, gone(), "and this");
    const keeper = keeperFor(project);
    expect(await keeper.load()).toMatchObject({ text: "offered\nand this", takenOver: 2 });
    keeper.change("");
    keeper.flush();
    expect(readdirSync(join(project.home, "drafts"))).toEqual([]);
  });

  it("of a Wave that lives is nobody else's, and neither sent nor removed by another", async () => {
    using project = makeProject();
    const other = await typed(project, parent(), "still being typed");
    const mine = keeperFor(project);
    expect(await mine.load()).toEqual({ text: "", notProcessed: 0, takenOver: 0, unseen: [] });
    mine.change("my own");
    mine.flush();
    mine.change("");
    mine.flush();
    expect(await keeperFor(project, parent()).load()).toMatchObject({
      text: "still being typed",
      takenOver: 0,
    });
    expect(readdirSync(join(project.home, "drafts"))).toEqual([basename(other.file)]);
  });

  it("that was taken over is its taker's alone, and nothing of it is lost when that one is killed at once", async () => {
    using project = makeProject();
    await typed(project, gone(), "once");
    expect(await keeperFor(project, parent()).load()).toMatchObject({ text: "once", takenOver: 1 });
    expect(await keeperFor(project).load()).toMatchObject({ text: "", takenOver: 0 });
    // As if the taker had been killed before the person touched a key.
    const [name = ""] = readdirSync(join(project.home, "drafts"));
    const dead = keeperFor(project, gone()).file;
    renameSync(join(project.home, "drafts", name), dead);
    expect(await keeperFor(project).load()).toMatchObject({ text: "once", takenOver: 1 });
  });

  it("of a Wave on another machine stays there, and its file is named", async () => {
    using project = makeProject();
    const far = await typed(project, { ...gone(), host: "elsewhere.example" }, "far away");
    const found = await keeperFor(project).load();
    expect(found).toEqual({ text: "", notProcessed: 0, takenOver: 0, unseen: [far.file] });
    expect(draftNotices(found)).toEqual([{ level: "warning", text: expect.stringContaining(far.file) }]);
  });

  it("that is not one is no draft", async () => {
    using project = makeProject();
    for (const { file } of [keeperFor(project), keeperFor(project, gone())]) {
      mkdirSync(dirname(file), { recursive: true });
      for (const content of ["", "{", '{"text":"x"}', "null"]) {
        writeFileSync(file, content);
        expect(await keeperFor(project).load()).toEqual({
          text: "",
          notProcessed: 0,
          takenOver: 0,
          unseen: [],
        });
      }
    }
  });

  it("that was half written when its Wave was killed is removed by the next one, and by nobody while it is being written", async () => {
    using project = makeProject();
    const copies = [gone(), parent()].map((owner) => `${keeperFor(project, owner).file}.part`);
    for (const copy of copies) {
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, "{");
    }
    await keeperFor(project).load();
    expect(copies.map((copy) => existsSync(copy))).toEqual([false, true]);
  });

  it("that was written and had no name yet when its Wave was killed is offered all the same", async () => {
    using project = makeProject();
    const { file } = await typed(project, gone(), "just written");
    renameSync(file, `${file}.part`);
    expect(await keeperFor(project).load()).toMatchObject({ text: "just written", takenOver: 1 });
    expect(readdirSync(join(project.home, "drafts"))).toEqual([basename(keeperFor(project).file)]);
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
      keeper.flush();
    }
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^What you type would be lost in a crash: .*drafts.* cannot be written \(E[A-Z]+\)\.$/,
    );
  });

  it("survives kill -9, at most a second old and never half of it (T166)", async () => {
    using project = makeProject();
    const program = fileURLToPath(new URL("draftTyper.ts", import.meta.url));
    const child = spawn(
      process.execPath,
      ["--conditions=@wave/source", program, project.home, project.folder],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    try {
      const said: { at: number; typed: number }[] = [];
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [at = 0, typed = 0] = line.split(" ").map(Number);
        said.push({ at, typed });
      });
      await expect.poll(() => said.length, { timeout: 30_000 }).toBeGreaterThan(200);
      child.kill("SIGKILL");
      await once(child, "close");
      const { text } = await keeperFor(project).load();
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

describe("a text that was sent", () => {
  /** What a Wave finds that starts when the one that sent it is gone. */
  const foundAfter = async (
    act: (keeper: DraftKeeper) => void,
    isInSession?: (sent: SentText) => Promise<boolean>,
  ) => {
    using project = makeProject();
    const sender = new DraftKeeper({ home: project.home, projectDir: project.folder, owner: gone() });
    act(sender);
    const next = new DraftKeeper({
      home: project.home,
      projectDir: project.folder,
      ...(isInSession ? { isInSession } : {}),
    });
    return next.load();
  };

  it("is on disk at once and comes back when nothing became of it, with what was typed after it (T163, T166)", async () => {
    const found = await foundAfter((keeper) => {
      keeper.change("first");
      keeper.change("");
      keeper.send("first");
      keeper.send("second");
      keeper.change("and a draft");
      keeper.flush();
    });
    expect(found).toEqual({ text: "first\nsecond\nand a draft", notProcessed: 2, takenOver: 1, unseen: [] });
    expect(draftNotices(found).map(({ text }) => text)).toEqual([
      "2 messages were sent and not processed: back in the input",
      "unsent text of an earlier Wave is back in the input",
    ]);
  });

  it("leaves nothing on disk as soon as it is judged", () => {
    using project = makeProject();
    const keeper = keeperFor(project);
    const [blocked, passed] = [keeper.send("blocked secret"), keeper.send("passed")];
    keeper.judging(blocked, "m1");
    keeper.settle(blocked);
    expect(readFileSync(keeper.file, "utf8")).not.toContain("secret");
    keeper.settle(passed);
    expect(readdirSync(join(project.home, "drafts"))).toEqual([]);
  });

  it("is kept when it is back in the input, until the input is changed", async () => {
    const back = (then: (keeper: DraftKeeper) => void) =>
      foundAfter((keeper) => {
        keeper.cameBack([keeper.send("back")]);
        then(keeper);
        keeper.flush();
      });
    expect((await back(() => {})).text).toBe("back");
    expect((await back((keeper) => keeper.change("back, changed"))).text).toBe("back, changed");
    expect((await back((keeper) => keeper.change(""))).text).toBe("");
  });

  it("does not come back when its session has it after all", async () => {
    const act = (keeper: DraftKeeper) => {
      keeper.sendsTo("s1");
      keeper.judging(keeper.send("said"), "m1");
      keeper.judging(keeper.send("not said"), "m2");
    };
    const inSession = async ({ session, messageId }: SentText) => session === "s1" && messageId === "m1";
    expect(await foundAfter(act, inSession)).toMatchObject({ text: "not said", notProcessed: 1 });
  });
});
