import type { HeldSession } from "wave-agent-sdk";
import type { Line } from "../view/span.ts";
import type { PanelKey } from "./frame.ts";
import { say, wrapLine } from "./lines.ts";
import type { PanelPress } from "./press.ts";

/** A session to go on with: the session itself, or a copy that leaves it as it is. */
export interface ChosenSession {
  id: string;
  as: "itself" | "copy";
}

/** A session that cannot be opened. Most can still be copied: one that somebody has open, or that a newer Wave wrote. */
export type RefusedSession =
  | { because: "held"; held: HeldSession }
  | { because: "failed"; why: string; copyOf?: string | undefined };

const copyOf = (refused: RefusedSession): string | undefined =>
  refused.because === "held" ? refused.held.sessionId : refused.copyOf;

const COPY: PanelKey = { keys: "c", does: "open a copy of it" };
const OTHER: PanelKey = { keys: "Esc", does: "choose another" };

export const refusedKeys = (refused: RefusedSession): readonly PanelKey[] =>
  copyOf(refused) === undefined ? [OTHER] : [COPY, OTHER];

export function refusedLines(refused: RefusedSession, columns: number): Line[] {
  const lines =
    refused.because === "failed"
      ? [refused.why]
      : [
          `Session ${refused.held.sessionId} is open in ${refused.held.by}.`,
          "Only one Wave at a time writes a session. A copy begins with all that was said in it so far.",
        ];
  return lines.flatMap((line, index) => wrapLine([say(index === 0 ? "warn" : "plain", line)], columns));
}

/** A copy is a letter: Enter has just chosen in the list, and may come twice. */
export function pressInRefused(
  refused: RefusedSession,
  press: PanelPress,
): { do: "choose"; session: ChosenSession } | { do: "back" | "close" } | undefined {
  if (press.key === "close") return { do: "close" };
  if (press.key === "esc") return { do: "back" };
  const wantsCopy = press.key === "text" && press.text === COPY.keys;
  const id = wantsCopy ? copyOf(refused) : undefined;
  return id === undefined ? undefined : { do: "choose", session: { id, as: "copy" } };
}
