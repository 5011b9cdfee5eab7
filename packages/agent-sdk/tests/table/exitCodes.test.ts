import { describe, expect, it } from "vitest";
import { GIVEN, recipientsOf } from "@/hooks/recipients.ts";
import type { Message } from "@/messages/blocks.ts";
import type { ScriptedReply } from "@/testing/index.ts";
import { changingSettings } from "../support/changingSettings.ts";
import { decisionOn, observedRecipients, sorted } from "../support/observedRecipients.ts";
import { PLAYED_EVENTS, type PlayedEvent } from "../support/playedEvents.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { playerOf } from "../support/playSubAgent.ts";
import { memoryFolder } from "../support/tempFolder.ts";

/** Who may read what a hook printed. Everything that is not named here must stay away from it. */
interface Row {
  model?: "stdout" | "stderr";
  /** An ErrorBlock for the user. */
  error?: "stderr" | "names the hook";
  toolRuns: boolean;
  promptStays: boolean;
  modelCalls: number;
}

const goesOn = { toolRuns: true, promptStays: true, modelCalls: 2 };

const EXIT_0: Record<PlayedEvent, Row> = {
  UserPromptSubmit: { ...goesOn, model: "stdout" },
  PreToolUse: goesOn,
  PostToolUse: goesOn,
  Stop: goesOn,
  SubagentStart: { ...goesOn, model: "stdout" },
  SubagentStop: goesOn,
  SessionStart: { ...goesOn, model: "stdout" },
  SessionEnd: goesOn,
  ConfigChange: goesOn,
};

const EXIT_2: Record<PlayedEvent, Row> = {
  UserPromptSubmit: { error: "stderr", toolRuns: false, promptStays: false, modelCalls: 0 },
  PreToolUse: { ...goesOn, model: "stderr", toolRuns: false },
  PostToolUse: { ...goesOn, model: "stderr" },
  Stop: { ...goesOn, model: "stderr", modelCalls: 3 },
  SubagentStart: { ...goesOn, error: "stderr" },
  SubagentStop: { ...goesOn, model: "stderr", modelCalls: 3 },
  SessionStart: { ...goesOn, error: "stderr" },
  SessionEnd: { ...goesOn, error: "stderr" },
  ConfigChange: { ...goesOn, error: "stderr" },
};

const OTHER: Row = { ...goesOn, error: "stderr" };
const NO_WORDS: Row = { ...goesOn, error: "names the hook" };

const SAY = "printf 'STDOUT-MARK\\n'; printf 'STDERR-MARK\\n' >&2; ";

/** Every way a hook can end; a Stop hook blocks only once, so that the turn has an end. */
const WAYS: [way: string, command: string, row: (event: PlayedEvent) => Row][] = [
  ["exits 0", `${SAY} exit 0`, (event) => EXIT_0[event]],
  ["exits 2", `${SAY} exit 2`, (event) => EXIT_2[event]],
  ...[1, 3, 49, 126, 127, 255].map((code): [string, string, () => Row] => [
    `exits ${code}`,
    `${SAY} exit ${code}`,
    () => OTHER,
  ]),
  ["exits 1 without a word", "exit 1", () => NO_WORDS],
  ["is killed by SIGKILL", `${SAY} kill -KILL $$`, () => NO_WORDS],
  ["is killed by SIGTERM", `${SAY} kill -TERM $$`, () => NO_WORDS],
  ["runs into its timeout", `${SAY} sleep 30`, () => NO_WORDS],
  ["names a program that does not exist", "./no/such/program", () => NO_WORDS],
];

/** How the table of recipients in the reference calls them. */
const DOCUMENTED: Record<string, string> = {
  "exits 0": "exit code 0",
  "exits 2": "exit code 2",
  "exits 1": "any other exit code",
};

const NAME = "the-hook";
const SCENARIO: readonly ScriptedReply[] = [
  { call: { name: "TodoWrite", arguments: { todos: [{ content: "RAN", status: "pending" }] } } },
  { say: "done" },
  { say: "done again" },
];

async function play(folder: string, event: PlayedEvent, command: string): Promise<PlayedSession> {
  // Only the hook that never ends gets a short limit: on a busy machine the others must not run into theirs.
  const timeout = command.includes("sleep") ? 0.4 : 30;
  const once = event.endsWith("Stop") ? `test -e stopped && exit 0; touch stopped; ${command}` : command;
  return playerOf(event)(folder, {
    settings: { hooks: { [event]: [{ hooks: [{ type: "command", name: NAME, command: once, timeout }] }] } },
    scenario: SCENARIO,
    ...(event === "ConfigChange" ? changingSettings(folder) : {}),
  });
}

/** Everything that a person sees of the conversation; ids differ from session to session. */
const looksOf = (messages: readonly Message[]) =>
  messages.map(({ role, blocks }) => [role, JSON.stringify(blocks).replaceAll(/"(id|\w+Ms)":[^,}]+/g, "")]);

