import {
  Agent,
  describeProblem,
  ImageError,
  OptionsError,
  SessionError,
  SettingsError,
  type ExpandedCommand,
  type ImageBlock,
} from "wave-agent-sdk";
import { readPictures } from "../app/readPictures.ts";
import type { SessionFlags } from "../cli/args.ts";
import { wrongFlags } from "./wrongFlags.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { agentOptions } from "./agentOptions.ts";
import { exitStatus } from "./exitStatus.ts";
import { Interruption } from "./interruption.ts";
import { useLocalModel, modelIn, type ModelChoice } from "./model.ts";
import { fatalProblems, readSettings } from "./readSettings.ts";
import { blankInput, joinPrompt, type PipedText } from "./readStdin.ts";
import { reporter, type Reporter } from "./reporter.ts";

export interface PrintRequest {
  prompt: string | undefined;
  piped: PipedText | undefined;
  flags: SessionFlags;
}

/** One prompt, one answer, one exit status. */
export async function runPrint(request: PrintRequest, around: Surroundings): Promise<number> {
  const { flags } = request;
  const report = reporter(flags, around);
  if (request.piped?.replaced) report.note({ kind: "warning", text: NOT_UTF8 });
  const prompt = joinPrompt(request.prompt, request.piped?.text);
  if (prompt === undefined) {
    report.note({ kind: "error", text: noPrompt(flags, request.piped?.text) });
    return exitStatus({ wrongUsage: true });
  }

  using interruption = new Interruption(around.signals, (signal) =>
    process.exit(exitStatus({ endedBy: signal })),
  );
  const settings = readSettings(flags.settingsFile, around);
  report.settings(settings);
  const fatal = fatalProblems(settings);
  if (fatal.length > 0) {
    return report.failed("error_settings", fatal.map(describeProblem), exitStatus({ settingsFailed: true }));
  }
  const model = await useLocalModel(modelIn(settings, flags, around.env), (text) =>
    report.note({ kind: "note", text }),
  );
  if (!model.usable) return report.failed("error_model", [model.problem], exitStatus({ failed: true }));
  // Awaited here: the signals are watched until this function is left.
  const turn = { prompt, typed: request.prompt ?? "", flags, model: model.choice, report, interruption };
  return await runTurn(turn, around);
}

const NOT_UTF8 = "The piped input is not UTF-8 throughout; what could not be read is sent as U+FFFD (�).";

function noPrompt(flags: SessionFlags, piped: string | undefined): string {
  const taken =
    flags.resume === undefined || flags.resume === "latest"
      ? ""
      : ` (${JSON.stringify(flags.resume)} was taken for the session behind --resume)`;
  return `There is no prompt${taken}${blankInput(piped)}: write wave -p "your prompt", or pipe one in. wave --help shows more.`;
}

interface Turn {
  prompt: string;
  /** Only this names pictures: what is piped in is somebody else's text. */
  typed: string;
  flags: SessionFlags;
  model: ModelChoice;
  report: Reporter;
  interruption: Interruption;
}

async function runTurn(
  { prompt, typed, flags, model, report, interruption }: Turn,
  around: Surroundings,
): Promise<number> {
  let agent: Agent;
  try {
    agent = await Agent.create({
      ...agentOptions(flags, model, around),
      entrypoint: "print",
      onEvent: report.event,
    });
  } catch (error) {
    if (error instanceof SettingsError) {
      return report.failed("error_settings", error.problems, exitStatus({ settingsFailed: true }));
    }
    if (error instanceof OptionsError) {
      return report.failed("error_settings", wrongFlags(error), exitStatus({ wrongUsage: true }));
    }
    if (error instanceof SessionError) {
      return report.failed("error_session", [error.message], exitStatus({ failed: true }));
    }
    throw error;
  }
  let images: ImageBlock[] | undefined;
  try {
    images = await readPictures(typed, agent, (text) => report.note({ kind: "note", text }));
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    await agent.destroy();
    return report.failed("error_settings", [error.message], exitStatus({ wrongUsage: true }));
  }
  report.session(agent);
  around.stdout.onBroken((code) => {
    if (code === "EPIPE" && interruption.signal === undefined) report.readerGone();
    agent.abort();
  });
  // The first signal ends the turn, the next one the waiting for SessionEnd hooks, and one more ends everything.
  const hurry = new AbortController();
  const skipHooks = () => {
    hurry.abort();
    interruption.onNext((signal) => process.exit(exitStatus({ endedBy: signal })));
  };
  interruption.onNext(() => {
    agent.abort();
    interruption.onNext(skipHooks);
  });
  const asked = await expanded(agent, prompt);
  if (!asked.expanded) {
    await agent.destroy(destroyReason(interruption));
    return report.failed("error_session", [asked.problem], exitStatus({ failed: true }));
  }
  const end = await agent.sendMessage(asked.prompt, images && { images });
  const status = () => {
    const { brokenBy } = around.stdout;
    return exitStatus({
      endedBy: interruption.signal ?? (brokenBy === "EPIPE" ? "SIGPIPE" : undefined),
      outputLost: brokenBy !== undefined,
      unguarded: agent.missedHooks.length > 0,
      failed: agent.notSaved !== undefined,
      end,
    });
  };
  if (flags.outputFormat === "text") report.answer(end);
  if (!interruption.signal) interruption.onNext(skipHooks);
  await agent.destroy(destroyReason(interruption), { signal: hurry.signal });
  report.unguarded();
  if (flags.outputFormat !== "text") report.result(end, agent, status());
  // That nobody reads is known only when the last write has been tried.
  await around.stdout.flush();
  return status();
}

/** `/name …` of a command that stands in a file, or of a prompt of a server, is what that says; every other prompt is itself. */
async function expanded(agent: Agent, prompt: string): Promise<ExpandedCommand> {
  const [, name, argument = ""] = /^\/([^\s/]+)(?:\s+(.*))?$/s.exec(prompt.trim()) ?? [];
  const isOne = name?.startsWith("mcp__") || agent.commands.list.some((one) => one.name === name);
  return name !== undefined && isOne ? agent.commands.expand(name, argument) : { expanded: true, prompt };
}

function destroyReason({ signal }: Interruption): Parameters<Agent["destroy"]>[0] {
  if (signal === "SIGINT") return "interrupted";
  return signal === undefined ? "other" : "terminated";
}
