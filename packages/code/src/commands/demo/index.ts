import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type PendingPermission, type PermissionAnswer } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";
import type { EndingSignal } from "../../cli/signals.ts";
import type { Surroundings } from "../../cli/surroundings.ts";
import { exitStatus } from "../../modes/exitStatus.ts";
import { Interruption } from "../../modes/interruption.ts";
import { paintFor } from "../../output/paint.ts";
import type { Sink } from "../../output/sink.ts";
import { streamEvents } from "../../output/streamEvents.ts";
import { wrapText } from "../../utils/wrapText.ts";
import { PROMPT } from "./files.ts";
import { Narrator } from "./narrator.ts";
import { makeProject, type DemoProject } from "./project.ts";
import { modelScript } from "./script.ts";
import { Stage } from "./stage.ts";

const THINKING_MS = 2000;

/** A complete session in a throw-away project. Leaves nothing behind, however it ends. */
export async function runDemo({ stdout, stderr, env, signals }: Surroundings): Promise<number> {
  using project = makeProject();
  const leaving = new AbortController();
  using interruption = new Interruption(signals, () => leaving.abort());
  stdout.onBroken(() => leaving.abort());
  const stage = new Stage({ sink: stdout, paint: paintFor(stdout, env), signal: leaving.signal });
  const narrator = new Narrator(stage, project.folder);
  for (const line of INTRODUCTION) stage.plain(line);

  await using model = await startScriptedModel(modelScript(project.folder));
  const linesOf = streamEvents({ includeHookEvents: false });
  const agent = await Agent.create({
    workdir: project.folder,
    // Wave itself wrote this project a moment ago.
    trust: "given",
    waveHome: project.home,
    managedSettingsFile: join(project.home, "managed.json"),
    baseUrl: model.baseUrl,
    apiKey: "demo",
    model: "scripted",
    env: withoutProxies(env),
    permissionMode: "acceptEdits",
    onEvent: (event) => {
      for (const line of linesOf(event)) narrator.tell(line);
      if (event.type === "hooks_decided") narrator.tellRecord(event.record);
    },
    onPermissionRequest: (request, signal) =>
      answer(request, { narrator, stage, isWatched: stdout.isTTY, signal }),
  });
  leaving.signal.addEventListener("abort", () => agent.abort());
  const end = await agent.sendMessage(PROMPT);
  await stage.caughtUp();
  await agent.destroy(leaving.signal.aborted ? "interrupted" : "other");
  if (interruption.signal) return left(interruption.signal, { project, stdout });
  if (leaving.signal.aborted) return 0;
  if (end.because !== "done") {
    stderr.write(`wave: the demo did not get to its end: ${end.reason ?? end.because}\n`);
    return 1;
  }
  for (const line of FAREWELL) stage.plain(line);
  await stage.caughtUp();
  return interruption.signal ? left(interruption.signal, { project, stdout }) : 0;
}

/** Said when it is true: whoever breaks something off wants to know what is left of it. */
function left(signal: EndingSignal, { project, stdout }: { project: DemoProject; stdout: Sink }): number {
  project[Symbol.dispose]();
  for (const line of wrapText(LEFT, Math.min(stdout.columns, 80))) stdout.write(`${line}\n`);
  return exitStatus({ endedBy: signal });
}

const LEFT = "\nThe demo was ended. Its temporary project was removed.";

/** The demo is its own viewer: the question is shown, and answered with yes. */
async function answer(
  request: PendingPermission,
  show: { narrator: Narrator; stage: Stage; isWatched: boolean; signal: AbortSignal },
): Promise<PermissionAnswer> {
  show.narrator.question(request.toolName, request.input, { reason: request.reason, by: request.askedBy });
  await show.stage.caughtUp();
  if (show.isWatched) await sleep(THINKING_MS, undefined, { signal: show.signal });
  show.stage.say({ who: "you", colour: "green", text: "yes  (the demo answers for you)" });
  return { decision: "allow" };
}

/** The scripted model is on this machine: a proxy could only get in the way. */
function withoutProxies(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(https?|all)_proxy$/i.test(name)));
}

const INTRODUCTION = [
  "Wave demo: one session of a coding agent, and seven hooks that watch over it.",
  "The model follows a script; there is no key and no network. The project is a temporary folder, but the tools, the hook scripts in it and every decision are real.",
];

const FAREWELL = [
  "",
  "That was it. The temporary project is gone again.",
  "",
  "Try it on a project of your own:",
  "  1. Put a script into .wave/hooks/ and name it in .wave/settings.json:",
  '     {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [',
  '       {"type": "command", "command": ".wave/hooks/check.sh"}]}]}}',
  "  2. Look at it:   wave hooks trust, which also says how to approve it",
  '  3. Work with it: wave -p "your prompt"',
  "     (with a key set, or with a model server on this machine)",
  "  4. Ask why:      wave hooks explain",
];
