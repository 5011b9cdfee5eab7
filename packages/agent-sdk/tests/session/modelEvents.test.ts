import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveAgent } from "../support/liveAgent.ts";
import { blocksOf } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

/** A hook process that keeps every input that it reads. */
const keep = (file: string) => ({ hooks: [{ type: "command", command: `cat >> '${file}'` }] });

function kept(file: string): Record<string, unknown>[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  } catch {
    // No hook ran so far.
    return [];
  }
}

describe("hooks about the model", () => {
  it("are told before and after each request, and cannot hold one up", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "kept");
    const refuse = { type: "command", command: "echo '{\"continue\":false}'; exit 2" };
    const settings = {
      hooks: {
        PreModelRequest: [keep(file), { hooks: [refuse] }],
        PostModelRequest: [
          { matcher: "scripted", ...keep(file) },
          { matcher: "another", hooks: [refuse] },
        ],
      },
    };
    const scenario = [
      { say: "fine", usage: { input: 100, output: 7, cached: 40 } },
      { status: 400, message: "no such thing" },
    ];
    await using live = await liveAgent(folder.path, scenario, { settings });
    expect(await live.agent.sendMessage("one")).toMatchObject({ because: "done", answer: "fine" });
    await live.agent.sendMessage("two");
    expect(kept(file)).toMatchObject([
      { hook_event_name: "PreModelRequest", model: "scripted", cwd: expect.any(String) },
      {
        hook_event_name: "PostModelRequest",
        model: "scripted",
        status: "success",
        error: null,
        token_usage: { input: 100, cached_input: 40, output: 7, total: 107 },
        duration_ms: expect.any(Number),
      },
      { hook_event_name: "PreModelRequest" },
      { status: "error", error: expect.stringContaining("no such thing"), token_usage: null },
    ]);
  });

  it("are told of another model, and what they say reaches it", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "kept");
    const say = {
      type: "command",
      command: `echo '{"hookSpecificOutput":{"hookEventName":"PostModelSwitch","additionalContext":"SHORT-ANSWERS"}}'`,
    };
    const settings = { hooks: { PostModelSwitch: [keep(file), { matcher: "other", hooks: [say] }] } };
    await using live = await liveAgent(folder.path, [{ say: "a" }], { settings });
    const { agent } = live;
    agent.model = "other";
    agent.model = "other";
    await waitFor("the hooks", () =>
      live.events.some((event) => event.type === "hooks_decided" && event.record.event === "PostModelSwitch"),
    );
    expect(kept(file)).toMatchObject([
      {
        from_model: "scripted",
        to_model: "other",
        requested_model: "other",
        source: "sdk",
        context_tokens: null,
      },
    ]);
    await agent.sendMessage("go");
    expect(live.model.requests[0]?.text).toContain("SHORT-ANSWERS");
  });
});

describe("hooks about a command that becomes a prompt", () => {
  const inCommand = async (hook: string, matcher: string, act: (expanded: object, wire: string) => void) => {
    using folder = tempFolder();
    const file = join(folder.path, "kept");
    mkdirSync(join(folder.path, "home/commands"), { recursive: true });
    writeFileSync(join(folder.path, "home/commands/review.md"), "Review $ARGUMENTS with care.");
    const hooks = [{ type: "command", command: hook }];
    const settings = { hooks: { UserPromptExpansion: [keep(file), { matcher, hooks }] } };
    await using live = await liveAgent(folder.path, [{ say: "ok" }], { settings });
    const expanded = await live.agent.commands.expand("review", "a.ts");
    expect(kept(file)).toMatchObject([
      {
        hook_event_name: "UserPromptExpansion",
        expansion_type: "slash_command",
        command_name: "review",
        command_args: "a.ts",
        command_source: expect.stringContaining("review.md"),
        prompt: expect.stringContaining("Review a.ts with care."),
      },
    ]);
    if (expanded.expanded) await live.agent.sendMessage(expanded.prompt);
    act(expanded, live.model.requests.map(({ text }) => text).join());
    return blocksOf(live.agent.messages, "error");
  };

  it("can refuse it with exit code 2 and say why", async () => {
    const errors = await inCommand("echo 'not on Fridays' >&2; exit 2", "review", (expanded, wire) => {
      expect(expanded).toEqual({ expanded: false, problem: "not on Fridays" });
      expect(wire).toBe("");
    });
    expect(errors).toMatchObject([{ content: "not on Fridays" }]);
  });

  it("can add context for the model, and are asked only for the commands they name", async () => {
    await inCommand("echo STYLE-GUIDE", "review", (expanded, wire) => {
      expect(expanded).toMatchObject({ expanded: true });
      expect(wire).toContain("STYLE-GUIDE");
    });
    await inCommand("exit 2", "deploy", (expanded) => expect(expanded).toMatchObject({ expanded: true }));
  });
});
