import { useApp } from "ink";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import type { DrawnPlace } from "./inkTerminal.ts";

/** Left and entered again around a stop, if a panel has the terminal's other screen. */
const LEAVE_PANEL = "\u001b[?1049l";
const ENTER_PANEL = "\u001b[?1049h\u001b[1;1H\u001b[J";

interface JobControlProps {
  place: DrawnPlace;
  /** The shell has the terminal next. */
  onStop: () => void;
  /** Before a key is read again. */
  onBack: () => void;
  children: ReactNode;
}

/**
 * Gives the terminal to the shell when Wave is stopped (SIGTSTP), and has it again when Wave is continued (`fg`), also when the
 * stop came without a warning (SIGSTOP). The shell has set its own modes and written on the screen meanwhile.
 */
export function JobControl({ place, onStop, onBack, children }: JobControlProps) {
  const { suspendTerminal } = useApp();
  // EIO: the terminal is gone, which SIGHUP tells in its own way.
  const stopped = useEffectEvent((stop: () => void) => void suspendTerminal(stop).catch(() => {}));
  const leaves = useEffectEvent(onStop);
  const cameBack = useEffectEvent(onBack);

  useEffect(() => {
    const { stdin, stdout } = process;
    // A stop in the background (`bg`) brings a second SIGCONT for what is one continuation: it is in the next turn of the loop.
    let isBack = false;
    const back = () => {
      isBack = true;
      cameBack();
      setImmediate(() => setImmediate(() => (isBack = false)));
      // The new size of a window is told to whoever has the terminal, and that was the shell.
      process.emit("SIGWINCH", "SIGWINCH");
    };
    const onStopSignal = () => {
      const { isRaw } = stdin;
      stopped(() => {
        leaves();
        if (place.isPanelScreen) stdout.write(LEAVE_PANEL);
        process.off("SIGTSTP", onStopSignal);
        // As the system would do it: where no shell could continue Wave, nothing is stopped and the next line runs at once.
        process.kill(process.pid, "SIGTSTP");
        process.on("SIGTSTP", onStopSignal);
        // First of all: who is continued in the background is stopped here again, before anything is drawn over the shell.
        stdin.setRawMode(true).setRawMode(isRaw);
        if (place.isPanelScreen) stdout.write(ENTER_PANEL);
        back();
      });
    };
    const onContinue = () => {
      if (isBack) return;
      place.isLost = true;
      try {
        // Node believes that the mode is still the one it set, and would not set it again. Who is in the background is stopped here.
        const { isRaw } = stdin;
        stdin.setRawMode(!isRaw).setRawMode(isRaw);
      } catch {
        // EIO: see above.
      }
      stopped(() => {
        if (place.isPanelScreen) stdout.write(ENTER_PANEL);
        back();
      });
    };
    process.on("SIGTSTP", onStopSignal).on("SIGCONT", onContinue);
    return () => void process.off("SIGTSTP", onStopSignal).off("SIGCONT", onContinue);
  }, [place]);

  return children;
}
