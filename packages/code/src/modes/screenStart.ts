import type { SessionFlags } from "../cli/args.ts";
import type { ModelChoice } from "./model.ts";

/** What the terminal UI is started with. */
export interface ScreenStart {
  flags: SessionFlags;
  prompt: string | undefined;
  /** Chosen on the first screen, where nothing else says which. */
  model?: ModelChoice;
}
