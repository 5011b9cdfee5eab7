import type { Function as FunctionNode } from "unbash";
import { pay } from "../steps.ts";
import { reboundByCall } from "../shell/rebinding.ts";
import { exportsAll, switchedBySet, switchedByShopt } from "../shell/switches.ts";
import { inQuotes } from "../words/words.ts";
import { countsByCall } from "../shell/arithmeticInjection.ts";
import { builtin } from "../shell/builtins.ts";
import { asWord, plainArg } from "../words/args.ts";
import { ProgramCall } from "./programCall.ts";
import type { Outcome } from "./flows.ts";
import type { Sightings } from "./sightings.ts";
import { whyEvaluates } from "../programs/conditions.ts";
import { literalOf, type Arg } from "../words/expand.ts";
import type { Stdin } from "../shell/stdinSource.ts";
import { beginningOf, isUnknown } from "../words/unknownText.ts";
import { readsCommands } from "../programs/embeddedCommands.ts";
import { isInterpreter } from "../programs/interpreters.ts";
import { hasOwnWords, possibleCommands } from "../programs/possibleCommands.ts";
import { isKnown, runProgram } from "../programs/programs.ts";
import { isProvable } from "../programs/proven.ts";
import { onlyPrints } from "../programs/readers.ts";
import { asksForVersion } from "../programs/versions.ts";
import {
  behindFunction,
  inFolders,
  joined,
  lettersIn,
  ofChild,
  unchanged,
  UNKNOWN,
  type Ends,
  type Scope,
} from "../shell/scope.ts";
import { assignedFile, givenFile } from "../programs/writers.ts";

/** More commands than this are not followed one by one; the line then counts as not understood. */
const MOST_STEPS = 5_000;
/** Functions, shells and wrappers inside each other. */
const MOST_DEPTH = 12;

/** The shell by the names that it has itself. */
const OWN_SHELL = /^"?\$\{?(SHELL|BASH)\}?"?$/;

/** The walk through the line on which programs are called: they bring it more text to walk through. */
interface Line {
  readonly seen: Sightings;
  script(text: string, scope: Scope): Ends;
  body(body: FunctionNode["body"], scope: Scope): Ends;
  sum(counts: boolean, scope: Scope): void;
}

/** The calls of programs, builtins and functions on a line, also those inside others. */
export class Invocations {
  /** As text. */
  readonly commands: string[] = [];
  readonly #line: Line;
  #steps = 0;
  #depth = 0;
  #isTrapSet = false;

  constructor(line: Line) {
    this.#line = line;
  }

  /** Text waits for a signal or the end, when other functions may be there than now. */
  get isTrapSet(): boolean {
    return this.#isTrapSet;
  }

  /** One program with its words, wherever they stand. */
  invoke(words: readonly Arg[], scope: Scope, stdin: Stdin): Outcome {
    const [program, ...args] = words;
    const nothing = { ends: unchanged(scope), prints: undefined };
    if (!program) return nothing;
    for (const { texts } of words) pay(lettersIn(texts));
    if (++this.#steps > MOST_STEPS || this.#depth > MOST_DEPTH) {
      this.#line.seen.beyondReach("it has more commands than are followed");
      return nothing;
    }
    this.#depth++;
    try {
      return this.#invokeWithin(program, args, scope, stdin);
    } finally {
      this.#depth--;
    }
  }

