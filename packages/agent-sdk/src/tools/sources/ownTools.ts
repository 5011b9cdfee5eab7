import { z } from "zod";
import { readTouches } from "../../options/tool.ts";
import type { OwnTool, StandardIssue } from "../../ownTool.ts";
import type { ToolEffect } from "../../permissions/effect.ts";
import { headAndTailOfCharacters } from "../../utils/headAndTail.ts";
import { MAX_OUTPUT_CHARACTERS } from "../commandOutput.ts";
import { GatePass } from "../gatePass.ts";
import { refusal } from "../outcome.ts";
import { absolutePath } from "../paths.ts";
import { defineTool, type Tool, type ToolOutcome, type ToolPlace } from "../tool.ts";
import { untilAborted } from "../untilAborted.ts";
import { fixedSource, type ToolSource } from "./toolSource.ts";

/** The tools that a program gave to Agent.create. */
export const ownToolSource = (tools: readonly OwnTool[]): ToolSource =>
  fixedSource("this program", tools.map(asTool));

/** Hooks and people judge the input as the model wrote it, and so it runs; what its schema makes of it is made again then. */
function asTool(own: OwnTool): Tool {
  return defineTool<Record<string, unknown>>({
    name: own.name,
    description: own.description,
    parameters: own.parameters,
    input: inputOf(own),
    parallel: false,
    pathFields: [],
    effect: (input, place) => effectOf(own, input, place),
    async run(pass, call) {
      const { session, signal } = call;
      const read = own.read(GatePass.open(pass));
      if (read.issues !== undefined) return refusal(`The input does not fit ${own.name}.`);
      const { cwd, projectDir } = session;
      const context = { signal, cwd, projectDir, onOutput: (text: string) => call.onOutput(text) };
      const ended = await untilAborted(signal, async () => own.perform(read.value, context));
      return ended.aborted
        ? refusal(`Interrupted: ${own.name} was running when stopped; effects may exist.`)
        : outcomeOf(ended.value);
    },
  });
}

const inputOf = (own: OwnTool) =>
  z.record(z.string(), z.unknown()).superRefine((input, context) => {
    const { issues = [] } = own.read(input);
    for (const { message, path } of issues)
      context.addIssue({ code: "custom", message, path: keysOf(path ?? []) });
  });

const keysOf = (path: NonNullable<StandardIssue["path"]>) =>
  path.map((step) => (typeof step === "object" ? step.key : step));

/** Whatever cannot be told is unknown, and unknown asks. */
function effectOf(own: OwnTool, input: Record<string, unknown>, place: ToolPlace): ToolEffect {
  const touches = touchesOf(own, input);
  if (touches === undefined) return { does: "unknown", touches: [] };
  const { reads = [], writes = [], network = [] } = touches;
  const absolute = (paths: readonly string[]) => paths.map((path) => absolutePath(path, place));
  const kinds = [reads, writes, network].filter((list) => list.length > 0);
  if (kinds.length === 0) return { does: "nothing" };
  if (kinds.length === 1) {
    if (network.length > 0) return { does: "reach", hosts: network };
    if (writes.length > 0) return { does: "edit", paths: absolute(writes) };
    return { does: "read", paths: absolute(reads) };
  }
  return {
    does: "unknown",
    touches: [
      ...absolute(reads).map((path) => ({ access: "read" as const, path })),
      ...absolute(writes).map((path) => ({ access: "write" as const, path })),
    ],
  };
}

function touchesOf(own: OwnTool, input: Record<string, unknown>) {
  try {
    const read = own.read(input);
    return read.issues === undefined ? readTouches(own.touches(read.value)) : undefined;
  } catch {
    // A mistake of the program's: nobody can tell what the call would touch.
    return undefined;
  }
}

function outcomeOf(value: unknown): ToolOutcome {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "(no output)");
  const { text: result } = headAndTailOfCharacters(text.toWellFormed(), MAX_OUTPUT_CHARACTERS);
  return { success: true, result, response: { result } };
}
