import {
  listSessions,
  sessionsDirFor,
  type Agent,
  type HookState,
  type PermissionAnswer,
  type SessionSummary,
} from "wave-agent-sdk";
import { listFiles } from "./listFiles.ts";

/** What the screen may ask of a session: the agent and the disk, as calls without state. */
export interface SessionActions {
  hooks: () => HookState[];
  switchHook: (id: string, on: boolean) => void;
  answerPermission: (id: string, answer: PermissionAnswer) => boolean;
  listSessions: () => Promise<SessionSummary[]>;
  listFiles: () => Promise<readonly string[]>;
}

export function sessionActions(agent: Agent, place: { home: string; folder: string }): SessionActions {
  const { home, folder } = place;
  return {
    hooks: () => agent.hooks,
    switchHook: (id, on) => void agent.switchHook(id, on),
    answerPermission: (id, answer) => agent.answerPermission(id, answer),
    listSessions: () => listSessions(sessionsDirFor(home, folder)),
    listFiles: () => listFiles(folder),
  };
}
