import { join } from "node:path";
import type { Conversation } from "../conversation/conversation.ts";
import type { InterruptibleWork } from "../conversation/workQueue.ts";
import { cleanupExpiredSessions } from "../services/session.ts";
import { removeDeadLocks } from "../workspace/files/deadLocks.ts";
import { tellOfLeftovers } from "../workspace/leftovers.ts";
import type { Session } from "./session.ts";

/** What a session does before its first hook: it says what a person has to know, takes up what was there, and tidies. */
export function beginSession(session: Session, conversation: Conversation, beside: InterruptibleWork): void {
  // Opens the file and takes the lock: a second process is told now, not after its first prompt.
  takeFile(session);
  const { configuration } = session.workspace;
  for (const notice of configuration.notices) session.emit({ type: "notice", ...notice });
  tellOfLeftovers(configuration.home, session.emit);
  for (const text of conversation.ownPolicy.problems) session.emit({ type: "notice", level: "error", text });
  for (const text of session.opened.problems) {
    session.emit({ type: "notice", level: "warning", text: `${session.opened.handle.file}: ${text}` });
  }
  if (session.opened.source === "resume" || session.opened.source === "fork") {
    session.log.append({ type: "resumed", interruptedTools: session.opened.interrupted });
    for (const record of session.opened.records) {
      if (record.type === "edit") conversation.messages.restore(record.edit);
      else session.log.append(record);
    }
  }
  void cleanupExpiredSessions(session.opened.sessionsDir, configuration.settings.sessionsKeepDays);
  void removeDeadLocks([
    session.opened.sessionsDir,
    configuration.home,
    join(configuration.projectDir, ".wave"),
  ]);
  session.tools.open({
    session: conversation.toolSession,
    say: (level, text) => session.emit({ type: "notice", level, text }),
    ask: (question, signal) => conversation.elicitations.ask(question, signal, beside),
  });
}

/** Throws SessionError "in-use"; then there is no session, and nothing of it stays behind in a program that goes on. */
function takeFile({ log, workspace }: Session): void {
  try {
    log.flush();
  } catch (error) {
    workspace.close({ isShared: true });
    throw error;
  }
}
