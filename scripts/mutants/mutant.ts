/** A small mistake in the code that decides. Some test must notice it, or `survives` says why none can. */
export interface Mutant {
  /** The end of the path of its file, as short as it is clear: "hooks/verdict.ts". */
  in: string;
  /** A text that stands there exactly once. */
  from: string;
  to: string;
  /** The nearest tests: paths, or parts of them, as vitest takes them. */
  tests: readonly string[];
  survives?: string;
}
