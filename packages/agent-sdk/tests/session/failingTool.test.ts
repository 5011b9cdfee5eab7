import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "@/hooks/events.ts";
import { liveAgent, saidIn } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** Every hook keeps the line that it was given. */
describe("a tool that fails", () => {
  let facts: Record<string, unknown>[] = [];
  let requests: string[][] = [];

  const keptBy = (file: string) => facts.filter((fact) => fact["by"] === file);

  beforeAll(async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(join(project, ".claude"), { recursive: true });
    const events = ["PostToolUse", "PostToolUseFailure"];
    const hooksOf = (by: string) => ({
      hooks: Object.fromEntries(
        events.map((event) => [
          event,
          [{ hooks: [{ type: "command", command: `jq -c '. + {by: "${by}"}' >>facts` }] }],
        ]),
      ),
    });
    writeFileSync(join(project, ".claude", "settings.json"), JSON.stringify(hooksOf("claude")));
    const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
    await using live = await liveAgent(
      folder.path,
      [bash("echo fine"), bash("echo bad >&2; exit 3"), { say: "done" }],
      {
        settings: hooksOf("wave"),
      },
    );
    await live.agent.sendMessage("go");
    facts = readFileSync(join(project, "facts"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    requests = live.model.requests.map(saidIn);
  });

  it.each(["PostToolUseFailure"] as const)(
    "%s happens, and its hooks are told what the table says (SPEC 6, JO-9)",
    (event) => {
      const told = facts.filter((fact) => fact["hook_event_name"] === event);
      expect(told.map(({ by }) => by)).toEqual(expect.arrayContaining(["claude", "wave"]));
      for (const { by: _, ...fact } of told)
        expect(HOOK_EVENTS[event].input().strict().safeParse(fact).error).toBeUndefined();
    },
  );

  it("a tool that fails is PostToolUseFailure alone for hooks of Claude Code, and both for Wave's own", () => {
    const after = (by: string) =>
      keptBy(by)
        .filter(({ hook_event_name }) => String(hook_event_name).startsWith("PostToolUse"))
        .map(({ hook_event_name, tool_input }) => [
          hook_event_name,
          (tool_input as { command: string }).command,
        ]);
    expect(after("claude")).toEqual([
      ["PostToolUse", "echo fine"],
      ["PostToolUseFailure", "echo bad >&2; exit 3"],
    ]);
    expect(after("wave")).toEqual([
      ["PostToolUse", "echo fine"],
      ["PostToolUse", "echo bad >&2; exit 3"],
      ["PostToolUseFailure", "echo bad >&2; exit 3"],
    ]);
    expect(keptBy("claude").at(-1)).toMatchObject({ error: "Exit code 3\nbad", is_interrupt: false });
  });

  it("all events of one prompt name it (prompt_id)", () => {
    expect(new Set(facts.map((fact) => fact["prompt_id"])).size).toBe(1);
    expect(facts[0]?.["prompt_id"]).toEqual(expect.any(String));
    expect(requests.length).toBeGreaterThan(0);
  });
});
