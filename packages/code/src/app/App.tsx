import { Box, useWindowSize } from "ink";
import { Appearance } from "../components/Appearance.tsx";
import { HighlightProvider } from "../components/CodeBlock.tsx";
import { HookEventProvider } from "../contexts/HookEventContext.tsx";
import { useToDraft } from "../keyboard/Keyboard.tsx";
import type { AppProps } from "./appProps.ts";
import { Screen } from "./Screen.tsx";

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
