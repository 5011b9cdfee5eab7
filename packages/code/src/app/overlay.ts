import type { SettingsReview } from "wave-agent-sdk";
import type { Came } from "../keyboard/guard.ts";

/** One row for each panel: what it is opened with. Its file is in `panels/`, and `Panels.tsx` asks for it. */
export interface PanelOpenings {
  opened: object;
  hooks: { view: "list" | "why" };
  sessions: { query: string };
  rewind: object;
  models: object;
  permissions: object;
  tasks: object;
  doctor: object;
  review: { review: SettingsReview; came: Came };
  help: object;
}

export type PanelName = keyof PanelOpenings;

/** What covers the chat. One value: two dialogs cannot be open at once, because there is no way to say so. */
export type Overlay =
  | { show: "chat" }
  | { [Name in PanelName]: { show: Name } & PanelOpenings[Name] }[PanelName];

export type OverlayAction = { do: "open"; overlay: Overlay } | { do: "close" };

/** A question of the agent's waits for its answer: it is never hidden behind a panel (see App), and panels never stack. */
export function overlayReducer(now: Overlay, action: OverlayAction): Overlay {
  if (action.do === "close") return { show: "chat" };
  return now.show === "chat" ? action.overlay : now;
}
