import type { ParsedScript } from "unbash";
import { shortened } from "../text.ts";
import { carriedBy, readsCommands } from "../programs/embeddedCommands.ts";
import { codeIn, isInterpreter } from "../programs/interpreters.ts";
import { parseShell } from "../grammar/parse.ts";
import { wordsOf } from "./commands.ts";
import { COMPUTES, noFindings, note, type Findings } from "./findings.ts";
import { visitAll } from "./nodes.ts";
import { literal, type SimpleCommand } from "../words/words.ts";
import { CONTROL_CHARACTERS, hasControlCharacters, readWithinSteps, whyBeyond } from "../grammar/limits.ts";
import { whyUnread } from "../grammar/unreadText.ts";
import { hiddenIn, programName, type Hidden } from "../programs/wrappers.ts";

/**
 * What a command line would run, read without running it.
 *
 * `complete` means: these are all the programs, and nothing else happens on the way (no file written by a redirection, no
 * variable set, no expansion that runs or assigns). Only then may an allow rule speak. When it is false, `programs` says
 * whether at least every program is known; if not, deny and ask rules have to fall back on the words of the line. With
 * `any` not even the words say something: what they mean was changed, or the program's name is put together by bash.
 */
export type CommandReading = {
  commands: SimpleCommand[];
  /** What the commands run in turn (`sudo x`, `bash -c 'x'`, `find -exec x`): for deny and ask rules. May name too much. */
  hidden: SimpleCommand[];
  /** Code of another language on the line, which may run any of the programs that it names. */
  foreign: string[];
  /** Why a program runs code of another language that is not on the line, or not all of it. */
  unseenCode: string | undefined;
  /** Variables that the line sets for itself. Whether they reach a program is known only with the environment at hand. */
  assigned: string[];
} & (
  | { complete: true }
  | { complete: false; why: string; programs: "known" | "unknown" | "any"; onlyRedirects: boolean }
);

/** How deep shells inside shells are followed. Nobody writes more by hand; beyond it the line counts as not understood. */
const MAX_DEPTH = 8;

export function readCommands(line: string): CommandReading {
  const read = readWithinSteps(line, () => readScript(line, 0));
  if ("value" in read) return read.value;
  const nothing = { commands: [], hidden: [], foreign: [], unseenCode: undefined, assigned: [] };
  return { ...nothing, complete: false, why: read.why, programs: "any", onlyRedirects: false };
}

/** All that keeps a line from being complete are files that it writes by `>`, and they are spelled out. */
export const onlyRedirects = (reading: CommandReading) => !reading.complete && reading.onlyRedirects;

/** Text that is one program with arguments and nothing else: what a rule may spell out. */
export function readOneCommand(text: string): SimpleCommand | undefined {
  let words: SimpleCommand | undefined;
  readWithinSteps(text, () => whyBeyond(() => (words = onlyCommand(parseShell(text)))));
  return words;
}

function onlyCommand({ commands, errors }: ParsedScript): SimpleCommand | undefined {
  const [statement, ...others] = commands;
  const node = statement?.command;
  if (errors?.length || others.length > 0 || statement?.background) return undefined;
  if (node?.type !== "Command" || !node.name || node.prefix.length > 0 || node.redirects.length > 0)
    return undefined;
  return wordsOf(node.name, node);
}

function readScript(line: string, depth: number): CommandReading {
  const found = noFindings();
  if (depth > MAX_DEPTH) found.doubts.push("it nests too many shells in each other");
  else {
    if (hasControlCharacters(line)) found.doubts.push(CONTROL_CHARACTERS);
    note(
      found.doubts,
      whyBeyond(() => {
        const script = parseShell(line);
        note(found.doubts, whyUnread(script));
        visitAll(script, found);
      }),
    );
    for (const command of found.commands) {
      readHidden(hiddenIn(command), found, depth);
      readForeign(command, line, found);
    }
    for (const command of found.hidden) readForeign(command, line, found);
    // What reaches their input may stand in any word of the line.
    for (const program of new Set(found.commands.map((command) => programName(command) ?? "")))
      if (readsCommands(program))
        readHidden(carriedBy(program, [...found.inputs, ...found.commands.flat()]), found, depth);
    for (const name of found.called)
      if (found.computed.has(name)) found.anything.push(`what is in $${name} may be any program`);
    for (const name of found.counted)
      if (!found.numbers.has(name) || found.texts.has(name) || found.computed.has(name))
        found.doubts.push(COMPUTES);
    for (const name of found.assigned)
      if (found.exported.has(name)) found.sideEffects.push(`it sets the variable ${name} for programs`);
  }
  const { commands, hidden, foreign } = found;
  const unseenCode = found.unseenCode[0];
  const assigned = [...found.assigned];
  const beside = found.anything[0] ?? found.doubts[0] ?? found.sideEffects[0];
  const why = beside ?? found.written[0];
  const onlyRedirects = beside === undefined;
  const all = { commands, hidden, foreign, unseenCode, assigned };
  if (why === undefined) return { ...all, complete: true };
  const programs = found.anything.length > 0 ? "any" : found.doubts.length > 0 ? "unknown" : "known";
  return { ...all, complete: false, why: shortened(why, 200), programs, onlyRedirects };
}

function readHidden(hidden: Hidden, found: Findings, depth: number): void {
  for (const inner of hidden.commands) found.hidden.push(inner);
  note(found.doubts, hidden.doubt);
  note(found.anything, hidden.anything);
  for (const script of hidden.scripts) {
    const inner = readScript(script, depth + 1);
    // One by one: spread into a call, a script of some hundred thousand commands would overflow the stack.
    for (const command of [...inner.commands, ...inner.hidden]) found.hidden.push(command);
    for (const code of inner.foreign) found.foreign.push(code);
    note(found.unseenCode, inner.unseenCode);
    if (!inner.complete && inner.programs !== "known")
      (inner.programs === "any" ? found.anything : found.doubts).push(inner.why);
  }
}

/** Code of another language. What comes from the input of its program may stand anywhere on the line. */
function readForeign(command: SimpleCommand, line: string, found: Findings): void {
  const program = programName(command) ?? "";
  if (!isInterpreter(program)) return;
  const words = command.slice(1);
  const code = codeIn(
    program,
    words.map(({ text, known }) => ({
      begins: /^[<>]\(/.test(text) ? "/dev/fd/63" : (known[0] ?? ""),
      whole: known.length === 1,
    })),
  );
  for (const { at, from } of code?.pieces ?? []) {
    const word = words[at];
    const text = literal(word);
    if (text === undefined) found.unseenCode.push(`${program} runs code that is not known yet`);
    for (const piece of word?.known ?? []) found.foreign.push(from === 0 ? piece : piece.slice(from));
  }
  // Where nothing is piped or redirected there is no input.
  if (!code?.readsInput || !/[|<]/.test(line)) return;
  found.foreign.push(line);
  found.unseenCode.push(`${program} runs what it reads from its input`);
}
