import type { Block, LoadedSession, Message, TimedDecision, ToolBlock } from "wave-agent-sdk";
import { headlineOf } from "../commands/hooks/story.ts";
import { diffOfCall } from "../view/diff.ts";
import { SIGNS } from "../view/diffLines.ts";
import { hookOrigin } from "../utils/hookOrigin.ts";
import { unknownWords } from "../view/notice.ts";
import { contained, fenced, inlineCode, plainLine, quoted } from "./markdownText.ts";

export type ExportedSession = Pick<
  LoadedSession,
  "id" | "cwd" | "name" | "messages" | "decisions" | "problems"
>;

/** A session as a page to read, keep and send: what was said and done, and what hooks decided about it. */
export function sessionMarkdown(session: ExportedSession): string {
  const decisions = placeDecisions(session);
  const parts = [
    `# ${plainLine(session.name ?? `Session ${session.id}`)}`,
    [
      `- session ${inlineCode(session.id)}`,
      ...(session.cwd === "" ? [] : [`- in ${inlineCode(session.cwd)}`]),
      ...session.problems.map((problem) => `- ${plainLine(`damaged: ${problem}`)}`),
    ].join("\n"),
    ...decisions.lines(undefined),
    ...session.messages.flatMap((message) => [
      ...message.blocks.flatMap((block, index) => blockParts(message, block, index, decisions)),
      ...decisions.lines(message.id),
    ]),
    ...(session.messages.length === 0 ? ["Nothing was said in it."] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

interface PlacedDecisions {
  /** Of events that belong to no call, after this message; undefined: before all messages. */
  lines(messageId: string | undefined): string[];
  ofCall(toolId: string, messageId: string): string[];
}

/** Each decision once: with its call, or after the message it followed. */
function placeDecisions({ messages, decisions = [] }: ExportedSession): PlacedDecisions {
  const calls = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool" ? [block.id] : [])),
  );
  const told = decisions.filter(isTold);
  // Some model servers use an id again: then the message tells which call it is.
  const isOnly = (id: string) => calls.indexOf(id) === calls.lastIndexOf(id);
  return {
    lines: (messageId) =>
      told
        .filter(
          ({ toolUseId, afterMessage }) => afterMessage === messageId && !calls.includes(toolUseId ?? ""),
        )
        .map(decisionLine),
    ofCall: (id, messageId) =>
      told
        .filter(
          ({ toolUseId, afterMessage }) => toolUseId === id && (isOnly(id) || afterMessage === messageId),
        )
        .map(decisionLine),
  };
}

/** That a call ran because nobody objected needs no line of its own. */
const isTold = ({ hooks, decision, rules = [] }: TimedDecision): boolean =>
  hooks.length > 0 || rules.length > 0 || (decision !== "allow" && decision !== "pass");

function decisionLine(decision: TimedDecision): string {
  const reason = decision.reason ? `: ${decision.reason}` : "";
  return `*${plainLine(`${headlineOf(decision)}${reason}`)}*`;
}

function blockParts(message: Message, block: Block, index: number, decisions: PlacedDecisions): string[] {
  const origin = hookOrigin(message);
  switch (block.type) {
    case "text":
      if (origin)
        return [`**${plainLine(`hook ${origin.hook} (${origin.hookEvent})`)}**`, quoted(block.content)];
      if (message.role === "user") return [...(index === 0 ? ["## You"] : []), quoted(block.content)];
      return ["## Model", contained(block.content)];
    case "reasoning":
      return block.content === "" ? [] : ["*thinking*", quoted(block.content)];
    case "tool":
      return [...toolParts(block, message.role), ...decisions.ofCall(block.id, message.id)];
    case "image":
      return [`*image, ${plainLine([block.mediaType, block.path ?? ""].join(" "))}*`];
    case "summary": {
      const heading = `summary of ${block.covers} messages${block.undone ? ", taken back" : ""}`;
      return [`*${plainLine(heading)}*`, quoted(block.content)];
    }
    case "unknown":
      return [`*${plainLine(unknownWords(block))}*`];
    case "hook": {
      const hook = block.metadata?.["hook"];
      const name = typeof hook === "string" ? hook : "";
      return [`**${plainLine(`hook ${name} (${block.hookEvent})`)}**`, quoted(block.content)];
    }
    case "error":
    case "warn": {
      const kind = block.type === "warn" ? "warning" : "error";
      const by = block.origin ? `${kind} of hook ${block.origin.hook} (${block.origin.hookEvent})` : kind;
      return [`**${plainLine(by)}**`, quoted(block.content)];
    }
  }
}

function toolParts(block: ToolBlock, role: Message["role"]): string[] {
  const changed = block.input ? ["*what ran instead*", fenced(pretty(block.input), "json")] : [];
  const state = block.success === false ? `, ${block.error ?? "failed"}` : "";
  return [
    `### ${plainLine(`${role === "user" ? "You ran " : ""}${block.name}${state}`)}`,
    fenced(pretty(parsed(block.parameters)), "json"),
    ...changed,
    ...changedLines(block),
    ...(block.result === undefined ? ["*no result*"] : ["*result*", fenced(block.result)]),
  ];
}

/** What a Write did to a file that was there: its content alone does not tell. */
function changedLines(block: ToolBlock): string[] {
  const diff = block.replaced && diffOfCall(block);
  if (!diff || diff.rows.length === 0) return [];
  const rows = diff.rows.map((row) => (row.is === "gap" ? "…" : `${SIGNS[row.is]}${row.text}`));
  return ["*what changed*", fenced(rows.join("\n"), "diff")];
}

/** Arguments that are no JSON are shown as they came. */
function parsed(parameters: string): unknown {
  try {
    return JSON.parse(parameters);
  } catch {
    return parameters;
  }
}

const pretty = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
