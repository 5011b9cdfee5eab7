import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookFunction } from "@/hooks/definition.ts";
import { PERMISSION_MODES, type PermissionMode } from "@/permissions/modes.ts";
import type { PendingPermission } from "@/permissions/request.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const OPINIONS = ["none", "allow", "ask", "deny"] as const;
type Opinion = (typeof OPINIONS)[number];

/** What a rule says of the command that the model sent, and what one says of the command that a hook made of it. */
const ROWS = OPINIONS.flatMap((original) => OPINIONS.map((final) => ({ original, final })));
const nameOf = ({ original, final }: (typeof ROWS)[number]) => `from-${original}-to-${final}`;
const MISFIT = "from-any-to-misfit";

/** The model wants to touch, the hook makes a pipe of that name instead, and has no opinion about either. */
const makePipe: HookFunction<"PreToolUse"> = ({ tool_input: { command } }) => {
  const name = /^touch (.*)/.exec(String(command))?.[1];
  if (name === undefined) return undefined;
  const updatedInput = { command: name === MISFIT ? 5 : `mkfifo ${name}` };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
};

const rulesFor = (opinion: Opinion) =>
  ROWS.flatMap((row) => [
    ...(row.original === opinion ? [`Bash(touch ${nameOf(row)})`] : []),
    ...(row.final === opinion ? [`Bash(mkfifo ${nameOf(row)})`] : []),
  ]);

/** What becomes of a command that no hook and no rule has an opinion about, and of one that has to be asked about. */
const MODES: Record<PermissionMode, { none: Opinion; ask: Opinion; allow: Opinion }> = {
  default: { none: "ask", ask: "ask", allow: "allow" },
  acceptEdits: { none: "ask", ask: "ask", allow: "allow" },
  plan: { none: "deny", ask: "deny", allow: "deny" },
  dontAsk: { none: "deny", ask: "deny", allow: "allow" },
  bypassPermissions: { none: "allow", ask: "ask", allow: "allow" },
};

/** The strictest of both counts; that a rule allows what will not run counts for nothing. */
function expected({ original, final }: (typeof ROWS)[number], mode: PermissionMode): Opinion {
  const both: Opinion[] = [original === "allow" ? "none" : original, final];
  if (both.includes("deny")) return "deny";
  if (both.includes("ask")) return MODES[mode].ask;
  return MODES[mode][final === "allow" ? "allow" : "none"];
}

describe("an input that a hook rewrote without a decision", () => {
  it.each(PERMISSION_MODES)(
    "runs as rules on both inputs and mode %s decide, and never when it does not fit the tool (T93, T95, T96)",
    async (mode) => {
      using folder = tempFolder();
      const asked = new Map<string, PendingPermission>();
      const names = [...ROWS.map(nameOf), MISFIT];
      const { messages } = await playSession(folder.path, {
        settings: {
          permissions: { allow: rulesFor("allow"), ask: rulesFor("ask"), deny: rulesFor("deny") },
        },
        scenario: [
          {
            calls: names.map((name) => ({ name: "Bash", arguments: { command: `touch ${name}` }, id: name })),
          },
          { say: "done" },
        ],
        options: {
          permissionMode: mode,
          hooks: { PreToolUse: [{ hooks: [{ type: "function", name: "folders", run: makePipe }] }] },
          onPermissionRequest: (request) => {
            asked.set(request.toolUseId ?? "", request);
            return { decision: "allow" };
          },
        },
      });
      const tools = blocksOf(messages, "tool");
      const outcomes = ROWS.map((row) => {
        const name = nameOf(row);
        const ran = existsSync(join(folder.path, "project", name));
        return [name, asked.has(name) ? "ask" : ran ? "allow" : "deny", ran];
      });
      expect(outcomes).toEqual(
        ROWS.map((row) => [nameOf(row), expected(row, mode), expected(row, mode) !== "deny"]),
      );
      for (const { input, originalInput, changedBy, toolUseId: name } of asked.values())
        expect([input, originalInput, changedBy]).toEqual([
          { command: `mkfifo ${name}` },
          { command: `touch ${name}` },
          { command: "hook folders (Agent.create hooks.PreToolUse[0].hooks[0])" },
        ]);
      expect(tools.at(-1)).toMatchObject({
        success: false,
        result: expect.stringContaining("folders rewrote"),
      });
      expect([asked.has(MISFIT), existsSync(join(folder.path, "project", MISFIT))]).toEqual([false, false]);
    },
  );
});

it("rewrites that do not settle refuse the call, and the record tells it of the hook that began late (T94)", async () => {
  using folder = tempFolder();
  const rewrites =
    (from: string, command: string): HookFunction<"PreToolUse"> =>
    ({ tool_input }) =>
      tool_input["command"] === from
        ? { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command } } }
        : undefined;
  const { events } = await playSession(folder.path, {
    scenario: [{ call: { name: "Bash", arguments: { command: "a" } } }, { say: "done" }],
    options: {
      hooks: {
        PreToolUse: [
          {
            hooks: [
              { type: "function", name: "r1", run: rewrites("a", "b") },
              { type: "function", name: "r2", run: rewrites("b", "c") },
            ],
          },
        ],
      },
    },
  });
  const records = events.flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []));
  const record = records.find(({ event }) => event === "PreToolUse");
  expect(record).toMatchObject({ decision: "deny", decidedBy: "hook r2" });
  expect(record?.hooks.map(({ name, pass, rewriteRefused }) => [name, pass, rewriteRefused])).toEqual([
    ["r1", 1, undefined],
    ["r2", 1, undefined],
    ["r1", 2, undefined],
    ["r2", 2, expect.stringContaining("rewrote an input that other hooks had already rewritten")],
  ]);
});
