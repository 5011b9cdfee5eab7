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
import { plural } from "../panels/hookWords.ts";
import { countFiles, fileLines } from "../panels/rewindWords.ts";
import type { CommandScreen } from "./slashCommands.ts";

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

type Screen = Pick<CommandScreen, "controller" | "session">;

/** Goes back to before a prompt, and says what that did. What is in the terminal's scrollback stays there: a line marks it. */
export async function rewindTo(
  point: RewindPoint,
  options: { files: boolean },
  screen: Screen,
): Promise<void> {
  const { controller, session } = screen;
  try {
    const done = await session.rewind(point.messageId, options);
    controller.wentBack(`back to before: ${point.firstLine}`);
    const what = options.files ? `, ${countFiles(done.files)}` : "; files are as they were";
    tell(`${plural(done.messages, "message")} gone from the conversation${what}`, done, screen, [
      "/rewind undo brings it all back, until the next prompt",
    ]);
    controller.putBack(done.prompt);
  } catch (error) {
    controller.notice("error", sentence(error));
  }
}

export async function undoRewind(screen: Screen): Promise<void> {
  const { controller, session } = screen;
  try {
    const done = await session.undoRewind();
    controller.wentBack("the rewind was undone");
    const what = done.files.length === 0 ? "" : `, ${countFiles(done.files)}`;
    tell(`${plural(done.messages, "message")} again part of the conversation${what}`, done, screen, []);
  } catch (error) {
    controller.notice("warning", sentence(error));
  }
}

function tell(head: string, { files, note }: Rewound, { controller, session }: Screen, end: string[]): void {
  const level = files.some(({ outcome }) => outcome === "kept") || note !== undefined ? "warning" : "info";
  const lines = [head, ...fileLines(files, session.folder), ...(note === undefined ? [] : [note]), ...end];
  controller.notice(level, lines.join("\n"));
}

export function rename(name: string, { controller, session }: Screen): void {
  if (name === "") return controller.notice("warning", "give the session a name: /rename the login fix");
  try {
    session.rename(name);
    controller.notice("info", "the session has its name; /resume and wave sessions list show it");
  } catch (error) {
    controller.notice("warning", sentence(error));
  }
}

/** `/export [--force] [file]` */
export async function exportTo(argument: string, { controller, session }: Screen): Promise<void> {
  const force = /(?:^|\s)--force(?=\s|$)/;
  const target = argument.replace(force, "").trim();
  const done = await session.exportSession({
    target: target === "" ? undefined : target,
    force: force.test(argument),
  });
  if (done.written) controller.notice("info", `written to ${done.file}`);
  else controller.notice("warning", `not written: ${done.why}`);
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
