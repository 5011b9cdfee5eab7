import { z } from "zod";
import { onOneLine } from "../../utils/quoted.ts";
import { fieldOf, kindOf, type SettingsObject } from "../../workspace/settings/node.ts";
import { hookFields, says } from "../../workspace/settings/fieldSchemas.ts";
import type { HookFunction } from "../definition.ts";
import { runFunction } from "./functionCall.ts";
import type { HookKind, ReadEntry } from "./kind.ts";

export const functionHookSchema = () =>
  z.strictObject({
    ...hookFields(),
    type: z.literal("function"),
    run: z.custom<HookFunction>(isHookFunction, says("must be a function")),
  });

/** A function of the program that called Agent.create. Its fields were checked with the options. */
export const FUNCTION: HookKind<HookFunction> = {
  type: "function",
  writtenBy: "programs",
  schema: functionHookSchema,
  read,
  identity: (run) => ["function", numberOf(run)],
  describe: (run) => ({ name: onOneLine(run.name) || "function", shown: "a function", notes: [] }),
  commandLine: () => ({}),
  neverRuns: () => undefined,
  open: (run) => ({ run: (call) => runFunction(call, run), close: () => undefined }),
};

function read(entry: SettingsObject): ReadEntry<HookFunction> {
  const run = fieldOf(entry, "run");
  if (run?.type === "value" && isHookFunction(run.value)) return { own: run.value };
  return { problem: `"run" must be a function${run ? `, not ${kindOf(run)}` : ""}` };
}

/** The host program's types say what the function takes; at run time only that it is one can be seen. */
function isHookFunction(value: unknown): value is HookFunction {
  return typeof value === "function";
}

const numbers = new WeakMap<HookFunction, number>();
let last = 0;

/** Two functions with the same text may still do different things: each has a number of its own. */
function numberOf(run: HookFunction): number {
  const known = numbers.get(run);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(run, last);
  return last;
}
