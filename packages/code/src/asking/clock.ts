/** Time as this part of Wave sees it. Injected, so that a test decides when it passes. */
export interface Clock {
  /** Milliseconds that never go back, whatever happens to the wall clock. */
  now(): number;
  /** Milliseconds since the epoch, for what a person reads. */
  wall(): number;
  /** Runs once after that many milliseconds; the result takes it back. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(
      () => {
        // Not at once: when the process was busy, keys pressed meanwhile are still unread, and Node reads them between its
        // timers and its immediates. They were pressed before this moment and have to be handled before it.
        immediate = setImmediate(run);
      },
      Math.max(0, ms),
    );
    return () => {
      clearTimeout(timer);
      if (immediate) clearImmediate(immediate);
    };
  },
};
