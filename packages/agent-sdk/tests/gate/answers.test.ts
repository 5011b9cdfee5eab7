import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import type { PermissionAnswer } from "@/permissions/request.ts";
import { tool } from "@/options/tool.ts";
import { z } from "zod";
import { inFolder } from "../support/liveAgent.ts";

const ran: unknown[] = [];
const note = tool({
  name: "Note",
  description: "Notes something.",
  input: z.object({ text: z.string() }),
  run: (input) => {
    ran.push(input);
    return "noted";
  },
});

async function played(answer: () => PermissionAnswer, options: AgentOptions = {}) {
  ran.length = 0;
  const asked: unknown[] = [];
  await using live = await inFolder(
    [{ call: { name: "Note", arguments: { text: "one" } } }, { say: "done" }],
    {
      options: {
        permissionMode: "default",
        tools: { add: [note] },
        onPermissionRequest: ({ input }) => {
          asked.push(input["text"]);
          return answer();
        },
        ...options,
      },
    },
  );
  const end = await live.agent.sendMessage("go");
  const [block] = live.agent.messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool"));
  return { end, asked, ran: [...ran], block };
}

/** Says of every text what hooks were told, and refuses those that begin with "no". */
function watching(seen: unknown[]): AgentOptions {
  return {
    hooks: {
      PreToolUse: [
        {
          hooks: [
            {
              type: "function",
              name: "watch",
              run: ({ tool_input: { text } }) => {
                seen.push(text);
                return String(text).startsWith("no") ? { decision: "block", reason: "not that" } : undefined;
              },
            },
          ],
        },
      ],
    },
  };
}

describe("a program that answers", () => {
  it("may deny and let the turn go on, with words for the model (PD-2)", async () => {
    const { end, ran, block } = await played(() => ({
      decision: "deny",
      reason: "use the wiki",
      turn: "go-on",
    }));
    expect(end).toMatchObject({ because: "done", modelCalls: 2, denials: [{ by: "person" }] });
    expect(ran).toEqual([]);
    expect(block).toMatchObject({ success: false, result: "The user said no: use the wiki" });
  });

  it.each([[{ decision: "deny" }], [{ decision: "deny", turn: "stop" }]] as [PermissionAnswer][])(
    "ends the turn with %j",
    async (answer) => {
      expect((await played(() => answer)).end).toMatchObject({ because: "denied", modelCalls: 1 });
    },
  );

  it("may change the input, and hooks judge what it became (PD-2)", async () => {
    const seen: unknown[] = [];
    const { asked, ran, block } = await played(
      () => ({ decision: "allow", input: { text: "two" } }),
      watching(seen),
    );
    expect({ asked, ran, seen }).toEqual({ asked: ["one"], ran: [{ text: "two" }], seen: ["one", "two"] });
    expect(block).toMatchObject({
      parameters: '{"text":"one"}',
      input: { text: "two" },
      changedBy: { text: "person" },
    });
  });

  it("cannot change it into what a hook denies, or a rule", async () => {
    const byHook = await played(() => ({ decision: "allow", input: { text: "no" } }), watching([]));
    expect(byHook.ran).toEqual([]);
    expect(byHook.end.denials).toMatchObject([{ by: "hook watch", reason: "not that" }]);
  });

  it("cannot change it into what the tool does not take", async () => {
    const { ran, block } = await played(() => ({ decision: "allow", input: { texts: "two" } }));
    expect(ran).toEqual([]);
    expect(block).toMatchObject({ success: false, result: expect.stringContaining("text") });
  });

  it("is asked again when a hook asks about the changed input, and a changing answer has an end", async () => {
    let count = 0;
    const ask = {
      hooks: {
        PreToolUse: [
          {
            hooks: [
              {
                type: "function",
                name: "ask",
                run: () => ({
                  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" },
                }),
              },
            ],
          },
        ],
      },
    } satisfies AgentOptions;
    const { asked, ran, end } = await played(
      () => ({ decision: "allow", input: { text: `${count++}` } }),
      ask,
    );
    expect(asked).toEqual(["one", "0", "1", "2", "3"]);
    expect(ran).toEqual([]);
    expect(end.because).toBe("done");
  });
});
