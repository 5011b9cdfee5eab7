import type { SyntaxNode } from "unbash";
import { pay } from "../steps.ts";

/**
 * Every kind of node that the parser makes, with every part that it has: one row per kind, and nothing is found by looking
 * elsewhere. So a redirection cannot be forgotten on some command, whatever command that is: a part that has no place here
 * fails the compiler, and one that comes all the same makes the whole line unknown.
 */

export type Kind = SyntaxNode["type"];
export type NodeOf<K extends Kind> = Extract<SyntaxNode, { type: K }>;

/** What bash does with a part of a node. */
type Role =
  /** It is expanded, opened or counted where it stands, before the node runs anything else. */
  | "first"
  /** Commands, which run when and as often as the node says. */
  | "runs"
  /** Nodes that another part has as well. */
  | "again"
  /** No node: an operator, a name, text that nodes beside it say more exactly. */
  | "fact";

type Items<T> = T extends readonly (infer Item)[] ? Item : T;
type RoleOf<T> =
  Extract<Items<NonNullable<T>>, { type: Kind }> extends never ? "fact" : Exclude<Role, "fact">;
type Row<K extends Kind> = {
  readonly [Part in Exclude<keyof NodeOf<K>, "type" | "pos" | "end">]-?: RoleOf<NodeOf<K>[Part]>;
};

const LEAF = { text: "fact", value: "fact" } as const;
const INNER_SCRIPT = { text: "fact", script: "runs" } as const;
const OPERATOR = { operator: "fact", operatorEnd: "fact" } as const;
const REDIRECTION = { operator: "fact", descriptor: "first" } as const;
const LOOP = { name: "first", wordlist: "first", body: "runs" } as const;
const QUOTED = { text: "fact", parts: "first" } as const;

/** In each row the parts stand in the order in which bash comes to them. */
export const GRAMMAR: { readonly [K in Kind]: Row<K> } = {
  Script: { shebang: "fact", commands: "runs", source: "fact", errors: "fact" },
  Statement: { command: "runs", background: "fact" },
  CompoundList: { commands: "runs" },
  AndOr: { commands: "runs", operators: "fact" },
  Pipeline: { prefixes: "first", commands: "runs", operators: "fact" },
  Time: { keywordEnd: "fact", posix: "fact", endOfOptions: "fact" },
  Negation: {},
  Command: { prefix: "first", name: "first", suffix: "first", args: "again", redirects: "again" },
  Redirected: { redirects: "first", command: "runs" },
  Subshell: { body: "runs" },
  BraceGroup: { body: "runs" },
  // oxlint-disable-next-line no-thenable -- the parser calls a part so
  If: { clause: "runs", then: "runs", elif: "runs", else: "runs" },
  // oxlint-disable-next-line no-thenable -- the parser calls a part so
  Elif: { clause: "runs", then: "runs" },
  While: { kind: "fact", clause: "runs", body: "runs" },
  For: LOOP,
  Select: LOOP,
  ArithmeticFor: { initialize: "first", test: "first", update: "first", body: "runs" },
  Case: { word: "first", items: "runs" },
  CaseItem: { pattern: "first", body: "runs", terminator: "fact" },
  Function: { name: "first", body: "runs" },
  Coproc: { name: "first", body: "runs" },
  TestCommand: { expression: "first" },
  TestUnary: { operator: "fact", operand: "first" },
  TestBinary: { operator: "fact", left: "first", right: "first" },
  TestLogical: { operator: "fact", operands: "first" },
  TestNot: { negations: "first", operand: "first" },
  TestGroup: { expression: "first" },
  ArithmeticCommand: { expression: "first", body: "fact" },
  ArithmeticBinary: { operator: "fact", left: "first", right: "first" },
  ArithmeticUnary: { operator: "fact", operand: "first", prefix: "fact" },
  ArithmeticTernary: { test: "first", consequent: "first", alternate: "first" },
  ArithmeticGroup: { expression: "first" },
  ArithmeticWord: { value: "fact", parts: "first" },
  ArithmeticCommandExpansion: INNER_SCRIPT,
  Assignment: { text: "fact", name: "fact", index: "first", value: "first", append: "fact" },
  ArrayValue: { elements: "first" },
  Redirect: { ...REDIRECTION, target: "first" },
  HereString: { ...REDIRECTION, target: "first" },
  HereDoc: { ...REDIRECTION, delimiter: "first", body: "first", closing: "fact" },
  HereDocDelimiter: { ...LEAF, quoted: "fact" },
  HereDocBody: QUOTED,
  FileDescriptor: { value: "fact" },
  FileDescriptorVariable: { name: "fact" },
  Word: { ...LEAF, parts: "first" },
  Literal: LEAF,
  SingleQuoted: LEAF,
  AnsiCQuoted: LEAF,
  DoubleQuoted: QUOTED,
  LocaleString: QUOTED,
  Glob: { ...LEAF, kind: "fact", parts: "first" },
  ExtendedGlob: { text: "fact", operator: "fact", pattern: "fact", parts: "first" },
  BraceExpansion: QUOTED,
  SimpleExpansion: { text: "fact" },
  ParameterExpansion: {
    text: "fact",
    parameter: "fact",
    parameterPos: "fact",
    parameterEnd: "fact",
    prefix: "fact",
    index: "first",
    operation: "first",
  },
  Default: { ...OPERATOR, operand: "first" },
  Remove: { ...OPERATOR, operand: "first" },
  Replace: { ...OPERATOR, pattern: "first", replacement: "first" },
  Slice: { ...OPERATOR, offset: "first", length: "first" },
  CaseModification: { ...OPERATOR, operand: "first" },
  Transform: { ...OPERATOR, operand: "first" },
  Names: OPERATOR,
  Unknown: OPERATOR,
  CommandExpansion: INNER_SCRIPT,
  ProcessSubstitution: { ...INNER_SCRIPT, operator: "fact" },
  ArithmeticExpansion: { text: "fact", expression: "first" },
};

