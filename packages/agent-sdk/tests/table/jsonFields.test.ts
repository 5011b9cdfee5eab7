import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { HOOK_EVENTS, HOOK_EVENT_NAMES, type HookEvent } from "@/hooks/events.ts";
import { canGive, GIVEN, recipientsOf } from "@/hooks/recipients.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { changingSettings } from "../support/changingSettings.ts";
import { observedRecipients, sorted } from "../support/observedRecipients.ts";
import { PLAYED_EVENTS, type PlayedEvent } from "../support/playedEvents.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { playerOf } from "../support/playSubAgent.ts";
import { memoryFolder } from "../support/tempFolder.ts";

const MARK = "FIELD-MARK";

/** What one field of one event does, seen from outside. `reader` is who gets the text; nobody else may. */
interface Expected {
  reader: "model" | "user" | "nobody";
  modelCalls?: number;
  because?: string;
  toolRuns?: boolean;
  promptStays?: boolean;
}

type Row = [event: PlayedEvent, field: string, printed: Record<string, unknown>, expected: Expected];

const specific = (event: HookEvent, fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
});
const ask = { permissionDecision: "ask", permissionDecisionReason: MARK };

/** Fields that mean the same on every event, and where that sameness ends. */
const HALTED: Record<PlayedEvent, Expected> = {
  UserPromptSubmit: { reader: "user", because: "halted", modelCalls: 0, toolRuns: false, promptStays: false },
  // The call is answered with the reason; no request follows in which the model could read it.
  PreToolUse: { reader: "user", because: "halted", modelCalls: 1, toolRuns: false },
  PostToolUse: { reader: "user", because: "halted", modelCalls: 1 },
  Stop: { reader: "user", because: "halted" },
  SubagentStart: { reader: "user", because: "halted", modelCalls: 0, toolRuns: false },
  SubagentStop: { reader: "user", because: "halted" },
  SessionStart: { reader: "user", because: "halted", modelCalls: 0, toolRuns: false, promptStays: false },
  SessionEnd: { reader: "user" },
  // Noticed in the course of PostToolUse.
  ConfigChange: { reader: "user", because: "halted", modelCalls: 1 },
};

const common = PLAYED_EVENTS.flatMap((event): Row[] => [
  [event, "continue", { continue: true }, { reader: "nobody" }],
  [event, "stopReason", { continue: false, stopReason: MARK }, HALTED[event]],
  [event, "systemMessage", { systemMessage: MARK }, { reader: "user" }],
  [event, "suppressOutput", { suppressOutput: true }, { reader: "nobody" }],
  [event, "hookSpecificOutput", specific(event, {}), { reader: "nobody" }],
  [event, "hookEventName", specific(event, {}), { reader: "nobody" }],
]);

const blocks = (["UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop"] as const).flatMap(
  (event): Row[] => {
    const expected: Record<typeof event, Expected> = {
      UserPromptSubmit: {
        reader: "user",
        because: "prompt-blocked",
        modelCalls: 0,
        toolRuns: false,
        promptStays: false,
      },
      PostToolUse: { reader: "model" },
      Stop: { reader: "model", modelCalls: 3 },
      SubagentStop: { reader: "model", modelCalls: 3 },
    };
    return [
      [event, "decision", { decision: "block", reason: MARK }, expected[event]],
      [event, "reason", specific(event, { decision: "block", reason: MARK }), expected[event]],
      [event, "decision", { decision: "approve", reason: MARK }, { reader: "nobody" }],
    ];
  },
);

const refusals: Row[] = [
  ["ConfigChange", "decision", { decision: "block", reason: MARK }, { reader: "user" }],
  [
    "ConfigChange",
    "reason",
    specific("ConfigChange", { decision: "block", reason: MARK }),
    { reader: "user" },
  ],
  ["ConfigChange", "decision", { decision: "approve", reason: MARK }, { reader: "nobody" }],
];

const contexts = (
  ["UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SessionStart"] as const
).map((event): Row => [
  event,
  "additionalContext",
  specific(event, { additionalContext: MARK }),
  { reader: "model" },
]);

const todo = (content: string) => ({ todos: [{ content, status: "pending" }] });

const rows: Row[] = [
  ...common,
  ...blocks,
  ...refusals,
  ...contexts,
  [
    "PreToolUse",
    "permissionDecision",
    specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: MARK }),
    { reader: "model", toolRuns: false },
  ],
  [
    "PreToolUse",
    "permissionDecisionReason",
    specific("PreToolUse", { permissionDecision: "allow", permissionDecisionReason: MARK }),
    { reader: "user" },
  ],
  // Nobody can answer here, so the question is a deny that carries the reason (PD-3).
  ["PreToolUse", "permissionDecision", specific("PreToolUse", ask), { reader: "model", toolRuns: false }],
  ["PreToolUse", "decision", { decision: "block", reason: MARK }, { reader: "model", toolRuns: false }],
  ["PreToolUse", "reason", { decision: "approve", reason: MARK }, { reader: "user" }],
  ["PreToolUse", "updatedInput", specific("PreToolUse", { updatedInput: todo(MARK) }), { reader: "nobody" }],
  [
    "PreToolUse",
    "updatedInput",
    specific("PreToolUse", { updatedInput: { todos: 5 } }),
    { reader: "nobody", toolRuns: false },
  ],
];

