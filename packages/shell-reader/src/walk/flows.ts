import type { Statement, SyntaxNode, Word } from "unbash";
import type { Kind, NodeOf } from "../grammar/grammar.ts";
import { reboundByExpansion, reboundByFunction, reboundByVariable } from "../shell/rebinding.ts";
import { isPublicName } from "../shell/ownVariables.ts";
import { touchRedirect } from "../shell/redirect.ts";
import {
  either,
  joined,
  commandInNumbers,
  unchanged,
  UNKNOWN,
  widened,
  withFunction,
  withVariable,
  type Ends,
  type Scope,
} from "../shell/scope.ts";
import { stdinOf, type Stdin } from "../shell/stdinSource.ts";
import { CUT_BY_BASH, cutsValues } from "../words/cutValues.ts";
import { expandWord } from "../words/expand.ts";
import { isUnknown } from "../words/unknownText.ts";
import { LOOKS_AT_FILES } from "../programs/conditions.ts";
import { ProgramCall } from "./programCall.ts";
import type { Sightings } from "./sightings.ts";

/** How a node may end. */
export interface Outcome {
  ends: Ends;
  /** What a command hands to the one behind a pipe. */
  prints?: Stdin;
  /** Of a branch: what is known where its test failed. */
  skipped?: Scope;
}

/** A node on the way through a line, when all that bash expands before it has been looked at. */
export interface Here {
  scope: Scope;
  stdin: Stdin;
  seen: Sightings;
  /** Text waits for a signal or the end, when other functions may be there than now. */
  isTrapSet: boolean;
  /** Runs a part of the node: what it does is looked at, once or as often as it may run. */
  run(part: SyntaxNode, scope: Scope, stdin?: Stdin): Outcome;
  command(node: NodeOf<"Command">): Outcome;
}

/** Nothing runs in it, or what does has been looked at. */
export const still = ({ scope }: Pick<Here, "scope">): Outcome => ({ ends: unchanged(scope) });

/** In a shell of its own: nothing is known afterwards that was not known before. */
function apart(here: Here, part: SyntaxNode | undefined): Outcome {
  if (part) here.run(part, here.scope);
  return still(here);
}

/**
 * What runs in a node of each kind, in which order, and what is known then. One row per kind, so that none can be forgotten; a
 * part that runs and that its row leaves out makes the line unknown.
 */
export const FLOWS: { readonly [K in Kind]: (here: Here, node: NodeOf<K>) => Outcome } = {
  Script: (here, { commands }) => list(here, commands),
  CompoundList: (here, { commands }) => list(here, commands),
  Statement: (here, { command, background }) =>
    background ? apart(here, command) : here.run(command, here.scope),
  AndOr: andOr,
  Pipeline: pipeline,
  Time: still,
  Negation: still,
  Command: (here, node) => here.command(node),
  Redirected: (here, { redirects, command }) => {
    const { ends } = here.run(command, here.scope, stdinOf(redirects, here.scope) ?? here.stdin);
    return { ends };
  },
  Subshell: (here, { body }) => apart(here, body),
  BraceGroup: (here, { body }) => here.run(body, here.scope),
  If: ifElse,
  Elif: branch,
  While: (here, { kind, clause, body }) =>
    loop(here, (scope) => {
      const tested = here.run(clause, scope).ends;
      const done = here.run(body, kind === "while" ? tested.ok : tested.failed).ends;
      return joined([tested, done]);
    }),
  For: forLoop,
  Select: (here, { name, body }) =>
    loop(here, (scope) => {
      const chosen = withVariable(withVariable(scope, name.value, UNKNOWN), "REPLY", UNKNOWN);
      return here.run(body, chosen).ends;
    }),
  ArithmeticFor: (here, { body }) => loop(here, (scope) => here.run(body, scope).ends),
  Case: caseOf,
  CaseItem: (here, { body }) => here.run(body, here.scope),
  Function: defineFunction,
  Coproc: (here, { body }) => {
    here.seen.because("changes", "it starts a coprocess");
    return apart(here, body);
  },
  TestCommand: counts,
  TestUnary: (here, { operator, operand }) => looksAt(here, operator, [operand]),
  TestBinary: (here, { operator, left, right }) => looksAt(here, operator, [left, right]),
  TestLogical: still,
  TestNot: still,
  TestGroup: still,
  ArithmeticCommand: counts,
  ArithmeticBinary: still,
  ArithmeticUnary: still,
  ArithmeticTernary: still,
  ArithmeticGroup: still,
  ArithmeticWord: still,
  ArithmeticCommandExpansion: (here, { script }) => apart(here, script),
  Assignment: still,
  ArrayValue: still,
  Redirect: (here, node) => {
    touchRedirect(ProgramCall.bystander(here.seen, here.scope), node);
    return still(here);
  },
  HereString: still,
  HereDoc: still,
  HereDocDelimiter: still,
  HereDocBody: still,
  FileDescriptor: still,
  FileDescriptorVariable: still,
  Word: still,
  Literal: still,
  SingleQuoted: still,
  AnsiCQuoted: still,
  DoubleQuoted: still,
  LocaleString: still,
  Glob: still,
  ExtendedGlob: still,
  BraceExpansion: still,
  SimpleExpansion: usesVariable,
  ParameterExpansion: (here, node) => {
    here.seen.rebound(reboundByExpansion(node));
    return usesVariable(here, node);
  },
  Default: still,
  Remove: still,
  Replace: still,
  Slice: still,
  CaseModification: still,
  Transform: still,
  Names: still,
  Unknown: still,
  CommandExpansion: (here, { script }) => apart(here, script),
  ProcessSubstitution: (here, { script }) => apart(here, script),
  ArithmeticExpansion: still,
};

