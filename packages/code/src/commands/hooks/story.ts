import type { DecisionRecord, TimedDecision } from "wave-agent-sdk";
import { localTime } from "../../utils/localTime.ts";
import { allowFlag, recordedCall } from "../../output/deniedCall.ts";
import { rewritesIn } from "../../output/rewrites.ts";

type HookEntry = DecisionRecord["hooks"][number];

/** A decision of a session, with its number in `wave hooks explain all`. */
export type NumberedDecision = TimedDecision & { number: number };

/** One decision record in plain words: what came out, who decided, what each hook did. */
export function storyOf(record: TimedDecision & { number?: number }): string[] {
  const number = record.number === undefined ? "" : `${record.number}. `;
  return [
    `${number}${subjectOf(record)}, ${localTime(record.ts)}`,
    `  ${outcomeOf(record)}; ${decider(record.decidedBy)}, in mode ${record.mode}${record.reason ? `: ${inOneLine(record.reason)}` : ""}.`,
    ...(record.allowedBy === undefined
      ? []
      : [`  ${allowFlag(record.allowedBy)} would allow it, and so would that rule in your settings.`]),
    ...(record.inputPreview === undefined ? [] : [`  Input: ${inOneLine(record.inputPreview)}`]),
    ...changedInput(record),
    ...(record.hooks.length === 0 ? ["  No hook ran."] : hookStories(record).map((line) => `  ${line}`)),
    ...(record.brokenGuards ?? []).map((guard) => `  ${guardStory(guard)}.`),
    ...record.skipped.map(({ name, source, why }) => `  ${name} (${source}) did not run: ${why}.`),
    ...(record.rules ?? []).map(
      ({ rule, behavior, source }) => `  The ${behavior} rule ${rule} (${source}) matched.`,
    ),
  ];
}

type Guard = NonNullable<DecisionRecord["brokenGuards"]>[number];

const GUARD_DID: Record<Guard["did"], string> = {
  retried: "had it asked again",
  "passed-once": "went on once without it",
  "switched-off": "went on without it, and switched it off for the session",
};

/** What a person did about a hook that held something back only because it failed. */
export const guardStory = ({ name, source, kind, did }: Guard) =>
  `${name} (${source}) failed (${kind}), and a person ${GUARD_DID[did]}`;

/** The same in one line, for the list of all. */
export function headlineOf(record: DecisionRecord): string {
  const failed = record.hooks.filter(({ failedOpen }) => failedOpen).length;
  const warning = failed === 0 ? "" : ` (${failed} hook${failed === 1 ? "" : "s"} failed and let it pass)`;
  const changed = rewritesIn(record).some(({ taken }) => taken) ? " with a changed input" : "";
  return `${subjectOf(record, recordedCall(record))}: ${outcomeOf(record)}${changed}; ${decider(record.decidedBy)}${warning}${allowing(record)}`;
}

const allowing = ({ allowedBy }: DecisionRecord) =>
  allowedBy === undefined ? "" : `; allow it with ${allowFlag(allowedBy)}`;

function subjectOf({ event, toolName, toolUseId, ...whose }: DecisionRecord, call?: string): string {
  const about = toolName ? ` for ${toolName}${call === undefined ? "" : ` ${call}`}` : "";
  return `${event}${about}${toolName && toolUseId ? ` (${toolUseId})` : ""}${agentOf(whose)}`;
}

/** Whose event it was, where that is not the main conversation. */
const agentOf = ({ agentId, agentType }: Pick<DecisionRecord, "agentId" | "agentType">): string =>
  agentId === undefined ? "" : ` of sub-agent ${agentType} (${agentId})`;

/** Most deciders have a name ("hook guard", "mode plan"), some are a sentence ("nobody could answer"). */
const decider = (by: string) =>
  /^(hook|rule|mode|the|an) |^person$/.test(by) ? `decided by ${by === "person" ? "a person" : by}` : by;

type Outcomes = Partial<Record<DecisionRecord["decision"], string>>;

const OUTCOMES: Record<DecisionRecord["decision"], string> = {
  allow: "It ran",
  deny: "It did not run",
  pass: "It went on",
  blocked: "It was blocked",
  halted: "The turn was ended",
  continued: "The agent was told to go on",
};

