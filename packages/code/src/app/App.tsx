import { Box, useWindowSize } from "ink";
import type { AgentEvent } from "wave-agent-sdk";
import { Appearance } from "../components/Appearance.tsx";
import { HighlightProvider } from "../components/CodeBlock.tsx";
import { HookEventProvider } from "../contexts/HookEventContext.tsx";
import { useToDraft } from "../keyboard/Keyboard.tsx";
import type { ChosenSession } from "../panels/refusedSession.ts";
import type { Theme } from "../theme.ts";
import { Screen } from "./Screen.tsx";
import type { SessionActions } from "./sessionActions.ts";
import type { SessionController } from "./sessionController.ts";

/** How a person left the screen, and what they want instead. */
export type Leaving = { to: "exit" } | { to: "new-session" } | ({ to: "session" } & ChosenSession);

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

export function App(props: AppProps) {
  const { controller, session, theme, plain, listen } = props;
  const { rows } = useWindowSize();
  const toDraft = useToDraft();
  return (
    <Appearance theme={theme} plain={plain}>
      <HighlightProvider>
        <HookEventProvider
          agent={session}
          listen={listen}
          onToDraft={({ typed }) => toDraft(typed)}
          onInterrupt={() => controller.interrupt()}
          onMode={(mode) => (mode === "next" ? controller.cycleMode() : controller.setMode(mode))}
          onNotice={(text) => controller.notice("info", text)}
        >
          {/* Until it is laid out anew for a narrower window, nothing that is drawn may be wrapped by the terminal. */}
          {/* Higher than the window, every change of it would push rows into the scrollback that nobody can take away again. */}
          <Box
            flexDirection="column"
            width="100%"
            maxHeight={rows - 1}
            justifyContent="flex-end"
            overflow="hidden"
          >
            <Screen {...props} />
          </Box>
        </HookEventProvider>
      </HighlightProvider>
    </Appearance>
  );
}
