import { bytesOf, saveTextFile, type TextFile } from "./textFiles.ts";
import type { ToolSession } from "./tool.ts";

/** What a tool is about to do to a file. */
export interface ComingChange {
  toolId: string;
  /** Where the bytes are. */
  path: string;
  /** Undefined: there is no file. */
  before: { bytes: Uint8Array; mode: number } | undefined;
  after: Uint8Array;
}

/** Keeps what is there before it is gone. */
export interface FileJournal {
  /** Resolves when the change may be made. Never rejects: what could not be kept is said, and the work goes on. */
  willChange(change: ComingChange): Promise<void>;
  /** Hooks of a call have changed the file that the call wrote: that is part of what the call did. */
  changedByHooks(path: string, toolId: string): Promise<void>;
}

/** The one way in which tools write: what was there is kept, the file is replaced, and the session has seen what it is now. */
export async function changeFile(
  session: ToolSession,
  change: { toolId: string; realPath: string; text: string; before: TextFile | undefined },
): Promise<void> {
  const { toolId, realPath, text, before } = change;
  await session.journal.willChange({
    toolId,
    path: realPath,
    before: before && { bytes: bytesOf(before.text, before), mode: before.stats.mode & 0o7777 },
    after: bytesOf(text, before),
  });
  session.files.remember(
    realPath,
    await saveTextFile({ realPath, text, before, register: session.register }),
  );
}
