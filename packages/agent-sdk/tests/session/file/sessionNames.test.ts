import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SessionError } from "@/errors.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import { renameSession } from "@/session/file/renameSession.ts";
import { searchSessions, type SessionHit } from "@/session/file/searchSessions.ts";
import { loadSession, saveSession } from "@/services/session.ts";
import { listSessions } from "@/session/file/sessionList.ts";
import { rewindStage } from "../../support/rewindStage.ts";
import { added, answered, callMessage, sessionIn, userMessage } from "../../support/sessionRecords.ts";
import { tempFolder } from "../../support/tempFolder.ts";

function saved(sessionsDir: string, id: string, records: SessionRecord[]): string {
  const handle = sessionIn(sessionsDir, id);
  expect(saveSession(handle, records)).toEqual({ saved: true });
  handle.close?.();
  return handle.file;
}

const nameOf = async (folder: string, id: string) =>
  (await listSessions(folder)).find((session) => session.id === id)?.name;

describe("the name of a session", () => {
  it("is a record more, read back by list and load, and no reason to be the latest (G60)", async () => {
    using folder = tempFolder();
    const file = saved(folder.path, "a", [added(userMessage("m1"))]);
    saved(folder.path, "b", [added(userMessage("m1"))]);
    utimesSync(file, 1_000, 1_000);
    const before = readFileSync(file);
    expect(await renameSession(file, "  the \n login  fix ")).toBe("the login fix");
    expect(await renameSession(file, "the second name")).toBe("the second name");
    const after = readFileSync(file);
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    expect(hash(after.subarray(0, before.length))).toBe(hash(before));
    expect(statSync(file).mtimeMs).toBe(1_000_000);
    expect((await listSessions(folder.path)).map(({ id, name }) => [id, name])).toEqual([
      ["b", undefined],
      ["a", "the second name"],
    ]);
    expect(await loadSession(file)).toMatchObject({ name: "the second name", problems: [] });
  });

  it("is found at the end of a long session, also when it was given long ago (G58)", async () => {
    using folder = tempFolder();
    const much = Array.from({ length: 300 }, (_, n) => added(userMessage(`x${n}`, "x".repeat(1_000))));
    const ended: SessionRecord = { type: "turn_ended", because: "done", name: "early" };
    saved(folder.path, "early", [added(userMessage("m1")), { type: "named", name: "early" }, ...much, ended]);
    saved(folder.path, "late", [added(userMessage("m1")), ...much, { type: "named", name: "late" }]);
    saved(folder.path, "crash", [
      added(userMessage("m1")),
      { type: "named", name: "crash" },
      { type: "turn_ended", because: "done", name: "crash" },
      ...much,
    ]);
    saved(folder.path, "none", [added(userMessage("m1")), ...much, { type: "turn_ended", because: "done" }]);
    for (const id of ["early", "late", "crash"]) expect(await nameOf(folder.path, id)).toBe(id);
    expect(await nameOf(folder.path, "none")).toBeUndefined();
  });

  it("is given by a running agent, and said again at every end", async () => {
    await using stage = await rewindStage();
    stage.agent.name = "a good name";
    await stage.say();
    await stage.resume();
    expect(stage.agent.name).toBe("a good name");
    const said = readFileSync(stage.agent.sessionFile, "utf8")
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter(({ name }) => name === "a good name");
    expect(said.map(({ type }) => type)).toEqual(["named", "turn_ended", "ended", "resumed"]);
  });

  it.each([
    ["", "a name needs at least one character"],
    [" \n\t ", "a name needs at least one character"],
    ["x".repeat(101), "the name has 101 characters; 100 is the most"],
  ])("%j is refused, and nothing is written", async (name, sentence) => {
    using folder = tempFolder();
    const file = saved(folder.path, "a", [added(userMessage("m1"))]);
    const before = readFileSync(file);
    await expect(renameSession(file, name)).rejects.toThrow(TypeError);
    await expect(renameSession(file, name)).rejects.toThrow(sentence);
    expect(readFileSync(file)).toEqual(before);
    await using stage = await rewindStage();
    expect(() => (stage.agent.name = name)).toThrow(sentence);
  });

  it("is not given to a session that is gone, or that another agent writes (G56)", async () => {
    using folder = tempFolder();
    await expect(renameSession(join(folder.path, "gone.jsonl"), "x")).rejects.toThrow(SessionError);
    await using stage = await rewindStage();
    await stage.say();
    const before = readFileSync(stage.agent.sessionFile);
    await expect(renameSession(stage.agent.sessionFile, "x")).rejects.toThrow(SessionError);
    expect(readFileSync(stage.agent.sessionFile)).toEqual(before);
  });
});

