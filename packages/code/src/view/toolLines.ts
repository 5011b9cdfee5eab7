import type { ToolBlock } from "wave-agent-sdk";
import { printableLine } from "../utils/printable.ts";
import { boundLines, countOf, linesAbove, OPENS, tailLines } from "./bound.ts";
import { diffOfCall } from "./diff.ts";
import { diffLines } from "./diffLines.ts";
import type { Running } from "./items.ts";
import { shownTail } from "./liveOutput.ts";
import { outputText, screenText } from "./screenText.ts";
import { fitLine, fitText, indented, span, widthOf, type Line } from "./span.ts";
import { asText, stateOf, type CallSummary } from "./toolLine.ts";
import { finalInput } from "./toolInput.ts";
import { hardWrap, wrapSpans } from "./wrap.ts";

/** Less of a command or path tells nothing. */
const LEAST_ARGUMENT = 16;
const MAX_RESULT_LINES = 3;
const FOLDED_DIFF_LINES = 12;
const FOLDED_REASON_LINES = 4;
const FAILED_OUTPUT_LINES = 8;
const LIVE_LINES = 5;
const INDENT = span("  ");

/** The call without its sign: name, argument, result. The argument gives way; a result that finds no room stands below. */
export function headLines(call: CallSummary, width: number, rows = MAX_RESULT_LINES): Line[] {
  const tone = call.state === "failed" ? "danger" : call.state === "refused" ? "hook" : "dim";
  const name = span(call.name, { bold: true });
  const result = call.result === "" ? "" : ` — ${call.result}`;
  const room = width - widthOf(call.name) - widthOf(result) - 1;
  const needed = Math.min(LEAST_ARGUMENT, widthOf(call.argument));
  if (room >= needed) {
    const argument = call.argument === "" ? [] : [span(` ${fitText(call.argument, room)}`)];
    return [[name, ...argument, ...(result === "" ? [] : [span(result, { tone })])]];
  }
  const own = call.result === "" ? [] : wrapSpans([span(call.result, { tone })], width);
  return [fitLine([name, span(` ${call.argument}`)], width), ...boundLines(own, rows)];
}

/** Field by field what hooks changed: what the model wanted, and what ran. */
export function changeLines(call: CallSummary, width: number): Line[] {
  return call.changes.flatMap(({ field, before, after, by }) => {
    const name = `${by} changed ${field}: `;
    const whole = [
      span(name, { tone: "hook" }),
      span(before, { tone: "dim" }),
      span(" → ", { tone: "hook" }),
      span(after),
    ];
    return indented(wrapSpans(whole, width - 2), INDENT, span("    "));
  });
}

/** Below a folded call: the change of a file, or why a call did not do what it was asked. */
export function foldedLines(block: ToolBlock, width: number): Line[] {
  const state = stateOf(block);
  if (state === "done") return below(boundLines(editLines(block, width - 2), FOLDED_DIFF_LINES));
  if (state !== "failed" && state !== "refused") return [];
  // A refusal is somebody's sentence, and begins with the point.
  if (state === "refused")
    return below(boundLines(outputLines(reasonOf(block), width - 2, wrapSpans), FOLDED_REASON_LINES));
  // What a program printed keeps its columns, and says at its end why it failed.
  return below(tailLines(outputLines(reasonOf(block), width - 2), FAILED_OUTPUT_LINES, OPENS));
}

/** The line above has said it already when the answer is one line of the tool's own, or begins with how it ended. */
export function reasonOf({ error, result = "" }: ToolBlock): string {
  const text = result.trim();
  return error === undefined ? text.split("\n").slice(1).join("\n") : text === error ? "" : text;
}

/** The whole input with everything hidden made visible, and the output; of a call that runs, what it has printed so far. */
export function openLines(block: ToolBlock, width: number, running?: Running): Line[] {
  const edit = editLines(block, width - 2);
  const input = edit.length > 0 ? edit : inputLines(block, width - 2);
  return below([...input, ...outputLines(running ? printedSoFar(running) : (block.result ?? ""), width - 2)]);
}

const below = (lines: readonly Line[]) => indented(lines, INDENT, INDENT);

/** The last lines a running command printed. */
export function liveLines({ output }: Running, width: number, rows = LIVE_LINES): Line[] {
  const tail = shownTail(output, rows);
  const before = tail.before > 0 ? [[INDENT, ...linesAbove(tail.before, OPENS)]] : [];
  const lines = tail.lines.map((line) => [
    INDENT,
    ...fitLine([span(outputText(line), { tone: "dim" })], width - 2),
  ]);
  return [...before, ...lines];
}

/** As much of it as is kept while it runs. */
export function printedSoFar({ output }: Running): string {
  const { lines, before } = shownTail(output);
  return [...(before > 0 ? [`… ${countOf(before, "line")} before these`] : []), ...lines].join("\n");
}

function editLines(block: ToolBlock, width: number): Line[] {
  const diff = diffOfCall(block);
  return diff ? diffLines(diff, width) : [];
}

function inputLines(block: ToolBlock, width: number): Line[] {
  const input = finalInput(block);
  if (!input) return hardWrap([span(screenText(block.parameters))], width);
  return Object.entries(input).flatMap(([field, value]) => {
    const name = span(`${printableLine(field)}: `, { tone: "accent" });
    const shown = typeof value === "object" ? JSON.stringify(value, undefined, 2) : asText(value);
    return indented(hardWrap([name, span(screenText(shown))], width - 2), span(""), INDENT);
  });
}

function outputLines(output: string, width: number, wrap = hardWrap): Line[] {
  if (output.trim() === "") return [];
  const bar = span("│ ", { tone: "dim" });
  return indented(wrap([span(outputText(output.replace(/\n$/, "")))], width - 2), bar, bar);
}
