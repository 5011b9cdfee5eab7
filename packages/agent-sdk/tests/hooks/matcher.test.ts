import { describe, expect, it } from "vitest";
import { checkMatcher, compileMatcher, isMisspelt, type MatcherKind } from "@/hooks/matcher.ts";

const TOOLS = ["Bash", "BashOutput", "Edit", "MultiEdit", "Write", "Read", "Glob", "Grep", "LS", "TodoWrite"];

function matched(text: string | undefined, values: readonly string[] = TOOLS): string[] {
  const matcher = compileMatcher(text);
  if ("problem" in matcher) throw new Error(matcher.problem);
  return values.filter((value) => matcher.test(value, TOOLS));
}

describe("a matcher", () => {
  const kinds: [text: string | undefined, kind: MatcherKind, matches: string[]][] = [
    [undefined, "all", TOOLS],
    ["", "all", TOOLS],
    ["*", "all", TOOLS],
    ["Bash", "names", ["Bash"]],
    ["Edit|Write", "names", ["Edit", "Write"]],
    ["Edit,Write", "names", ["Edit", "Write"]],
    [" Edit | Write , LS ", "names", ["Edit", "Write", "LS"]],
    ["Edit||Write|", "names", ["Edit", "Write"]],
    ["bash", "names", ["Bash"]],
    ["mcp__a-b__c", "names", []],
    ["*Edit", "globs", ["Edit", "MultiEdit"]],
    ["Bash*", "globs", ["Bash", "BashOutput"]],
    ["?S", "globs", ["LS"]],
    ["G???|LS", "globs", ["Glob", "Grep", "LS"]],
    ["bash*", "globs", ["Bash", "BashOutput"]],
    ["**", "globs", TOOLS],
    ["mcp__*", "globs", []],
    ["Edit.*", "regex", ["Edit", "MultiEdit"]],
    ["^Edit$", "regex", ["Edit"]],
    ["^(Bash|Edit)$", "regex", ["Bash", "Edit"]],
    ["Bash(Output)?$", "regex", ["Bash", "BashOutput"]],
    ["^edit", "regex", []],
    [".*", "regex", TOOLS],
    ["^(?!Read)", "regex", TOOLS.filter((tool) => tool !== "Read")],
  ];

  it.each(kinds)("%j is read as %s and matches %j (T60, G13)", (text, kind, matches) => {
    expect(compileMatcher(text)).toMatchObject({ kind });
    expect(matched(text)).toEqual(matches);
  });

  it("of names compares exactly as soon as a tool has exactly that name (G13)", () => {
    const matcher = compileMatcher("Bash");
    if ("problem" in matcher) throw new Error(matcher.problem);
    expect(matcher.test("bash", ["Bash", "bash"])).toBe(false);
    expect(matcher.test("BASH", [])).toBe(true);
  });

  it("decides the case for each item of a list on its own (G13)", () => {
    expect(matched("edit|Bash", ["Edit", "EDIT", "Bash", "BASH"])).toEqual(["Edit", "EDIT", "Bash"]);
  });

  it.each(["Bash(", "[", "a)", "(?<", "x{2,1}", "*)", "\\"])(
    "%j is a problem and not an exception (T53, G13)",
    (text) => {
      expect(compileMatcher(text)).toEqual({
        problem: expect.stringContaining("is not a valid regular expression"),
      });
      expect(checkMatcher(text, TOOLS)).toContain("is not a valid regular expression");
    },
  );

  it.each([" ", "|", ", |"])(
    "%j has no name in it, which is a problem and not a match of everything (G13)",
    (text) => {
      expect(compileMatcher(text)).toEqual({ problem: expect.stringContaining("has no name in it") });
    },
  );

  const oddNames = ["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf", "x".repeat(10_000)];
  it.each(oddNames.map((name) => [name.slice(0, 20), name]))(
    "with the odd name %s… is only a name (G35)",
    (_, name) => {
      expect(matched(name)).toEqual([]);
      expect(matched(name, [name])).toEqual([name]);
      expect(matched("Bash|Edit", [name])).toEqual([]);
      expect(checkMatcher(name, TOOLS)).toContain("matches no tool");
      expect(checkMatcher(name, [...TOOLS, name])).toBeUndefined();
    },
  );

  it("with many stars is compared without going through every way to match (G13)", () => {
    expect(matched(`${"*a".repeat(200)}b`, ["a".repeat(5_000)])).toEqual([]);
  });
});

