import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type CommandNode,
  type PipelineNode,
  type AndOr,
  type Redirection,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { isPlainVariable } from "../carried.ts";
import { isPublicName, ownParts } from "../ownVariables.ts";
import { reboundByCall, reboundByExpansion, reboundByFunction, reboundByVariable } from "../rebinding.ts";
import { inQuotes } from "../shellWords.ts";
import { countsByCall, countsIn, holdsCommandInIndex } from "../sums.ts";
import { syntaxProblem } from "../unreadable.ts";
import { beyondReach, plainArg, ProgramCall, type Sightings } from "./call.ts";
import { builtin } from "./builtins.ts";
import { expandWord, literalOf, valueOf, type Arg } from "./expand.ts";
import { fedBy, runBecauseOf } from "./fed.ts";
import { beginningOf, isUnknown } from "./gaps.ts";
import { runProgram } from "./programs.ts";
import { onlyPrints } from "./readers.ts";
import { touchRedirect } from "./redirect.ts";
import {
  either,
  inFolders,
  unchanged,
  UNKNOWN,
  withFunction,
  widened,
  withVariable,
  type Ends,
  type Scope,
  joined,
  ofChild,
  runInSums,
} from "./scope.ts";
import { assignedFile, givenFile } from "./writers.ts";

/** More commands than this are not followed one by one; the line then counts as not understood. */
const MOST_STEPS = 5_000;
/** Functions, shells and wrappers inside each other. */
const MOST_DEPTH = 12;

/** The shell by the names that it has itself. */
const OWN_SHELL = /^"?\$\{?(SHELL|BASH|0)\}?"?$/;

/** What reaches the input of a command, when that is known. */
type Fed = readonly Arg[] | undefined;
type Outcome = { ends: Ends; prints: Fed };

/** Goes through a command line in the order in which bash would, and notes which files each command touches. */
export class Walk {
  readonly seen: Sightings;
  /** The commands as text, also those inside others. */
  readonly commands: string[] = [];
  #steps = 0;
  #depth = 0;
  /** Text waits for a signal or the end, when other functions may be there than now. */
  #isTrapSet = false;
  /** Text that would run in a sum, and whether there is any. */
  readonly #sums = { text: false, counts: false };

  constructor(seen: Sightings) {
    this.seen = seen;
  }

  script(text: string, scope: Scope): Ends {
    const parsed = parse(text);
    const { commands, errors } = parsed;
    const [error] = errors ?? [];
    this.#sums.text ||= holdsCommandInIndex(parsed);
    this.#sum(false, scope);
    if (error) beyondReach(this.seen, syntaxProblem(text, error));
    // `${x:=y}` sets a variable from within a word, which may stand anywhere.
    const assigns = /\$\{\w+:?=/.test(text);
    return this.#list(commands, assigns ? { ...scope, variablesLost: true } : scope);
  }

  #list(statements: readonly Statement[], scope: Scope): Ends {
    let ends = unchanged(scope);
    for (const { command, background } of statements) {
      const before = either(ends.ok, ends.failed);
      const after = this.#node(command, before, undefined);
      ends = background ? unchanged(before) : after;
    }
    return ends;
  }

