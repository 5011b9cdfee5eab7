import type { AgentEvent, Block, DecisionRecord, Message, PermissionDenial } from "wave-agent-sdk";
import { hookOrigin } from "../utils/hookOrigin.ts";
import { callWords } from "./deniedCall.ts";
import type { Note } from "./note.ts";
import { decisionNotes, denial, errorNote, isDenial, speaker } from "./hookNotes.ts";

/** Reads the agent's events for what a person should know. Says nothing twice. */
export function noteReader(): (event: AgentEvent) => Note[] {
  const told = new Map<string, number>();
  const said = new Set<string>();
  const denied = new Set<string>();
  const records: DecisionRecord[] = [];
  let held: Extract<Block, { type: "error" }>[] = [];

  const flushHeld = (): Note[] => {
    const notes = held.map((block) => errorNote(block, records));
    held = [];
    return notes;
  };

  return (event) => {
    if (event.type === "messages_changed") {
      const blocks = event.message ? newBlocks(event.message, told) : [];
      // Whether an error is a block or a failure is in the record of its event, which may come right after it.
      held.push(...blocks.filter((block) => block.type === "error"));
      const notes = event.message ? toldByHooks(event.message, blocks) : [];
      for (const block of blocks) if ("content" in block) said.add(block.content);
      return notes;
    }
    if (event.type === "hooks_decided") {
      records.push(event.record);
      // Their blocks come right before or behind them; older ones are not asked for any more.
      if (records.length > RECORDS_KEPT) records.shift();
    }
    const notes = flushHeld();
    if (event.type === "hooks_decided") {
      if (isDenial(event.record)) denied.add(event.record.toolUseId ?? "");
      notes.push(...decisionNotes(event.record));
    }
    if (event.type === "notice")
      notes.push({ kind: event.level === "info" ? "note" : event.level, text: event.text });
    if (event.type === "model_retry") notes.push(retry(event));
    if (event.type === "turn_ended") {
      const { end } = event;
      const missed = end.denials.filter((one) => !denied.has(one.toolUseId));
      notes.push(...missed.map(denialNote));
      const { reason } = end;
      // The conversation has told most reasons already, in an error of its own.
      const known = reason !== undefined && [...said].some((text) => text.includes(reason));
      if (reason !== undefined && !known) notes.push(endNote(end.because, reason));
    }
    return notes;
  };
}

const denialNote = ({ toolName, input, by, reason, allowedBy }: PermissionDenial) =>
  denial({ tool: toolName, call: callWords(toolName, input), by, reason, allowedBy });

function newBlocks(message: Message, told: Map<string, number>): Block[] {
  // Counted without text: while an answer streams in, its text and calls come and go.
  const lasting = message.blocks.filter(
    (block) => block.type === "error" || block.type === "warn" || block.type === "hook",
  );
  const fresh = lasting.slice(told.get(message.id) ?? 0);
  const first = !told.has(message.id) && message.role === "user" && hookOrigin(message) !== undefined;
  told.set(message.id, lasting.length);
  return first ? [...message.blocks.filter((block) => block.type === "text"), ...fresh] : fresh;
}

function toldByHooks(message: Message, blocks: readonly Block[]): Note[] {
  return blocks.flatMap((block): Note[] => {
    switch (block.type) {
      case "warn":
        return [
          {
            kind: "warning",
            text: block.origin ? `${speaker(block.origin)}: ${block.content}` : block.content,
          },
        ];
      case "hook":
        return [{ kind: "hook", text: `${blockSpeaker(block)} told the model: ${excerpt(block.content)}` }];
      case "text": {
        const origin = hookOrigin(message);
        return origin
          ? [{ kind: "hook", text: `${speaker(origin)} told the model: ${excerpt(block.content)}` }]
          : [];
      }
      default:
        return [];
    }
  });
}

function blockSpeaker(block: Extract<Block, { type: "hook" }>): string {
  const { hook, source } = block.metadata ?? {};
  if (typeof hook !== "string") return `a ${block.hookEvent} hook`;
  return `${hook} (${block.hookEvent}${typeof source === "string" ? `, ${source}` : ""})`;
}

/** Hook context may be long, and it is for the model: the user gets its beginning, and how much there is. */
function excerpt(text: string): string {
  const lines = text.split("\n");
  const first = Array.from(lines[0] ?? "");
  const shown = first.length > EXCERPT ? `${first.slice(0, EXCERPT).join("")}…` : first.join("");
  return lines.length > 1
    ? `${shown} (and ${lines.length - 1} more line${lines.length > 2 ? "s" : ""})`
    : shown;
}

const EXCERPT = 160;
const RECORDS_KEPT = 64;

function retry({ attempt, attempts, waitMs, why }: Extract<AgentEvent, { type: "model_retry" }>): Note {
  const wait = (waitMs / 1000).toFixed(1);
  return {
    kind: "retry",
    text: `attempt ${attempt} failed: ${why}; trying again in ${wait} s (${attempt + 1} of ${attempts})`,
  };
}

function endNote(because: string, reason: string): Note {
  if (because === "prompt-blocked" || because === "halted") return { kind: "blocked", text: reason };
  return { kind: because === "stop-cap" ? "warning" : "error", text: reason };
}