function list(here: Here, statements: readonly Statement[]): Outcome {
  let ends = unchanged(here.scope);
  for (const statement of statements) ends = here.run(statement, either(ends.ok, ends.failed)).ends;
  return { ends };
}

/** `a && b || c`: what runs depends on how the one before ended. */
function andOr(here: Here, { commands, operators }: NodeOf<"AndOr">): Outcome {
  const [first, ...others] = commands;
  let ends = first ? here.run(first, here.scope).ends : unchanged(here.scope);
  for (const [at, command] of others.entries()) {
    const and = operators[at] === "&&";
    const next = here.run(command, and ? ends.ok : ends.failed).ends;
    ends = and
      ? { ok: next.ok, failed: either(ends.failed, next.failed) }
      : { ok: either(ends.ok, next.ok), failed: next.failed };
  }
  return { ends };
}

/** Every part of several runs in a shell of its own. */
function pipeline(here: Here, { commands, prefixes }: NodeOf<"Pipeline">): Outcome {
  const [only, ...others] = commands;
  if (only && others.length === 0) {
    const { ok, failed } = here.run(only, here.scope).ends;
    const isNegated = prefixes.some(({ type }) => type === "Negation");
    return { ends: isNegated ? { ok: failed, failed: ok } : { ok, failed } };
  }
  let stdin: Stdin;
  for (const command of commands) stdin = here.run(command, here.scope, stdin).prints;
  return still(here);
}

/** A test, and what runs where it succeeds. */
// oxlint-disable-next-line no-thenable -- the parser calls a part so
function branch(here: Here, { clause, then }: Pick<NodeOf<"Elif">, "clause" | "then">): Outcome {
  const tested = here.run(clause, here.scope).ends;
  return { ends: here.run(then, tested.ok).ends, skipped: tested.failed };
}

/** Every test is reached where those before it failed, and any of the branches may be the one that ran. */
function ifElse(here: Here, node: NodeOf<"If">): Outcome {
  const after: Outcome[] = [branch(here, node)];
  const reached = () => after.at(-1)?.skipped ?? here.scope;
  for (const elif of node.elif) after.push(here.run(elif, reached()));
  const otherwise = node.else ? here.run(node.else, reached()).ends : unchanged(reached());
  return { ends: joined([...after.map(({ ends }) => ends), otherwise]) };
}

/** What a round of a loop changes is unknown at the start of the next one. */
function loop({ scope, seen: { gitProgress } }: Here, round: (scope: Scope) => Ends): Outcome {
  const stage = gitProgress.stage;
  const first = round(scope);
  const wide = widened(scope, either(first.ok, first.failed));
  if (wide !== scope || gitProgress.stage !== stage) round(wide);
  return { ends: unchanged(wide) };
}

function forLoop(here: Here, { name, wordlist, body }: NodeOf<"For">): Outcome {
  const { scope, seen } = here;
  seen.rebound(reboundByVariable(name.value));
  // A loop over PATH changes what the commands in it do; a plain lower-case word is never exported.
  if (!/^[a-z][a-z0-9]*$/.test(name.value)) seen.because("changes", `it sets the variable ${name.value}`);
  const words = wordlist?.map((word) => expandWord(word, scope));
  for (const word of words ?? []) {
    const bystander = ProgramCall.bystander(seen, scope);
    bystander.lists(word);
    if (word.lists && !word.texts.some(isUnknown) && cutsValues(body))
      bystander.supposesNone(CUT_BY_BASH, word);
  }
  const values = words?.flatMap(({ texts }) => texts) ?? UNKNOWN;
  return loop(here, (inner) => here.run(body, withVariable(inner, name.value, values)).ends);
}

function caseOf(here: Here, { items }: NodeOf<"Case">): Outcome {
  const { scope } = here;
  let reached = scope;
  const after = items.map((item) => {
    const { ends } = here.run(item, reached);
    // `;&` goes on with the next one, as it left things.
    reached = item.terminator === ";;" ? scope : either(scope, either(ends.ok, ends.failed));
    return ends;
  });
  return { ends: joined([unchanged(scope), ...after]) };
}

function defineFunction(here: Here, { name, body }: NodeOf<"Function">): Outcome {
  const { seen, scope } = here;
  seen.because("changes", "it defines a function");
  seen.rebound(reboundByFunction(name.value));
  if (here.isTrapSet) seen.rebound("a trap may run the functions behind it");
  // Who calls it is not always seen: what it does counts from here on.
  here.run(body, scope);
  return { ends: unchanged(withFunction(scope, name.value, body)) };
}

/** What they run stands in their words, or in a variable that they count with. */
function counts(here: Here): Outcome {
  here.seen.rebound(commandInNumbers(here.scope));
  return still(here);
}

/** `[[ -f x ]]`, `[[ a -nt b ]]` */
function looksAt(here: Here, operator: string, operands: readonly Word[]): Outcome {
  const bystander = ProgramCall.bystander(here.seen, here.scope);
  if (LOOKS_AT_FILES.test(operator))
    for (const word of operands) bystander.looksAt(expandWord(word, here.scope));
  return still(here);
}

/** What the environment holds is no part of the project, and some of it is secret. */
function usesVariable(here: Here, { text }: { text: string }): Outcome {
  const name = /^\$\{?[#!]?(\w+)/.exec(text)?.[1];
  if (name !== undefined && !here.scope.variables.has(name) && !isPublicName(name))
    here.seen.because("needs bounds", `it uses the variable ${name}`);
  return still(here);
}
