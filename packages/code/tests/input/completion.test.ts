import { describe, expect, it } from "vitest";
import {
  candidatesFor,
  pathQuestionAt,
  questionAt,
  type Question,
  type Sources,
} from "../../src/input/completion.ts";
import { rankNames } from "../../src/input/fuzzy.ts";
import { randomFrom } from "../support/random.ts";
import { editorAt } from "./marked.ts";

/** The text with its cursor, and what is asked there: what for, which part, what was typed. */
const questions: [string, [Question["asks"], number, number, string] | undefined][] = [
  ["/|", ["command", 0, 1, ""]],
  ["/he|", ["command", 0, 3, "he"]],
  ["/h|elp", ["command", 0, 5, "h"]],
  ["/help |", undefined],
  ["see /he|", undefined],
  ["@|", ["file", 0, 1, ""]],
  ["see @src/a|", ["file", 4, 10, "src/a"]],
  ["see @sr|c/a.ts now", ["file", 4, 13, "sr"]],
  ["one\n@x|", ["file", 4, 6, "x"]],
  ['see @"my fi|', ["file", 4, 11, "my fi"]],
  ["me@example|", undefined],
  ["@done |", undefined],
  ["|", undefined],
];

const sources: Sources = {
  commands: [
    { name: "help", description: "keys and commands" },
    { name: "hooks", description: "every hook" },
    { name: "clear", description: "a new session" },
  ],
  files: ["src/index.ts", "docs/index.md", "src/input/editor.ts", "my file.txt", "README.md"],
  history: ["first prompt", "second", "FIRST again", "second"],
};

describe("what can be completed", () => {
  it.each(questions)("at %j", (text, expected) => {
    const { text: plain, cursor } = editorAt(text);
    const found = questionAt(plain, cursor);
    expect(found && [found.asks, found.start, found.end, found.typed]).toEqual(expected);
  });
});

describe("a path in a shell command", () => {
  it.each([
    ["!cat sr|", [5, 7, "sr"]],
    ["!cat s|rc/a now", [5, 10, "s"]],
    ["!sr|", [1, 3, "sr"]],
    ["!cat a>ou|", [7, 9, "ou"]],
    ["!X=va|", [3, 5, "va"]],
    ["!cat |", [5, 5, ""]],
    ["cat sr|", undefined],
    ["|!cat", undefined],
  ] as const)("at %j", (text, expected) => {
    const { text: plain, cursor } = editorAt(text);
    const found = pathQuestionAt(plain, cursor);
    expect(found && [found.start, found.end, found.typed]).toEqual(expected);
  });

  it("is inserted as one word for a shell, whatever its name", () => {
    const files = ["src/a.ts", "my file.txt", "it's; rm -rf $HOME"];
    const inserts = candidatesFor({ asks: "path", typed: "", start: 0, end: 0 }, { ...sources, files });
    expect(inserts.map(({ insert }) => insert).toSorted()).toEqual([
      "'it'\\''s; rm -rf $HOME' ",
      "'my file.txt' ",
      "src/a.ts ",
    ]);
    expect(candidatesFor({ asks: "path", typed: "./READ", start: 0, end: 0 }, sources)).toMatchObject([
      { insert: "README.md " },
    ]);
  });
});

describe("candidates", () => {
  const labels = (asks: Question["asks"], typed: string) =>
    candidatesFor({ asks, typed, start: 0, end: 0 }, sources).map(({ label }) => label);

  it("are ranked: a beginning, then a part, then letters in this order", () => {
    expect(rankNames("ind", ["a/find.ts", "i/n/d.ts", "src/index.ts", "Index.md", "none"], 9)).toEqual([
      { name: "Index.md", match: "prefix" },
      { name: "src/index.ts", match: "prefix" },
      { name: "a/find.ts", match: "substring" },
      { name: "i/n/d.ts", match: "subsequence" },
    ]);
  });

  it("are the shorter and then the earlier name first among equals, and only as many as asked for", () => {
    expect(rankNames("a", ["ab2", "ab1", "a"], 2).map(({ name }) => name)).toEqual(["a", "ab1"]);
  });

  it("for a file are its path, in quotes when it has a blank", () => {
    expect(candidatesFor({ asks: "file", typed: "my", start: 0, end: 3 }, sources)).toEqual([
      { label: "my file.txt", insert: '@"my file.txt" ', match: "prefix" },
    ]);
    expect(labels("file", "index")).toEqual(["src/index.ts", "docs/index.md"]);
  });

  it("for a command bring its description", () => {
    expect(candidatesFor({ asks: "command", typed: "he", start: 0, end: 3 }, sources)).toEqual([
      { label: "/help", detail: "keys and commands", insert: "/help ", match: "prefix" },
    ]);
  });

  it("for a command are all of them, those that match equally well in the order of the table", () => {
    const named = (typed: string, ...names: string[]) =>
      candidatesFor(
        { asks: "command", typed, start: 0, end: 0 },
        { ...sources, commands: names.map((name) => ({ name, description: "" })) },
      ).map(({ label }) => label);
    const many = Array.from({ length: 30 }, (_, number) => `c${30 - number}`);
    expect(named("", ...many)).toEqual(many.map((name) => `/${name}`));
    expect(named("re", "resume", "clear-re", "rewind", "rename")).toEqual([
      "/resume",
      "/rewind",
      "/rename",
      "/clear-re",
    ]);
    expect(named("mode", "model", "mode")).toEqual(["/mode", "/model"]);
  });

  it("for the history are the newest first, each once, without regard to case", () => {
    expect(labels("history", "first")).toEqual(["FIRST again", "first prompt"]);
    expect(labels("history", "")).toEqual(["second", "FIRST again", "first prompt"]);
  });

  it("are the same that sorting all of them would give, in whatever order the names come", () => {
    const random = randomFrom(7);
    const letters = (from: string, length: number) =>
      Array.from({ length }, () => from[random(from.length)]).join("");
    for (let round = 0; round < 300; round++) {
      const names = [...new Set(Array.from({ length: random(80) }, () => letters("abAB/.", 1 + random(9))))];
      const typed = letters("abA/", random(4));
      const limit = 1 + random(8);
      // So large a limit sorts them all.
      expect(rankNames(typed, names, limit)).toEqual(rankNames(typed, names, 1_000).slice(0, limit));
    }
  });

  it("among 300,000 files are found at once, for every key of a name (G47)", () => {
    const files = Array.from(
      { length: 300_000 },
      (_, index) => `packages/p${index % 100}/src/components/File${index}.ts`,
    );
    const began = performance.now();
    for (const typed of ["", "file29", "p42file299942", "zz"])
      expect(rankNames(typed, files, 100).length).toBeGreaterThan(typed === "zz" ? -1 : 0);
    // About 30 ms each; a busy machine gets far more.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("resources of MCP servers behind an @", () => {
  const resources = [
    { name: "notes:note://1", description: "The first." },
    { name: "mail:inbox", description: "Letters." },
  ];
  it.each<[typed: string, labels: string[]]>([
    ["", ["notes.md"]],
    ["notes", ["notes:note://1", "notes.md"]],
    ["notes:", ["notes:note://1"]],
    ["notes:1", ["notes:note://1"]],
    ["mail:", ["mail:inbox"]],
  ])("@%s", (typed, labels) => {
    const sources = { commands: [], files: ["notes.md"], history: [], resources };
    const found = candidatesFor({ asks: "file", typed, start: 0, end: typed.length + 1 }, sources);
    expect(found.map(({ label }) => label)).toEqual(labels);
    for (const { label, insert } of found) expect(insert).toBe(`@${label} `);
  });
});
