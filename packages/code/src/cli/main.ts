import { PipedTooLong, readPiped, type PipedText } from "../modes/readStdin.ts";
import { printable } from "../utils/printable.ts";
import { readArgs, type Invocation, type SessionFlags } from "./args.ts";
import type { FirstStep } from "../modes/firstStart.tsx";
import type { ScreenStart } from "../modes/screenStart.ts";
import { chooseRun, type WithoutPrint } from "./chooseRun.ts";
import type { Surroundings } from "./surroundings.ts";

/** Arguments in, exit status out. Everything heavy is imported only by the command that needs it. */
export async function main(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    return await perform(readArgs(argv), around);
  } catch (error) {
    around.stderr.write(printable(`wave: ${describeFailure(error)}\n`));
    return error instanceof PipedTooLong ? 2 : 1;
  }
}

/** Waits until everything is written. Output that got lost is a failure, unless its reader did not want it. */
export async function finish(status: number, { stdout, stderr }: Surroundings): Promise<number> {
  await stdout.flush();
  const lost = stdout.brokenBy !== undefined && stdout.brokenBy !== "EPIPE";
  if (lost)
    stderr.write(`wave: stdout cannot be written (${stdout.brokenBy}): the output is not complete.\n`);
  await stderr.flush();
  return lost && status === 0 ? 1 : status;
}

async function perform(invocation: Invocation, around: Surroundings): Promise<number> {
  switch (invocation.run) {
    case "wrong-usage":
      return usage(invocation.problem, around);
    case "help": {
      const { commandHelp, helpText } = await import("./help.ts");
      around.stdout.write(invocation.about ? commandHelp(invocation.about) : helpText());
      return 0;
    }
    case "version":
      around.stdout.write(`${around.version}\n`);
      return 0;
    case "acp": {
      const { runAcp } = await import("../acp/server.ts");
      return runAcp(invocation.flags, around);
    }
    case "demo":
      return demo(around);
    case "doctor": {
      const { runDoctor } = await import("../commands/doctor.ts");
      return runDoctor(invocation, around);
    }
    case "hooks": {
      const { runHooks } = await import("../commands/hooks/index.ts");
      return runHooks(invocation, around);
    }
    case "init": {
      const { runInit } = await import("../commands/init/index.ts");
      return runInit(around);
    }
    case "mcp": {
      const { runMcp } = await import("../commands/mcp.ts");
      return runMcp(invocation, around);
    }
    case "permissions": {
      const { runPermissions } = await import("../commands/permissions.ts");
      return runPermissions(invocation, around);
    }
    case "plugin": {
      const { runPlugin } = await import("../commands/plugin.ts");
      return runPlugin(invocation, around);
    }
    case "sessions": {
      const { runSessions } = await import("../commands/sessions/index.ts");
      return runSessions(invocation, around);
    }
    case "print":
      return print(invocation, await pipedText(around), around);
    case "interactive":
      return withoutPrint(invocation, around);
  }
}

async function withoutPrint(
  invocation: Extract<Invocation, { run: "interactive" }>,
  around: Surroundings,
): Promise<number> {
  const piped = await pipedText(around);
  const choice = chooseRun({
    prompt: invocation.prompt,
    words: invocation.words,
    onTerminal: piped === undefined && around.stdout.isTTY,
    piped: piped?.text,
    model: await modelState(invocation.flags, around),
  });
  switch (choice.run) {
    case "demo":
      around.stderr.write(`${NO_KEY_DEMO}\n`);
      return demo(around);
    case "screen":
      return screen({ flags: invocation.flags, prompt: choice.prompt }, around);
    case "first-start": {
      const next = await firstStep(invocation.flags, around);
      if (next.to === "demo") return demo(around);
      if (next.to === "exit") return next.status;
      return screen({ flags: invocation.flags, prompt: choice.prompt, model: next.model }, around);
    }
    case "print":
      around.stderr.write(`${AS_PRINT}\n`);
      return print(invocation, piped, around);
    case "wrong-usage":
      return usage(choice.problem, around);
  }
}

async function screen(run: ScreenStart, around: Surroundings): Promise<number> {
  // Before anything is loaded: keys typed early would be echoed into the screen, and Enter would arrive as Ctrl-J.
  using _raw = rawMode(around);
  const { runScreen } = await import("../modes/screen.tsx");
  return await runScreen(run, around);
}

async function firstStep(flags: SessionFlags, around: Surroundings): Promise<FirstStep> {
  using _raw = rawMode(around);
  const { runFirstStart } = await import("../modes/firstStart.tsx");
  return await runFirstStart(flags, around);
}

const AS_PRINT =
  "wave: there is no terminal, so this is done as with -p: one prompt, and nobody can be asked.";

const NO_KEY_DEMO =
  "wave: no model is set up, so here is the demo. To use Wave, set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY (WAVE_API_KEY and WAVE_BASE_URL for a server of your own).";

async function demo(around: Surroundings): Promise<number> {
  const { runDemo } = await import("../commands/demo/index.ts");
  return runDemo(around);
}

async function print(
  invocation: { prompt: string | undefined; flags: SessionFlags },
  piped: PipedText | undefined,
  around: Surroundings,
): Promise<number> {
  const { runPrint } = await import("../modes/print.ts");
  return runPrint({ prompt: invocation.prompt, piped, flags: invocation.flags }, around);
}

function rawMode({ stdin }: Surroundings): Disposable {
  stdin.setRawMode?.(true);
  return { [Symbol.dispose]: () => void stdin.setRawMode?.(false) };
}

async function modelState(flags: SessionFlags, around: Surroundings): Promise<WithoutPrint["model"]> {
  const { isInEnvironment } = await import("../modes/environmentModel.ts");
  // Mostly it is, and then no settings have to be read to know what to draw first.
  if (isInEnvironment(around.env)) return "configured";
  const { findModel } = await import("../modes/model.ts");
  return findModel(flags, around).found;
}

/** undefined on a terminal: there is nothing piped. */
async function pipedText(around: Surroundings): Promise<PipedText | undefined> {
  if (around.stdin.isTTY) return undefined;
  return readPiped(around.stdin, { onQuiet: () => around.stderr.write(`${WAITING}\n`) });
}

const WAITING =
  "wave: waiting for the end of the piped input; nothing came so far. Start Wave with </dev/null if none is meant.";

/** The system's own errors (a full disk, a missing right) are sentences; anything else is a mistake in Wave. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd") {
    return "the folder Wave was started in no longer exists: cd into one that does, and start Wave there.";
  }
  if (error instanceof PipedTooLong || (error instanceof Error && "code" in error)) return error.message;
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `this is a mistake in Wave, please report it: ${what}`;
}

function usage(problem: string, around: Surroundings): number {
  around.stderr.write(printable(`wave: ${problem}\nwave --help shows all commands and flags.\n`));
  return 2;
}
