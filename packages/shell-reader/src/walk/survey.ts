import type { Command, SyntaxNode } from "unbash";
import { childrenOf } from "../grammar/grammar.ts";
import { CONTROL_CHARACTERS, hasControlCharacters, whyBeyond } from "../grammar/limits.ts";
import { parseShell } from "../grammar/parse.ts";
import { isExpandedIn, whyUnread } from "../grammar/unreadText.ts";
import { embeddedBy, readsCommands } from "../programs/embeddedCommands.ts";
import { codeIn, isInterpreter } from "../programs/interpreters.ts";
import { hiddenIn, programName, type Hidden } from "../programs/wrappers.ts";
import { shortened } from "../text.ts";
import { fixedText } from "../words/fixedText.ts";
import { literal, plainWord, type SimpleCommand } from "../words/words.ts";
import { COMPUTES, noFindings, note, type Findings } from "./findings.ts";
import { examine } from "./nodes.ts";

/**
 * The programs of a command line, whatever runs before them.
 *
 * `complete` means: these are all the programs, and nothing else happens on the way (no file written by a redirection, no
 * variable set, no expansion that runs or assigns). Only then may an allow rule speak. When it is false, `programs` says
 * whether at least every program is known; if not, deny and ask rules have to fall back on the words of the line. With
 * `any` not even the words say something: what they mean was changed, or the program's name is put together by bash.
 */
export type CommandReading = {
  commands: SimpleCommand[];
  /** Where those stand that are not only made of a redirection. */
  nodes: ReadonlyMap<SimpleCommand, Command>;
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
  | {
      complete: false;
      why: string;
      programs: "known" | "unknown" | "any";
      onlyRedirects: boolean;
      /** All that is not understood is the text of programs that people use to read. */
      onlyUnread: boolean;
    }
);

/** How deep shells inside shells are followed. Nobody writes more by hand; beyond it the line counts as not understood. */
const MAX_DEPTH = 8;

/** The text of a command in quotes needs no rule that allows it, but one that holds it back holds. */
export const isFixedText = (node: SyntaxNode, child: SyntaxNode) =>
  node.type === "DoubleQuoted" && child.type === "CommandExpansion" && fixedText(child) !== undefined;

/** Looks at every node of a text, each on its own, and says what they amount to. */
export class Survey {
  readonly #found: Findings = noFindings();

  /** `unread`: what nobody could read in it. `isFixed`: it is a part of a text that stands there as it is. */
  look(node: SyntaxNode, { unread, isFixed }: { unread: string | undefined; isFixed: boolean }): void {
    if (unread !== undefined) this.#found.doubts.unshift(unread);
    if (!isFixed) examine(node, this.#found);
    else if (node.type === "CommandExpansion") this.#found.hidden.push([plainWord("cat")]);
  }

  /** Not all of it could be looked at. */
  beyond(why: string): void {
    this.#found.anything.push(why);
  }

  amountsTo(line: string, depth = 0): CommandReading {
    const found = this.#found;
    if (hasControlCharacters(line)) found.doubts.unshift(CONTROL_CHARACTERS);
    for (const command of found.commands) {
      readHidden(hiddenIn(command), found, depth);
      readForeign(command, line, found);
    }
    for (const command of found.hidden) readForeign(command, line, found);
    // What reaches their input may stand in any word of the line.
    for (const program of new Set(found.commands.map((command) => programName(command) ?? "")))
      if (readsCommands(program))
        readHidden(embeddedBy(program, [...found.inputs, ...found.commands.flat()]), found, depth);
    for (const name of found.called)
      if (found.computed.has(name)) found.anything.push(`what is in $${name} may be any program`);
    for (const name of found.counted)
      if (!found.numbers.has(name) || found.texts.has(name) || found.computed.has(name))
        found.doubts.push(COMPUTES);
    for (const name of found.assigned)
      if (found.exported.has(name)) found.sideEffects.push(`it sets the variable ${name} for programs`);
    return readingOf(found);
  }
}

function readingOf(found: Findings): CommandReading {
  const { commands, nodes, hidden, foreign } = found;
  const unseenCode = found.unseenCode[0];
  const assigned = [...found.assigned];
  const [more = found.sideEffects[0]] = [...found.anything, ...found.doubts];
  const beside = more ?? found.unread[0];
  const why = beside ?? found.written[0];
  const onlyRedirects = beside === undefined;
  const all = { commands, nodes, hidden, foreign, unseenCode, assigned };
  if (why === undefined) return { ...all, complete: true };
  const isUnknown = found.doubts.length > 0 || found.unread.length > 0;
  const programs = found.anything.length > 0 ? "any" : isUnknown ? "unknown" : "known";
  const onlyUnread = more === undefined && found.written.length === 0;
  return { ...all, complete: false, why: shortened(why, 200), programs, onlyRedirects, onlyUnread };
}

/** Text that is not walked, since only some of it may run: `sudo echo 'rm x'`. */
export function surveyText(text: string, depth: number, doubt?: string): CommandReading {
  const survey = new Survey();
  const beyond = depth > MAX_DEPTH ? "it nests too many shells in each other" : undefined;
  const why = beyond ?? whyBeyond(() => surveyAll(survey, parseShell(text))) ?? doubt;
  if (why !== undefined) survey.beyond(why);
  return survey.amountsTo(text, depth);
}

/** With a list of its own: what is nested deeply must not overflow the stack. */
function surveyAll(survey: Survey, root: SyntaxNode): void {
  const waiting = [{ node: root, isExpanded: false, isFixed: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, isFixed } = next;
    survey.look(node, { unread: whyUnread(node, next.isExpanded), isFixed });
    const isExpanded = isExpandedIn(node, next.isExpanded);
    // The next to be taken is the last, and commands are listed in the order in which bash comes to them.
    for (const { node: child } of childrenOf(node).toReversed())
      waiting.push({ node: child, isExpanded, isFixed: isFixed || isFixedText(node, child) });
  }
}

function readHidden(hidden: Hidden, found: Findings, depth: number): void {
  for (const inner of hidden.commands) found.hidden.push(inner);
  note(found.doubts, hidden.doubt);
  note(found.unread, hidden.unread);
  note(found.anything, hidden.anything);
  for (const script of hidden.scripts) {
    const inner = surveyText(script, depth + 1);
    // One by one: spread into a call, a script of some hundred thousand commands would overflow the stack.
    for (const command of [...inner.commands, ...inner.hidden]) found.hidden.push(command);
    for (const code of inner.foreign) found.foreign.push(code);
    note(found.unseenCode, inner.unseenCode);
    if (inner.complete || inner.programs === "known") continue;
    if (inner.programs === "any") found.anything.push(inner.why);
    else (inner.onlyUnread ? found.unread : found.doubts).push(inner.why);
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