describe("the check of a matcher at the start", () => {
  const fine = [
    undefined,
    "",
    "*",
    "Bash",
    "Edit|Write",
    "Bash*",
    "^Edit",
    ".*",
    "Bash(Output)?",
    "(Edit|Write)",
  ];
  it.each(fine)("has nothing to say about %j (T53)", (text) => {
    expect(checkMatcher(text, TOOLS)).toBeUndefined();
  });

  const forServers = [
    "mcp__x__y",
    "mcp__x__*",
    "mcp__memory__.*",
    "mcp__*",
    "Bash|mcp__x__y",
    "^mcp__(a|b)__",
    "*__write",
  ];
  it.each(forServers)("leaves %j to servers that may come later (T53)", (text) => {
    expect(checkMatcher(text, TOOLS)).toBeUndefined();
  });

  const foreign = ["Edit|NotebookEdit", "Bash|WebFetch|WebSearch"];
  it.each(foreign)("leaves the tools of other programs in the list %j alone (T53)", (text) => {
    expect(checkMatcher(text, TOOLS)).toBeUndefined();
  });

  const suggestions: [text: string, nearest: string][] = [
    ["Edti", "Edit"],
    ["Bsh", "Bash"],
    ["bash", "Bash"],
    ["Todo", "TodoWrite"],
    ["Writes", "Write"],
    ["Bash|Edti", "Edit"],
    ["Gerp*", "Grep"],
    ["^Raed$", "Read"],
    ["Bash Edit", "Bash|Edit"],
  ];
  it.each(suggestions)("asks for %j whether %j was meant (T53)", (text, nearest) => {
    expect(checkMatcher(text, TOOLS)).toMatch(`did you mean "${nearest}"?`);
  });

  it("lists what there is when nothing is near (T53)", () => {
    expect(checkMatcher("Frobnicate", TOOLS)).toBe(
      `"Frobnicate" matches no tool that Wave has (${TOOLS.join(", ")})`,
    );
    expect(checkMatcher("compact", ["startup", "resume"], "source")).toBe(
      `"compact" matches no source that Wave has (startup, resume)`,
    );
  });

  it("names a server that was meant with all its tools (T53)", () => {
    expect(checkMatcher("mcp__memory", TOOLS)).toContain('"mcp__memory__*"');
  });

  const filters = [
    "Bash(git push*)",
    "Bash(*)",
    "Edit(src/**)",
    "bash(rm:*)",
    "Read(./.env)",
    "Bash(npm)",
    "Edit|Bash(git push*)",
  ];
  it.each(filters)("says that %j belongs in `if` (T54)", (text) => {
    expect(checkMatcher(text, TOOLS)).toContain("this belongs in `if`");
  });

  it("takes alternatives in parentheses for a regular expression and not for a filter (T54)", () => {
    expect(checkMatcher("Notebook(Edit|Read)", TOOLS)).toMatch(/matches no tool/);
    expect(checkMatcher("Notebook(Edit|Read)", TOOLS)).not.toContain("belongs in `if`");
    expect(checkMatcher("Multi(Edit|Write)", TOOLS)).toBeUndefined();
  });

  it("spells out control characters of a matcher", () => {
    expect(checkMatcher("\u001b[31mBash", TOOLS)).toContain(String.raw`\u001b[31mBash`);
  });
});

describe("the names of tools in other agents", () => {
  const tools = ["Bash", "Agent", "TodoWrite", "KillShell", "BashOutput"];

  it.each<[text: string, matches: string[]]>([
    ["Task", ["Agent"]],
    ["Agent", ["Agent"]],
    ["Task|Bash", ["Bash", "Agent"]],
    ["TaskCreate", ["TodoWrite"]],
    ["^(Task|TaskUpdate)$", ["Agent", "TodoWrite"]],
    ["KillBash", ["KillShell"]],
    ["Bash.*", ["Bash", "BashOutput"]],
    ["Bash|BashOutput", ["Bash", "BashOutput"]],
  ])("%s matches the same tool by the name that Wave gives it: %j (T53)", (text, matches) => {
    expect(matched(text, tools)).toEqual(matches);
    expect(checkMatcher(text, tools)).toBeUndefined();
  });

  it.each(["Task", "NotebookEdit|WebSearch", "Skill"])(
    "%s is a tool that Wave does not have, and no misspelling of one that it has (T53)",
    (text) => {
      expect(checkMatcher(text, TOOLS)).toMatch(/a tool of Claude Code that Wave does not have/);
      expect(checkMatcher(text, TOOLS)).not.toContain("did you mean");
      expect(isMisspelt(text, TOOLS)).toBe(false);
    },
  );
});
