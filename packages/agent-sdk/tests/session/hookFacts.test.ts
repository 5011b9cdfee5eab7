import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { HOOK_EVENT_NAMES, HOOK_EVENTS } from "@/hooks/events.ts";
import { worktreeAt } from "@/workspace/git/gitFacts.ts";
import { liveAgent, saidIn } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
const hook = (command: string) => [{ hooks: [{ type: "command", command }] }];
/** Every hook keeps the line it was given. */
const KEEPS = "cat >>facts";
const keptIn = (folder: string): Record<string, unknown>[] =>
  readFileSync(join(folder, "project", "facts"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("what hooks are told", () => {
  it.each(HOOK_EVENT_NAMES)(
    "at %s has the mode, whether anybody can answer, and the entrypoint (T32)",
    (event) => {
      const told = Object.keys(HOOK_EVENTS[event].input().shape);
      expect(told).toEqual(expect.arrayContaining(["permission_mode", "interactive", "entrypoint"]));
    },
  );

  it.each<[string, AgentOptions, object]>([
    ["by a program", {}, { interactive: false, entrypoint: "sdk", prompt_source: "sdk" }],
    [
      "on a terminal",
      { entrypoint: "terminal", onPermissionRequest: () => ({ decision: "deny" }) },
      { interactive: true, entrypoint: "terminal", prompt_source: "typed" },
    ],
    [
      "in print mode",
      { entrypoint: "print" },
      { interactive: false, entrypoint: "print", prompt_source: "print" },
    ],
  ])("%s is told at every event of a session (T32, T165)", async (_title, options, expected) => {
    using folder = tempFolder();
    const events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
    const hooks = Object.fromEntries(events.map((event) => [event, hook(KEEPS)]));
    {
      await using live = await liveAgent(folder.path, [bash("true"), { say: "done" }], {
        settings: { hooks },
        options,
      });
      await live.agent.sendMessage("go");
    }
    const facts = keptIn(folder.path);
    const { prompt_source, ...common } = { prompt_source: undefined, ...expected };
    expect(facts.map((fact) => fact["hook_event_name"])).toEqual(events);
    for (const fact of facts) expect(fact).toMatchObject(common);
    expect(facts[1]).toMatchObject({ prompt: "go", prompt_source });
  });

  it("of a prompt has where it came from: steered into a turn, too late for it, or as the program says (T165)", async () => {
    using folder = tempFolder();
    const replies = [bash("true"), { say: "one" }, { say: "two" }, { say: "three" }];
    let steered: Promise<unknown> = Promise.resolve();
    await using live = await liveAgent(folder.path, replies, {
      settings: { hooks: { UserPromptSubmit: hook(KEEPS) } },
      onEvent: (event, agent) => {
        if (event.type === "tool_started") void agent.steer("in time");
        // The answer is whole: there is no request any more that could bring it.
        if (
          event.type === "hooks_decided" &&
          event.record.event === "Stop" &&
          live.model.requests.length === 2
        )
          steered = agent.steer("too late");
      },
    });
    await live.agent.sendMessage("go");
    await steered;
    await live.agent.sendMessage("more", { source: "queued" });
    expect(keptIn(folder.path).map((fact) => [fact["prompt"], fact["prompt_source"]])).toEqual([
      ["go", "sdk"],
      ["in time", "steered"],
      ["too late", "queued"],
      ["more", "queued"],
    ]);
  });

  it("after a call has the input that ran, and the model's when hooks changed it (T97)", async () => {
    using folder = tempFolder();
    const rewrite = {
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "echo rewritten" } },
    };
    const hooks = {
      PreToolUse: hook(`grep -q original && printf '%s' '${JSON.stringify(rewrite)}'; true`),
      PostToolUse: hook(KEEPS),
    };
    await using live = await liveAgent(
      folder.path,
      [bash("echo original"), bash("echo as it is"), { say: "done" }],
      { settings: { hooks } },
    );
    await live.agent.sendMessage("go");
    const [changed, same] = keptIn(folder.path);
    expect(changed).toMatchObject({
      tool_input: { command: "echo rewritten" },
      original_tool_input: { command: "echo original" },
      result_text: "rewritten",
    });
    expect(same).toMatchObject({ tool_input: { command: "echo as it is" }, result_text: "as it is" });
    expect(same).not.toHaveProperty("original_tool_input");
  });
});

describe("in a linked git worktree", () => {
  it("hooks are told its top folder and the checkout it belongs to, when the repository says the same (T144)", async () => {
    using folder = tempFolder();
    const main = join(folder.path, "main");
    const worktree = join(folder.path, "project");
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", main, "-c", "user.name=x", "-c", "user.email=x@x", ...args], {
        stdio: "pipe",
      });
    mkdirSync(main);
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", worktree);
    await using live = await liveAgent(folder.path, [{ say: "done" }], {
      settings: { hooks: { UserPromptSubmit: hook(KEEPS) } },
    });
    await live.agent.sendMessage("go");
    expect(keptIn(folder.path)).toMatchObject([{ worktree_root: worktree, main_checkout: main }]);

    const forged = join(folder.path, "forged");
    mkdirSync(forged);
    copyFileSync(join(worktree, ".git"), join(forged, ".git"));
    expect([main, forged, folder.path].map(worktreeAt)).toEqual([undefined, undefined, undefined]);
  });
});

describe("a file that a prompt names with @", () => {
  it("is a name and no more: the model reads it with a call, which hooks and rules judge (T22)", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(
      folder.path,
      [{ call: { name: "Read", arguments: { file_path: "secret.txt" } } }, { say: "done" }],
      {
        settings: {
          hooks: { PreToolUse: hook(`grep -q secret.txt && { echo not this one >&2; exit 2; }`) },
        },
      },
    );
    writeFileSync(join(folder.path, "project", "secret.txt"), "THE-SECRET");
    await live.agent.sendMessage("sum up @secret.txt");
    expect(saidIn(live.model.requests[0])).toEqual(["user: sum up @secret.txt"]);
    expect(saidIn(live.model.requests[1]).at(-1)).toBe("tool: not this one");
    expect(live.model.requests.map(({ text }) => text).join()).not.toContain("THE-SECRET");
  });
});