/** Nodes that only hold others. */
type Holder =
  | "Statement"
  | "CompoundList"
  | "AndOr"
  | "Pipeline"
  | "Time"
  | "Negation"
  | "Redirected"
  | "Subshell"
  | "BraceGroup"
  | "If"
  | "Elif"
  | "While"
  | "Case"
  | "CaseItem"
  | "TestCommand"
  | "TestLogical"
  | "TestNot"
  | "TestGroup";
/** Pieces of words, which say no more than their text. */
type Piece =
  | "Word"
  | "Literal"
  | "SingleQuoted"
  | "AnsiCQuoted"
  | "DoubleQuoted"
  | "LocaleString"
  | "Glob"
  | "BraceExpansion"
  | "SimpleExpansion"
  | "HereDocDelimiter"
  | "HereDocBody"
  | "FileDescriptor"
  | "CommandExpansion"
  | "ProcessSubstitution";
/** What stands inside a sum, or behind the name in `${…}`: the node around it says what is to be said. */
type Inner =
  | "ArithmeticBinary"
  | "ArithmeticUnary"
  | "ArithmeticTernary"
  | "ArithmeticGroup"
  | "ArithmeticWord"
  | "ArithmeticCommandExpansion"
  | "Default"
  | "Remove"
  | "Replace"
  | "Slice"
  | "CaseModification"
  | "Transform"
  | "Names"
  | "Unknown";

/** Of nodes of these kinds a function has nothing to say. A new kind is none of them, so the compiler asks what to say of it. */
export type Silent<More extends Kind = never> = NodeOf<Holder | Piece | Inner | More>;

/** The line has something in it of which no row speaks. */
export class UnknownSyntax extends Error {}

export interface Child {
  node: SyntaxNode;
  role: "first" | "runs";
}

const EVERY_NODE_HAS = ["type", "pos", "end"];

/** The rows once more, in the form in which every node of every line is looked up. */
const LISTED = new Map(
  Object.entries<Readonly<Record<string, Role>>>(GRAMMAR).map(([kind, row]) => [
    kind,
    {
      known: new Set([...EVERY_NODE_HAS, ...Object.keys(row)]),
      nodes: Object.entries(row).flatMap(([part, role]) =>
        role === "first" || role === "runs" ? [{ part, role }] : [],
      ),
    },
  ]),
);

/** The nodes in a node, in the order in which bash comes to them. */
export function childrenOf(node: SyntaxNode): readonly Child[] {
  const row = LISTED.get(node.type) ?? unknown(node.type);
  for (const part of Object.keys(node)) if (!row.known.has(part)) unknown(`${part} of ${node.type}`);
  const found: Child[] = [];
  for (const { part, role } of row.nodes) {
    const inside: SyntaxNode | readonly SyntaxNode[] | undefined = Reflect.get(node, part);
    if (inside === undefined) continue;
    if ("type" in inside) found.push({ node: inside, role });
    else for (const child of inside) found.push({ node: child, role });
  }
  pay(1 + found.length);
  return found;
}

function unknown(what: string): never {
  throw new UnknownSyntax(`it has a part that is not known (${what})`);
}

/** A node and all that is in it. With a loop of its own: what is nested deeply must not overflow the stack. */
export function* everyNode(root: SyntaxNode): Generator<Child> {
  const waiting: Child[] = [{ node: root, role: "runs" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    // The next to be taken is the last.
    for (const child of childrenOf(next.node).toReversed()) waiting.push(child);
  }
}
