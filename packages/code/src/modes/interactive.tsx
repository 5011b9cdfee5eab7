import { homedir } from "node:os";
import { render } from "ink";
import {
  Agent,
  describeProblem,
  findProjectDir,
  resolveModel,
  SessionError,
  SettingsError,
  type AgentEvent,
  type PermissionMode,
} from "wave-agent-sdk";
import { App, type Leaving } from "../app/App.tsx";
import { branchOf } from "../app/branch.ts";
import { sessionActions } from "../app/sessionActions.ts";
import { SessionController } from "../app/sessionController.ts";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { DraftKeeper } from "../input/draft.ts";
import { addToHistory, readHistory } from "../input/history.ts";
import { themeFor } from "../theme.ts";
import { printable } from "../utils/printable.ts";
import { agentOptions } from "./agentOptions.ts";
import { exitStatus } from "./exitStatus.ts";
import { Interruption } from "./interruption.ts";
import { modelIn, useLocalModel, type ModelChoice } from "./model.ts";
import { fatalProblems, readSettings, waveHome } from "./readSettings.ts";

/** The terminal UI: one session after the other, until the person leaves. */
export async function runInteractive(
  { flags, prompt }: { flags: SessionFlags; prompt: string | undefined },
  around: Surroundings,
): Promise<number> {
  // Before anything is drawn: keys typed early would otherwise be echoed into the screen, and Enter would arrive as Ctrl-J.
  using _raw = rawMode(around);
  const complain = (text: string) => around.stderr.write(printable(`wave: ${text}\n`));
  const settings = readSettings(flags.settingsFile, around);
  const fatal = fatalProblems(settings);
  if (fatal.length > 0) {
    for (const problem of fatal) complain(describeProblem(problem));
    return exitStatus({ settingsFailed: true });
  }
  const model = await useLocalModel(modelIn(settings, flags, around.env), complain);
  if (!model.usable) {
    complain(model.problem);
    return exitStatus({ failed: true });
  }
  const name = resolveModel({ ...model.choice, settings, env: around.env }).model;
  using interruption = new Interruption(around.signals, () => {});
  let session = flags;
  let first = prompt;
  for (;;) {
    const leaving = await runSession(
      { flags: session, prompt: first, model: model.choice, name, interruption, complain },
      around,
    );
    first = undefined;
    if (leaving.to === "failed" || leaving.to === "exit") {
      return leaving.to === "failed" ? leaving.status : exitStatus({ endedBy: interruption.signal });
    }
    session = { ...flags, resume: leaving.to === "session" ? leaving.id : undefined, fork: false };
  }
}

function rawMode({ stdin }: Surroundings): Disposable {
  stdin.setRawMode?.(true);
  return { [Symbol.dispose]: () => void stdin.setRawMode?.(false) };
}

interface Session {
  flags: SessionFlags;
  /** Given on the command line: the first one of the session. */
  prompt: string | undefined;
  model: ModelChoice;
  name: string | undefined;
  interruption: Interruption;
  complain: (text: string) => void;
}

async function runSession(
  session: Session,
  around: Surroundings,
): Promise<Leaving | { to: "failed"; status: number }> {
  const home = waveHome(around.env);
  const folder = findProjectDir(around.cwd, home);
  const history = readHistory(home);
  const keeper = new DraftKeeper({
    home,
    projectDir: folder,
    onProblem: (text) => controller.notice("warning", text),
  });
  const listeners = new Set<(event: AgentEvent) => void>();
  const mode: PermissionMode = session.flags.permissionMode ?? "default";
  const controller = new SessionController({
    mode,
    onAccepted: (prompt) => {
      const problem = addToHistory(home, prompt, new Date());
      if (problem !== undefined) controller.notice("warning", problem);
    },
  });
  let agent: Agent;
  try {
    agent = await Agent.create({
      ...agentOptions(session.flags, session.model, around),
      onEvent: (event) => {
        controller.onEvent(event);
        for (const listener of listeners) listener(event);
      },
      // The dialog answers through answerPermission; the promise only says that somebody can be asked.
      onPermissionRequest: () => new Promise(() => {}),
    });
  } catch (error) {
    if (!(error instanceof SettingsError) && !(error instanceof SessionError)) throw error;
    session.complain(error.message);
    return {
      to: "failed",
      status: exitStatus(error instanceof SettingsError ? { settingsFailed: true } : { failed: true }),
    };
  }
  controller.attach(agent);
  if (session.flags.resume !== undefined) controller.restoreMessages(agent.messages, agent.sessionId);

  const { promise: left, resolve: leave } = Promise.withResolvers<Leaving>();
  session.interruption.onNext(() => leave({ to: "exit" }));
  const draft = keeper.load()?.text;
  const screen = render(
    <App
      controller={controller}
      session={sessionActions(agent, { home, folder })}
      theme={themeFor(around.env)}
      plain={around.env["WAVE_PLAIN"] === "1" || around.env["TERM"] === "dumb"}
      folder={folder}
      shownFolder={shownFolder(around.cwd)}
      branch={branchOf(folder)}
      model={session.name}
      history={history.prompts}
      draft={draft}
      listen={(onEvent) => {
        listeners.add(onEvent);
        return () => listeners.delete(onEvent);
      }}
      onDraft={(text) => (text === "" ? void keeper.clear() : keeper.change(text))}
      onLeave={leave}
    />,
    { exitOnCtrlC: false },
  );
  if (session.prompt !== undefined) controller.submit(session.prompt);
  const leaving = await left;
  screen.unmount();
  await screen.waitUntilExit();
  await keeper.flush();
  const hurry = new AbortController();
  session.interruption.onNext(() => hurry.abort());
  await agent.destroy(session.interruption.signal ? "terminated" : "prompt_input_exit", {
    signal: hurry.signal,
  });
  return leaving;
}

function shownFolder(folder: string): string {
  const home = homedir();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
