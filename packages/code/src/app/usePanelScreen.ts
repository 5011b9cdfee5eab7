import { useApp, useStdout } from "ink";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

/** A terminal without another screen passes over both, and the panel stands below the conversation. */
const ENTER = "\u001b[?1049h\u001b[1;1H";
const LEAVE = "\u001b[?1049l";

/** On which of the terminal's two screens Wave draws. */
export type DrawnScreen = "conversation" | "panel";

/**
 * Panels have the terminal's other screen to themselves: one as high as the window would push the conversation out of it, and
 * leave it blank when it closes. The conversation is where it was then. Nothing of it may be printed while the panel's screen
 * is drawn: it would be gone with that screen.
 */
export function usePanelScreen(wanted: DrawnScreen): DrawnScreen {
  const { stdout, write } = useStdout();
  const { waitUntilRenderFlush } = useApp();
  const [drawn, setDrawn] = useState<DrawnScreen>("conversation");
  const newest = useRef(drawn);
  const change = useEffectEvent((to: DrawnScreen) => {
    newest.current = to;
    write(to === "panel" ? ENTER : LEAVE);
    setDrawn(to);
  });
  const flushed = useEffectEvent(() => waitUntilRenderFlush());

  useEffect(() => {
    if (wanted === drawn) return;
    if (wanted === "panel") return change("panel");
    // What Ink has drawn last goes to the other screen with it: that must not be the panel.
    let isWanted = true;
    void flushed().then(() => isWanted && change("conversation"));
    return () => {
      isWanted = false;
    };
  }, [wanted, drawn]);

  // However Wave is left. A layout effect: others are not cleaned up any more when Ink ends.
  useLayoutEffect(
    () => () => {
      if (newest.current === "panel") stdout.write(LEAVE);
    },
    [stdout],
  );
  return drawn;
}