const OUTCOMES_AT: Record<string, Outcomes> = {
  UserPromptSubmit: { pass: "The prompt went to the model", blocked: "The prompt was blocked" },
  PreToolUse: { halted: "It did not run, and the turn was ended" },
  PostToolUse: { pass: "The turn went on", blocked: "The model was told" },
  Stop: { pass: "The turn ended" },
  SubagentStart: { pass: "The sub-agent began" },
  SubagentStop: { pass: "The sub-agent ended" },
  SessionStart: { pass: "The session began" },
  SessionEnd: { pass: "The session ended" },
};

const outcomeOf = ({ event, decision }: DecisionRecord) =>
  OUTCOMES_AT[event]?.[decision] ?? OUTCOMES[decision];

function changedInput(record: DecisionRecord): string[] {
  if (record.finalInputPreview !== undefined) {
    const what = record.decision === "allow" ? "What ran instead" : "What hooks made of it";
    return [`  ${what}: ${inOneLine(record.finalInputPreview)}`];
  }
  const changed = record.finalInputHash !== undefined && record.inputHash !== record.finalInputHash;
  return changed ? ["  Hooks changed the input: what ran is not what the model wrote."] : [];
}

function hookStories(record: DecisionRecord): string[] {
  const rewrites = new Map(rewritesIn(record).map((rewrite) => [rewrite.hook, rewrite]));
  return record.hooks.map((hook) => {
    const rewrite = rewrites.get(hook);
    const parts = [
      // A rewrite that the call was refused for says more than that the hook itself did not mind.
      hook.rewriteRefused !== undefined && hook.verdict === "none"
        ? undefined
        : verdictWords(hook, record.event),
      hook.rewriteRefused === undefined ? undefined : inOneLine(hook.rewriteRefused),
      ...(rewrite?.taken === true ? [`changed ${rewrite.change}`] : []),
      ...(rewrite?.taken === false
        ? [`wanted to change ${rewrite.change}, but a later hook's change counts`]
        : []),
      ...(hook.doubts === undefined ? [] : [`may have meant something else (${inOneLine(hook.doubts)})`]),
      ...(hook.stderr === undefined ? [] : [`wrote on stderr: ${inOneLine(hook.stderr)}`]),
      ...(hook.cutBytes ? [`printed ${hook.cutBytes} bytes more than Wave keeps`] : []),
    ].filter((part) => part !== undefined);
    return `${endOf(hook)}${parts.length === 0 ? "" : `: it ${parts.join(", and ")}`}.`;
  });
}

/** "exit 2" is a noun, all other ends are verbs; some tell themselves how long it took. */
function endOf({ name, source, pass, ended, durationMs }: HookEntry): string {
  const again = pass > 1 ? ", asked again about the changed input," : "";
  const verb = ended.startsWith("exit ") ? `ended with ${ended}` : ended;
  const took = /^(timed out|did not run|was not )/.test(ended) ? "" : ` after ${Math.round(durationMs)} ms`;
  return `${name} (${source})${again} ${verb}${took}`;
}

function verdictWords(hook: HookEntry, event: string): string | undefined {
  const why = hook.reason ? `: ${inOneLine(hook.reason)}` : "";
  // What it then did was the work of its onError, not a word of the hook.
  if (hook.failure !== undefined && !hook.failure.startsWith("interrupted"))
    return `could not decide (${hook.failure}), and its onError ${ON_ERROR_DID[hook.verdict] ?? "let the action pass"}`;
  switch (hook.verdict) {
    case "deny":
      return `${DENY_WORDS[event] ?? "said no"}${why}`;
    case "ask":
      return `wanted a person to be asked${why}`;
    case "allow":
      return `said yes${why}`;
    case "halt":
      return `ended the turn${why}`;
    case "none":
      return "had no objection";
    case "interrupted":
      return undefined;
    default:
      return `could not decide (${hook.verdict})`;
  }
}

const ON_ERROR_DID: Record<string, string> = { deny: "blocked", ask: "had a person asked" };

const DENY_WORDS: Record<string, string> = {
  PostToolUse: "told the model",
  Stop: "kept the agent going",
  SubagentStart: "said",
  SubagentStop: "kept the sub-agent going",
  SessionStart: "said",
  SessionEnd: "said",
};

/** Full stops come from the sentence around it. */
const inOneLine = (text: string) =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, " / ")
    .replace(/\.$/, "");
