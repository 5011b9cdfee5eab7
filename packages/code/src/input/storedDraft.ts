import { readPlainFile } from "wave-agent-sdk";
import { z } from "zod";

/** A text that was sent. */
export interface SentText {
  id: string;
  text: string;
  /** The session it was sent to. */
  session?: string | undefined;
  /** The message that it becomes when its hooks let it pass; absent until they judge it. */
  messageId?: string | undefined;
}

/** The file of one process. */
export interface StoredDraft {
  version: 2;
  at: string;
  /** What is in the input. */
  text: string;
  /** What was sent and is not part of a session yet, in its order. */
  sent: SentText[];
}

/** Undefined: no draft, or not one that Wave wrote. It stays as it is. */
export function readStored(file: string): StoredDraft | undefined {
  try {
    return storedSchema().safeParse(JSON.parse(readPlainFile(file).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Made when a file is found: most starts find none. */
function storedSchema() {
  const common = { at: z.string(), text: z.string() };
  const sent = z.object({
    id: z.string(),
    text: z.string(),
    session: z.string().optional(),
    messageId: z.string().optional(),
  });
  return z.union([
    z.object({ version: z.literal(2), ...common, sent: z.array(sent) }),
    // Written before what was sent had a place here.
    z
      .object({ version: z.literal(1), ...common })
      .transform((draft) => ({ ...draft, version: 2 as const, sent: [] })),
  ]);
}
