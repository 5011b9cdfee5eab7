import type { AndOr, Command, CommandNode, CompoundList, PipelineNode, Script, SyntaxNode } from "unbash";
import { isPublicName } from "../shell/ownVariables.ts";
import { parseShell } from "../grammar/parse.ts";
import { reboundByExpansion, reboundByFunction, reboundByVariable } from "../shell/rebinding.ts";
import { childrenOf, everyNode, UnknownSyntax } from "../grammar/grammar.ts";
import { countsIn, holdsCommandInIndex } from "../shell/arithmeticInjection.ts";
import { syntaxProblem } from "../grammar/limits.ts";
import { whyUnread } from "../grammar/unreadText.ts";
import { assign, behindPrefix, placeOfProgram } from "../shell/assignments.ts";
import { CUT_BY_BASH, cutsValues } from "../words/cutValues.ts";
import { ProgramCall } from "./programCall.ts";
import { beyondReach, type Sightings } from "./sightings.ts";
import { andOr, ifElse, loop } from "../shell/controlFlow.ts";
import { expandWord, literalOf } from "../words/expand.ts";
import { fedBy, type Fed } from "../shell/stdinSource.ts";
import { isUnknown } from "../words/unknownText.ts";
import { Invocations, type Outcome } from "./invocations.ts";
import { rebound } from "../shell/rebound.ts";
import { touchRedirect } from "../shell/redirect.ts";
import {
  either,
  joined,
  ofChild,
  runInSums,
  unchanged,
  UNKNOWN,
  withFunction,
  withVariable,
  type Ends,
  type Scope,
} from "../shell/scope.ts";

/** Loops are gone through more than once, and those in loops more often still. */
const MOST_STEPS = 10_000;

/** Goes through a command line in the order in which bash would, and notes which files each command touches. */
export class Walk {
  readonly seen: Sightings;
  readonly #invocations: Invocations;
  /** Text that would run in a sum, and whether there is any. */
  readonly #sums = { text: false, counts: false };
  #steps = 0;
  /** The commands that were gone through. */
  readonly #walked = new Set<SyntaxNode>();

  constructor(seen: Sightings) {
    this.seen = seen;
    this.#invocations = new Invocations(this);
  }

  /** The commands as text, also those inside others. */
  get commands(): string[] {
    return this.#invocations.commands;
  }

