import { useEffect, useRef, useState } from "react";
import type { Clock } from "../asking/clock.ts";
import { QUIET_MS } from "../asking/queue.ts";

/** Keys that come right after something appeared, or in the middle of typing, were meant for what was there before. */
export function useQuietStart(clock: Clock): { early: boolean; isEarly: () => boolean; typed: () => void } {
  const [early, show] = useState(true);
  // Several keys can come before the screen is drawn again: the newest state is kept here.
  const newest = useRef({ early: true, stop: () => {} });
  const begin = () => {
    newest.current.stop();
    newest.current.early = true;
    show(true);
    // Not by comparing times: a key that waited in a busy process was pressed before this moment (see the clock).
    newest.current.stop = clock.after(QUIET_MS, () => {
      newest.current.early = false;
      show(false);
    });
  };
  const first = useRef(begin);
  useEffect(() => {
    first.current();
    return () => newest.current.stop();
  }, []);
  return { early, isEarly: () => newest.current.early, typed: begin };
}
