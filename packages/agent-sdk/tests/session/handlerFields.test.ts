import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { laterEffects } from "@/hooks/effects.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { inFolder, liveAgent, saidIn } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

it("nobody waits for an async hook, and what it tells comes with the next request of the same turn", async () => {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  const context = { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "FROM-BEHIND" } };
  const command = `until [ -e go ]; do sleep 0.02; done; printf '%s' '${JSON.stringify(context)}'; touch told`;
  const wakes = `until [ -e go ]; do sleep 0.02; done; echo WAKE-UP >&2; touch woken; exit 2`;
  await using live = await liveAgent(
    folder.path,
    // The tool itself lets the hooks go on: were they waited for, nothing would ever happen.
    [bash("touch go; until [ -e told ] && [ -e woken ]; do sleep 0.02; done"), bash("true"), { say: "done" }],
    {
      settings: {
        hooks: {
          PreToolUse: [
            {
              matcher: "Bash",
              hooks: [
                { type: "command", name: "slow", command, async: true, statusMessage: "Looking around" },
                { type: "command", name: "wakes", command: wakes, asyncRewake: true },
              ],
            },
          ],
        },
      },
      onEvent: (event) => void (event.type === "tool_started" && writeFileSync(join(project, "began"), "")),
    },
  );
  await live.agent.sendMessage("go");
  expect(existsSync(join(project, "began"))).toBe(true);
  const told = () =>
    live.model.requests
      .map(saidIn)
      .findLast((said) => said.length > 0)
      ?.join("\n") ?? "";
  expect(told()).toContain("FROM-BEHIND");
  expect(told()).toContain("WAKE-UP");
  const started = live.events.filter((event) => event.type === "hook_started");
  expect(started[0]).toMatchObject({ statusMessage: "Looking around", background: true });
});

it("an async hook that wanted to hold something back came too late, and that is told", () => {
  const result = { success: false, exitCode: 2, stderr: "no", duration: 0, timedOut: false };
  const verdict = readVerdict("PreToolUse", result, { name: "late", source: "s", onError: "continue" });
  expect(laterEffects("PreToolUse", verdict, false)).toMatchObject([
    {
      do: "tell-user",
      as: "warning",
      text: expect.stringContaining("too late to hold anything back: no") as string,
    },
  ]);
  expect(laterEffects("PreToolUse", verdict, true)).toMatchObject([
    { do: "tell-model", says: "feedback", text: "no" },
  ]);
});

it("an async hook of the last event still ends, and a hook that runs once ran once", async () => {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  const hooks = {
    Stop: [{ hooks: [{ type: "command", command: "sleep 0.2; echo told >>notified", async: true }] }],
    UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo once >>once", once: true }] }],
  };
  {
    await using live = await liveAgent(folder.path, [{ say: "one" }, { say: "two" }], {
      settings: { hooks },
    });
    await live.agent.sendMessage("a");
    await live.agent.sendMessage("b");
  }
  expect(readFileSync(join(project, "notified"), "utf8")).toBe("told\ntold\n");
  expect(readFileSync(join(project, "once"), "utf8")).toBe("once\n");
});

it("an async hook that hangs does not keep a session from ending", async () => {
  const hooks = { Stop: [{ hooks: [{ type: "command", name: "hangs", command: "sleep 60", async: true }] }] };
  const live = await inFolder([{ say: "one" }], { settings: { hooks } });
  await live.agent.sendMessage("a");
  await live[Symbol.asyncDispose]();
  const ended = () => live.events.find((event) => event.type === "hook_finished");
  await waitFor("the hook is ended", () => ended() !== undefined);
  expect(ended()).toMatchObject({ ended: "was interrupted" });
});
