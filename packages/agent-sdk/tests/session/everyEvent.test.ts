import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, type HookEvent } from "@/hooks/events.ts";
import type { ScriptedReply, ScriptedRequest } from "@/testing/index.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { isOfSubAgent, startAgent } from "../support/playSubAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

/** Fields that are there only sometimes, and not in this session. A new optional field needs its line here, or its moment below. */
const SOMETIMES = new Set([
  // In a linked worktree, of a sub-agent, of a sub-agent's sub-agent, after the first prompt.
  "worktree_root",
  "main_checkout",
  "agent_id",
  "agent_type",
  "parent_agent_id",
  "prompt_id",
  // A command that the person typed; arguments that are no JSON; a call once more; an input that hooks changed.
  "source",
  "tool_input_error",
  "tool_input_raw",
  "previous_denials",
  "original_tool_input",
]);

/** They need a server that asks, and reach a process in tests of their own. */
const WITH_A_SERVER: readonly HookEvent[] = ["Elicitation", "ElicitationResult"];

const bash = (command: string) => ({ name: "Bash", arguments: { command } });
const todo = (status: string) => ({
  name: "TodoWrite",
  arguments: { todos: [{ content: "tests", activeForm: "testing", status }] },
});

/** The main conversation, answer by answer. */
const MAIN: readonly ScriptedReply[] = [
  { calls: [bash("touch made"), bash("curl x"), bash("cat nothing-here"), todo("pending")] },
  { calls: [todo("completed"), bash("cd sub"), startAgent("look")] },
  { say: "done" },
  { say: "the summary" },
  { status: 400, message: "no" },
  { hang: true },
];

it("every event reaches a process of its own, with every field of its input (T1, T32)", async () => {
  using folder = tempFolder();
  const kept = join(folder.path, "kept");
  const project = join(folder.path, "project");
  mkdirSync(kept);
  mkdirSync(join(project, "sub"), { recursive: true });
  mkdirSync(join(folder.path, "home/commands"), { recursive: true });
  writeFileSync(join(folder.path, "home/commands/review.md"), "Review it.");
  writeFileSync(join(project, "AGENTS.md"), "Be brief.");
  mkdirSync(join(project, ".wave"));
  writeFileSync(join(project, ".wave/settings.json"), "{}");
  const hooks = Object.fromEntries(
    // One file for each input: two hooks may write at the same time.
    HOOK_EVENT_NAMES.map((event) => [
      event,
      [{ hooks: [{ type: "command", command: `cat >"$(mktemp '${kept}/${event}.XXXXXX')"` }] }],
    ]),
  );
  const read = (event: HookEvent) =>
    readdirSync(kept)
      .filter((name) => name.startsWith(`${event}.`))
      .map((name) => readFileSync(join(kept, name), "utf8"))
      .filter((text) => text.endsWith("\n"))
      .map((text) => JSON.parse(text) as Record<string, unknown>);

  let answered = 0;
  const scenario = (request: ScriptedRequest) => (isOfSubAgent(request) ? { say: "seen" } : MAIN[answered++]);
  {
    await using live = await liveAgent(folder.path, scenario, {
      settings: { hooks, permissions: { deny: ["Bash(curl:*)"], allow: ["Agent"] } },
      options: { permissionMode: "default", onPermissionRequest: () => ({ decision: "allow" }) },
    });
    const { agent } = live;
    expect(await agent.sendMessage("go")).toMatchObject({ because: "done" });
    await agent.compact("in short");
    expect(await agent.sendMessage("and now")).toMatchObject({ because: "model-error" });
    agent.model = "other";
    await agent.commands.expand("review", "a.ts");
    appendFileSync(join(project, ".wave/settings.json"), "\n");
    const hangs = agent.sendMessage("wait");
    await waitFor("the request that hangs", () => answered === MAIN.length);
    agent.abort();
    expect(await hangs).toMatchObject({ because: "aborted" });
    for (const event of ["Interrupt", "PostModelSwitch", "Notification", "InstructionsLoaded"] as const)
      await waitFor(event, () => read(event).length > 0);
  }

  expect(HOOK_EVENT_NAMES.filter((event) => read(event).length === 0)).toEqual(WITH_A_SERVER);
  const played = HOOK_EVENT_NAMES.filter((event) => !WITH_A_SERVER.includes(event));
  const unseen = played.flatMap((event) => {
    const schema = HOOK_EVENTS[event].input();
    const inputs = read(event);
    for (const input of inputs) {
      expect(schema.safeParse(input).error, event).toBeUndefined();
      expect(
        Object.keys(input).filter((name) => !(name in schema.shape)),
        event,
      ).toEqual([]);
    }
    return Object.entries(schema.shape)
      .filter(
        ([name, field]) =>
          !inputs.some((input) => name in input) && !(SOMETIMES.has(name) && field.isOptional()),
      )
      .map(([name]) => `${event}.${name}`);
  });
  expect(unseen).toEqual([]);
});
