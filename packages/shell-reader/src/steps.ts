/**
 * What reading or judging one thing may take, counted in steps and not by a clock: the same thing is read the same way on a busy
 * machine. Whoever goes through something pays for it; a step is about one node of a tree or one character of a text.
 */

/** There are more steps to go than were granted. */
export class TooManySteps extends Error {}

/** Steps that are left to whoever reads now; undefined where nobody counts. */
let left: number | undefined;

export function pay(steps: number): void {
  if (left === undefined) return;
  left -= steps;
  if (left < 0) throw new TooManySteps();
}

/**
 * Does work within so many steps; undefined when that was not enough. Inside of other such work it has as many as anywhere else,
 * so that it always comes to the same end, and the work around it pays for them.
 */
export function withinSteps<T>(most: number, work: () => T): { value: T } | undefined {
  const outer = left;
  left = most;
  let taken = most;
  let done: { value: T } | undefined;
  try {
    done = { value: work() };
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
  } finally {
    taken -= Math.max(left ?? 0, 0);
    left = outer;
  }
  pay(taken);
  return done;
}
