import type { Block, DecisionRecord, Origin } from "wave-agent-sdk";
import type { Note } from "./notes.ts";
import { rewritesIn } from "./rewrites.ts";

type ErrorBlock = Extract<Block, { type: "error" }>;
type HookEntry = DecisionRecord["hooks"][number];

export const speaker = (origin: Origin) => `${origin.hook} (${origin.hookEvent}, ${origin.source})`;

/** What an error block of a hook means is in the record of its event: a block, a word, or a hook that failed. */
export function errorNote(block: ErrorBlock, records: readonly DecisionRecord[]): Note {
  const { origin, content } = block;
  if (!origin) return { kind: "error", text: content };
  const { record, hook } = findHook(origin, content, records);
  if (!record || !hook) return { kind: "hook failed", text: `${speaker(origin)}: ${content}` };
  if (hook.failedOpen) return { kind: "hook failed", text: failedOpen({ record, hook, origin, content }) };
  const kind = CANNOT_BLOCK.has(origin.hookEvent) ? "hook said" : "blocked";
  return { kind, text: `${speaker(origin)}: ${withoutName(content, hook.name)}` };
}

/** Events at which exit code 2 is a word and nothing more. */
const CANNOT_BLOCK: ReadonlySet<string> = new Set(["SessionStart", "SessionEnd"]);

/** Several calls may be judged at the same time: the record whose hook failed with these very words comes first. */
function findHook(origin: Origin, content: string, records: readonly DecisionRecord[]) {
  const found = records
    .filter((record) => record.event === origin.hookEvent)
    .flatMap((record) =>
      record.hooks
        .filter(({ name, source }) => name === origin.hook && source === origin.source)
        .map((hook) => ({ record, hook })),
    )
    .toReversed();
  const exact = found.find(({ hook }) => hook.failure?.includes(content) || hook.reason?.includes(content));
  return exact ?? found[0] ?? { record: undefined, hook: undefined };
}

function failedOpen(failed: {
  record: DecisionRecord;
  hook: HookEntry;
  origin: Origin;
  content: string;
}): string {
  const { record, hook, origin, content } = failed;
  const words = wordsOf(content, hook);
  const passed = whatItLetPass(record);
  return `${speaker(origin)} ${endOf(hook)}${words ? `: ${words}` : ""}${passed ? ` — ${passed}` : ""}`;
}

const endOf = ({ ended }: HookEntry) => ended.replace(/^exit /, "exited with ");

/** What the hook itself wrote, or what is wrong with its output; not its name and its end once more. */
function wordsOf(content: string, { name, ended }: HookEntry): string {
  const text = withoutName(content, name);
  if (/^failed with exit code \d+$/.test(text) || ended.includes(text)) return "";
  return text.startsWith(ended) ? text.slice(ended.length).replace(/^: /, "") : text;
}

function whatItLetPass({ event, decision, toolName = "the call" }: DecisionRecord): string | undefined {
  switch (event) {
    case "PreToolUse":
      return decision === "allow"
        ? `${toolName} went on, because its onError is "continue"`
        : `its onError is "continue", so it did not hold ${toolName} back`;
    case "UserPromptSubmit":
      return decision === "pass"
        ? 'the prompt went on, because its onError is "continue"'
        : 'its onError is "continue", so it did not hold the prompt back';
    case "PostToolUse":
      return 'the turn went on, because its onError is not "block"';
    case "Stop":
      return "it did not keep the turn from ending";
    default:
      return undefined;
  }
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
  return isDenial(record) ? [...rewrites, denial(tool, record.decidedBy, record.reason ?? "")] : rewrites;
}

export const isDenial = (record: DecisionRecord) =>
  record.event === "PreToolUse" && record.decision === "deny";

export function denial(tool: string, by: string, reason: string): Note {
  const text = reason.replace(/^Not run: /, "");
  const name = /^hook (.+)$/.exec(by)?.[1];
  const said = name === undefined ? nameOnce(text) : withoutName(text, name);
  return { kind: "denied", text: `${tool} did not run (${by})${said ? `: ${said}` : ""}` };
}

/** The name stands before the text already: "hook X could not decide: hook X timed out" says it twice more. */
function withoutName(text: string, name: string): string {
  return text
    .split("\n")
    .map((line) => line.replaceAll(beginningWith(name), ""))
    .join("\n");
}

/** "Asked by hook X: hook X could not decide: hook X timed out": once is enough, whatever X is. */
function nameOnce(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const name = /\bhook (.+?): hook \1\b/.exec(line)?.[1];
      if (name === undefined) return line;
      const first = line.indexOf(`hook ${name}`) + `hook ${name}`.length;
      return line.slice(0, first) + line.slice(first).replaceAll(beginningWith(name), "");
    })
    .join("\n");
}

const beginningWith = (name: string) =>
  new RegExp(`(?<=^|: )hook ${RegExp.escape(name)}(?::| (?=\\S))\\s?`, "g");
