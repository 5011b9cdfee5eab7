import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSession } from "@/services/session.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { liveAgent, type LiveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const errorsOf = ({ events }: LiveAgent) =>
  events.flatMap((event) => (event.type === "notice" && event.level === "error" ? [event.text] : []));

const WRITES: ScriptedReply[] = [
  { call: { name: "Write", arguments: { file_path: "made.txt", content: "x" } } },
  { say: "one" },
  { say: "two" },
];

/** What another program does to the file of a session that is open. */
const deeds: [title: string, act: (file: string) => void, told: RegExp][] = [
  ["deleted", (file) => rmSync(file), /deleted or moved away/],
  ["deleted with its folder", (file) => rmSync(dirname(file), { recursive: true }), /deleted or moved away/],
  ["moved away", (file) => renameSync(file, `${file}.bak`), /deleted or moved away/],
  ["emptied", (file) => truncateSync(file), /cut its file/],
  ["cut in the middle", (file) => truncateSync(file, 700), /cut its file/],
];

describe("a session file that another program touches", () => {
  it.each(deeds)("%s in a run is written again from memory (G50)", async (_title, act, told) => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, WRITES);
    const { agent } = live;
    await agent.sendMessage("first");
    agent.name = "a name";
    act(agent.sessionFile);
    await agent.sendMessage("second");
    await agent.destroy();
    expect([agent.notSaved, agent.saveProblem]).toEqual([undefined, undefined]);
    expect(errorsOf(live)).toEqual([
      expect.stringMatching(/the session is saved again.*conversation is complete/),
    ]);
    expect(errorsOf(live)[0]).toMatch(told);
    const loaded = await loadSession(agent.sessionFile, { goingBack: true });
    expect(loaded).toMatchObject({ messages: agent.messages, problems: [], name: "a name", interrupted: [] });
    const [first] = agent.messages;
    expect(loaded?.goingBack?.checkpoints.changesSince(first?.id ?? "")).toHaveLength(1);
    expect(loaded?.usage?.inputTokens).toBeGreaterThan(0);
  });

  it.each(deeds)("%s after the last word is written again at the end (G50)", async (_title, act) => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, [{ say: "one" }]);
    const { agent } = live;
    await agent.sendMessage("first");
    act(agent.sessionFile);
    await agent.destroy();
    expect(agent.saveProblem).toBeUndefined();
    expect((await loadSession(agent.sessionFile))?.messages).toEqual(agent.messages);
  });

  it("replaced by another file leaves that one alone, and says that the session is not saved", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, [{ say: "one" }, { say: "two" }, { say: "three" }]);
    const { agent } = live;
    await agent.sendMessage("first");
    const foreign = `${agent.sessionFile}.foreign`;
    writeFileSync(foreign, "somebody else's\n");
    renameSync(foreign, agent.sessionFile);
    await agent.sendMessage("second");
    expect(readFileSync(agent.sessionFile, "utf8")).toBe("somebody else's\n");
    expect(agent.notSaved).toMatch(/NOT on disk: another file has taken the place of its file/);
    expect(errorsOf(live)[0]).toMatch(/move that file away, and Wave writes the session again/);
    rmSync(agent.sessionFile);
    await agent.sendMessage("third");
    expect(agent.notSaved).toBeUndefined();
    expect((await loadSession(agent.sessionFile))?.messages).toEqual(agent.messages);
  });

  it("that others write into keeps what it has, and says so once", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, [{ say: "one" }, { say: "two" }]);
    const { agent } = live;
    await agent.sendMessage("first");
    appendFileSync(agent.sessionFile, "half a line of theirs");
    await agent.sendMessage("second");
    await agent.destroy();
    expect(agent.saveProblem).toBeUndefined();
    expect(errorsOf(live)).toEqual([
      expect.stringMatching(/^Another program has written into the session file/),
    ]);
    const loaded = await loadSession(agent.sessionFile);
    expect(loaded?.messages).toEqual(agent.messages);
    expect(loaded?.problems).toEqual([expect.stringContaining("is not valid JSON")]);
  });
});
