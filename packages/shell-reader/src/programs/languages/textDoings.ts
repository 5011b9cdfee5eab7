/** What a program text does apart from printing what it reads. */
export interface TextDoings {
  reads: string[];
  writes: string[];
  /** Text for a shell. */
  runs: string[];
  /** Why it may do more of each than that. */
  readsMore?: string;
  writesMore?: string;
  runsMore?: string;
  /** Why it is not believed, although no more than that is known. */
  doubt?: string;
  /** Why it is not proven to do no more: it is beyond the few forms that people write every day. */
  unproven?: string;
}

export const noDoings = (): TextDoings => ({ reads: [], writes: [], runs: [] });