  script(text: string, scope: Scope): Ends {
    const parsed = parseShell(text);
    const [error] = parsed.errors ?? [];
    this.#sums.text ||= holdsCommandInIndex(parsed);
    this.sum(false, scope);
    if (error) beyondReach(this.seen, syntaxProblem(text, error));
    rebound(this.seen, whyUnread(parsed));
    // `${x:=y}` sets a variable from within a word, which may stand anywhere.
    const assigns = /\$\{\w+:?=/.test(text);
    const ends = this.#list(parsed, assigns ? { ...scope, variablesLost: true } : scope);
    for (const { node, role } of everyNode(parsed))
      if (role === "runs" && node.type !== "Elif" && !this.#walked.has(node))
        beyondReach(this.seen, `it has a part that Wave did not go through (${node.type})`);
    return ends;
  }

  #list(list: Script | CompoundList, scope: Scope): Ends {
    this.#walked.add(list);
    let ends = unchanged(scope);
    for (const statement of list.commands) {
      this.#walked.add(statement);
      const before = either(ends.ok, ends.failed);
      const after = this.#node(statement.command, before, undefined);
      ends = statement.background ? unchanged(before) : after;
    }
    return ends;
  }

  #node(node: PipelineNode | AndOr, scope: Scope, fed: Fed): Ends {
    if (++this.#steps > MOST_STEPS) throw new UnknownSyntax("it has more commands than Wave follows");
    this.#begin(node, scope);
    switch (node.type) {
      case "Command":
        return this.#command(node, scope, fed).ends;
      case "AndOr":
        return andOr(node, scope, (command, inner) => this.#node(command, inner, undefined));
      case "Pipeline":
        return this.#pipeline(
          node.commands,
          node.prefixes.some(({ type }) => type === "Negation"),
          scope,
        );
      case "Redirected":
        return this.#node(node.command, scope, fedBy(node.redirects, scope) ?? fed);
      case "Subshell":
        this.#list(node.body, scope);
        return unchanged(scope);
      case "BraceGroup":
        return this.#list(node.body, scope);
      case "If":
        return ifElse(node, scope, (list, inner) => this.#list(list, inner));
      case "While":
        return loop(scope, this.seen.gitProgress, (inner) => {
          const tested = this.#list(node.clause, inner);
          const body = this.#list(node.body, node.kind === "while" ? tested.ok : tested.failed);
          return joined([tested, body]);
        });
      case "For": {
        rebound(this.seen, reboundByVariable(node.name.value));
        // A loop over PATH changes what the commands in it do; a plain lower-case word is never exported.
        if (!/^[a-z][a-z0-9]*$/.test(node.name.value))
          this.seen.changes ??= `it sets the variable ${node.name.value}`;
        const words = node.wordlist?.map((word) => expandWord(word, scope));
        for (const word of words ?? []) {
          const bystander = ProgramCall.bystander(this.seen, scope);
          bystander.lists(word);
          if (word.lists && !word.texts.some(isUnknown) && cutsValues(node.body))
            bystander.supposesNone(CUT_BY_BASH, word);
        }
        const values = words?.flatMap(({ texts }) => texts) ?? UNKNOWN;
        return loop(scope, this.seen.gitProgress, (inner) =>
          this.#list(node.body, withVariable(inner, node.name.value, values)),
        );
      }
      case "Select":
        return loop(scope, this.seen.gitProgress, (inner) =>
          this.#list(
            node.body,
            withVariable(withVariable(inner, node.name.value, UNKNOWN), "REPLY", UNKNOWN),
          ),
        );
      case "ArithmeticFor":
        return loop(scope, this.seen.gitProgress, (inner) => this.#list(node.body, inner));
      case "Case": {
        for (const item of node.items) this.#begin(item, scope);
        let reached = scope;
        const after = node.items.map((item) => {
          const ends = this.#list(item.body, reached);
          // `;&` goes on with the next one, as it left things.
          reached = item.terminator === ";;" ? scope : either(scope, either(ends.ok, ends.failed));
          return ends;
        });
        return joined([unchanged(scope), ...after]);
      }
      case "Function":
        this.seen.changes ??= "it defines a function";
        rebound(this.seen, reboundByFunction(node.name.value));
        if (this.#invocations.isTrapSet) rebound(this.seen, "a trap may run the functions behind it");
        // Who calls it is not always seen: what it does counts from here on.
        this.body(node.body, scope);
        return unchanged(withFunction(scope, node.name.value, node.body));
      case "Coproc":
        this.seen.changes ??= "it starts a coprocess";
        this.body(node.body, scope);
        return unchanged(scope);
      case "TestCommand":
      case "ArithmeticCommand":
        // What they run stands in their words, or in a variable that they count with.
        rebound(this.seen, runInSums(scope));
        return unchanged(scope);
    }
  }

  /** What a function or a coprocess runs. */
  body(body: CommandNode | CompoundList, scope: Scope): Ends {
    return body.type === "CompoundList" ? this.#list(body, scope) : this.#node(body, scope, undefined);
  }

  /** Every part runs in a shell of its own, so nothing is known afterwards that was not known before. */
  #pipeline(commands: readonly CommandNode[], negated: boolean, scope: Scope): Ends {
    const [only, ...others] = commands;
    if (only && others.length === 0) {
      const { ok, failed } = this.#node(only, scope, undefined);
      return negated ? { ok: failed, failed: ok } : { ok, failed };
    }
    let fed: Fed;
    for (const command of commands) {
      if (command.type === "Command") {
        this.#begin(command, scope);
        fed = this.#command(command, scope, fed).prints;
      } else {
        this.#node(command, scope, fed);
        fed = undefined;
      }
    }
    return unchanged(scope);
  }

  #command(node: Command, scope: Scope, piped: Fed): Outcome {
    const after = assign(node, scope, this.seen, (text) => void this.script(text, ofChild(scope)));
    if (!node.name) return { ends: unchanged(after), prints: undefined };
    const fed = fedBy(node.redirects, scope) ?? piped;
    const words = [node.name, ...node.args].map((word) => expandWord(word, scope));
    const place = placeOfProgram(node, scope, this.seen);
    const { ends, prints } = this.#invocations.invoke(words, place, fed);
    // `cat <<E | sh`: what cat is given it prints.
    const passes = literalOf(words[0]) === "cat" && words.length === 1;
    return {
      ends: place === scope ? ends : behindPrefix(node, ends, place, scope),
      prints: prints ?? (passes ? fed : undefined),
    };
  }

  /** Text that would run in a sum may stand before it or behind it. */
  sum(counts: boolean, scope: Scope): void {
    if (counts) rebound(this.seen, runInSums(scope));
    this.#sums.counts ||= counts;
    if (this.#sums.counts && this.#sums.text)
      rebound(this.seen, "bash runs commands that it finds in numbers");
  }

  /** What is expanded, opened and counted before a command runs, whatever the command is: words, redirections, sums. */
  #begin(node: SyntaxNode, scope: Scope): void {
    this.#walked.add(node);
    this.sum(countsIn(node), scope);
    for (const child of childrenOf(node)) if (child.role === "first") this.#expand(child.node, scope);
  }

  #expand(node: SyntaxNode, scope: Scope): void {
    if (
      node.type === "CommandExpansion" ||
      node.type === "ProcessSubstitution" ||
      node.type === "ArithmeticCommandExpansion"
    ) {
      if (node.script) this.#list(node.script, scope);
      return;
    }
    if (node.type === "ParameterExpansion") rebound(this.seen, reboundByExpansion(node));
    if (node.type === "SimpleExpansion" || node.type === "ParameterExpansion") this.#variable(node, scope);
    this.#begin(node, scope);
    if (node.type === "Redirect") touchRedirect(ProgramCall.bystander(this.seen, scope), node);
  }

  /** What the environment holds is no part of the project, and some of it is secret. */
  #variable(node: { text: string; type: string }, scope: Scope): void {
    const name = /^\$\{?[#!]?(\w+)/.exec(node.text)?.[1];
    if (name !== undefined && !scope.variables.has(name) && !isPublicName(name))
      this.seen.changes ??= `it uses the variable ${name}`;
  }
}
