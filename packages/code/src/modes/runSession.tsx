import {
  Agent,
  describeFailedOpen,
  findSession,
  loadSession,
  SessionError,
  sessionsDirFor,
  OptionsError,
  SettingsError,
  type AgentEvent,
  type EndReason,
  type PermissionMode,
} from "wave-agent-sdk";
import { App } from "../app/App.tsx";
import type { Leaving } from "../app/leaving.ts";
import { sessionActions } from "../app/sessionActions.ts";
import { SessionController } from "../app/sessionController.ts";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import type { Finding } from "../doctor/finding.ts";
import { DraftKeeper } from "../input/draft.ts";
import { addToHistory, readHistory } from "../input/history.ts";
import type { Notifier } from "../notifications/notifier.ts";
import { watchSession } from "../notifications/watchSession.ts";
import { isPlain, themeFor } from "../theme.ts";
import { carriedWords, type Carried } from "../view/carried.ts";
import { draftNotices } from "../view/draftNotices.ts";
import type { WelcomeFacts } from "../view/welcome.ts";
import { agentOptions } from "./agentOptions.ts";
import type { EarlyDraft } from "./earlyDraft.ts";
import { exitStatus } from "./exitStatus.ts";
import type { Interruption } from "./interruption.ts";
import { keepMemorySmall } from "./memory.ts";
import type { ModelChoice } from "./model.ts";
import { projectDir, shownFolder, waveHome } from "./places.ts";
import type { Stage } from "./stage.tsx";
import { wrongFlags } from "./wrongFlags.ts";

/** A session to open, and what was given on the command line for it. */
export interface Wanted {
  flags: SessionFlags;
  model: ModelChoice;
  prompt: { text: string; goes: "to-model" | "to-input" } | undefined;
  /** From the session before it. */
  carried: Carried | undefined;
}

/** How a session was left; `from` is its id. */
export type Left =
  | Extract<Leaving, { to: "exit" }>
  | (Exclude<Leaving, { to: "exit" }> & { from: string; carried: Carried })
  | { to: "failed"; status: number }
  | { to: "refused"; error: SessionError };

export interface Session extends Wanted {
  stage: Stage;
  notifier: Notifier;
  interruption: Interruption;
  early: EarlyDraft;
  complain: (text: string) => void;
}

