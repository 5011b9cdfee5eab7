import { bytesOf, saveTextFile, type TextFile } from "./textFiles.ts";
import type { ToolSession } from "./tool.ts";

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
