import type { Surroundings } from "../cli/surroundings.ts";
import { DraftKeeper } from "../input/draft.ts";
import { typedText } from "../input/typedText.ts";
import type { KeyRouter } from "../keyboard/keyRouter.ts";
import { projectDir, waveHome } from "./places.ts";

/** Those of one process that it took over from others are counted from 1. */
const BESIDE = 0;

/**
 * What is typed beside a question while there is no prompt: on disk like every draft, so that it survives whatever is answered,
 * and a crash. The prompt that comes finds it there.
 */
export class EarlyDraft {
  readonly #keys: KeyRouter;
  readonly #keeper: DraftKeeper;
  #canBeKept = true;

  constructor(keys: KeyRouter, around: Pick<Surroundings, "env" | "cwd">) {
    this.#keys = keys;
    this.#keeper = new DraftKeeper({
      home: waveHome(around.env),
      projectDir: projectDir(around),
      number: BESIDE,
      // The prompt that comes says so.
      onProblem: () => (this.#canBeKept = false),
    });
    keys.watchEarly(() => {
      if (keys.early.length > 0) this.#keeper.change(typedText(keys.early));
    });
  }

  /** All of it is on disk. */
  keep(): void {
    // Without a text it would remove what is there.
    if (this.#keys.early.length > 0) this.#keeper.flush();
  }

  /** For a prompt that reads drafts next. What cannot be written stays with the keyboard, which gives it to the prompt. */
  handOver(): void {
    this.keep();
    if (this.#canBeKept && this.#keys.early.length > 0) this.#keys.takeEarly();
    this.#keys.watchEarly(() => {});
  }
}
