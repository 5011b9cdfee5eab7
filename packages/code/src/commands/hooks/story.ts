import type { DecisionRecord, TimedDecision } from "wave-agent-sdk";

type HookEntry = DecisionRecord["hooks"][number];

/** One decision record in plain words: what came out, who decided, what each hook did. */
export function storyOf(record: TimedDecision): string[] {
  const subject = record.toolName
    ? `${record.event} for ${record.toolName}${record.toolUseId ? ` (${record.toolUseId})` : ""}`
    : record.event;
  const changed = record.inputHash !== record.finalInputHash && record.finalInputHash !== undefined;
  return [
    `${subject}, ${record.ts}`,
    `  ${OUTCOMES[record.decision]}; ${decider(record.decidedBy)}, in mode ${record.mode}${record.reason ? `: ${inOneLine(record.reason)}` : ""}.`,
    ...(changed ? ["  Hooks changed the input: what ran is not what the model wrote."] : []),
    ...(record.hooks.length === 0 ? ["  No hook ran."] : record.hooks.map((hook) => `  ${hookStory(hook)}`)),
    ...record.skipped.map(({ name, source, why }) => `  ${name} (${source}) did not run: ${why}.`),
    ...(record.rules ?? []).map(
      ({ rule, behavior, source }) => `  The ${behavior} rule ${rule} (${source}) matched.`,
    ),
  ];
}

/** Most deciders have a name ("hook guard", "mode plan"), some are a sentence ("nobody could answer"). */
const decider = (by: string) =>
  /^(hook|rule|mode|the) |^person$/.test(by) ? `decided by ${by === "person" ? "a person" : by}` : by;

const OUTCOMES: Record<DecisionRecord["decision"], string> = {
  allow: "It ran",
  deny: "It did not run",
  pass: "It went on",
  blocked: "It was blocked",
  halted: "The turn was ended",
  continued: "The agent was told to go on",
};

function hookStory(hook: HookEntry): string {
  const pass = hook.pass > 1 ? ", asked again about the changed input," : "";
  const end = `${hook.name} (${hook.source})${pass} ended with ${hook.ended} after ${Math.round(hook.durationMs)} ms`;
  const parts = [
    verdictWords(hook),
    ...(hook.rewrote && hook.rewrote.length > 0 ? [`changed ${hook.rewrote.join(", ")}`] : []),
    ...(hook.cutBytes ? [`printed ${hook.cutBytes} bytes more than Wave keeps`] : []),
  ];
  return `${end}: it ${parts.join(", and ")}.`;
}

function verdictWords(hook: HookEntry): string {
  const why = hook.reason ? `: ${inOneLine(hook.reason)}` : "";
  switch (hook.verdict) {
    case "deny":
      return `said no${why}`;
    case "ask":
      return `wanted a person to be asked${why}`;
    case "allow":
      return `said yes${why}`;
    case "halt":
      return `ended the turn${why}`;
    case "none":
      return "had no objection";
    default:
      return `could not decide (${hook.failure ?? hook.verdict})${hook.failedOpen ? ", and its onError let the action pass" : ""}`;
  }
}

/** Full stops come from the sentence around it. */
const inOneLine = (text: string) =>
  text
    .trim()
    .replaceAll(/\s*\n\s*/g, " / ")
    .replace(/\.$/, "");
