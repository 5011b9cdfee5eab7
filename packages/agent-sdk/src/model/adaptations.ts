import type { NamedTarget, Quirk, Quirks } from "./call.ts";
import { serverText, serverWords } from "./serverWords.ts";

/** A change of the request that a refusal is about. */
export interface Adaptation<Body extends object = object> {
  name: Quirk;
  /** What a refusal says that is about this, in the words of the vendors named beside it. */
  says: RegExp;
  /** Pure, and the same request where there is nothing to change. */
  change(body: Body): Body;
  /** For the person, after "from now on Wave". */
  does: string;
}

type Adaptations<Body extends object> = readonly Adaptation<Body>[];

/** The request with every change that helped before, or is being tried. */
export function adapted<Body extends object>(
  body: Body,
  adaptations: Adaptations<Body>,
  quirks: Quirks,
): Body {
  return adaptations
    .filter(({ name }) => isOn(name, quirks))
    .reduce((made, adaptation) => adaptation.change(made), body);
}

/**
 * The next change to try after a refusal of this request, which from now on is part of every request. Undefined: there is none that
 * this refusal is about, and that would make a difference. Every change is tried once for a model at a server, and kept when it helped.
 */
export function learnFrom<Body extends object>(
  refusal: string,
  body: Body,
  adaptations: Adaptations<Body>,
  quirks: Quirks,
): Adaptation<Body> | undefined {
  const text = serverText(refusal);
  return adaptations.find((adaptation) => {
    const { name, says } = adaptation;
    if (!says.test(text)) return false;
    // It was made, and the server says the same: whatever it means, it is not this.
    if (quirks.get(name) === "tried") quirks.set(name, "no-help");
    if (quirks.get(name) !== undefined || isSame(adaptation.change(body), body)) return false;
    quirks.set(name, "tried");
    return true;
  });
}

/** The server took a request: what was tried in it helped. */
export function believe(adaptations: readonly Pick<Adaptation, "name">[], quirks: Quirks): void {
  for (const { name } of adaptations) if (quirks.get(name) === "tried") quirks.set(name, "helps");
}

export function adaptationNotice(
  { does }: Pick<Adaptation, "does">,
  refusal: { status: number | undefined; body: string },
  { address, apiKey }: Pick<NamedTarget, "address" | "apiKey">,
): string {
  const words = serverWords(refusal.body, apiKey);
  const said = [refusal.status === undefined ? [] : [`status ${refusal.status}`], words || []]
    .flat()
    .join(": ");
  return `The model server at ${address} refused the request (${said}); from now on Wave ${does}.`;
}

function isOn(name: Quirk, quirks: Quirks): boolean {
  const state = quirks.get(name);
  return state === "tried" || state === "helps";
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
