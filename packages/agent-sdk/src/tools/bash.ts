import { z } from "zod";
import { type ProcessRun, startProcess } from "../services/process.ts";
import { describeEnd, joinOutput, KEPT_OUTPUT_BYTES, seconds } from "./commandOutput.ts";
import { GatePass } from "./gatePass.ts";
import { refusal } from "./outcome.ts";
import { isFolder, workingFolder } from "./paths.ts";
import { prepareShell } from "./shellCommand.ts";
import { defineTool, type ToolCallContext, type ToolOutcome, type ToolSession } from "./tool.ts";

const description =
  "Runs a shell command. The working folder is kept between calls. No terminal and no input: use flags instead of prompts. Output over 30000 characters is cut in the middle. For servers and watchers set run_in_background, then use BashOutput and KillShell. Use Read, Edit, Glob and Grep rather than cat, sed, find and grep.";

const DEFAULT_TIMEOUT_MS = 120_000;
export const MAX_TIMEOUT_MS = 600_000;

const input = z.strictObject({
  command: z.string().min(1),
  description: z.string().optional().describe("What it does, in a few words"),
  timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe("Milliseconds; default 120000"),
  run_in_background: z.boolean().optional().describe("Return at once, without a timeout"),
});
type BashInput = z.infer<typeof input>;

export const bashTool = defineTool<BashInput>({
  name: "Bash",
  description,
  input,
  parallel: false,
  pathFields: [],
  effect: (asked) => ({ does: "run", command: asked.command }),
  async run(pass, context) {
    const asked = GatePass.open(pass);
    const { folder, note } = workingFolder(context.session);
    const outcome = asked.run_in_background
      ? startInBackground(asked.command, folder, context)
      : await runInForeground(asked, folder, context);
    return note === undefined ? outcome : { ...outcome, result: `${note}\n${outcome.result}` };
  },
});

function startInBackground(
  command: string,
  cwd: string,
  { session, bounds, hidden }: ToolCallContext,
): ToolOutcome {
  const { shells, env, projectDir, sandbox } = session;
  const shell = shells.start({ command, projectDir, cwd, env }, sandbox && { sandbox, bounds, hidden });
  if (!shell) return refusal("The session is over, so nothing can be started in the background.");
  return {
    success: true,
    result: `Runs in the background as ${shell.id}. See its output with BashOutput, end it with KillShell.`,
    response: {
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: true,
      backgroundTaskId: shell.id,
    },
  };
}

async function runInForeground(
  asked: BashInput,
  cwd: string,
  context: ToolCallContext,
): Promise<ToolOutcome> {
  const { session, signal, bounds, hidden } = context;
  const { env, projectDir } = session;
  const shell = prepareShell({
    command: asked.command,
    projectDir,
    cwd,
    env,
    atExit: "record-folder",
    register: session.register,
  });
  try {
    const request = {
      file: shell.file,
      args: shell.args,
      cwd,
      env: shell.env,
      timeoutMs: asked.timeout ?? DEFAULT_TIMEOUT_MS,
      signal,
      keepBytes: KEPT_OUTPUT_BYTES,
      opensOutput: true,
      register: session.register,
      onOutput: (text: string) => context.onOutput(text),
    };
    // A shell that was killed could not say where it ended.
    const endedByItself = () => shell.endFolder() !== undefined;
    const how = { bounds, hidden, endedByItself, own: shell.own };
    const run = await (session.sandbox?.start(request, how) ?? startProcess(request)).done;
    const notes = [
      shell.note ?? moveTo(shell.endFolder(), session),
      sandboxHint(run, asked.command, context),
      context.unseen === undefined ? undefined : `[${context.unseen}]`,
    ];
    return outcomeOf(run, notes);
  } finally {
    shell.remove();
  }
}

/** Returns what the model should know about the folder the next command starts in. */
function moveTo(folder: string | undefined, session: ToolSession): string | undefined {
  if (folder === undefined || folder === session.cwd) return undefined;
  if (!isFolder(folder)) {
    session.cwd = session.projectDir;
    return `[The command ended in ${folder}, which does not exist any more. The working folder is now ${session.projectDir}.]`;
  }
  session.cwd = folder;
  return `[The working folder is now ${folder}.]`;
}

function sandboxHint(
  run: ProcessRun,
  command: string,
  { session, bounds }: ToolCallContext,
): string | undefined {
  const failed = !(run.end === "exited" && run.code === 0);
  const { stdout, stderr } = run;
  return session.sandbox?.hint({ stdout: stdout.text, stderr: stderr.text, failed, command, bounds });
}

function outcomeOf(run: ProcessRun, notes: readonly (string | undefined)[]): ToolOutcome {
  const success = run.end === "exited" && run.code === 0;
  const output = joinOutput(run.stdout, run.stderr);
  const parts = [
    success ? undefined : headline(run),
    output === "" && success ? "(no output)" : output || undefined,
    ...notes,
  ];
  return {
    success,
    result: parts.filter((part) => part !== undefined).join("\n"),
    response: {
      stdout: run.stdout.text,
      stderr: run.stderr.text,
      interrupted: run.end === "aborted" || run.end === "timed-out",
      isImage: false,
      noOutputExpected: false,
      ...(run.end === "exited" ? { exitCode: run.code } : {}),
    },
  };
}

function headline(run: ProcessRun): string {
  if (run.end === "aborted") {
    return `Interrupted: the command was running for ${seconds(run.durationMs)} s when stopped; effects may exist.`;
  }
  if (run.end === "timed-out") {
    return `${describeEnd(run)}; effects may exist. Set a longer timeout (up to ${MAX_TIMEOUT_MS} ms) or run_in_background.`;
  }
  if (run.end === "not-started" && run.code === "E2BIG") {
    return "The command was not started: it is longer than the system allows. Write the long part into a file first.";
  }
  return describeEnd(run);
}
