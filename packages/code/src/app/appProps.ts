import type { AgentEvent } from "wave-agent-sdk";
import type { Theme } from "../theme.ts";
import type { Leaving } from "./leaving.ts";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionController } from "./sessionController.ts";

/** What a screen needs from outside. Components below it get data and callbacks, never the agent. */
export interface AppProps {
  controller: SessionController;
  session: SessionActions;
  theme: Theme;
  /** Nothing moves by itself and nothing is framed: for screen readers and slow lines. */
  plain: boolean;
  folder: string;
  /** A folder as a person would write it. */
  showFolder: (folder: string) => string;
  draft: string | undefined;
  listen: (onEvent: (event: AgentEvent) => void) => () => void;
  onDraft: (text: string) => void;
  onLeave: (leaving: Leaving) => void;
}
