import { isOfProject, type HookIdentity, type SettingsScope } from "./definition.ts";
import type { HookEventRow } from "./eventRow.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import type { Entrypoint } from "./eventFields.ts";
import type { FailureKind, OnError } from "./failurePolicy.ts";

interface FailureRow {
  kind: FailureKind;
  /** For the reference table. */
  when: string;
  /** What a person can do about it; follows a semicolon. */
  remedy: string;
}

const MEND = "run its command by hand to see why (wave hooks list shows it)";
const INSTALL = 'correct its "command" or install what it needs';

/**
 * Every way in which a hook can fail to decide, one row each: verdicts, messages and the reference take kind and remedy
 * from here.
 */
export const WAYS_TO_FAIL = {
  "not-started": {
    kind: "missing",
    when: "its program does not exist, is not executable or cannot be started",
    remedy: INSTALL,
  },
  "not-found": {
    kind: "missing",
    when: "it ends with exit code 126 or 127, with which a shell says the same",
    remedy: INSTALL,
  },
  "not-reached": {
    kind: "missing",
    when: "its server cannot be reached, or is none that it may reach",
    remedy: 'check its "url" and whether its server runs',
  },
  "bad-answer": {
    kind: "crash",
    when: "its server answers with a status that is not of the 200s",
    remedy: "look at the log of its server",
  },
  "timed-out": { kind: "timeout", when: "it runs longer than its `timeout`", remedy: 'raise its "timeout"' },
  killed: { kind: "crash", when: "a signal ends it", remedy: MEND },
  "exit-code": {
    kind: "crash",
    when: "it ends with any other exit code than 0 and 2 and has printed no decision",
    remedy: MEND,
  },
  "no-answer": { kind: "crash", when: "it is warm and ends before it has answered", remedy: MEND },
  threw: { kind: "crash", when: "it is a function and throws", remedy: "mend the function" },
  "broken-output": {
    kind: "invalid",
    when: "what it prints was meant to decide and cannot be read, such as broken JSON, an unknown value or a misspelt field",
    remedy: "let it print nothing or valid JSON",
  },
  "cut-arguments": {
    kind: "invalid",
    when: "its arguments were cut at 32 KiB",
    remedy: "let it read stdin, which has everything",
  },
  "not-understood": {
    kind: "invalid",
    when: "its entry is wrong, or wants something that Wave does not have",
    remedy: "correct its entry (wave hooks list says what is wrong)",
  },
  "no-input": {
    kind: "invalid",
    when: "what it would have to judge cannot be written as JSON",
    remedy: "this is a mistake of Wave's or of a tool's, not of the hook",
  },
} as const satisfies Record<string, FailureRow>;

export type FailureWay = keyof typeof WAYS_TO_FAIL;

/** What follows from each word where an event can do it. */
const CONSEQUENCES: Record<HookEventRow["onBlock"], Record<OnError, string>> = {
  "deny-tool": {
    continue: "the call goes on to the usual rules",
    ask: "a person decides",
    block: "the call does not run",
  },
  "drop-prompt": {
    continue: "the prompt goes on",
    ask: "a person decides",
    block: "the prompt is not sent",
  },
  "tell-model": { continue: "the turn goes on", ask: "a person decides", block: "the model is told" },
  "keep-going": { continue: "the turn ends", ask: "a person decides", block: "the turn goes on" },
  "end-turn": { continue: "the turn goes on", ask: "a person decides", block: "the turn ends" },
  "tell-user": { continue: "nothing waits for it", ask: "a person decides", block: "nothing waits for it" },
  "refuse-change": {
    continue: "the change is left to a person",
    ask: "a person decides",
    block: "the change is not taken",
  },
};

interface Failed {
  event: HookEvent;
  hook: HookIdentity;
  way: FailureWay;
  /** Goes on after the hook's name: "timed out after 10 s". */
  what: string;
  did: OnError;
  scope: SettingsScope | undefined;
  entrypoint: Entrypoint;
}

/** Which hook, what happened, what its `onError` makes of it, and what to do: one line that can be read aloud (T124). */
export function failureMessage(failed: Failed): string {
  return `${failureFacts(failed)}; ${failureAdvice(failed)}`;
}

/** What the model may know of it: how to go on without a guard is nothing to tell whom it guards against. */
export function failureFacts(failed: Failed): string {
  return factsOf(failed).join("; ");
}

/** What to do, for a person. */
export function failureAdvice(failed: Failed): string {
  return WAYS_TO_FAIL[failed.way].remedy + (failed.did === "continue" ? "" : `, or ${wayToGoOn(failed)}`);
}

/** How to go on without the hook, where Wave runs: only the terminal has a /hooks. */
function wayToGoOn({ scope, entrypoint }: Failed): string {
  if (scope === "managed") return "ask whoever manages this machine";
  if (entrypoint === "terminal") return "switch it off in /hooks";
  const ofProject = scope !== undefined && isOfProject(scope);
  if (entrypoint === "print")
    return ofProject
      ? "run without the project's hooks (--no-project-hooks)"
      : "run without hooks (--no-hooks)";
  return `create the agent with hookScope "${ofProject ? "no-project" : "none"}"`;
}

/** The same for a question, in which a person may pass the hook or switch it off: it must not deny what the answers offer. */
export function failureQuestion(failed: Failed): string {
  const [what, consequence] = factsOf(failed);
  const unless = failed.did === "block" ? " unless a person says so" : "";
  return [what, `${consequence}${unless}`, WAYS_TO_FAIL[failed.way].remedy].join("; ");
}

function factsOf({ event, hook, way, what, did }: Failed): [string, string] {
  const consequence = CONSEQUENCES[HOOK_EVENTS[event].onBlock][did];
  return [
    `${HOOK_FAILED}${hook.name} (${hook.source}) ${what}`,
    `onError for ${WAYS_TO_FAIL[way].kind} says ${did}: ${consequence}`,
  ];
}

/** How every message about a failure begins; a block begins with "blocked by" (T124). */
export const HOOK_FAILED = "hook failed: ";

/** Enough to see what it is about; the whole text is in the record and in the block for the user. */
const LONGEST_LINE = 200;

/** The first line of what a hook wrote, and a sign when there was more. */
export function firstLine(text: string): string {
  const [line = "", ...more] = text.trim().split(/\r?\n/);
  const letters = Array.from(line.trimEnd());
  const isCut = letters.length > LONGEST_LINE || more.length > 0;
  return `${letters.slice(0, LONGEST_LINE).join("")}${isCut ? " …" : ""}`;
}
