import { wireId } from "./wireNames.ts";

/** Results follow their calls, in the same order: that tells apart those whose calls came with one id, or with none. */
export class WireIds {
  readonly #used = new Map<string, number>();
  #open = new Map<string, string[]>();

  nextAnswer(): void {
    this.#open = new Map();
  }

  ofCall(id: string): string {
    const repeats = this.#used.get(id) ?? 0;
    this.#used.set(id, repeats + 1);
    const made = wireId(id, repeats);
    this.#open.set(id, [...(this.#open.get(id) ?? []), made]);
    return made;
  }

  ofResult(id: string): string {
    return this.#open.get(id)?.shift() ?? wireId(id, 0);
  }
}