/** From its opening to what the person wants instead. */
export async function runSession(session: Session, around: Surroundings): Promise<Left> {
  const home = waveHome(around.env);
  const folder = projectDir(around);
  const history = readHistory(home);
  const keeper = new DraftKeeper({
    home,
    projectDir: folder,
    isInSession: ({ session: id, messageId }) => isInSession(sessionsDirFor(home, folder), id, messageId),
    onProblem: (text) => controller.notice("warning", text),
  });
  const listeners = new Set<(event: AgentEvent) => void>();
  const mode: PermissionMode = session.flags.permissionMode ?? "default";
  const controller = new SessionController({
    mode,
    history: history.prompts,
    keeper,
    columns: () => process.stdout.columns,
    onAccepted: (prompt) => {
      const problem = addToHistory(home, prompt, new Date());
      if (problem !== undefined) controller.notice("warning", problem);
    },
  });
  using _watched = watchSession(controller, session.notifier, (listener) => listeners.add(listener));
  const opening = new Date();
  let agent: Agent;
  try {
    agent = await Agent.create({
      ...agentOptions(session.flags, session.model, around),
      entrypoint: "terminal",
      source: session.carried?.to === "new-session" ? "clear" : "startup",
      onEvent: (event) => {
        controller.onEvent(event);
        for (const listener of listeners) listener(event);
      },
      reviewCommand: "/hooks trust",
      // The dialog answers through answerPermission; the promise only says that somebody can be asked.
      onPermissionRequest: () => new Promise(() => {}),
    });
  } catch (error) {
    if (error instanceof SessionError) return { to: "refused", error };
    if (error instanceof OptionsError) {
      session.complain(wrongFlags(error).join("\n"));
      return { to: "failed", status: exitStatus({ wrongUsage: true }) };
    }
    if (!(error instanceof SettingsError)) throw error;
    session.complain(error.message);
    return { to: "failed", status: exitStatus({ settingsFailed: true }) };
  }
  if (history.problem !== undefined) controller.notice("warning", history.problem);
  keeper.sendsTo(agent.sessionId);
  controller.attach(agent);
  controller.welcome(welcomeFacts(agent, around));
  if (session.flags.resume !== undefined) controller.restoreMessages(agent.messages);
  if (session.carried) {
    const { mark, notice } = carriedWords(session.carried);
    controller.wentBack(mark);
    if (notice !== undefined) controller.notice("info", notice);
  }

  const { promise: left, resolve: leave } = Promise.withResolvers<Leaving>();
  session.interruption.onNext(() => leave({ to: "exit" }));
  // It may have come while the session was opened.
  if (session.interruption.signal) leave({ to: "exit" });
  session.early.handOver();
  const drafts = await keeper.load();
  for (const { level, text } of draftNotices(drafts)) controller.notice(level, text);
  session.stage.show(
    <App
      controller={controller}
      session={sessionActions(agent, {
        home,
        folder,
        cwd: around.cwd,
        resumedAt: session.flags.resume === undefined ? undefined : opening,
        examine: () => examine(agent, session, around),
      })}
      theme={themeFor(around.env)}
      plain={isPlain(around.env)}
      folder={folder}
      showFolder={shownFolder}
      draft={drafts.text === "" ? undefined : drafts.text}
      listen={(onEvent) => {
        listeners.add(onEvent);
        return () => listeners.delete(onEvent);
      }}
      onDraft={(text) => keeper.change(text)}
      onLeave={leave}
    />,
  );
  keepMemorySmall();
  if (session.prompt?.goes === "to-model") controller.submit(session.prompt.text);
  else if (session.prompt) controller.putBack(session.prompt.text);
  const leaving = await left;
  await (leaving.to === "exit" ? session.stage.close() : session.stage.makeRoom());
  keeper.flush();
  const hurry = new AbortController();
  session.interruption.onNext(() => hurry.abort());
  await agent.destroy(session.interruption.signal ? "terminated" : END_REASONS[leaving.to], {
    signal: hurry.signal,
  });
  if (agent.notSaved !== undefined) session.complain(agent.notSaved);
  const failedOpen = describeFailedOpen(controller.store.state.hookTally.failedOpen);
  if (failedOpen !== undefined) session.complain(failedOpen);
  if (leaving.to === "exit") return leaving;
  const switchedOff = agent.hooks.filter(({ off }) => off?.why === "switched-off");
  const carried = {
    to: leaving.to,
    mode: agent.permissionMode,
    model: agent.model,
    switchedOff: switchedOff.map(({ hook }) => hook.name),
  };
  return { ...leaving, from: agent.sessionId, carried };
}

/** Whether a prompt that was sent to a session is part of it, also when Wave was killed before it could note that. */
async function isInSession(
  sessionsDir: string,
  id: string | undefined,
  messageId: string | undefined,
): Promise<boolean> {
  if (id === undefined || messageId === undefined) return false;
  try {
    const session = await loadSession(findSession(sessionsDir, id));
    return session?.messages.some((message) => message.id === messageId) ?? false;
  } catch (error) {
    // Deleted since, or not to be read: then the prompt is nowhere else.
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** What SessionEnd hooks are told of where the person goes. */
const END_REASONS = {
  exit: "prompt_input_exit",
  "new-session": "clear",
  session: "resume",
} as const satisfies Record<Leaving["to"], EndReason>;

function welcomeFacts(agent: Agent, around: Surroundings): WelcomeFacts {
  const counts = new Map<string, number>();
  for (const { hook, off } of agent.hooks) {
    if (!off) counts.set(hook.source.scope, (counts.get(hook.source.scope) ?? 0) + 1);
  }
  return {
    version: around.version,
    model: agent.model,
    folder: shownFolder(around.cwd),
    hooks: Array.from(counts, ([scope, count]) => ({ scope, count })),
    hooksOff: agent.hooks.filter(({ off }) => off !== undefined).length,
  };
}

/** Loaded when somebody asks: most sessions need no doctor. */
async function examine(agent: Agent, session: Session, around: Surroundings): Promise<readonly Finding[]> {
  const { examineHere, forPeople } = await import("../doctor/examineHere.ts");
  const findings = await examineHere(around, {
    settingsFile: session.flags.settingsFile,
    model: { ...session.model, ...(agent.model === undefined ? {} : { model: agent.model }) },
    changedFiles: agent.changedFiles,
    hooks: agent.hooks.map(({ hook, off }) => ({
      name: hook.name,
      scope: hook.source.scope,
      off: off?.words,
    })),
  });
  return forPeople(findings, around);
}
