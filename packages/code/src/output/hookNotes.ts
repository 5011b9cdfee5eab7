import type { Block, DecisionRecord, Origin } from "wave-agent-sdk";
import type { Note } from "./note.ts";
import { allowFlag, recordedCall } from "./deniedCall.ts";
import { rewritesIn } from "./rewrites.ts";

type ErrorBlock = Extract<Block, { type: "error" }>;
type HookEntry = DecisionRecord["hooks"][number];

export const speaker = (origin: Origin) => `${origin.hook} (${origin.hookEvent}, ${origin.source})`;

/** What an error block of a hook means: a failure says so itself, a block or a word is told apart by the record of its event. */
export function errorNote(block: ErrorBlock, records: readonly DecisionRecord[]): Note {
  const { origin, content, failure } = block;
  if (!origin) return { kind: "error", text: content };
  if (failure) return failedNote(failure.message, content);
  const hook = findHook(origin, content, records);
  // A block that an earlier version of Wave wrote down.
  if (!hook || hook.failedOpen) return { kind: "hook failed", text: `${speaker(origin)}: ${content}` };
  const kind = CANNOT_BLOCK.has(origin.hookEvent) ? "hook said" : "blocked by";
  return { kind, text: `${speaker(origin)}: ${withoutName(content, hook.name)}` };
}

/** Events at which exit code 2 is a word and nothing more. */
const CANNOT_BLOCK: ReadonlySet<string> = new Set(["SessionStart", "SessionEnd"]);

/** Several calls may be judged at the same time: the record whose hook said these very words comes first. */
function findHook(
  origin: Origin,
  content: string,
  records: readonly DecisionRecord[],
): HookEntry | undefined {
  const found = records
    .filter((record) => record.event === origin.hookEvent)
    .flatMap(({ hooks }) =>
      hooks.filter(({ name, source }) => name === origin.hook && source === origin.source),
    )
    .toReversed();
  return found.find(({ reason }) => reason?.includes(content)) ?? found[0];
}

/** The message has the first line of what the hook wrote; here is room for the rest. */
function failedNote(message: string, written: string): Note {
  const text = message.replace(/^hook failed: /, "");
  const isWhole = written === message || !written.includes("\n");
  return { kind: "hook failed", text: isWhole ? text : `${text}\n${written}` };
}

/** A decision that kept a call from running, or changed what ran. */
export function decisionNotes(record: DecisionRecord): Note[] {
  const tool = record.toolName ?? "a tool";
  const rewrites = rewritesIn(record).map(({ hook, taken, change }): Note => {
    const who = `${hook.name} (${record.event}, ${hook.source})`;
    const verb = record.decision === "allow" && taken ? "changed" : "wanted to change";
    return {
      kind: "hook",
      text: `${who} ${verb} the input of ${tool}: ${change}${taken ? "" : "; a later hook's change counts"}`,
    };
  });
  return isDenial(record) ? [...rewrites, denialIn(record, tool)] : rewrites;
}

export const isDenial = (record: DecisionRecord) =>
  record.event === "PreToolUse" && record.decision === "deny";

/** A hook that said no blocks; one that blocks because it failed is a failure (T124). */
function denialIn(record: DecisionRecord, tool: string): Note {
  const { decidedBy, reason = "" } = record;
  const deniers = record.hooks.filter(({ verdict }) => verdict === "deny");
  if (!decidedBy.startsWith("hook ") || deniers.length === 0) {
    const { allowedBy } = record;
    return denial({ tool, call: recordedCall(record), by: decidedBy, reason, allowedBy });
  }
  if (deniers.every(({ failureKind }) => failureKind !== undefined)) return failedNote(reason, reason);
  return blockedNote(tool, [...new Set(deniers.map(({ name }) => name))], reason);
}

/** A call that did not run: which one, who denied it and why, and how to let it run. */
export function denial(about: {
  tool: string;
  call: string | undefined;
  by: string;
  reason: string;
  allowedBy: string | undefined;
}): Note {
  const { tool, call = tool, by, reason, allowedBy } = about;
  const name = /^hook (.+)$/s.exec(by)?.[1];
  if (name !== undefined) return blockedNote(tool, [name], reason);
  if (allowedBy !== undefined)
    return { kind: "not run", text: `${call} (needs approval; allow it with ${allowFlag(allowedBy)})` };
  const why = reason.replace(/^Not run: /, "").replace(NOBODY_CAN_ANSWER, "");
  const who = by === NOBODY ? "needs approval, and nobody can be asked here" : `denied by ${by}`;
  return { kind: "not run", text: `${call} (${who})${why ? `: ${why}` : ""}` };
}

const NOBODY = "nobody could answer";
/** Said by the words around it. */
const NOBODY_CAN_ANSWER = /^this needs approval, and [^.]*\. Asked by /;

function blockedNote(tool: string, names: readonly string[], reason: string): Note {
  const said = names.reduce(withoutName, reason.replace(/^Not run: /, ""));
  return { kind: "blocked by", text: `${names.join(", ")}: ${said || "no reason"} (${tool} did not run)` };
}

/** The name stands before the text already. */
function withoutName(text: string, name: string): string {
  return text
    .split("\n")
    .map((line) => line.replaceAll(beginningWith(name), ""))
    .join("\n");
}

const beginningWith = (name: string) =>
  new RegExp(`(?<=^|: )hook ${RegExp.escape(name)}(?::| (?=\\S))\\s?`, "g");
