import { describe, expect, it } from "vitest";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const FIFTY_MB = 50 * 1024 * 1024;
const flood = (stream: "1" | "2") => `head -c ${FIFTY_MB} /dev/zero | tr '\\0' 'x' >&${stream}`;
const todo = { call: { name: "TodoWrite", arguments: { todos: [] } } };

describe("a hook that prints 50 MB", () => {
  it.each([
    ["UserPromptSubmit", `${flood("1")}; exit 0`],
    ["SessionStart", `${flood("1")}; exit 0`],
    ["PreToolUse", `${flood("2")}; exit 2`],
    ["PostToolUse", `${flood("2")}; exit 2`],
    ["Stop", `test -e stopped && exit 0; touch stopped; ${flood("2")}; exit 2`],
    ["PreToolUse", `${flood("1")}; exit 0`],
    ["PostToolUse", `${flood("1")}; ${flood("2")}; exit 1`],
  ])(
    "at %s (%s) costs the next model request less than 64 KB, and the cut is told (T68, T116, G41)",
    async (event, command) => {
      using folder = tempFolder();
      const scenario = [todo, { say: "done" }, { say: "done again" }];
      const quiet = await playSession(`${folder.path}/quiet`, { scenario });
      const played = await playSession(`${folder.path}/loud`, {
        settings: {
          hooks: { [event]: [{ hooks: [{ type: "command", name: "flood", command, timeout: 120 }] }] },
        },
        scenario,
      });
      const largest = (requests: typeof played.requests) =>
        Math.max(...requests.map((request) => request.bytes));
      expect(largest(played.requests) - largest(quiet.requests)).toBeLessThan(64 * 1024);
      const reachedTheModel = played.requests.some((request) => request.text.includes("xxxxx"));
      const told = blocksOf(played.messages, "warn").some((block) =>
        block.content.includes("bytes in the middle were cut"),
      );
      expect(told).toBe(reachedTheModel);
    },
  );
});
