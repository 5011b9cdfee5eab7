import { lookInside } from "../programs/wrappers.ts";
import type { Need } from "../reading.ts";
import type { SimpleCommand } from "../words/words.ts";

/** Commands inside each other. Nobody writes more. */
const MOST_AROUND = 32;

/** The commands of a script, when all of it is understood. */
export type ReadScript = (script: string) => readonly SimpleCommand[] | undefined;

/**
 * What has to be covered before a command may run without a question: the command itself, and what it runs in turn where that
 * is certain. `nohup npm test` needs what `npm test` needs; `sudo x` needs a yes for sudo and one for x.
 */
export function needsOf(command: SimpleCommand, read: ReadScript, inside: Need["inside"] = []): Need[] {
  const found = lookInside(command);
  const own: Need = { command, inside };
  if (found.holds === "nothing") return [own];
  const sealed: Need = { ...own, sealedAt: found.at };
  if (found.holds === "something" || inside.length > MOST_AROUND) return [sealed];
  const inner = found.holds === "command" ? [found.command] : read(found.script);
  if (!inner) return [sealed];
  const around = [...inside, { command, at: found.at }];
  const needs = inner.flatMap((one) => needsOf(one, read, around));
  return found.transparent ? needs : [own, ...needs];
}
