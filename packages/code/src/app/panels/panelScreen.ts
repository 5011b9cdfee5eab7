import type { Leaving } from "../leaving.ts";
import type { Overlay, PanelName, PanelOpenings } from "../overlay.ts";
import type { SessionActions } from "../sessionActions.ts";
import type { SessionController } from "../sessionController.ts";
import type { SessionState } from "../sessionState.ts";

/** What every panel gets: the room it has, the session it is about, and the ways out. */
export interface PanelScreen {
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  state: SessionState;
  session: SessionActions;
  controller: SessionController;
  folder: string;
  onClose: () => void;
  onOpen: (overlay: Overlay) => void;
  onLeave: (leaving: Leaving) => void;
}

export interface PanelProps<Name extends PanelName> extends PanelScreen {
  opening: PanelOpenings[Name];
}
