import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { loadSession } from "@/services/session.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const fine = [{ say: "fine" }, { say: "fine" }];

describe("the model of a session", () => {
  it("can be changed for the requests that follow, and the session remembers it", async () => {
    using folder = tempFolder();
    let resume = "";
    {
      await using live = await liveAgent(folder.path, fine);
      expect(live.agent.model).toBe("scripted");
      await live.agent.sendMessage("one");
      live.agent.model = " other ";
      expect(live.agent.model).toBe("other");
      await live.agent.sendMessage("two");
      expect(live.model.requests.map(({ body }) => body.model)).toEqual(["scripted", "other"]);
      expect(() => (live.agent.model = " ")).toThrow(/model: must be a text that is not empty/);
      resume = live.agent.sessionId;
    }
    const usedWith = async (options: AgentOptions) => {
      await using live = await liveAgent(folder.path, fine, { named: "elsewhere", options });
      await live.agent.sendMessage("three");
      return live.model.requests[0]?.body.model;
    };
    const env = { WAVE_MODEL: "from-env" };
    expect(await usedWith({ resume, env, model: "flag" })).toBe("flag");
    expect(await usedWith({ resume, env, localModel: "local" })).toBe("other");
    expect(await usedWith({ env, localModel: "local" })).toBe("local");
    expect(await usedWith({ env })).toBe("from-env");
  });

  it("goes with a fork", async () => {
    using folder = tempFolder();
    let resume = "";
    {
      await using live = await liveAgent(folder.path, fine);
      await live.agent.sendMessage("one");
      live.agent.model = "other";
      resume = live.agent.sessionId;
    }
    await using fork = await liveAgent(folder.path, fine, {
      named: "elsewhere",
      options: { resume, fork: true },
    });
    expect(fork.agent.model).toBe("other");
    expect((await loadSession(fork.agent.sessionFile))?.model).toBe("other");
  });

  it("has the size of context that settings say, else the one that is known of its name", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, fine);
    expect(live.agent.context.size).toBeUndefined();
    live.agent.model = "openai/gpt-4o-mini";
    expect(live.agent.context.size).toBe(128_000);
    await using told = await liveAgent(folder.path, fine, { settings: { contextSize: 5_000 } });
    expect(told.agent.context.size).toBe(5_000);
  });

  it("can be chosen from what the server lists", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, fine);
    expect(await live.agent.listModels()).toEqual([
      { name: "scripted", contextSize: undefined },
      { name: "other", contextSize: undefined },
    ]);
  });
});

it("an image that the server refuses, and an answer of nothing, are told, and the session goes on with the image on disk", async () => {
  using folder = tempFolder();
  const replies = [{ call: { name: "Read", arguments: { file_path: "dot.png" } } }, { say: "fine" }, {}];
  await using live = await liveAgent(folder.path, ({ text }) =>
    text.includes("base64,") ? { status: 400, body: { error: "Invalid image" } } : replies.shift(),
  );
  writeFileSync(join(folder.path, "project", "dot.png"), DOT);
  expect(await live.agent.sendMessage("look")).toMatchObject({ because: "done", answer: "fine" });
  expect(await live.agent.sendMessage("again")).toMatchObject({ because: "done", answer: "" });
  expect(live.model.requests).toHaveLength(4);
  const notices = live.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
  expect(notices).toEqual([
    expect.stringContaining("does not accept an image of this conversation (status 400): Invalid image"),
    "the model answered nothing",
  ]);
  const kept = (await loadSession(live.agent.sessionFile))?.messages.flatMap(({ blocks }) => blocks);
  expect(kept).toContainEqual(expect.objectContaining({ type: "image", data: DOT.toString("base64") }));
});

/** A PNG of one point. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
