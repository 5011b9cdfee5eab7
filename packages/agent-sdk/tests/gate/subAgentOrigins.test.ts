import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { HookInput } from "@/hooks/events.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { scenarioOf, startAgent } from "../support/playSubAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { waitFor } from "../support/waitFor.ts";

const call: ScriptedReply = { call: { name: "Bash", arguments: { command: "touch asked" } } };
const done: ScriptedReply = { say: "done" };

/** Where a call comes from: what the main conversation and the sub-agents are answered, and how far away the caller is. */
const ORIGINS: [string, readonly ScriptedReply[], readonly ScriptedReply[], number][] = [
  ["the main conversation", [call, done], [], 0],
  ["a sub-agent", [{ call: startAgent("one") }, done], [call, done], 1],
  [
    "a nested sub-agent",
    [{ call: startAgent("one") }, done],
    [{ call: startAgent("two") }, call, done, done],
    2,
  ],
  [
    "a sub-agent in the background",
    [{ call: startAgent("one", { run_in_background: true }) }, done],
    [call, done],
    1,
  ],
];

const specific = (fields: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse" as const, ...fields },
});

/** What a hook says, what a person says, and which files there are in the end. */
const VERDICTS: [
  string,
  object | undefined,
  "allow" | "deny",
  { asked: boolean; rewritten: boolean; questions: number },
][] = [
  ["nothing", undefined, "deny", { asked: true, rewritten: false, questions: 0 }],
  [
    "deny",
    specific({ permissionDecision: "deny" }),
    "allow",
    { asked: false, rewritten: false, questions: 0 },
  ],
  [
    "ask, and the person no",
    specific({ permissionDecision: "ask" }),
    "deny",
    { asked: false, rewritten: false, questions: 1 },
  ],
  [
    "ask, and the person yes",
    specific({ permissionDecision: "ask" }),
    "allow",
    { asked: true, rewritten: false, questions: 1 },
  ],
  [
    "rewrite",
    specific({ updatedInput: { command: "touch rewritten" } }),
    "deny",
    { asked: false, rewritten: true, questions: 0 },
  ],
];

describe.each(ORIGINS)("a call of %s", (_origin, main, sub, depth) => {
  it.each(VERDICTS)(
    "meets its hooks once, with the right ids, and their word holds: %s (acceptance 2, T14, G1)",
    async (name, says, person, expected) => {
      using folder = tempFolder();
      const told: HookInput<"PreToolUse">[] = [];
      const questions: (string | undefined)[] = [];
      const run = (input: HookInput<"PreToolUse">) => {
        told.push(input);
        // What hooks made of it is judged once more, and then it is as it should be.
        return input.pass === 1 ? says : undefined;
      };
      const options: AgentOptions = {
        hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "function", run }] }] },
        onPermissionRequest: ({ agent }) => {
          questions.push(agent?.id);
          return { decision: person };
        },
      };
      await using live = await liveAgent(folder.path, scenarioOf(main, sub), { options });
      await live.agent.sendMessage("go");
      await waitFor("all sub-agents have ended", () => live.agent.inBackground === 0);
      const agents = live.events.flatMap((event) => (event.type === "subagent_started" ? [event.agent] : []));
      expect(agents).toHaveLength(depth);
      const caller = agents.at(-1);
      expect(told.map(({ pass }) => pass)).toEqual(name === "rewrite" ? [1, 2] : [1]);
      for (const input of told)
        expect([input.agent_id, input.agent_type, input.parent_agent_id]).toEqual([
          caller?.id,
          caller?.type,
          caller?.parentId,
        ]);
      const made = (file: string) => existsSync(join(folder.path, "project", file));
      expect({ asked: made("asked"), rewritten: made("rewritten"), questions: questions.length }).toEqual(
        expected,
      );
      expect(questions.every((id) => id === caller?.id)).toBe(true);
    },
  );
});
