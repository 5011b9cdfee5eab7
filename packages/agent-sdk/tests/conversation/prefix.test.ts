import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { ScriptedRequest } from "@/testing/index.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const says = (event: string) =>
  `printf '{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"context of ${event} at %s"}}' "$(date +%N)"`;
const hook = (command: string) => [{ hooks: [{ type: "command", command }] }];

/** The bytes of a request from its first one to the end of its last message. */
function conversationOf({ text, body }: ScriptedRequest): string {
  const last = JSON.stringify(body.messages.at(-1));
  return text.slice(0, text.lastIndexOf(last) + last.length);
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

it("what hooks add comes behind what was sent before: the bytes of every request begin with all of the one before (T122)", async () => {
  using folder = tempFolder();
  const call = { call: { name: "TodoWrite", arguments: { todos: [] } } };
  const rounds = 3;
  await using live = await liveAgent(
    folder.path,
    Array.from({ length: rounds }, () => [call, { say: "done" }, { say: "really done" }]).flat(),
    {
      settings: {
        hooks: {
          SessionStart: hook(says("SessionStart")),
          UserPromptSubmit: hook(says("UserPromptSubmit")),
          PreToolUse: hook(says("PreToolUse")),
          PostToolUse: hook(says("PostToolUse")),
          // Sends the model back to work once in every turn.
          Stop: hook(`grep -q '"stop_hook_active":true' || { echo "go on, $(date +%N)" >&2; exit 2; }`),
        },
      },
    },
  );
  for (let round = 0; round < rounds; round++) await live.agent.sendMessage(`prompt ${round}`);
  const { requests } = live.model;
  expect(requests).toHaveLength(3 * rounds);
  expect(requests.at(-1)?.text).toMatch(/context of PostToolUse.*go on, /s);
  for (const [index, request] of requests.slice(1).entries()) {
    const before = conversationOf(requests[index] ?? request);
    expect(hash(request.text.slice(0, before.length))).toBe(hash(before));
    expect(request.text.length).toBeGreaterThan(before.length);
  }
  // Whatever else a server keys its cache on.
  expect(new Set(requests.map(({ body }) => hash(JSON.stringify(body.tools)))).size).toBe(1);
});