/** Known fields on an event that does not have them: ignored, and the author is told (T112). */
const foreign = HOOK_EVENT_NAMES.flatMap((event) => {
  const own = fieldsOf(event);
  return [...new Set(HOOK_EVENT_NAMES.flatMap((other) => [...fieldsOf(other)]))]
    .filter((field) => !own.has(field))
    .map((field): [HookEvent, string] => [event, field]);
});

function fieldsOf(event: HookEvent): Set<string> {
  const { shape } = HOOK_EVENTS[event].output();
  return new Set([...Object.keys(shape), ...Object.keys(shape.hookSpecificOutput.unwrap().shape)]);
}

async function play(
  folder: string,
  event: HookEvent,
  printed: Record<string, unknown>,
): Promise<PlayedSession> {
  const print = `printf '%s\\n' '${JSON.stringify(printed)}'`;
  const command = event.endsWith("Stop") ? `test -e stopped || { touch stopped; ${print}; }` : print;
  return playerOf(event)(folder, {
    settings: { hooks: { [event]: [{ hooks: [{ type: "command", name: "json-hook", command }] }] } },
    scenario: [
      { call: { name: "TodoWrite", arguments: todo("ORIGINAL") } },
      { say: "done" },
      { say: "done again" },
    ],
    ...(event === "ConfigChange" ? changingSettings(folder) : {}),
  });
}

describe("a field of a hook's JSON", () => {
  it.each(rows)(
    "%s %s does what the table says (JO-1, JO-2, JO-3, JO-4, JO-5, SC-004, T127) %o",
    async (event, _field, printed, expected) => {
      using folder = memoryFolder();
      const played = await play(folder.path, event, printed);
      const { wire, messages, file, end } = played;
      const result = {
        success: true,
        exitCode: 0,
        duration: 0,
        timedOut: false,
        stdout: JSON.stringify(printed),
      };
      // Where nobody can answer, a question is no question.
      if (result.stdout.includes(MARK) && !isDeepStrictEqual(printed, specific("PreToolUse", ask)))
        expect(observedRecipients(played, event, MARK)).toEqual(sorted(recipientsOf(event, result, MARK)));
      const forUser = JSON.stringify([...blocksOf(messages, "error"), ...blocksOf(messages, "warn")]);
      expect(wire.includes(MARK), "the model read it").toBe(expected.reader === "model");
      expect(forUser.includes(MARK), "the user read it").toBe(expected.reader === "user");
      expect(end.because).toBe(expected.because ?? "done");
      expect(end.modelCalls).toBe(expected.modelCalls ?? 2);
      expect(blocksOf(messages, "tool")[0]?.success ?? false).toBe(expected.toolRuns ?? true);
      expect(file.includes("PROMPT-TEXT")).toBe(expected.promptStays ?? true);
      if (expected.reader !== "nobody") expect(file, "the session file tells it too").toContain(MARK);
    },
  );

  it.each(foreign)("%s ignores %s, which is not its field, and says so (T112)", (event, field) => {
    const result = { success: true, exitCode: 0, duration: 0, timedOut: false };
    const stdout = JSON.stringify({ [field]: MARK });
    const hook = { name: "json-hook", source: "settings", onError: "continue" } as const;
    const verdict = readVerdict(event, { ...result, stdout }, hook);
    expect(verdict.warnings.join()).toContain(`${field} is not supported for ${event}`);
    expect([verdict.decision, verdict.context]).toEqual(["none", undefined]);
  });

  it("has a row for every cell of the table of recipients in the reference (T127)", () => {
    const missing = PLAYED_EVENTS.flatMap((event) =>
      GIVEN.filter((given) => given.printed && canGive(event, given))
        .filter(({ what, printed }) => {
          const isPlayed = ([on, field, object]: Row) =>
            on === event && (what === `\`${field}\`` || isDeepStrictEqual(object, printed?.(event, MARK)));
          return !rows.some(isPlayed);
        })
        .map(({ what }) => `${event} ${what}`),
    );
    expect(missing).toEqual([]);
  });

  it("asks with the reason of an ask, and tells the model nothing (T127)", async () => {
    using folder = memoryFolder();
    const asked: string[] = [];
    const printed = specific("PreToolUse", ask);
    const played = await playSession(folder.path, {
      settings: {
        hooks: {
          PreToolUse: [{ hooks: [{ type: "command", command: `echo '${JSON.stringify(printed)}'` }] }],
        },
      },
      scenario: [{ call: { name: "TodoWrite", arguments: todo("x") } }, { say: "done" }],
      options: { onPermissionRequest: ({ reason }) => (asked.push(reason), { decision: "allow" }) },
    });
    expect(asked).toEqual([MARK]);
    expect(observedRecipients(played, "PreToolUse", MARK)).toEqual({ user: [], model: false, record: true });
  });

  it("has a row for every field of every event (FR-015, JO-9)", () => {
    const missing = PLAYED_EVENTS.flatMap((event) =>
      [...fieldsOf(event)]
        .filter((field) => !rows.some(([one, name]) => one === event && name === field))
        .map((field) => `${event} ${field}`),
    );
    expect(missing).toEqual([]);
  });
});

