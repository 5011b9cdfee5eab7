import type { Command, Word } from "unbash";
import { computedName } from "../words/computedNames.ts";
import { ownParts } from "../shell/ownVariables.ts";
import { reboundByCall, SETTERS } from "../shell/rebinding.ts";
import { COMPUTES, note, type Findings } from "./findings.ts";
import { literal, plainWord, readWord, type SimpleCommand } from "../words/words.ts";
import { countsByCall } from "../shell/arithmeticInjection.ts";

/** Builtins that change what the rest of the line means, or that run text. */
const STATE_BUILTINS = new Set(
  (
    "alias unalias bind compgen complete declare typeset local readonly export unset enable eval exec fc getopts hash let " +
    "mapfile readarray read set shopt source . trap"
  ).split(" "),
);

/** `ls {x[…]}<file`: before a redirection it names an element of an array, whose index bash works out. */
const ELEMENT = /^\{[^\s{}[\]'"$`\\]+(\[|\\)/;

/** One command with the variables in front of it: which program it names, and what it does to the shell itself. */
export function examineCommand(node: Command, found: Findings): void {
  const own = ownParts(node);
  for (const one of own.assignments) found.own.add(one);
  for (const name of own.assigned) found.assigned.add(name);
  for (const name of own.exported) found.exported.add(name);
  if (!node.name) return void found.commands.push(...printedBy(node));
  const element = [node.name, ...node.args].find((word) => ELEMENT.test(word.text));
  if (element) found.anything.push(`bash may run commands that it finds in the index of ${element.text}`);
  const command = wordsOf(node.name, node);
  found.commands.push(command);
  found.nodes.set(command, node);
  if (literal(command[0]) === undefined) {
    const name = computedName(node.name);
    const why = `${node.name.text} may be any program`;
    if (name.by === "variable") found.called.add(name.name);
    return void (name.by === "bash" ? found.anything : found.doubts).push(why);
  }
  const [name, ...args] = asBuiltin(command);
  const program = literal(name) ?? "";
  if (SETTERS.has(program)) for (const arg of args) found.computed.add(literal(arg) ?? "");
  const beginnings = args.map(({ known }) => ({ begins: known[0] ?? "", whole: known.length === 1 }));
  note(found.anything, reboundByCall(program, beginnings));
  if (countsByCall(program, beginnings)) found.doubts.push(COMPUTES);
  if (STATE_BUILTINS.has(program) && !own.keepsToItself)
    found.doubts.push(`${program} changes the shell itself`);
  if (maySet(program, args)) found.doubts.push(`${program} may set a variable`);
}

/** `printf -v name`, `printf %n`, `wait -p name`: an option that is only known when the line runs may be one of them. */
function maySet(program: string, args: SimpleCommand): boolean {
  if (program === "wait") return !args.every((word) => WAITS_FOR.test(literal(word) ?? word.text));
  const [first] = args;
  if (program !== "printf" || !first) return program === "printf";
  const [begins = "", ...others] = first.known;
  return /^(-v.*)?$|%[^a-zA-Z%]*n/.test(begins) || (begins === "-" && others.length > 0);
}

/** A process or a job by its number. What a file or a variable holds may be an option. */
const WAITS_FOR = /^(\d+|%[\w%+-]*|-[nf]{1,2}|--|\$!|"\$!")$/;

/** `$(<f)` prints f: whoever is asked about `$(cat f)` has to be asked about it as well. */
function printedBy({ redirects }: Command): SimpleCommand[] {
  return redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.operator === "<" && redirect.target
      ? [[plainWord("cat"), readWord(redirect.target)]]
      : [],
  );
}

/** `command export` and `builtin export` are `export`: they run in the shell itself, as no other wrapper does. */
function asBuiltin(command: SimpleCommand): SimpleCommand {
  const at = command.findIndex((word) => !/^(command|builtin|-.*)$/.test(literal(word) ?? ""));
  return at < 0 ? command : command.slice(at);
}

export function wordsOf(name: Word, node: Command): SimpleCommand {
  return [name, ...node.args].map(readWord);
}
