import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentEvent } from "@/events.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";

describe("a mode that is switched while hooks judge a call", () => {
  it("has them judge it again, in the mode in which it would run (T35, G8)", async () => {
    using folder = tempFolder();
    await using model = await startScriptedModel([
      { call: { name: "Write", arguments: { file_path: "f.txt", content: "x" } } },
      { say: "done" },
    ]);
    const events: AgentEvent[] = [];
    const modes: string[] = [];
    const agent = await Agent.create({
      workdir: folder.path,
      waveHome: `${folder.path}-home`,
      baseUrl: model.baseUrl,
      apiKey: "key",
      model: "scripted",
      permissionMode: "plan",
      onEvent: (event) => void events.push(event),
      hooks: {
        PreToolUse: [
          {
            hooks: [
              {
                type: "function",
                name: "guard",
                // It does not look at what is only planned.
                run: ({ permission_mode }) => {
                  modes.push(permission_mode);
                  agent.permissionMode = "acceptEdits";
                  return permission_mode === "plan" ? undefined : { decision: "block", reason: "not now" };
                },
              },
            ],
          },
        ],
      },
    });
    await agent.sendMessage("write it");
    await agent.destroy();
    expect(modes).toEqual(["plan", "acceptEdits"]);
    expect(existsSync(join(folder.path, "f.txt"))).toBe(false);
    const decided = events.flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []));
    expect(decided.find(({ event }) => event === "PreToolUse")).toMatchObject({
      mode: "acceptEdits",
      decision: "deny",
      decidedBy: "hook guard",
      hooks: [{ name: "guard", verdict: "deny" }],
      earlier: [{ name: "guard", verdict: "none" }],
    });
    expect(readFileSync(agent.sessionFile, "utf8")).toContain('"earlier":[');
    const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    expect(notices).toContain(
      "the mode became acceptEdits while Write was being judged; its hooks are asked again",
    );
  });
});
