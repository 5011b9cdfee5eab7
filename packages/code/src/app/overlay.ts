import type { SettingsReview } from "wave-agent-sdk";
import type { Came } from "../keyboard/guard.ts";

/** What covers the chat. One value: two dialogs cannot be open at once, because there is no way to say so. */
export type Overlay =
  | { show: "chat" }
  | { show: "opened" }
  | { show: "hooks"; view: "list" | "why" }
  | { show: "sessions"; query: string }
  | { show: "rewind" }
  | { show: "models" }
  | { show: "doctor" }
  | { show: "review"; review: SettingsReview; came: Came }
  | { show: "help" };

export type OverlayAction = { do: "open"; overlay: Overlay } | { do: "close" };

/** A question of the agent's waits for its answer: it is never hidden behind a panel (see App), and panels never stack. */
export function overlayReducer(now: Overlay, action: OverlayAction): Overlay {
  if (action.do === "close") return { show: "chat" };
  return now.show === "chat" ? action.overlay : now;
}
