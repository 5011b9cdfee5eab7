import { z } from "zod";
import { once } from "../../utils/once.ts";
import { fieldOf, kindOf, plainValue, type SettingsObject } from "../../workspace/settings/node.ts";
import {
  hookFields,
  processFields,
  says,
  textSchema,
  trueOrFalse,
} from "../../workspace/settings/fieldSchemas.ts";
import { whyWrong } from "../../workspace/settings/problem.ts";
import { execLine } from "../execForm.ts";
import { readsArguments } from "../command.ts";
import { runCommand } from "./commandProcess.ts";
import type { HookKind, ReadEntry } from "./kind.ts";
import { WarmHook } from "./warm/warmHook.ts";

const ARGUMENTS = 'must be a list of texts, such as ["--strict"]';

export const commandHookSchema = once(() =>
  z.strictObject({
    type: z.literal("command").describe("What kind of hook."),
    command: textSchema().describe(
      "A shell command, or the path of a script; with args the path or name of a program.",
    ),
    args: z
      .array(z.string(says(ARGUMENTS)).regex(/^[^\0]*$/, says(ARGUMENTS)), says(ARGUMENTS))
      .optional()
      .describe(
        "Arguments. With them, also with none, the command is a program that is started without a shell.",
      ),
    ...hookFields(),
    async: trueOrFalse()
      .optional()
      .describe(
        "true: nobody waits for it, so it decides nothing; what it tells comes with a later request.",
      ),
    asyncRewake: trueOrFalse()
      .optional()
      .describe("Like async; what it says with exit code 2 is told to the model."),
    shell: z
      .literal("bash", says('must be "bash"'))
      .optional()
      .describe("Accepted for files of Claude Code: commands run in bash anyway."),
    warm: z
      .boolean(says("must be true or false"))
      .optional()
      .describe("true: one process that stays and is asked by lines of JSON (see Hooks that stay)."),
    ...processFields(),
  }),
);

interface CommandEntry {
  /** Of a program with arguments the line of execForm.ts. */
  line: string;
  how: "shell" | "exec";
  /** Its process stays between calls. */
  warm?: true;
}

export const COMMAND: HookKind<CommandEntry> = {
  type: "command",
  writtenBy: "anybody",
  schema: commandHookSchema,
  read,
  // Without a shell the same line is something else.
  identity: ({ line, how, warm }) => {
    const started = how === "exec" ? ["exec", line] : line;
    return warm ? ["warm", started] : started;
  },
  describe: ({ line, how, warm }) => ({
    name: line,
    shown: line,
    notes: [
      ...(how === "exec" ? ["runs without a shell"] : []),
      ...(warm ? ["stays running between calls"] : []),
    ],
  }),
  commandLine: ({ line, how }) => ({ command: line, ...(how === "exec" && { noShell: true }) }),
  neverRuns: () => undefined,
  open: ({ line, how, warm }, { runs = line, compiled }) => {
    const command = { line: runs, how, compiled };
    if (warm) return new WarmHook(command);
    return { run: (call) => runCommand(call, command), close: () => undefined };
  },
};

function read(entry: SettingsObject): ReadEntry<CommandEntry> {
  const { command, args, shell } = commandHookSchema().shape;
  const field = fieldOf(entry, "command");
  if (field === undefined) return { problem: 'this hook has no "command", so there is nothing to run' };
  const line = command.safeParse(plainValue(field));
  if (!line.success) return { problem: whyWrong("command", line.error, field) };
  const wanted = fieldOf(entry, "shell");
  if (wanted !== undefined && !shell.safeParse(plainValue(wanted)).success)
    return { unsupported: `Wave runs commands in bash, not in ${kindOf(wanted)}` };
  const stays = readWarm(entry);
  if ("problem" in stays) return stays;
  const given = fieldOf(entry, "args");
  if (given === undefined) {
    if (stays.warm && readsArguments(line.data))
      return {
        problem: "a warm hook has no $1 and $2: they differ from call to call, so let it read its input",
      };
    return { own: { line: line.data, how: "shell", ...stays } };
  }
  const words = args.safeParse(plainValue(given));
  // Run without them, or through a shell, it would be another program than the one that was meant.
  if (!words.success) return { problem: whyWrong("args", words.error, given) };
  return { own: { line: execLine([line.data, ...(words.data ?? [])]), how: "exec", ...stays } };
}

/** Started anew for each call, a program that waits for the next line would hang; and the other way around. */
function readWarm(entry: SettingsObject): { warm?: true } | { problem: string } {
  const field = fieldOf(entry, "warm");
  if (field === undefined) return {};
  const read = commandHookSchema().shape.warm.safeParse(plainValue(field));
  if (!read.success) return { problem: whyWrong("warm", read.error, field) };
  return read.data === true ? { warm: true } : {};
}