  #invokeWithin(program: Arg, args: readonly Arg[], scope: Scope, stdin: Stdin): Outcome {
    const path = literalOf(program);
    const name = path?.slice(path.lastIndexOf("/") + 1) ?? "";
    this.#line.seen.called.push([program, ...args].map(asWord));
    this.commands.push([program, ...args].map((arg) => inQuotes(literalOf(arg)) ?? arg.source).join(" "));
    const call = new ProgramCall(this.#line.seen, {
      name,
      args,
      scope,
      stdin,
      readsCode: isInterpreter(name) || readsCommands(name) || !(isKnown(name) || hasOwnWords(name)),
      mayRun: () => possibleCommands(name, args),
      follow: (inner, place = scope) => void this.invoke(inner, place, stdin),
      followText: (text) => void this.#line.script(text, ofChild(scope)),
    });
    const done = (ends: Ends = unchanged(scope)) => ({ ends, prints: call.prints });
    if (path === undefined && OWN_SHELL.test(program.source) && !program.computed)
      return this.#invokeWithin(plainArg("bash"), args, scope, stdin);
    if (path === undefined) {
      const why = `${program.source} may be any program`;
      if (program.from === "input") call.beyondReach("it runs commands that another program prints");
      if (program.computed) call.beyondReach(why);
      call.unknown(why);
      call.mention(program);
      // Where the program is not known, any of its words may be one.
      return done();
    }
    const beginnings = args.flatMap(({ texts }) => texts.map(beginningOf));
    this.#line.seen.rebound(reboundByCall(name, beginnings));
    this.#line.sum(countsByCall(name, beginnings) || whyEvaluates(name, args) !== undefined, scope);
    const body = scope.functions.get(path);
    if (body) {
      const ran = this.#line.body(body, scope);
      const after = { ok: behindFunction(scope, ran.ok), failed: behindFunction(scope, ran.failed) };
      if (!isKnown(name) && !builtin(name, args, scope)) return done(after);
      // The program of that name may be meant: `command` passes functions by, and one can be unset.
      const { ends, prints } = this.#callProgram(call, path, after.ok);
      return { ends: joined([after, ends]), prints };
    }
    return this.#callProgram(call, path, scope);
  }

  /** What is no function. */
  #callProgram(call: ProgramCall, path: string, scope: Scope): Outcome {
    const { name, args } = call;
    const done = (ends: Ends = unchanged(scope)) => ({ ends, prints: call.prints });
    if (name === "command" || name === "builtin" || name === "exec") {
      const at = args.findIndex((arg) => !(literalOf(arg) ?? "").startsWith("-"));
      const asks = args.slice(0, Math.max(at, 0)).some((arg) => /^-[vV]/.test(arg.source));
      this.#line.seen.calls(name);
      if (asks || at < 0) return done();
      if (at > 0 || name === "exec")
        this.#line.seen.because("changes", `${name} runs a command in its own way`);
      return this.invoke(args.slice(at), scope, call.stdin);
    }
    if (name === "eval") {
      const texts = args.map(literalOf);
      if (texts.every((text) => text !== undefined)) return done(this.#line.script(texts.join(" "), scope));
      call.beyondReach("eval runs text that is not known yet");
    }
    if (name === "trap") this.#trap(call);
    this.#line.seen.calls(path);
    if (!isProvable(name) && !asksForVersion(call))
      call.unproven(`${name} is not among the programs that are read completely`);
    const ends = builtin(name, args, scope);
    if (ends) {
      for (const arg of args) assignedFile(call, arg);
      if (name === "export") for (const arg of args) givenFile(call, arg);
      if (ends.ok.folders.some(isUnknown)) call.unclear("which folder it works in is not known");
      return done(ends);
    }
    if (!onlyPrints(name)) this.#line.seen.worksIn(scope.folders);
    runProgram(call, path);
    return done(unchanged(switched(name, args.map(literalOf), scope)));
  }

  /** Its text is a script for later: in whatever folder the line then is, with whatever values its variables then have. */
  #trap(call: ProgramCall): void {
    const [text, ...signals] = call.args.filter((arg) => literalOf(arg) !== "--");
    if (!text || signals.length === 0 || literalOf(text)?.startsWith("-")) return;
    this.#isTrapSet = true;
    const script = literalOf(text);
    if (script === undefined) return call.beyondReach("trap runs text that is not known yet");
    const later = { ...ofChild(inFolders(call.scope, UNKNOWN)), functions: call.scope.functions };
    const ends = this.#line.script(script, later);
    if (ends.ok !== later || ends.failed !== later) call.beyondReach("a trap changes what follows");
  }
}

/** What `set` and `shopt` leave behind. */
function switched(name: string, words: readonly (string | undefined)[], scope: Scope): Scope {
  if (name === "shopt" && switchedByShopt(words) !== "nothing") return { ...scope, expandsOtherwise: true };
  if (name === "set" && switchedBySet(words) !== "nothing") return { ...scope, expandsOtherwise: true };
  return name === "set" && exportsAll(words) ? { ...scope, exportsAll: true } : scope;
}
