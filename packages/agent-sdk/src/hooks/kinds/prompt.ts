import { z } from "zod";
import { once } from "../../utils/once.ts";
import { onOneLine, shortened } from "../../utils/quoted.ts";
import { hookFields, textSchema, trueOrFalse } from "../../workspace/settings/fieldSchemas.ts";
import { fieldOf, plainValue, type SettingsObject } from "../../workspace/settings/node.ts";
import { whyWrong } from "../../workspace/settings/problem.ts";
import type { HookKind, ReadEntry } from "./kind.ts";
import { judgeWithModel, type PromptEntry } from "./promptRequest.ts";

export const promptHookSchema = once(() =>
  z.strictObject({
    type: z.literal("prompt").describe("What kind of hook."),
    prompt: textSchema().describe(
      "What the model is to judge. $ARGUMENTS in it is the input of the event as JSON; without it, the input follows.",
    ),
    model: textSchema().optional().describe("Which model judges. Default: the one of the session."),
    continueOnBlock: trueOrFalse()
      .optional()
      .describe("Accepted for files of Claude Code: a no acts like exit code 2 anyway."),
    ...hookFields(),
  }),
);

/** A model that says yes or no to what its prompt asks. */
export const PROMPT: HookKind<PromptEntry> = {
  type: "prompt",
  writtenBy: "anybody",
  schema: promptHookSchema,
  read,
  identity: ({ prompt, model }) => ["prompt", prompt, model ?? null],
  describe: ({ prompt, model }) => ({
    name: shortened(onOneLine(prompt), 60),
    shown: `asks a model: ${onOneLine(prompt)}`,
    notes: [
      "sends its input to the model server each time, which costs tokens",
      ...(model === undefined ? [] : [`asks the model ${model}`]),
    ],
  }),
  commandLine: () => ({}),
  neverRuns: () => undefined,
  open: (own) => ({ run: (call) => judgeWithModel(call, own), close: () => undefined }),
};

function read(entry: SettingsObject): ReadEntry<PromptEntry> {
  const { prompt, model } = promptHookSchema().shape;
  const field = fieldOf(entry, "prompt");
  if (field === undefined) return { problem: 'this hook has no "prompt", so there is nothing to ask' };
  const text = prompt.safeParse(plainValue(field));
  if (!text.success) return { problem: whyWrong("prompt", text.error, field) };
  const named = fieldOf(entry, "model");
  const wanted = model.safeParse(named && plainValue(named));
  if (named && !wanted.success) return { problem: whyWrong("model", wanted.error, named) };
  return { own: { prompt: text.data, ...(wanted.data !== undefined && { model: wanted.data }) } };
}