describe("a rewrite", () => {
  it("is what runs, and the block of the call shows it (JO-2, G8)", async () => {
    using folder = memoryFolder();
    const { messages, events } = await play(
      folder.path,
      "PreToolUse",
      specific("PreToolUse", { updatedInput: todo(MARK) }),
    );
    expect(blocksOf(messages, "tool")).toMatchObject([{ input: todo(MARK), success: true }]);
    expect(events.find((event) => event.type === "tool_started")).toMatchObject({ input: todo(MARK) });
  });

  it("that does not fit the tool refuses the call and never runs the old input (JO-6, G9)", async () => {
    using folder = memoryFolder();
    const { messages, events } = await play(
      folder.path,
      "PreToolUse",
      specific("PreToolUse", { updatedInput: { todos: 5 } }),
    );
    expect(blocksOf(messages, "tool")[0]?.result).toMatch(
      /json-hook rewrote the input so that it does not fit/,
    );
    expect(events.some((event) => event.type === "tool_started")).toBe(false);
  });
});

describe("a guard with a typo", () => {
  it("blocks the call with its onError, and result and record name the field (T4, T33, G5)", async () => {
    using folder = memoryFolder();
    const printed = specific("PreToolUse", { permissionDecison: "deny" });
    const command = `printf '%s' '${JSON.stringify(printed)}'`;
    const { messages, file, events } = await playSession(folder.path, {
      settings: {
        hooks: {
          PreToolUse: [{ hooks: [{ type: "command", name: "json-hook", command, onError: "block" }] }],
        },
      },
      scenario: [{ call: { name: "TodoWrite", arguments: todo("x") } }, { say: "done" }],
    });
    const fault =
      'it printed the field "hookSpecificOutput.permissionDecison", which Wave does not know (did you mean "permissionDecision"?)';
    expect(events.some((event) => event.type === "tool_started")).toBe(false);
    expect(blocksOf(messages, "tool")[0]?.result).toContain(fault);
    expect(file).toContain(
      `"failure":${JSON.stringify(`invalid: printed broken output: its JSON does not fit: ${fault}`)}`,
    );
  });
});

describe("the blocks", () => {
  it("of JSON are a HookBlock that names its hook and event, for the model and in the file (MB-2, MB-3, T121)", async () => {
    using folder = memoryFolder();
    const { wire, messages, file } = await play(
      folder.path,
      "PostToolUse",
      specific("PostToolUse", { additionalContext: MARK }),
    );
    expect(blocksOf(messages, "hook")).toMatchObject([
      { hookEvent: "PostToolUse", content: MARK, metadata: { hook: "json-hook" } },
    ]);
    expect(wire).toContain(`<wave-hook event=\\"PostToolUse\\" name=\\"json-hook\\"`);
    expect(file).toMatch(
      /"type":"hook","hookEvent":"PostToolUse","content":"FIELD-MARK".*"hook":"json-hook"/,
    );
  });

  it("of a systemMessage are a WarnBlock, in the file and never at the model (MB-1, MB-3)", async () => {
    using folder = memoryFolder();
    const { wire, messages, file } = await play(folder.path, "PreToolUse", { systemMessage: MARK });
    expect(blocksOf(messages, "warn")).toMatchObject([{ content: MARK, origin: { hook: "json-hook" } }]);
    expect(wire).not.toContain(MARK);
    expect(file).toContain('"type":"warn"');
  });

  it("of prompt context are in the very next request (SC-002)", async () => {
    using folder = memoryFolder();
    const context = "x".repeat(9_000);
    const { requests } = await play(
      folder.path,
      "UserPromptSubmit",
      specific("UserPromptSubmit", { additionalContext: context }),
    );
    expect(requests[0]?.text).toContain(context);
  });

  it("of ten hooks with 9,000 characters each are all delivered whole: the limit is for each hook (T118)", async () => {
    using folder = memoryFolder();
    const print = (index: number) => `printf 'mark-${index}-'; printf '${index}%.0s' {1..9000}`;
    const hooks = Array.from({ length: 10 }, (_, index) => ({ type: "command", command: print(index) }));
    const { requests, messages } = await playSession(folder.path, {
      settings: { hooks: { UserPromptSubmit: [{ hooks }] } },
      scenario: [{ say: "done" }],
    });
    const texts = (requests[0]?.body.messages ?? []).map(({ content }) => content);
    expect(texts.slice(2)).toEqual(hooks.map((_, index) => `mark-${index}-${String(index).repeat(9_000)}`));
    expect(blocksOf(messages, "warn")).toEqual([]);
  });
});