  #node(node: PipelineNode | AndOr, scope: Scope, fed: Fed): Ends {
    switch (node.type) {
      case "Command":
        return this.#command(node, scope, fed).ends;
      case "AndOr":
        return this.#andOr(node, scope);
      case "Pipeline":
        return this.#pipeline(
          node.commands,
          node.prefixes.some(({ type }) => type === "Negation"),
          scope,
        );
      case "Redirected":
        for (const redirect of node.redirects) this.#redirect(redirect, scope);
        return this.#node(node.command, scope, fedBy(node.redirects, scope) ?? fed);
      case "Subshell":
        this.#list(node.body.commands, scope);
        return unchanged(scope);
      case "BraceGroup":
        return this.#list(node.body.commands, scope);
      case "If": {
        const branches = [node, ...node.elif];
        let reached = scope;
        const after: Ends[] = [];
        for (const { clause, then } of branches) {
          const tested = this.#list(clause.commands, reached);
          after.push(this.#list(then.commands, tested.ok));
          reached = tested.failed;
        }
        after.push(node.else ? this.#list(node.else.commands, reached) : unchanged(reached));
        return joined(after);
      }
      case "While":
        return this.#loop(scope, (inner) => {
          const tested = this.#list(node.clause.commands, inner);
          const body = this.#list(node.body.commands, node.kind === "while" ? tested.ok : tested.failed);
          return joined([tested, body]);
        });
      case "For": {
        for (const word of node.wordlist ?? []) this.#nested(word, scope);
        this.#rebound(reboundByVariable(node.name.value));
        // A loop over PATH changes what the commands in it do; a plain lower-case word is never exported.
        if (!/^[a-z][a-z0-9]*$/.test(node.name.value))
          this.seen.changes ??= `it sets the variable ${node.name.value}`;
        const words = node.wordlist?.map((word) => expandWord(word, scope));
        for (const word of words ?? []) ProgramCall.bystander(this.seen, scope).lists(word);
        const values = words?.flatMap(({ texts }) => texts) ?? UNKNOWN;
        return this.#loop(scope, (inner) =>
          this.#list(node.body.commands, withVariable(inner, node.name.value, values)),
        );
      }
      case "Select":
        this.#children(node, scope);
        return this.#loop(scope, (inner) =>
          this.#list(node.body.commands, withVariable(inner, node.name.value, UNKNOWN)),
        );
      case "ArithmeticFor":
        this.#sum(true, scope);
        this.#children(node, scope);
        return this.#loop(scope, (inner) => this.#list(node.body.commands, inner));
      case "Case":
        this.#children(node, scope);
        return joined([unchanged(scope), ...node.items.map((item) => this.#list(item.body.commands, scope))]);
      case "Function":
        this.seen.changes ??= "it defines a function";
        this.#rebound(reboundByFunction(node.name.value));
        if (this.#isTrapSet) this.#rebound("a trap may run the functions behind it");
        return unchanged(withFunction(scope, node.name.value, node.body));
      case "Coproc":
        this.seen.changes ??= "it starts a coprocess";
        this.#body(node.body, scope);
        return unchanged(scope);
      default:
        // Tests and arithmetic: what they run stands in their words, or in a variable that they count with.
        this.#rebound(runInSums(scope));
        this.#sum(countsIn(node), scope);
        this.#children(node, scope);
        return unchanged(scope);
    }
  }

  #body(body: CommandNode | { type: "CompoundList"; commands: readonly Statement[] }, scope: Scope): Ends {
    return body.type === "CompoundList"
      ? this.#list(body.commands, scope)
      : this.#node(body, scope, undefined);
  }

  #andOr({ commands, operators }: AndOr, scope: Scope): Ends {
    const [first, ...others] = commands;
    let ends = first ? this.#node(first, scope, undefined) : unchanged(scope);
    for (const [at, command] of others.entries()) {
      const and = operators[at] === "&&";
      const next = this.#node(command, and ? ends.ok : ends.failed, undefined);
      ends = and
        ? { ok: next.ok, failed: either(ends.failed, next.failed) }
        : { ok: either(ends.ok, next.ok), failed: next.failed };
    }
    return ends;
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
      if (command.type === "Command") fed = this.#command(command, scope, fed).prints;
      else {
        this.#node(command, scope, fed);
        fed = undefined;
      }
    }
    return unchanged(scope);
  }

  /** What a round of a loop changes is unknown at the start of the next one. */
  #loop(scope: Scope, round: (scope: Scope) => Ends): Ends {
    const { gitProgress } = this.seen;
    const stage = gitProgress.stage;
    const first = round(scope);
    const after = either(first.ok, first.failed);
    const wide = widened(scope, after);
    if (wide === scope) {
      if (gitProgress.stage !== stage) round(scope);
      return unchanged(scope);
    }
    round(wide);
    return unchanged(wide);
  }

  #command(node: Command, scope: Scope, piped: Fed): Outcome {
    this.#children(node, scope);
    for (const redirect of node.redirects) this.#redirect(redirect, scope);
    const assignments = node.prefix.filter((part) => part.type === "Assignment");
    const set = assignments.reduce((known, one) => withVariable(known, one.name, valueOf(one, known)), scope);
    for (const one of assignments) {
      this.#rebound(reboundByVariable(one.name));
      const texts = valueOf(one, scope).map((value) => `${one.name}=${value}`);
      const arg = { source: one.text, texts, many: false };
      assignedFile(ProgramCall.bystander(this.seen, scope), arg);
      if (node.name) givenFile(ProgramCall.bystander(this.seen, scope), arg);
    }
    if (node.name) for (const one of assignments) this.#editor(one, scope);
    const own = ownParts(node);
    for (const name of own.assigned) this.seen.assigned.add(name);
    const other = assignments.find(
      (one) => !own.assignments.includes(one) && !(node.name && isPlainVariable(one)),
    );
    if (other) this.seen.changes ??= `it sets the variable ${other.name}`;
    if (!node.name) return { ends: unchanged(set), prints: undefined };
    const fed = fedBy(node.redirects, scope) ?? piped;
    const words = [node.name, ...node.args].map((word) => expandWord(word, scope));
    // Variables for one program do not reach the line, but they reach the program.
    const strange = assignments.some(({ name }) =>
      /^(GIT_|HOME$|PWD$|TMPDIR$|TAR_OPTIONS$|LD_|BASH_ENV$|ENV$|PATH$)/.test(name),
    );
    if (strange) this.seen.unclear ??= "it sets variables that change what a program does";
    const place = assignments.some(({ name }) => /^GIT_|^CDPATH$/.test(name))
      ? inFolders(scope, UNKNOWN)
      : scope;
    const { ends, prints } = this.#invoke(words, place, fed);
    // `cat <<E | sh`: what cat is given it prints.
    const passes = literalOf(words[0]) === "cat" && words.length === 1;
    const moved = ends.ok !== place;
    return {
      ends: place === scope || moved ? ends : unchanged(scope),
      prints: prints ?? (passes ? fed : undefined),
    };
  }

  /** One program with its words, wherever they stand. */
  #invoke(words: readonly Arg[], scope: Scope, fed: Fed): Outcome {
    const [program, ...args] = words;
    const nothing = { ends: unchanged(scope), prints: undefined };
    if (!program) return nothing;
    if (++this.#steps > MOST_STEPS || this.#depth > MOST_DEPTH) {
      beyondReach(this.seen, "it has more commands than Wave follows");
      return nothing;
    }
    this.#depth++;
    try {
      return this.#invokeWithin(program, args, scope, fed);
    } finally {
      this.#depth--;
    }
  }

  #invokeWithin(program: Arg, args: readonly Arg[], scope: Scope, fed: Fed): Outcome {
    const path = literalOf(program);
    const name = path?.slice(path.lastIndexOf("/") + 1) ?? "";
    this.commands.push([program, ...args].map((arg) => inQuotes(literalOf(arg)) ?? arg.source).join(" "));
    const call = new ProgramCall(this.seen, {
      name,
      args,
      scope,
      fed,
      follow: (inner, place = scope) => void this.#invoke(inner, place, fed),
      followText: (text) => void this.script(text, ofChild(scope)),
    });
    const done = (ends: Ends = unchanged(scope)) => ({ ends, prints: call.prints });
    if (path === undefined && OWN_SHELL.test(program.source))
      return this.#invokeWithin(plainArg("bash"), args, scope, fed);
    if (path === undefined) {
      if (program.from === "input") call.beyondReach("it runs commands that another program prints");
      call.opaque(`${program.source} may be any program`);
      // Where the program is not known, any of its words may be one.
      return done();
    }
    const beginnings = args.flatMap(({ texts }) => texts.map(beginningOf));
    this.#rebound(reboundByCall(name, beginnings));
    this.#sum(countsByCall(name, beginnings), scope);
    const body = scope.functions.get(path);
    if (body) return done(this.#body(body, scope));
    if (name === "command" || name === "builtin" || name === "exec") {
      const at = args.findIndex((arg) => !(literalOf(arg) ?? "").startsWith("-"));
      const asks = args.slice(0, Math.max(at, 0)).some((arg) => /^-[vV]/.test(arg.source));
      this.seen.programs.add(name);
      if (asks || at < 0) return done();
      if (at > 0 || name === "exec") this.seen.changes ??= `${name} runs a command in its own way`;
      return this.#invoke(args.slice(at), scope, fed);
    }
    if (name === "eval") {
      const texts = args.map(literalOf);
      if (texts.every((text) => text !== undefined)) return done(this.script(texts.join(" "), scope));
      call.beyondReach("eval runs text that is not known yet");
    }
    if (name === "trap") this.#trap(call);
    this.seen.programs.add(path);
    const ends = builtin(name, args, scope);
    if (ends) {
      for (const arg of args) assignedFile(call, arg);
      if (name === "export") for (const arg of args) givenFile(call, arg);
      if (ends.ok.folders.some(isUnknown)) call.unclear("which folder it works in is not known");
      return done(ends);
    }
    if (!onlyPrints(name)) for (const folder of scope.folders) this.seen.folders.add(folder);
    runProgram(call, path);
    return done();
  }

  /** `GIT_EDITOR=x git commit`: git hands x to a shell. */
  #editor(one: Assignment, scope: Scope): void {
    const run = runBecauseOf(one.name, valueOf(one, scope));
    if (run?.text !== undefined) this.script(run.text, ofChild(scope));
    else this.#rebound(run?.why);
  }

  #sum(counts: boolean, scope: Scope): void {
    if (counts) this.#rebound(runInSums(scope));
    this.#sums.counts ||= counts;
    if (this.#sums.counts && this.#sums.text) this.#rebound("bash runs commands that it finds in numbers");
  }

  #rebound(why: string | undefined): void {
    if (why !== undefined) beyondReach(this.seen, why);
  }

  /** Its text is a script for later: in whatever folder the line then is, with whatever values its variables then have. */
  #trap(call: ProgramCall): void {
    const [text, ...signals] = call.args.filter((arg) => literalOf(arg) !== "--");
    if (!text || signals.length === 0 || literalOf(text)?.startsWith("-")) return;
    this.#isTrapSet = true;
    const script = literalOf(text);
    if (script === undefined) return call.beyondReach("trap runs text that is not known yet");
    const later = { ...ofChild(inFolders(call.scope, UNKNOWN)), functions: call.scope.functions };
    const ends = this.script(script, later);
    if (ends.ok !== later || ends.failed !== later) call.beyondReach("a trap changes what follows");
  }

  #redirect(redirect: Redirection, scope: Scope): void {
    touchRedirect(ProgramCall.bystander(this.seen, scope), redirect);
  }

  /** Scripts inside words, in the order in which they stand: they run before the command does. */
  #children(node: SyntaxNode, scope: Scope): void {
    forEachChild(node, (child) => this.#nested(child, scope));
  }

  #nested(node: SyntaxNode, scope: Scope): void {
    if (node.type === "Statement" || node.type === "CompoundList" || node.type === "CaseItem") {
      // Patterns of a case stand beside its commands.
      if (node.type === "CaseItem") for (const word of node.pattern) this.#nested(word, scope);
      return;
    }
    if (
      node.type === "CommandExpansion" ||
      node.type === "ProcessSubstitution" ||
      node.type === "ArithmeticCommandExpansion"
    ) {
      if (node.script) this.#list(node.script.commands, scope);
      return;
    }
    this.#sum(countsIn(node), scope);
    if (node.type === "ParameterExpansion") this.#rebound(reboundByExpansion(node));
    if (node.type === "SimpleExpansion" || node.type === "ParameterExpansion") this.#variable(node, scope);
    this.#children(node, scope);
  }

  /** What the environment holds is no part of the project, and some of it is secret. */
  #variable(node: { text: string; type: string }, scope: Scope): void {
    const name = /^\$\{?[#!]?(\w+)/.exec(node.text)?.[1];
    if (name !== undefined && !scope.variables.has(name) && !isPublicName(name))
      this.seen.changes ??= `it uses the variable ${name}`;
  }
}
