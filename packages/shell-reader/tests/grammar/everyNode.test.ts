import { parse, type SyntaxNode } from "unbash";
import { describe, expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { childrenOf, everyNode, GRAMMAR, UnknownSyntax } from "../../src/grammar/grammar.ts";
import { EVERYDAY } from "../corpus/everydayCommands.ts";
import { HIDDEN_WRITES } from "../corpus/hiddenWrites.ts";
import { ATTACKS } from "../corpus/shellAttacks.ts";
import { BYPASSES } from "../corpus/shellBypasses.ts";

const LINES = [
  ...[ATTACKS, BYPASSES, HIDDEN_WRITES].flatMap((kinds) => Object.values(kinds).flat()),
  "[[ -f a && ! ( -d b || a == b ) ]]; echo $((1 ? 2 : 3))",
  ...EVERYDAY.flatMap(([, lines]) => lines),
].filter((text) => text.length < 2_000);

describe("the rows of the grammar", () => {
  it("list every node that the parser makes, wherever it stands (G34)", () => {
    for (const line of LINES) {
      const root = parse(line);
      const listed = new Set([...everyNode(root)].map(({ node }) => node));
      expect([line, nodesIn(root).filter((node) => !listed.has(node))]).toEqual([line, []]);
    }
  });

  it("are each tried by a line, so that one that nobody tries is seen (G34)", () => {
    const tried = new Set(LINES.flatMap((line) => [...everyNode(parse(line))].map(({ node }) => node.type)));
    expect(Object.keys(GRAMMAR).filter((kind) => !tried.has(kind as SyntaxNode["type"]))).toEqual([]);
  });

  it("let nothing pass of which they do not speak (G34)", () => {
    const [statement] = parse("ls").commands;
    expect(() => childrenOf({ ...statement, type: "Loop" } as unknown as SyntaxNode)).toThrow(UnknownSyntax);
    expect(() => childrenOf({ ...statement, guard: statement } as unknown as SyntaxNode)).toThrow(
      "it has a part that is not known (guard of Statement)",
    );
  });
});

describe("whatever stands behind a command of any kind", () => {
  const commands = [
    "alpha",
    "{ :; }",
    "( : )",
    "for f in a; do :; done",
    "for ((;;)); do break; done",
    "while :; do break; done",
    "until :; do :; done",
    "if :; then :; elif :; then :; else :; fi",
    "case a in a) :;; esac",
    "select f in a; do break; done",
    "[[ -f a ]]",
    "(( 1 ))",
    "f() { :; }",
    "coproc { :; }",
    "! { :; }",
    "time { :; }",
    "{ { :; } 2>&1; }",
    "",
  ];
  const writes = ["> o", ">> o", ">| o", "&> o", "&>> o", "2> o", "<> o", "{fd}> o", ">& o", "3> o"];
  const runs = [
    "< <(gamma)",
    "> >(gamma)",
    "<<< $(gamma)",
    '<<< "${x:-$(gamma)}"',
    "< $(gamma)",
    "> $(gamma)",
    "<<E\n$(gamma)\nE",
    "<<-E\n\t`gamma`\n\tE",
    "3<<E\n${x:-$(gamma)}\nE",
  ];
  const read = (command: string, after: string) =>
    readLine(`${command} ${after}`, { folder: "/p", variables: {} });

  it.each(commands)("is seen: behind %j (G33, G34)", (command) => {
    const unseen = [
      ...writes.filter(
        (after) =>
          !read(command, after).accesses.some(
            ({ path, access }) => path.known === "/p/o" && access === "write",
          ),
      ),
      ...runs.filter((after) => !read(command, after).programs.some(({ name }) => name === "gamma")),
      ...["< o"].filter((after) => !read(command, after).accesses.some(({ path }) => path.known === "/p/o")),
    ];
    expect(unseen).toEqual([]);
    const sure = [...writes, ...runs].filter((after) => read(command, after).certainty.is !== "unknown");
    expect(sure).toEqual([]);
  });
});

/** All that has a type and can be reached by any property at all, also one that is computed. */
function nodesIn(root: SyntaxNode): SyntaxNode[] {
  const found = new Set<SyntaxNode>();
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach(visit);
    if (!("type" in value) || found.has(value as SyntaxNode)) return;
    found.add(value as SyntaxNode);
    const computed = Object.getOwnPropertyNames(Object.getPrototypeOf(value));
    for (const name of [...Object.getOwnPropertyNames(value), ...computed])
      if (name !== "constructor") visit(Reflect.get(value, name));
  };
  visit(root);
  return [...found];
}
