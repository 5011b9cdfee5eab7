import type { ToolBlock } from "wave-agent-sdk";
import type { Tone } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import { countOf } from "./bound.ts";
import { diffOfCall, type Diff } from "./diff.ts";
import { fileEditOf } from "./fileEdits.ts";
import { currentStep, readSteps, stepsDone } from "./steps.ts";
import { changesOf, finalInput, textField, type FieldChange, type Input } from "./toolInput.ts";

/** How a call stands. Refused: it never ran. */
export type CallState = "waiting" | "running" | "done" | "failed" | "refused";

/** The sign says what the colour says. One that runs has it where nothing moves. */
export const SIGNS: Readonly<Record<CallState, { sign: string; tone: Tone }>> = {
  waiting: { sign: "○", tone: "dim" },
  running: { sign: "…", tone: "accent" },
  done: { sign: "✓", tone: "added" },
  failed: { sign: "✗", tone: "danger" },
  refused: { sign: "⊘", tone: "hook" },
};

/** A call in one line. All text is harmless and has no line breaks. */
export interface CallSummary {
  state: CallState;
  name: string;
  /** What tells this call from others of the tool. */
  argument: string;
  /** What came of it, in a few words; empty until it ended. */
  result: string;
  changes: { field: string; before: string; after: string; by: string }[];
}

export function summariseCall(block: ToolBlock, folder: string): CallSummary {
  const short = (text: string) => printableLine(shortenPaths(text, folder));
  const input = finalInput(block);
  const value = (one: unknown) => short(one === undefined ? "(nothing)" : asText(one));
  return {
    state: stateOf(block),
    name: printableLine(block.name),
    argument: short(input ? argumentOf(block.name, input) : block.parameters),
    result: block.stage === "ended" ? short(resultOf(block, input)) : "",
    changes: changesOf(block, folder).map(({ field, before, after, by }: FieldChange) => ({
      field: printableLine(field),
      before: value(before),
      after: value(after),
      by: short(by ?? "hook"),
    })),
  };
}

export function stateOf({ stage, success, error }: ToolBlock): CallState {
  if (stage === "pending") return "waiting";
  if (stage === "running") return "running";
  if (success) return "done";
  // Only calls that were kept from running, or whose end nobody saw, have a word of their own on why.
  return error === undefined ? "failed" : "refused";
}

const TELLING_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  Bash: ["command"],
  Read: ["file_path"],
  Write: ["file_path"],
  Edit: ["file_path"],
  MultiEdit: ["file_path"],
  LS: ["path"],
  Glob: ["pattern", "path"],
  Grep: ["pattern", "path"],
  BashOutput: ["bash_id"],
  KillShell: ["shell_id"],
  WebFetch: ["url"],
};

/** What tells a call from others of its tool. */
export function argumentOf(name: string, input: Input): string {
  const steps = name === "TodoWrite" ? readSteps(input) : undefined;
  if (steps) return stepsDone(steps);
  const telling = (TELLING_FIELDS[name] ?? []).flatMap((field) => textField(input, field) ?? []);
  if (telling.length > 0) return telling.join(" in ") + rangeOf(name, input);
  // A tool Wave knows nothing about: its first text, or everything.
  const first = Object.values(input).find((value) => typeof value === "string" && value !== "");
  return typeof first === "string" ? first : asText(input);
}

function rangeOf(name: string, input: Input): string {
  const { offset, limit } = input;
  if (name !== "Read" || (typeof offset !== "number" && typeof limit !== "number")) return "";
  const from = typeof offset === "number" ? Math.max(1, offset) : 1;
  return typeof limit === "number" ? `:${from}-${from + limit - 1}` : `:${from}-`;
}

function resultOf(block: ToolBlock, input: Input | undefined): string {
  const { name, success, error, result = "" } = block;
  if (error !== undefined) return error;
  if (!success) return failureOf(result);
  if (fileEditOf(name, input)) return editResult(name, result, diffOfCall(block));
  if (name === "TodoWrite") return currentStep(readSteps(input) ?? [])?.words ?? "";
  if (name === "KillShell") return firstLine(result);
  if (result.trim() === "" || result === "(no output)") return "no output";
  if (name === "Glob")
    return result.startsWith("No file in ") ? "no files" : countOf(ownLines(result), "file");
  if (name === "Bash" && result.startsWith("Runs in the background as "))
    return firstLine(result).replace(/\..*/, "");
  return countOf(ownLines(result), "line");
}

/** The tool's own first line, shortened where its wording is known. */
function failureOf(result: string): string {
  const line = firstLine(result);
  const code = /^Exit code (\d+)$/.exec(line)?.[1];
  if (code !== undefined) return `exit ${code}`;
  if (/^(?:Timed out after|Killed by|Interrupted)/.test(line))
    return line.replace(/[:;].*/, "").replace(/^./, (letter) => letter.toLowerCase());
  return line === "" ? "failed" : line;
}

function editResult(name: string, result: string, diff: Diff | undefined): string {
  if (!diff) return name === "Write" ? "replaced" : firstLine(result);
  const { added, removed } = diff;
  if (name !== "Write") return `+${added} -${removed}`;
  if (result.startsWith("Created ")) return `created, ${countOf(added, "line")}`;
  return result.startsWith("Replaced ") ? `replaced, +${added} -${removed}` : firstLine(result);
}

/** Without the remarks in brackets that tools add at the end. */
function ownLines(result: string): number {
  const lines = result.replace(/\n$/, "").split("\n");
  while (lines.length > 1 && /^\[.*\]$/.test(lines.at(-1) ?? "")) lines.pop();
  return lines.length;
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}