const withoutHooks = new Map<unknown, Promise<ReturnType<typeof looksOf>>>();
const looksWithoutHooks = (play: ReturnType<typeof playerOf>) => {
  const looks =
    withoutHooks.get(play) ??
    (async () => {
      using folder = memoryFolder();
      return looksOf((await play(folder.path, { scenario: SCENARIO })).messages);
    })();
  withoutHooks.set(play, looks);
  return looks;
};

describe.each(PLAYED_EVENTS)("a %s hook", (event) => {
  it.each(WAYS)(
    "that %s reaches its readers and nobody else (SC-004, SC-005, FR-003, FR-005, FR-014, T123, T125, T126, T127, T128)",
    async (way, command, rowOf) => {
      using folder = memoryFolder();
      const row = rowOf(event);
      const played = await play(folder.path, event, command);
      const { wire, messages, file, end } = played;

      expect(wire.includes("STDOUT-MARK"), "stdout at the model").toBe(row.model === "stdout");
      expect(wire.includes("STDERR-MARK"), "stderr at the model").toBe(row.model === "stderr");
      // What Wave says about a hook that failed is the user's as well.
      if (!row.model) expect(wire, "the hook at the model").not.toContain(NAME);
      expect(end.modelCalls).toBe(row.modelCalls);
      const [tool] = blocksOf(messages, "tool");
      expect(tool?.success ?? false, "the tool ran").toBe(row.toolRuns);
      expect(messages.some((message) => JSON.stringify(message).includes("PROMPT-TEXT"))).toBe(
        row.promptStays,
      );
      expect(file.includes("PROMPT-TEXT"), "the prompt is on disk").toBe(row.promptStays);

      const errors = blocksOf(messages, "error");
      expect(errors).toHaveLength(row.error ? 1 : 0);
      if (row.error === "stderr") expect(errors[0]?.content).toBe("STDERR-MARK");
      if (row.error) expect(errors[0]?.origin).toMatchObject({ hookEvent: event, hook: NAME });
      if (row.error === "names the hook") expect(errors[0]?.content).toMatch(/the-hook|no\/such\/program/);
      // What a person saw in the conversation is what the file tells.
      for (const error of errors) expect(file).toContain(JSON.stringify(error.content));
      const shown = JSON.stringify([messages, played.events.filter(({ type }) => type === "notice")]);
      // What is missing has to be named; otherwise messages speak of a hook by its name.
      if (!command.includes("no/such")) expect(shown).not.toContain(JSON.stringify(command).slice(1, -1));
      for (const [stream, mark] of Object.entries({ stdout: "STDOUT-MARK", stderr: "STDERR-MARK" })) {
        const given = GIVEN.find(({ what }) => what === `${stream}, ${DOCUMENTED[way]}`);
        if (given)
          expect(observedRecipients(played, event, mark), given.what).toEqual(
            sorted(recipientsOf(event, given.result(event, mark), mark)),
          );
      }
      const record = decisionOn(event, file);
      if (way === "exits 0") expect(record, "stderr of success").toContain('"stderr":"STDERR-MARK"');
      if (way === "exits 0" && !row.model)
        expect(looksOf(messages)).toEqual(await looksWithoutHooks(playerOf(event)));
    },
  );
});

it("plays every way to end that the table of recipients has (T127)", () => {
  const documented = GIVEN.filter(({ printed }) => !printed).map(({ what }) => what);
  const played = Object.values(DOCUMENTED).flatMap((way) => [`stdout, ${way}`, `stderr, ${way}`]);
  expect(played.toSorted()).toEqual(documented.toSorted());
});

it("passes both outputs of every event through agent.messages, the session file and the records alike (SC-006)", async () => {
  using folder = memoryFolder();
  const played = await play(folder.path, "PreToolUse", `${SAY} exit 2`);
  const record = played.events.find(
    (event) => event.type === "hooks_decided" && event.record.event === "PreToolUse",
  );
  expect(record).toMatchObject({
    record: { decision: "deny", decidedBy: `hook ${NAME}`, reason: "STDERR-MARK" },
  });
  expect(blocksOf(played.messages, "tool")).toMatchObject([{ result: "STDERR-MARK", success: false }]);
  expect(played.file).toContain('"decidedBy":"hook the-hook"');
});

it("keeps nothing of what a hook wrote on stderr about a prompt that another hook erased (T125, FR-010)", async () => {
  using folder = memoryFolder();
  const hooks = [
    { type: "command", name: "chatty", command: "cat >&2" },
    { type: "command", name: "guard", command: "echo no >&2; exit 2" },
  ];
  const { end, file } = await playSession(folder.path, {
    settings: { hooks: { UserPromptSubmit: [{ hooks }] } },
    scenario: SCENARIO,
  });
  expect(end.because).toBe("prompt-blocked");
  expect(decisionOn("UserPromptSubmit", file)).toContain('"name":"chatty"');
  expect(file).not.toContain("PROMPT-TEXT");
});
