import type { Comeback, WentBack } from "../input/prompt.ts";
import { BETWEEN_PROMPTS, refusedLine, together, type Refused } from "./comeback.ts";
import type { SentTexts } from "./sentTexts.ts";
import type { Restore, SessionState } from "./sessionState.ts";
import type { SentPrompt } from "./steering.ts";
import type { Store } from "./store.ts";

/** Texts on their way back into the input. It takes one at a time: what comes twice before the screen is drawn comes together. */
export class ComingBack {
  readonly #store: Store<SessionState>;
  readonly #sent: SentTexts;
  #restores = 0;
  #undrawn: Comeback | undefined;
  /** What the person said no to, until the input says where it went. */
  #refused: Refused | undefined;

  constructor(store: Store<SessionState>, sent: SentTexts) {
    this.#store = store;
    this.#sent = sent;
    store.subscribe(() => (this.#undrawn = undefined));
  }

  put({ text, became }: Pick<Restore, "text" | "became">, how: { byItself: boolean } = BY_ITSELF): void {
    this.#comeBack({ text, beforeDraft: text, ...how }, became);
  }

  /** Nobody has judged them. */
  putUnjudged(prompts: readonly SentPrompt[], how: { byItself: boolean } = BY_ITSELF): void {
    for (const { sent } of prompts) this.#sent.returns(sent);
    const text = prompts.map((prompt) => prompt.text).join(BETWEEN_PROMPTS);
    if (prompts.length > 0) this.put({ text, became: undefined }, how);
  }

  /** Whoever has begun to write something else keeps it as it is. */
  putRefused(refused: Refused): void {
    this.#refused = refused;
    this.#comeBack({ text: refused.text, beforeDraft: undefined, ...BY_ITSELF });
  }

  /** The input has taken what was given back to it, or has kept its draft. What to remember, and what to say about it. */
  arrived(to: WentBack): { remember?: string; notice?: string | undefined } {
    this.#sent.cameBack();
    const { restore, history } = this.#store.state;
    if (to === "above-draft" && restore?.became !== undefined)
      this.#store.set({ restore: { ...restore, became: `${restore.became}, above your draft` } });
    const refused = this.#refused;
    this.#refused = undefined;
    if (!refused) return {};
    const isNew = to === "history" && !history.includes(refused.text);
    return { ...(isNew ? { remember: refused.text } : {}), notice: refusedLine(refused, to) };
  }

  #comeBack(comeback: Comeback, became?: string): void {
    this.#undrawn = together(comeback, this.#undrawn);
    this.#store.set({ restore: { id: ++this.#restores, ...this.#undrawn, became } });
  }
}

const BY_ITSELF = { byItself: true };
