import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copiesFolderOf } from "@/session/file/sessionPaths.ts";
import { loadSession } from "@/services/session.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.ts";
import { Agent } from "@/agent.ts";
import { bash, edit, read, rewindStage, write } from "../support/rewindStage.ts";
import { tempFolder } from "../support/tempFolder.ts";

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

describe("the prompts one can go back to", () => {
  it("are listed with their first line, their time and the files changed since", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    await stage.say();
    await stage.say(
      read("a.txt"),
      edit("a.txt", "two", "TWO"),
      edit("a.txt", "six", "SIX"),
      write("b.txt", "new"),
    );
    await stage.say(write("c.txt", "new"));
    expect(stage.agent.rewindPoints()).toEqual(
      [3, 3, 1].map((filesChanged, index) => ({
        messageId: expect.any(String),
        firstLine: `prompt ${index + 1}`,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        filesChanged,
      })),
    );
    // The time is that of the line in the file, which is written a moment later.
    const points = stage.agent.rewindPoints().map((point) => ({ ...point, at: expect.any(String) }));
    await stage.resume();
    expect(stage.agent.rewindPoints()).toEqual(points);
  });
});

describe("going back with the files", () => {
  it("restores bytes and mode, and removes what Wave made", async () => {
    await using stage = await rewindStage();
    const original = "\uFEFF#!/bin/sh\r\necho one\r\nno line break at the end";
    stage.put("run.sh", original, 0o751);
    await stage.say();
    const second = await stage.say(
      read("run.sh"),
      edit("run.sh", "echo one", "echo two"),
      edit("run.sh", "at the end", "here"),
      write("deep/new.txt", "made"),
    );
    expect(stage.content("run.sh")).toContain("echo two");
    const done = await stage.agent.rewind(second, { files: true });
    expect(done).toEqual({
      prompt: expect.stringMatching(/^prompt 2\n/),
      messages: 6,
      files: [
        { path: stage.path("run.sh"), outcome: "restored" },
        { path: stage.path("deep/new.txt"), outcome: "removed" },
      ],
      note: undefined,
    });
    expect(stage.content("run.sh")).toBe(original);
    expect(stage.mode("run.sh")).toBe(0o751);
    expect(stage.content("deep/new.txt")).toBeNull();
    expect(stage.agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("says what it would do before it does it, and does nothing then", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    const first = await stage.say(
      read("a.txt"),
      edit("a.txt", "four", "FOUR"),
      write("b.txt", "b"),
      bash("true"),
    );
    stage.put("b.txt", "b, by somebody else");
    const plan = await stage.agent.planRewind(first);
    expect(stage.content("a.txt")).toContain("FOUR");
    expect(plan.note).toMatch(/^Shell commands ran since then/);
    expect(await stage.agent.rewind(first, { files: true })).toEqual(plan);
    expect(plan.files).toEqual([
      { path: stage.path("a.txt"), outcome: "restored" },
      { path: stage.path("b.txt"), outcome: "kept", why: "Wave made it, and it was changed since" },
    ]);
    expect(stage.content("b.txt")).toBe("b, by somebody else");
  });

  it("keeps what a person changed above and below, and between two edits of Wave", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    await stage.say(read("a.txt"), edit("a.txt", "four", "FOUR"));
    stage.put("a.txt", (stage.content("a.txt") ?? "").replace("two", "two, mine"));
    await stage.say(read("a.txt"), edit("a.txt", "six", "SIX"));
    stage.put("a.txt", `mine\n${stage.content("a.txt")}mine\n`);
    const [first] = stage.agent.rewindPoints();
    const { files } = await stage.agent.rewind(first?.messageId ?? "", { files: true });
    expect(files).toEqual([{ path: stage.path("a.txt"), outcome: "merged" }]);
    expect(stage.content("a.txt")).toBe(`mine\n${LINES.replace("two", "two, mine")}mine\n`);
  });

  it("leaves a file alone that a person changed in the same lines, deleted, or replaced by a link", async () => {
    await using stage = await rewindStage();
    for (const name of ["same", "gone", "linked", "whole"]) stage.put(name, LINES);
    const names = ["same", "gone", "linked", "whole"];
    const id = await stage.say(...names.flatMap((name) => [read(name), edit(name, "four", "FOUR")]));
    stage.put("same", LINES.replace("four", "mine"));
    rmSync(stage.path("gone"));
    stage.put("elsewhere", "not Wave's");
    renameSync(stage.path("linked"), stage.path("moved"));
    symlinkSync(stage.path("elsewhere"), stage.path("linked"));
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toEqual([
      { path: stage.path("same"), outcome: "kept", why: "it was changed since, in the same lines" },
      { path: stage.path("gone"), outcome: "kept", why: "it was deleted since" },
      { path: stage.path("linked"), outcome: "kept", why: "its path now leads elsewhere" },
      { path: stage.path("whole"), outcome: "restored" },
    ]);
    expect(stage.content("same")).toBe(LINES.replace("four", "mine"));
    expect(stage.content("elsewhere")).toBe("not Wave's");
    expect(stage.content("moved")).toContain("FOUR");
    expect(existsSync(stage.path("gone"))).toBe(false);
  });

  it("writes to no other folder when a part of the path has become a link", async () => {
    await using stage = await rewindStage();
    const id = await stage.say(write("src/a.txt", "by Wave"));
    renameSync(stage.path("src"), stage.path("old"));
    mkdirSync(stage.path("other"));
    stage.put("other/a.txt", "by Wave");
    symlinkSync(stage.path("other"), stage.path("src"));
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toMatchObject([{ outcome: "kept", why: "its path now leads elsewhere" }]);
    expect([stage.content("other/a.txt"), stage.content("old/a.txt")]).toEqual(["by Wave", "by Wave"]);
  });

  it("changes the file that a link led to when Wave wrote through it", async () => {
    await using stage = await rewindStage();
    stage.put("real.txt", LINES);
    symlinkSync("real.txt", stage.path("link.txt"));
    const id = await stage.say(read("link.txt"), edit("link.txt", "four", "FOUR"));
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toEqual([{ path: stage.path("real.txt"), outcome: "restored" }]);
    expect(stage.content("link.txt")).toBe(LINES);
  });

  it("says so when a file cannot be written, and does the others", async () => {
    if (process.getuid?.() === 0) {
      process.stderr.write("skipped: root may write everything\n");
      return;
    }
    await using stage = await rewindStage();
    for (const name of ["a", "b"]) stage.put(name, LINES);
    const id = await stage.say(...["a", "b"].flatMap((name) => [read(name), edit(name, "four", "FOUR")]));
    chmodSync(stage.path("a"), 0o444);
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toEqual([
      { path: stage.path("a"), outcome: "kept", why: "Cannot change it: permission denied" },
      { path: stage.path("b"), outcome: "restored" },
    ]);
    expect(stage.content("a")).toContain("FOUR");
  });

  it("keeps no copy of more than 5 MB, and says so", async () => {
    await using stage = await rewindStage();
    const large = `${"x".repeat(1023)}\n`.repeat(5 * 1024 + 1);
    stage.put("large", `first\n${large}`);
    const id = await stage.say(read("large"), edit("large", "first", "FIRST"));
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toEqual([
      {
        path: stage.path("large"),
        outcome: "kept",
        why: "Wave kept no copy of it: it has 6 MB, and more than 5 MB are not kept",
      },
    ]);
    expect(stage.content("large")?.startsWith("FIRST")).toBe(true);
    expect(readFileSync(stage.agent.sessionFile, "utf8")).toContain('"notKept":"it has 6 MB');
  });

  it("takes back what a formatter made of Wave's edit, too (T186)", async () => {
    await using stage = await rewindStage({
      hooks: {
        PostToolUse: [
          { matcher: "Edit", hooks: [{ type: "command", command: "sed -i 's/FOUR/Four!/' a.txt" }] },
        ],
      },
    });
    stage.put("a.txt", LINES);
    const id = await stage.say(read("a.txt"), edit("a.txt", "four", "FOUR"));
    expect(stage.content("a.txt")).toContain("Four!");
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toMatchObject([{ outcome: "restored" }]);
    expect(stage.content("a.txt")).toBe(LINES);
  });
});

describe("going back in the conversation", () => {
  it("leaves the files alone when asked to, and writes one edit and rewrites nothing (G60)", async () => {
    await using stage = await rewindStage();
    await stage.say();
    const second = await stage.say(write("a.txt", "new"));
    const before = readFileSync(stage.agent.sessionFile, "utf8");
    expect(await stage.agent.rewind(second, { files: false })).toMatchObject({ files: [], note: undefined });
    const after = readFileSync(stage.agent.sessionFile, "utf8");
    expect(after.slice(0, before.length)).toBe(before);
    expect(JSON.parse(after.slice(before.length))).toMatchObject({
      type: "edit",
      edit: { edit: "rewind", messageId: second },
    });
    expect(stage.content("a.txt")).toBe("new");
  });

  it("sends exactly the shortened conversation, now and after a resume (T194, T196)", async () => {
    await using stage = await rewindStage();
    await stage.say();
    const second = await stage.say(write("gone-from-the-wire.txt", "x"));
    await stage.say();
    await stage.agent.rewind(second, { files: true });
    const short = JSON.stringify(convertMessagesForAPI(stage.agent.messages));
    await stage.resume();
    expect(JSON.stringify(convertMessagesForAPI(stage.agent.messages))).toBe(short);
    const loaded = await loadSession(stage.agent.sessionFile);
    expect(loaded?.messages).toEqual(stage.agent.messages);
    await stage.say();
    const last = stage.model.requests.at(-1);
    expect(last?.body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(last?.text).not.toContain("gone-from-the-wire");
    expect(stage.model.requests.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("makes the model read again what it no longer sees before it is overwritten", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    const first = await stage.say(read("a.txt"));
    await stage.agent.rewind(first, { files: true });
    await stage.say(write("a.txt", "blind"));
    expect(stage.content("a.txt")).toBe(LINES);
  });

  it("knows again how full the context was: a full one that was left needs no summary", async () => {
    await using stage = await rewindStage();
    await stage.say();
    const { tokens } = stage.agent.context;
    const second = await stage.say(write("a.txt", "x".repeat(5_000)));
    const full = stage.agent.context.tokens ?? 0;
    expect(full).toBeGreaterThan((tokens ?? 0) + 500);
    await stage.agent.rewind(second, { files: true });
    expect(stage.agent.context.tokens).toBe(tokens);
    await stage.agent.undoRewind();
    expect(stage.agent.context.tokens).toBe(full);
  });

  it("goes further back over a rewind before it", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    const first = await stage.say(read("a.txt"), edit("a.txt", "two", "TWO"));
    const second = await stage.say(edit("a.txt", "six", "SIX"));
    await stage.agent.rewind(second, { files: true });
    expect(stage.content("a.txt")).toBe(LINES.replace("two", "TWO"));
    await stage.say(read("a.txt"), edit("a.txt", "four", "FOUR"));
    await stage.agent.rewind(first, { files: true });
    expect(stage.content("a.txt")).toBe(LINES);
    expect(stage.agent.messages).toEqual([]);
  });

  it("is refused during a turn, for an unknown prompt and after the end, in a sentence", async () => {
    await using stage = await rewindStage();
    const id = await stage.say();
    const turn = stage.say();
    await expect(stage.agent.rewind(id, { files: true })).rejects.toThrow(/^a turn is under way/);
    await expect(stage.agent.undoRewind()).rejects.toThrow(/^a turn is under way/);
    await turn;
    await expect(stage.agent.rewind("nobody", { files: true })).rejects.toThrow(
      'there is no prompt "nobody"',
    );
    const answer = stage.agent.messages.find(({ role }) => role === "assistant")?.id ?? "";
    await expect(stage.agent.rewind(answer, { files: true })).rejects.toThrow("there is no prompt");
    await stage.agent.destroy();
    await expect(stage.agent.rewind(id, { files: true })).rejects.toThrow("this agent was destroyed");
  });

  it("lets a prompt wait that is sent in the meantime", async () => {
    await using stage = await rewindStage();
    const id = await stage.say(write("a.txt", "x"));
    const rewinding = stage.agent.rewind(id, { files: true });
    await stage.say();
    await rewinding;
    expect(stage.agent.messages).toHaveLength(2);
    expect(stage.content("a.txt")).toBeNull();
  });
});

describe("undoing a rewind", () => {
  it("brings back conversation, bytes, modes and what a person changed meanwhile", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES, 0o640);
    await stage.say();
    const second = await stage.say(
      read("a.txt"),
      edit("a.txt", "four", "FOUR"),
      write("made.sh", "made"),
      bash("chmod 711 made.sh"),
    );
    const messages = [...stage.agent.messages];
    await stage.agent.rewind(second, { files: true });
    stage.put("a.txt", `mine\n${LINES}`);
    const undone = await stage.agent.undoRewind();
    expect(undone).toMatchObject({
      messages: 6,
      files: [
        { path: stage.path("a.txt"), outcome: "merged" },
        { path: stage.path("made.sh"), outcome: "restored" },
      ],
    });
    expect(stage.content("a.txt")).toBe(`mine\n${LINES.replace("four", "FOUR")}`);
    expect([stage.mode("a.txt"), stage.content("made.sh"), stage.mode("made.sh")]).toEqual([
      0o640,
      "made",
      0o711,
    ]);
    expect(stage.agent.messages).toEqual(messages);
    await stage.say();
    expect(stage.model.requests.at(-1)?.problems).toEqual([]);
    await stage.resume();
    expect(stage.agent.messages.slice(0, messages.length)).toEqual(messages);
  });

  it("is possible after a resume, undoes the newest only, and not after the next prompt", async () => {
    await using stage = await rewindStage();
    await stage.say();
    const second = await stage.say(write("b.txt", "b"));
    const third = await stage.say(write("c.txt", "c"));
    const files = () => [stage.content("b.txt"), stage.content("c.txt")];
    await stage.agent.rewind(third, { files: true });
    await stage.agent.rewind(second, { files: true });
    expect(files()).toEqual([null, null]);
    await stage.resume();
    expect(await stage.agent.undoRewind()).toMatchObject({ messages: 3, files: [{ outcome: "restored" }] });
    expect(files()).toEqual(["b", null]);
    await expect(stage.agent.undoRewind()).rejects.toThrow("there is no rewind to undo");
    await stage.agent.rewind(second, { files: true });
    await stage.say();
    await expect(stage.agent.undoRewind()).rejects.toThrow("only before the next prompt");
  });
});

describe("what is kept for going back", () => {
  it("is readable by its owner alone, named by its content, and on disk before the file changes (G59)", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    await stage.say(read("a.txt"), edit("a.txt", "four", "FOUR"), edit("a.txt", "FOUR", "four"));
    const folder = copiesFolderOf(stage.agent.sessionFile);
    const names = readdirSync(folder);
    expect(names).toHaveLength(2);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of names) {
      expect(
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ).toBe(name);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const lines = readFileSync(stage.agent.sessionFile, "utf8").split("\n");
    const types = lines.flatMap((line) => /"type":"(tool_started|file_changed)"/.exec(line)?.[1] ?? []);
    expect(types).toEqual(["tool_started", "tool_started", "file_changed", "tool_started", "file_changed"]);
  });

  it("is not believed when somebody changed it", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    const id = await stage.say(read("a.txt"), edit("a.txt", "four", "FOUR"));
    const hash = createHash("sha256").update(LINES).digest("hex");
    writeFileSync(join(copiesFolderOf(stage.agent.sessionFile), hash), "planted");
    const { files } = await stage.agent.rewind(id, { files: true });
    expect(files).toMatchObject([{ outcome: "kept", why: "Wave's copy of it is gone" }]);
    expect(stage.content("a.txt")).toContain("FOUR");
  });

  it("goes with a fork, also when the first session is deleted", async () => {
    await using stage = await rewindStage();
    stage.put("a.txt", LINES);
    await stage.say(read("a.txt"), edit("a.txt", "four", "FOUR"), bash("true"));
    const [first] = stage.agent.rewindPoints();
    const parent = stage.agent.sessionFile;
    await stage.resume({ fork: true });
    await stage.resume();
    rmSync(parent);
    rmSync(copiesFolderOf(parent), { recursive: true });
    expect(stage.agent.rewindPoints()).toMatchObject([{ messageId: first?.messageId, filesChanged: 1 }]);
    const done = await stage.agent.rewind(first?.messageId ?? "", { files: true });
    expect(done).toMatchObject({ files: [{ outcome: "restored" }], note: expect.stringContaining("Shell") });
    expect(stage.content("a.txt")).toBe(LINES);
  });

  it("is deleted with its session when sessions expire", async () => {
    await using stage = await rewindStage();
    await stage.say(write("a.txt", "x"));
    const file = stage.agent.sessionFile;
    await stage.agent.destroy();
    const { cleanupExpiredSessions } = await import("@/services/session.ts");
    const { utimesSync } = await import("node:fs");
    utimesSync(file, 1, 1);
    await cleanupExpiredSessions(join(file, ".."), 1);
    expect([existsSync(file), existsSync(copiesFolderOf(file))]).toEqual([false, false]);
  });

  it("that cannot be kept is said, and does not keep a tool from its work", async () => {
    using folder = tempFolder();
    const notices: string[] = [];
    await using model = await startScriptedModel([{ call: write("a.txt", "x") }, { say: "done" }]);
    const agent = await Agent.create({
      workdir: folder.path,
      waveHome: join(folder.path, "home"),
      baseUrl: model.baseUrl,
      apiKey: "key",
      model: "scripted",
      permissionMode: "bypassPermissions",
      onEvent: (event) => event.type === "notice" && notices.push(event.text),
    });
    // A file where the folder of the copies would be.
    writeFileSync(copiesFolderOf(agent.sessionFile), "");
    await agent.sendMessage("go");
    expect(readFileSync(join(folder.path, "a.txt"), "utf8")).toBe("x");
    expect(notices).toContainEqual(
      expect.stringMatching(/^Cannot keep a copy of .*a\.txt.*\/rewind will not/),
    );
    const [point] = agent.rewindPoints();
    const { files } = await agent.rewind(point?.messageId ?? "", { files: true });
    expect(files).toMatchObject([{ outcome: "kept" }]);
    await agent.destroy();
  });
});
