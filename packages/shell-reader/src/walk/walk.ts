import type { CommandNode, CompoundList, SyntaxNode } from "unbash";
import { childrenOf, UnknownSyntax, type NodeOf } from "../grammar/grammar.ts";
import { syntaxProblem } from "../grammar/limits.ts";
import { parseShell } from "../grammar/parse.ts";
import { isExpandedIn, whyUnread } from "../grammar/unreadText.ts";
import { countsIn, holdsCommandInIndex } from "../shell/arithmeticInjection.ts";
import { assign, behindPrefix, placeOfProgram } from "../shell/assignments.ts";
import { ofChild, commandInNumbers, unchanged, type Ends, type Scope } from "../shell/scope.ts";
import { stdinOf, type Stdin } from "../shell/stdinSource.ts";
import { expandWord, literalOf } from "../words/expand.ts";
import { FLOWS, still, type Here, type Outcome } from "./flows.ts";
import { Invocations } from "./invocations.ts";
import type { Sightings } from "./sightings.ts";
import { isFixedText, type Survey } from "./survey.ts";

/** Loops are gone through more than once, and those in loops more often still. */
const MOST_STEPS = 10_000;
/** Nodes that run in nodes that run. Nobody writes as many, and each takes some of the stack. */
const MOST_NESTED = 400;

/** Where a node stands. */
interface Standing {
  /** It is expanded once more, so quotes need not quote. */
  isExpanded: boolean;
  /** It is a part of a word or a redirection. */
  inWord: boolean;
  /** It is a part of a text that stands there as it is. */
  isFixed: boolean;
  /** It is not on the line itself, but in text that a command of it hands to a shell. */
  isEmbedded: boolean;
}

/** Goes through a command line in the order in which bash would, and notes what each command does. */
export class Walk {
  readonly seen: Sightings;
  /** Notes what each node of the line says, whatever runs before it. */
  readonly #survey: Survey;
  readonly #invocations: Invocations;
  /** Text that would run in a sum, and whether there is any. */
  readonly #sums = { text: false, counts: false };
  readonly #walked = new Set<SyntaxNode>();
  #steps = 0;
  #nested = 0;
  #embedded = 0;

  constructor(seen: Sightings, survey: Survey) {
    this.seen = seen;
    this.#survey = survey;
    this.#invocations = new Invocations(this);
  }

  /** The commands as text, also those inside others. */
  get commands(): string[] {
    return this.#invocations.commands;
  }

  /** The line itself. */
  line(text: string, scope: Scope): void {
    this.#text(text, scope);
  }

  /** Text that a command of the line hands to a shell. */
  script(text: string, scope: Scope): Ends {
    this.#embedded++;
    try {
      return this.#text(text, scope);
    } finally {
      this.#embedded--;
    }
  }

  #text(text: string, scope: Scope): Ends {
    const parsed = parseShell(text);
    const [error] = parsed.errors ?? [];
    if (error) this.seen.beyondReach(syntaxProblem(text, error));
    this.sum(false, scope);
    // `${x:=y}` sets a variable from within a word, which may stand anywhere.
    const assigns = /\$\{\w+:?=/.test(text);
    return this.#run(parsed, assigns ? { ...scope, variablesLost: true } : scope, this.#top()).ends;
  }

  /** What a function runs where it is called. */
  body(body: CommandNode | CompoundList, scope: Scope): Ends {
    return this.#run(body, scope, this.#top()).ends;
  }

  #top(): Standing {
    return { isExpanded: false, inWord: false, isFixed: false, isEmbedded: this.#embedded > 0 };
  }

  #run(node: SyntaxNode, scope: Scope, standing: Standing, stdin?: Stdin): Outcome {
    if (++this.#nested > MOST_NESTED) throw new UnknownSyntax("it is nested too deeply");
    if (!(node.type in LISTS) && ++this.#steps > MOST_STEPS)
      throw new UnknownSyntax("it has more commands than are followed");
    const outcome = this.#visit(node, scope, standing, stdin);
    this.#nested--;
    return outcome;
  }

  /** A node, and everything in it: what bash expands, opens and counts first; then what runs, as its row says. */
  #visit(node: SyntaxNode, scope: Scope, standing: Standing, stdin?: Stdin): Outcome {
    const isFirst = !this.#walked.has(node);
    this.#walked.add(node);
    if (isFirst) this.#look(node, standing);
    this.sum(countsIn(node), scope);
    const inside = { ...standing, isExpanded: isExpandedIn(node, standing.isExpanded) };
    const inWord = standing.inWord ? inside : { ...inside, inWord: true };
    const children = childrenOf(node);
    for (const { node: child, role } of children)
      if (role === "first")
        this.#visit(child, scope, isFixedText(node, child) ? { ...inWord, isFixed: true } : inWord);
    // Most nodes are parts of words, in which nothing runs.
    const outcome =
      FLOWS[node.type] === still
        ? still({ scope })
        : this.#flow(node, {
            scope,
            stdin,
            seen: this.seen,
            isTrapSet: this.#invocations.isTrapSet,
            run: (part, at, given) => this.#run(part, at, inside, given),
            command: (command) => this.#command(command, scope, stdin, standing),
          });
    for (const { node: child, role } of children)
      if (role === "runs" && !this.#walked.has(child))
        this.seen.beyondReach(`it has a part that was not gone through (${child.type})`);
    return outcome;
  }

  #flow(node: SyntaxNode, here: Here): Outcome {
    const flow: (here: Here, node: never) => Outcome = FLOWS[node.type];
    // Its row takes a node of its kind.
    return flow(here, node as never);
  }

  #look(node: SyntaxNode, standing: Standing): void {
    const unread = whyUnread(node, standing.isExpanded);
    this.seen.rebound(unread);
    this.#sums.text ||= holdsCommandInIndex(node);
    if (!standing.isEmbedded) this.#survey.look(node, { unread, isFixed: standing.isFixed });
  }

  #command(node: NodeOf<"Command">, scope: Scope, piped: Stdin, standing: Standing): Outcome {
    const isOfLine = !standing.inWord && !standing.isEmbedded;
    return isOfLine
      ? this.seen.of(node, () => this.#invoke(node, scope, piped))
      : this.#invoke(node, scope, piped);
  }

  #invoke(node: NodeOf<"Command">, scope: Scope, piped: Stdin): Outcome {
    const after = assign(node, scope, this.seen, (text) => void this.script(text, ofChild(scope)));
    if (!node.name) return { ends: unchanged(after) };
    const stdin = stdinOf(node.redirects, scope) ?? piped;
    const words = [node.name, ...node.args].map((word) => expandWord(word, scope));
    const place = placeOfProgram(node, scope, this.seen);
    const { ends, prints } = this.#invocations.invoke(words, place, stdin);
    // `cat <<E | sh`: what cat is given it prints.
    const passesOn = literalOf(words[0]) === "cat" && words.length === 1;
    if (prints) this.seen.prints(prints);
    return {
      ends: place === scope ? ends : behindPrefix(node, ends, place, scope),
      prints: prints ?? (passesOn ? stdin : undefined),
    };
  }

  /** Text that would run in a sum may stand before it or behind it. */
  sum(counts: boolean, scope: Scope): void {
    if (counts) this.seen.rebound(commandInNumbers(scope));
    this.#sums.counts ||= counts;
    if (this.#sums.counts && this.#sums.text)
      this.seen.rebound("bash runs commands that it finds in numbers");
  }
}

/** They only hold what runs. */
const LISTS = { Script: true, CompoundList: true, Statement: true, CaseItem: true, Elif: true };
