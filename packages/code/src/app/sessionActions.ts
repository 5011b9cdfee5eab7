import {
  listSessions,
  recentDecisions,
  sessionHolder,
  sessionsDirFor,
  skippedSessions,
  type Agent,
  type BackgroundTask,
  type HookState,
  type ListedModel,
  type ListedRule,
  type RecentDecisions,
  type RuleChange,
  type PermissionAnswer,
  type Reloaded,
  type SettingsReview,
  type RuleScope,
  type SourceStatus,
  type TextCommand,
  type TimedDecision,
  type Usage,
} from "wave-agent-sdk";
import type { SessionSources } from "../components/SessionChooser.tsx";
import type { Finding } from "../doctor/finding.ts";
import type { ListedFiles } from "../input/completion.ts";
import { RECENT_SESSIONS } from "../panels/permissions.ts";
import { clipboardPicture, type ClipboardPicture } from "./clipboardPicture.ts";
import { earlierDecisions } from "./earlierDecisions.ts";
import { goingBackActions, type GoingBackActions } from "./goingBackActions.ts";
import { listFiles } from "./listFiles.ts";

/** What the screen may ask of a session: the agent and the disk, as calls without state. */
export interface SessionActions extends GoingBackActions, SessionSources {
  /** The project. */
  folder: string;
  /** Where commands start: a `cd` moves it. */
  cwd: () => string;
  /** How many commands run in the background. */
  inBackground: () => number;
  /** Those, and the ones that have ended. */
  backgroundTasks: () => readonly BackgroundTask[];
  endBackgroundTask: (id: string) => Promise<boolean>;
  rules: () => readonly ListedRule[];
  /** Where a rule can be kept. */
  ruleFiles: () => readonly string[];
  changeRule: (change: RuleChange) => Promise<void>;
  /** What was decided in the last sessions of this project, this one among them. */
  recentDecisions: () => Promise<RecentDecisions>;
  hooks: () => HookState[];
  /** Commands that stand in files, and prompts of MCP servers. */
  commands: () => readonly TextCommand[];
  switchHook: (id: string, on: boolean) => void;
  /** Settings and scripts that changed since they were read, as far as it was noticed. */
  changedFiles: () => readonly string[];
  /** The project has an AGENTS.md that nobody approved in this form. */
  leavesInstructionsOut: () => boolean;
  reviewSettings: (about: SettingsReview["about"]) => SettingsReview | undefined;
  takeSettings: (review: SettingsReview) => Promise<Reloaded>;
  answerPermission: (id: string, answer: PermissionAnswer) => boolean;
  allowRule: (rule: string, scope: RuleScope) => Promise<void>;
  /** Keeps what picture is in the clipboard as a file. */
  clipboardPicture: () => Promise<ClipboardPicture>;
  listModels: () => Promise<ListedModel[]>;
  listFiles: (signal: AbortSignal) => Promise<ListedFiles>;
  /** What `wave doctor` would find, for this session. */
  examine: () => Promise<readonly Finding[]>;
  /** What was decided before the session was opened here, oldest first; read from its file when somebody asks. */
  earlierDecisions: () => Promise<readonly TimedDecision[]>;
  toolSources: () => readonly SourceStatus[];
  /** What it cost before it was opened here. */
  earlierUsage: () => Usage | undefined;
}

export function sessionActions(
  agent: Agent,
  place: {
    home: string;
    folder: string;
    cwd: string;
    examine: SessionActions["examine"];
    /** When it was gone on with; undefined for a new one. */
    resumedAt: Date | undefined;
  },
): SessionActions {
  const { home, folder, examine, resumedAt } = place;
  const sessionsDir = sessionsDirFor(home, folder);
  let earlier: Promise<readonly TimedDecision[]> | undefined;
  return {
    ...goingBackActions(agent, place),
    folder,
    cwd: () => agent.cwd,
    inBackground: () => agent.inBackground,
    backgroundTasks: () => agent.backgroundTasks,
    endBackgroundTask: (id) => agent.endBackgroundTask(id),
    rules: () => agent.rules,
    ruleFiles: () => agent.ruleFiles,
    changeRule: (change) => agent.changeRule(change),
    recentDecisions: () => recentDecisions(sessionsDir, RECENT_SESSIONS),
    hooks: () => agent.hooks,
    commands: () => agent.commands.list,
    switchHook: (id, on) => void agent.switchHook(id, on),
    changedFiles: () => agent.changedFiles,
    leavesInstructionsOut: () => agent.leavesInstructionsOut,
    reviewSettings: (about) => agent.reviewSettings(about),
    takeSettings: (review) => agent.takeSettings(review),
    answerPermission: (id, answer) => agent.answerPermission(id, answer),
    allowRule: (rule, scope) => agent.allowRule(rule, scope),
    clipboardPicture: () => clipboardPicture(home),
    listModels: () => agent.listModels(),
    // The one that is open here is where the person is: there is nothing to go on with.
    listSessions: async () => (await listSessions(sessionsDir)).filter(({ id }) => id !== agent.sessionId),
    skippedSessions: () => skippedSessions(sessionsDir),
    sessionHolder: ({ file }) => sessionHolder(file),
    listFiles: async (signal) => ({
      ...(await listFiles(folder, { signal })),
      resources: agent.toolSources.flatMap(({ resources = [] }) => resources),
    }),
    examine,
    toolSources: () => agent.toolSources,
    earlierUsage: () => agent.earlierUsage,
    earlierDecisions: () =>
      (earlier ??= resumedAt
        ? earlierDecisions(agent.sessionFile, { sessionsDir, before: resumedAt.toISOString() })
        : Promise.resolve([])),
  };
}
