import type { Leaving } from "./leaving.ts";
import type { Overlay } from "./overlay.ts";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionController } from "./sessionController.ts";

/** What a command may do to the screen it was typed on. */
export interface CommandScreen {
  controller: SessionController;
  session: SessionActions;
  open: (overlay: Overlay) => void;
  leave: (leaving: Leaving) => void;
}
