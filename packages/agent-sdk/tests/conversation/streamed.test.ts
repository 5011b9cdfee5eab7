import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSession } from "@/services/session.ts";
import { searchSessions } from "@/session/file/searchSessions.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const COPY = "00000000-0000-4000-8000-000000000001";

describe("an answer that is streaming in", () => {
  it("is on disk within a second, and a session that ends there goes on with what came of it (T192)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, [{ say: "it all began long ago", hang: true }]);
    const { agent } = live;
    const turn = agent.sendMessage("talk");
    await waitFor("the text", () => JSON.stringify(agent.messages).includes("long ago"));
    const shown = performance.now();
    await waitFor("the text on disk", () => readFileSync(agent.sessionFile, "utf8").includes("long ago"));
    // A second is the promise; a busy machine gets ten.
    expect(performance.now() - shown).toBeLessThan(10_000);

    // What a kill at this moment would leave.
    const file = join(dirname(agent.sessionFile), `${COPY}.jsonl`);
    copyFileSync(agent.sessionFile, file);
    const cut = [
      { type: "text", content: "it all began long ago" },
      { type: "warn", content: expect.stringMatching(/^cut short: /) },
    ];
    expect(await loadSession(file)).toMatchObject({ problems: [], messages: [{}, { blocks: cut }] });
    const hits = await Array.fromAsync(searchSessions(dirname(file), "LONG AGO"));
    expect(hits.map(({ id }) => id)).toContain(COPY);

    await using again = await liveAgent(folder.path, [{ say: "and on" }], { options: { resume: COPY } });
    expect(again.agent.messages[1]?.blocks).toMatchObject(cut);
    await again.agent.sendMessage("go on");
    expect(again.model.requests[0]?.body.messages.slice(1)).toMatchObject([
      { role: "user", content: "talk" },
      { role: "assistant", content: "it all began long ago" },
      { role: "user", content: "go on" },
    ]);
    expect((await loadSession(file))?.messages).toEqual(again.agent.messages);

    // It stands once in the session when its end has come.
    agent.abort();
    await turn;
    const ended = await loadSession(agent.sessionFile);
    expect(ended?.messages).toEqual(agent.messages);
    expect(ended?.messages[1]?.blocks).toMatchObject([cut[0], { type: "warn", content: "interrupted" }]);
  });
});