describe("the list of sessions after a rewind", () => {
  it("counts and names what is left, and what was brought back", async () => {
    using folder = tempFolder();
    const messages = [userMessage("m1", "first"), callMessage("m2", "t1"), userMessage("m3", "second")];
    const rewind = (messageId: string): SessionRecord => ({
      type: "edit",
      edit: { edit: "rewind", messageId },
    });
    const records = messages.map(added);
    saved(folder.path, "a", [...records, rewind("m3")]);
    saved(folder.path, "b", [...records, rewind("m1"), added(userMessage("m4", "instead"))]);
    saved(folder.path, "c", [
      ...records,
      rewind("m1"),
      { type: "edit", edit: { edit: "bring-back", messages } },
    ]);
    saved(folder.path, "d", [...records, rewind("unknown")]);
    const sessions = (await listSessions(folder.path)).toSorted((a, b) => a.id.localeCompare(b.id));
    expect(sessions.map((one) => [one.id, one.messageCount, one.firstPrompt])).toEqual([
      ["a", 2, "first"],
      ["b", 1, "instead"],
      ["c", 3, "first"],
      ["d", 3, "first"],
    ]);
  });
});

describe("searching in the texts of sessions", () => {
  async function search(folder: string, text: string, options = {}): Promise<SessionHit[]> {
    return Array.fromAsync(searchSessions(folder, text, options));
  }

  it("finds what was said, called, answered and brought by hooks, with the line it is in", async () => {
    using folder = tempFolder();
    const files = [
      ["prompt", added(userMessage("m1", "above\n  the Needle is here \nbelow"))],
      ["answer", added({ id: "m", role: "assistant", blocks: [{ type: "text", content: "NEEDLE, too" }] })],
      ["call", added({ ...callMessage("m"), blocks: [call('{"command":"grep needle"}')] })],
      ["result", answered("t1", "one\ntwo needles\nthree")],
      [
        "warning",
        {
          type: "edit",
          edit: { edit: "add-block", messageId: "m", block: { type: "warn", content: "needle!" } },
        },
      ],
      ["nothing", added(userMessage("m1", "hay"))],
    ] satisfies [string, SessionRecord][];
    for (const [index, [id, record]] of files.entries()) {
      const file = saved(folder.path, id, [record]);
      utimesSync(file, 2_000 - index, 2_000 - index);
    }
    const hits = await search(folder.path, " needle ");
    expect(hits.map(({ id, by, line }) => [id, by, line])).toEqual([
      ["prompt", "you", "the Needle is here"],
      ["answer", "model", "NEEDLE, too"],
      ["call", "Bash", '{"command":"grep needle"}'],
      ["result", "tool", "two needles"],
      ["warning", "warn", "needle!"],
    ]);
  });

  const call = (parameters: string) =>
    ({ type: "tool", id: "t1", name: "Bash", parameters, stage: "pending" }) as const;

  it("takes quotes, line breaks and signs for what they are", async () => {
    using folder = tempFolder();
    saved(folder.path, "a", [added(userMessage("m1", 'say "hi\\there"\nthen\tgo (now)? 🙂'))]);
    for (const text of ['"hi\\there"', 'there"\nthen', "then\tgo", "(now)? 🙂", "SAY"]) {
      expect(await search(folder.path, text), text).toHaveLength(1);
    }
    for (const text of ["", "  ", "hi.there", "edit", "assistant"])
      expect(await search(folder.path, text), text).toEqual([]);
  });

  it("shows the part of a long line that has it", async () => {
    using folder = tempFolder();
    saved(folder.path, "a", [added(userMessage("m1", `${"🙂".repeat(5_000)} needle ${"x".repeat(10_000)}`))]);
    const [hit] = await search(folder.path, "needle");
    expect(hit?.line).toMatch(/^….* needle x+…$/u);
    expect(hit?.line.length).toBeLessThan(205);
    expect(hit?.line.isWellFormed()).toBe(true);
  });

  it("is bounded, can be stopped, and is not stopped by damage", async () => {
    using folder = tempFolder();
    for (let n = 0; n < 8; n++) saved(folder.path, `s${n}`, [added(userMessage("m1", "needle"))]);
    const damaged = saved(folder.path, "damaged", [added(userMessage("m0", "hay"))]);
    appendFileSync(damaged, '{"v":1,"seq":2,"ts":"","type":"edit" needle\n\u0000\n');
    expect(await search(folder.path, "needle")).toHaveLength(8);
    expect(await search(folder.path, "needle", { maxHits: 3 })).toHaveLength(3);
    const stop = new AbortController();
    const found: string[] = [];
    for await (const { id } of searchSessions(folder.path, "needle", { signal: stop.signal })) {
      found.push(id);
      if (found.length === 2) stop.abort();
    }
    expect(found).toHaveLength(2);
  });
});
