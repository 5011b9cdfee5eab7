import type { Command, SyntaxNode } from "unbash";
import { analyseCommand } from "../walk/analyse.ts";
import { coverOf, type CommandPattern } from "./covers.ts";
import type { RulePlace } from "../programs/escapes.ts";
import { parseShell } from "../grammar/parse.ts";
import { onlyRedirects, type CommandReading } from "../walk/readCommands.ts";
import { childrenOf } from "../grammar/grammar.ts";
import { commandText, literal, readWord, type SimpleCommand } from "../words/words.ts";

/**
 * A line of which allow rules cover some commands: the line with `true` in their place, for whoever can tell whether what is
 * left only reads. Undefined when they cover none.
 */
export function withoutCovered<Named extends { pattern: CommandPattern }>(
  rules: readonly Named[],
  line: string,
  reading: CommandReading,
  place: RulePlace = {},
): { rest: string; used: Named[] } | undefined {
  if (!reading.complete && !onlyRedirects(reading)) return undefined;
  const used = new Set<Named>();
  let rest = line;
  // From the end, so that the places of those before stay what they are.
  for (const node of commandsIn(parseShell(line)).toSorted((one, other) => other.pos - one.pos)) {
    const by = coverOf(rules, wordsOf(node), place);
    if (!by) continue;
    by.forEach((rule) => used.add(rule));
    // What stays is looked at with the rest: the rule says no more than that somebody agreed to the command.
    if (!canBeLeftOut(node)) continue;
    // A redirection is no part of what a rule covers; it stays and is looked at.
    const kept = node.redirects.map(({ pos, end }) => ` ${line.slice(pos, end)}`).join("");
    rest = `${rest.slice(0, node.pos)}true${kept}${rest.slice(node.end)}`;
  }
  return used.size === 0 ? undefined : { rest, used: [...used] };
}

/** The commands of the line itself, not those inside of words: what stands in a word is never left out. */
function commandsIn(node: SyntaxNode): Command[] {
  if (node.type === "Command") return [node];
  return childrenOf(node).flatMap(({ node: child, role }) => (role === "runs" ? commandsIn(child) : []));
}

/** They change where the rest of the line works. */
const MOVES = new Set(["cd", "chdir", "pushd", "popd"]);

/**
 * Only a program that Wave cannot see through: whoever allows it allows whatever it does. Of one that is known to write a
 * file, make a link or move something the rest of the line might read the result, which nobody has looked at yet.
 */
function canBeLeftOut(node: Command): boolean {
  const words = wordsOf(node).map(literal);
  if (words.length === 0 || words.some((word) => word === undefined || MOVES.has(word))) return false;
  if (node.redirects.some(({ type }) => type !== "Redirect")) return false;
  const { unclear, accesses } = analyseCommand(commandText(wordsOf(node)), { folder: "/", variables: {} });
  return unclear !== undefined && accesses.every(({ access }) => access !== "write");
}

function wordsOf({ name, args }: Command): SimpleCommand {
  return name ? [name, ...args].map(readWord) : [];
}
