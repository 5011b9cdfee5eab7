import type { Surroundings } from "../cli/surroundings.ts";
import { printable } from "../utils/printable.ts";

export function wrongUsage({ stderr }: Pick<Surroundings, "stderr">, problem: string): number {
  stderr.write(printable(`wave: ${problem}\n`));
  return 2;
}

/** Something is asked for that is not there, or cannot be read. */
export function failed({ stderr }: Pick<Surroundings, "stderr">, problem: string): number {
  stderr.write(printable(`wave: ${problem}\n`));
  return 1;
}
