import type { HookEvent } from "@/hooks/events.ts";
import type { Recipients, Shown } from "@/hooks/recipients.ts";
import type { Block } from "@/messages/blocks.ts";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.ts";
import type { PlayedSession } from "./playSession.ts";

/** The decision record of an event, as it stands in the session file. */
export const decisionOn = (event: HookEvent, file: string): string | undefined =>
  file.split("\n").find((line) => line.includes(`"type":"decision"`) && line.includes(`"event":"${event}"`));

const SHOWN: Partial<Record<Block["type"], Shown>> = { error: "error", warn: "warning" };

/** Who got to see a text in a session that was played, in the order of the alphabet. */
export function observedRecipients(
  { messages, file }: Pick<PlayedSession, "messages" | "file">,
  event: HookEvent,
  text: string,
): Recipients {
  const blocks = messages.flatMap((message) => message.blocks);
  const seen = blocks.filter((block) => JSON.stringify(block).includes(text));
  const user = new Set(seen.map(({ type }) => SHOWN[type] ?? "conversation"));
  return {
    user: [...user].toSorted(),
    // Also what the turn ended before: the next request would bring it.
    model: JSON.stringify(convertMessagesForAPI(messages)).includes(text),
    record: decisionOn(event, file)?.includes(text) ?? false,
  };
}

export const sorted = ({ user, ...rest }: Recipients): Recipients => ({ ...rest, user: user.toSorted() });
