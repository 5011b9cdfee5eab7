import type { ToolBlock } from "wave-agent-sdk";
import { boundLines, countOf, OPENS } from "./bound.ts";
import type { Running } from "./items.ts";
import { outputText, screenText } from "./screenText.ts";
import { indented, span, type Line } from "./span.ts";
import { sentInput, textField } from "./toolInput.ts";
import { summariseCall, stateOf } from "./toolLine.ts";
import { changeLines, liveLines, printedSoFar, reasonOf } from "./toolLines.ts";
import { hardWrap, wrapSpans } from "./wrap.ts";

const COMMAND_ROWS = 10;
/** How a command begins tells what it did, how it ends tells what came of it. */
const FIRST_ROWS = 20;
const LAST_ROWS = 30;
const INDENT = span("  ");

interface ShellLook {
  width: number;
  folder: string;
  open: boolean;
  running: Running | undefined;
  /** Rows for what a running command prints. */
  liveRows: number;
}

/** Any other call of the person's is something that a prompt names, and looks like a call of the model's. */
export const isTypedCommand = (role: "user" | "assistant", { name }: ToolBlock): boolean =>
  role === "user" && name === "Bash";

/** A command that the person ran: as typed, what hooks made of it, what it printed, and how it failed. */
export function shellLines(block: ToolBlock, look: ShellLook): Line[] {
  const { width, folder, running } = look;
  const call = summariseCall(block, folder);
  const live = call.state === "running" && running ? runningLines(running, look) : [];
  return [...commandLines(block, look), ...changeLines(call, width), ...live, ...endLines(block, look)];
}

function runningLines(running: Running, { width, open, liveRows }: ShellLook): Line[] {
  if (!open) return liveLines(running, width, liveRows);
  return indented(hardWrap([span(outputText(printedSoFar(running)))], width - 2), INDENT, INDENT);
}

function commandLines(block: ToolBlock, { width, open }: ShellLook): Line[] {
  const typed = textField(sentInput(block), "command") ?? block.parameters;
  const rows = wrapSpans([span(screenText(typed), { bold: true })], width - 2);
  return indented(
    open ? rows : boundLines(rows, COMMAND_ROWS),
    span("$ ", { tone: "warning", bold: true }),
    INDENT,
  );
}

function endLines(block: ToolBlock, { width, folder, open }: ShellLook): Line[] {
  const state = stateOf(block);
  if (state === "waiting" || state === "running") return [];
  const output = state === "done" ? (block.result ?? "") : reasonOf(block);
  const rows = hardWrap([span(outputText(output.replace(/\n+$/, "")))], width - 2);
  const shown = output.trim() === "" ? [] : open ? rows : bothEnds(rows);
  const look = state === "failed" ? FAILED : REFUSED;
  const { result } = summariseCall(block, folder);
  const outcome =
    state === "done" ? [] : wrapSpans([span(`${look.sign} ${result}`, { tone: look.tone })], width - 2);
  // Why it was kept from running stands below the word that says so; how it failed stands below what it printed.
  const lines = state === "refused" ? [...outcome, ...shown] : [...shown, ...outcome];
  return indented(lines, INDENT, INDENT);
}

const FAILED = { sign: "✗", tone: "danger" } as const;
const REFUSED = { sign: "⊘", tone: "hook" } as const;

function bothEnds(rows: readonly Line[]): Line[] {
  const left = rows.length - FIRST_ROWS - LAST_ROWS;
  if (left <= 1) return [...rows];
  const gap = span(`… ${countOf(left, "more line")} (${OPENS})`, { tone: "dim" });
  return [...rows.slice(0, FIRST_ROWS), [gap], ...rows.slice(-LAST_ROWS)];
}
