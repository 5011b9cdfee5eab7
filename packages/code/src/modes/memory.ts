import v8 from "node:v8";

/** By then everything is loaded and drawn, and the space for new objects has the size that this took. */
const STARTED_AFTER_MS = 1_000;

/**
 * V8 lets its heap grow under load and seldom gives it back: a hundred megabytes after a thousand calls, of which Wave uses four.
 * From a moment after the start on, the space for new objects stays as large as it is, and the rest is tidied up when it has
 * grown by a fifth. Neither costs time that one could measure.
 */
export function keepMemorySmall(): void {
  // Another V8 may not know these words, and would complain in the middle of the screen.
  if (!process.versions.v8.startsWith("13.")) return;
  setTimeout(() => {
    v8.setFlagsFromString("--semi-space-growth-factor=1");
    v8.setFlagsFromString("--heap-growing-percent=20");
  }, STARTED_AFTER_MS).unref();
}
