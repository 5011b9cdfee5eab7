import {
  searchSessions,
  sessionsDirFor,
  type Agent,
  type Message,
  type RewindPoint,
  type Rewound,
  type SessionHit,
} from "wave-agent-sdk";
import { exportSession, type Exported } from "../export/exportSession.ts";

/** What the screen may ask of a session in order to go back, and to find it again. */
export interface GoingBackActions {
  /** Newest first. */
  rewindPoints: () => RewindPoint[];
  planRewind: (messageId: string) => Promise<Rewound>;
  rewind: (messageId: string, options: { files: boolean }) => Promise<Rewound>;
  undoRewind: () => Promise<Rewound>;
  messages: () => readonly Message[];
  /** Throws TypeError for a name that is none. */
  rename: (name: string) => void;
  searchTexts: (text: string, signal: AbortSignal) => AsyncIterable<SessionHit>;
  exportSession: (options: { target: string | undefined; force: boolean }) => Promise<Exported>;
}

export function goingBackActions(
  agent: Agent,
  { home, folder, cwd }: { home: string; folder: string; cwd: string },
): GoingBackActions {
  return {
    rewindPoints: () => agent.rewindPoints().toReversed(),
    planRewind: (messageId) => agent.planRewind(messageId),
    rewind: (messageId, options) => agent.rewind(messageId, options),
    undoRewind: () => agent.undoRewind(),
    messages: () => agent.messages,
    rename: (name) => void (agent.name = name),
    searchTexts: (text, signal) => searchSessions(sessionsDirFor(home, folder), text, { signal }),
    exportSession: (options) =>
      exportSession({ sessionFile: agent.sessionFile, folder: cwd, home, ...options }),
  };
}
