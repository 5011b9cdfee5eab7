import type { HookEventRow } from "./eventRow.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";

/** The kinds of failure that `onError` tells apart. Which way of failing is of which kind: `failures.ts`. */
export const FAILURE_KINDS = ["timeout", "crash", "missing", "invalid"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** From loose to strict. */
export const ON_ERROR = ["continue", "ask", "block"] as const;
export type OnError = (typeof ON_ERROR)[number];

/** One word for every kind of failure, or a word for each. Never four times the same word. */
export type FailurePolicy = OnError | Readonly<Record<FailureKind, OnError>>;

/** What one place of the settings says. What it leaves open is for somebody else to say. */
export type PartialPolicy = Readonly<Partial<Record<FailureKind, OnError>>>;

/** `onError` as people write it. */
export type OnErrorSetting = OnError | { readonly [Kind in FailureKind | "default"]?: OnError | undefined };

export const onErrorFor = (policy: FailurePolicy, kind: FailureKind): OnError =>
  typeof policy === "string" ? policy : policy[kind];

export const isWeaker = (a: OnError, b: OnError): boolean => ON_ERROR.indexOf(a) < ON_ERROR.indexOf(b);

export const stricterOnError = (a: OnError, b: OnError): OnError => (isWeaker(a, b) ? b : a);

/** The same entry in two files: of each kind the stricter word (T11). */
export function strictestPolicy(a: FailurePolicy, b: FailurePolicy): FailurePolicy {
  return policyOf((kind) => stricterOnError(onErrorFor(a, kind), onErrorFor(b, kind)));
}

export function policyOf(wordFor: (kind: FailureKind) => OnError): FailurePolicy {
  const policy = {
    timeout: wordFor("timeout"),
    crash: wordFor("crash"),
    missing: wordFor("missing"),
    invalid: wordFor("invalid"),
  };
  const isSame = FAILURE_KINDS.every((kind) => policy[kind] === policy.timeout);
  return isSame ? policy.timeout : policy;
}

/** Where an event cannot do what a word says, the word means "continue" (SPEC 6). */
export function actingOnError(event: HookEvent, onError: OnError): OnError {
  const { onError: acting }: HookEventRow = HOOK_EVENTS[event];
  return onError === "continue" || acting.includes(onError) ? onError : "continue";
}

/** "block", or "ask for timeout, otherwise block". */
export function describePolicy(policy: FailurePolicy): string {
  if (typeof policy === "string") return policy;
  const kindsOf = (word: OnError) => FAILURE_KINDS.filter((kind) => policy[kind] === word);
  const words = ON_ERROR.filter((word) => kindsOf(word).length > 0).toSorted(
    (a, b) => kindsOf(a).length - kindsOf(b).length,
  );
  const parts = words.map((word, index) =>
    index === words.length - 1 ? `otherwise ${word}` : `${word} for ${kindsOf(word).join(" and ")}`,
  );
  return parts.join(", ");
}
