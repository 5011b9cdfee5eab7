import {
  listSessions,
  sessionsDirFor,
  type Agent,
  type HookState,
  type ListedModel,
  type PermissionAnswer,
  type Reloaded,
  type SettingsReview,
  type RuleScope,
  type SessionSummary,
} from "wave-agent-sdk";
import type { Finding } from "../doctor/finding.ts";
import { goingBackActions, type GoingBackActions } from "./goingBack.ts";
import { listFiles } from "./listFiles.ts";

/** What the screen may ask of a session: the agent and the disk, as calls without state. */
export interface SessionActions extends GoingBackActions {
  /** The project. */
  folder: string;
  hooks: () => HookState[];
  switchHook: (id: string, on: boolean) => void;
  /** Settings and scripts that changed since they were read, as far as it was noticed. */
  changedFiles: () => readonly string[];
  reviewSettings: (about: SettingsReview["about"]) => SettingsReview | undefined;
  takeSettings: (review: SettingsReview) => Promise<Reloaded>;
  answerPermission: (id: string, answer: PermissionAnswer) => boolean;
  allowRule: (rule: string, scope: RuleScope) => Promise<void>;
  listSessions: () => Promise<SessionSummary[]>;
  listModels: () => Promise<ListedModel[]>;
  listFiles: () => Promise<readonly string[]>;
  /** What `wave doctor` would find, for this session. */
  examine: () => Promise<readonly Finding[]>;
}

export function sessionActions(
  agent: Agent,
  place: { home: string; folder: string; cwd: string; examine: SessionActions["examine"] },
): SessionActions {
  const { home, folder, examine } = place;
  return {
    ...goingBackActions(agent, place),
    folder,
    hooks: () => agent.hooks,
    switchHook: (id, on) => void agent.switchHook(id, on),
    changedFiles: () => agent.changedFiles,
    reviewSettings: (about) => agent.reviewSettings(about),
    takeSettings: (review) => agent.takeSettings(review),
    answerPermission: (id, answer) => agent.answerPermission(id, answer),
    allowRule: (rule, scope) => agent.allowRule(rule, scope),
    listModels: () => agent.listModels(),
    listSessions: () => listSessions(sessionsDirFor(home, folder)),
    listFiles: () => listFiles(folder),
    examine,
  };
}
