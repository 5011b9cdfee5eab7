import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { inFolder } from "../support/liveAgent.ts";

const questions = [
  { question: "Which database?", header: "Database", options: [{ label: "SQLite" }, { label: "Postgres" }] },
  { question: "Tests too?", options: [{ label: "Yes" }, { label: "No" }], multiSelect: false },
];

async function asked(options: AgentOptions) {
  await using live = await inFolder(
    [{ call: { name: "AskUserQuestion", arguments: { questions } } }, { say: "ok" }],
    { options },
  );
  const end = await live.agent.sendMessage("go");
  const [block] = live.agent.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool"));
  const names = JSON.stringify(live.model.requests[0]?.body["tools"]);
  return { end, block, names };
}

describe("a question of the model's", () => {
  it("is answered through the one way to ask a person, also one after the other, in every mode", async () => {
    const replies = ["SQLite", "in my own words"];
    const { block, end } = await asked({
      permissionMode: "bypassPermissions",
      onPermissionRequest: ({ toolName, input }) => {
        expect(toolName).toBe("AskUserQuestion");
        const given = { ...(input["answers"] as Record<string, string> | undefined) };
        const next = questions.find(({ question }) => !(question in given))?.question ?? "";
        return {
          decision: "allow",
          input: { ...input, answers: { ...given, [next]: replies.shift() ?? "" } },
        };
      },
    });
    expect(end.because).toBe("done");
    expect(block).toMatchObject({
      success: true,
      result: "The user answered:\n\nWhich database?\nSQLite\n\nTests too?\nin my own words",
      changedBy: { answers: "person" },
    });
  });

  it("is not offered where nobody can answer, and does nothing there (PD-3)", async () => {
    const { block, names } = await asked({});
    expect(names).not.toContain("AskUserQuestion");
    expect(block).toMatchObject({ success: false });
    expect((await asked({ onPermissionRequest: () => ({ decision: "deny" }) })).names).toContain(
      "AskUserQuestion",
    );
  });

  it("can be answered by a hook, as in Claude Code", async () => {
    const answers = { "Which database?": "SQLite", "Tests too?": "No" };
    const { block } = await asked({
      onPermissionRequest: () => ({ decision: "deny" }),
      hooks: {
        PreToolUse: [
          {
            matcher: "AskUserQuestion",
            hooks: [
              {
                type: "function",
                run: ({ tool_input }) => ({
                  hookSpecificOutput: {
                    hookEventName: "PreToolUse",
                    permissionDecision: "allow",
                    updatedInput: { ...tool_input, answers },
                  },
                }),
              },
            ],
          },
        ],
      },
    });
    expect(block).toMatchObject({ success: true, result: expect.stringContaining("Tests too?\nNo") });
  });

  it("has no answer where the yes brings none, and the model is told to decide", async () => {
    const { block } = await asked({ onPermissionRequest: () => ({ decision: "allow" }) });
    expect(block).toMatchObject({ success: false, result: expect.stringContaining("decide yourself") });
  });
});
