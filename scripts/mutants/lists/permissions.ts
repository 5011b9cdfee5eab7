import type { Mutant } from "../mutant.ts";

const DECIDE = ["packages/agent-sdk/tests/permissions/decide"];
const PATHS = ["packages/agent-sdk/tests/permissions/pathRules"];
const PROTECTED = ["packages/agent-sdk/tests/permissions/protectedPaths"];

/** Rules, modes, protected files, and what all of them decide. */
export const PERMISSION_MUTANTS: readonly Mutant[] = [
  {
    in: "permissions/decide.ts",
    from: 'if (mode !== "dontAsk") return { decision: "ask", by, reason, askedBy: [by] };',
    to: 'if (mode) return { decision: "ask", by, reason, askedBy: [by] };',
    tests: DECIDE,
  },
  {
    in: "permissions/modeTable.ts",
    from: "run: NEVER_RUN,\n",
    to: "",
    tests: DECIDE,
  },
  {
    in: "permissions/modeTable.ts",
    from: '"edit-outside": NEVER_EDIT,',
    to: "",
    tests: DECIDE,
  },
  {
    in: "permissions/modeTable.ts",
    from: 'acceptEdits: habits({ "read-inside": "allow", "edit-inside": "allow" }),',
    to: 'acceptEdits: habits({ "read-inside": "allow", "edit-inside": "allow", "edit-outside": "allow" }),',
    tests: DECIDE,
  },
  {
    in: "permissions/modeTable.ts",
    from: 'dontAsk: habits({ "read-inside": "allow" }),',
    to: 'dontAsk: habits({ "read-inside": "allow", run: "allow" }),',
    tests: DECIDE,
  },
  {
    in: "permissions/decide.ts",
    from: '`${effect.does}-${insideProject ? "inside" : "outside"}`',
    to: "`${effect.does}-inside`",
    tests: DECIDE,
  },
  {
    in: "permissions/decide.ts",
    from: '...rules.doubtful.map((rule) => ruleVoice(rule, "may be about this call")),',
    to: "",
    tests: [...DECIDE, "packages/agent-sdk/tests/permissions/shellRules"],
  },
  {
    in: "permissions/decide.ts",
    from: "    ...guarded,\n",
    to: "",
    tests: DECIDE,
  },
  {
    in: "permissions/decide.ts",
    from: "    ...unapproved,\n",
    to: "",
    tests: DECIDE,
  },
  {
    in: "permissions/modeTable.ts",
    from: '    unknown: "ask",\n    ...differing',
    to: '    unknown: "allow",\n    ...differing',
    tests: DECIDE,
  },
  {
    in: "permissions/matchRules.ts",
    from: 'if (placed.behavior === "allow" || judged.some(',
    to: "if (judged.some(",
    tests: ["packages/agent-sdk/tests/gate/promises"],
  },
  {
    in: "permissions/matchRules.ts",
    from: "const judged = calls.original ? [final, readCall(calls.original)] : [final];",
    to: "const judged = [final];",
    tests: ["packages/agent-sdk/tests/gate/rewrites", "packages/agent-sdk/tests/permissions/"],
  },
  {
    in: "permissions/matchRules.ts",
    from: 'ask: holdingBack("ask", [true, false]),',
    to: 'ask: holdingBack("ask", [false]),',
    tests: ["packages/agent-sdk/tests/permissions/decide", "packages/agent-sdk/tests/gate/"],
  },
  {
    in: "permissions/matchRules.ts",
    from: 'managedDeny: holdingBack("deny", [true]),',
    to: "managedDeny: [],",
    tests: ["packages/agent-sdk/tests/permissions/", "packages/agent-sdk/tests/gate/"],
  },
  {
    in: "permissions/pathRules.ts",
    from: "if (pattern.everywhere || !isUsable(path)) return true;",
    to: "if (pattern.everywhere) return true;",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: "return isUsable(path) && covers(pattern, path, places);",
    to: "return covers(pattern, path, places);",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: '(pattern.maybeRoot && covers({ ...andBelow, from: "root" }, path, places))',
    to: '(pattern.everywhere && covers({ ...andBelow, from: "root" }, path, places))',
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: 'if (text.endsWith("/")) parts.push("**");',
    to: "",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: 'if (from === "base" && !anchored) parts.unshift("**");',
    to: "",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: 'else if (names.pop()?.is !== "name")',
    to: "else if (names.pop() === undefined)",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: 'if (entry?.is === "any-depth") next.add(at);',
    to: 'if (entry?.is === "any-depth") next.add(at + 1);',
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: "reached.add(at + 1);",
    to: "",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: 'return text.normalize("NFC").toLowerCase();',
    to: "return text.toLowerCase();",
    tests: PATHS,
  },
  {
    in: "permissions/pathRules.ts",
    from: "if (inside === undefined) return (below || names.length > 0) && isInside(spelling(folder), spelling(start));",
    to: "if (inside === undefined) return false;",
    tests: [
      "packages/agent-sdk/tests/permissions/pathRules",
      "packages/agent-sdk/tests/permissions/searchFilter",
    ],
  },
  {
    in: "permissions/protectedHits.ts",
    from: '.filter(({ access }) => access !== "read")',
    to: '.filter(({ access }) => access === "write")',
    tests: PROTECTED,
  },
  {
    in: "permissions/protectedHits.ts",
    from: '.replaceAll(/\\p{Default_Ignorable_Code_Point}/gu, "")',
    to: "",
    tests: PROTECTED,
  },
  {
    in: "permissions/protectedHits.ts",
    from: "        .toUpperCase()\n",
    to: "",
    tests: PROTECTED,
  },
  {
    in: "permissions/protectedHits.ts",
    from: "if (!difference?.known) {",
    to: "if (difference && !difference.known) {",
    tests: [...PROTECTED, "packages/agent-sdk/tests/gate/protected"],
  },
  {
    in: "permissions/protectedHits.ts",
    from: "folded === one.path || folded.startsWith(`${one.path}/`)",
    to: "folded === one.path",
    tests: [...PROTECTED, "packages/agent-sdk/tests/gate/protected"],
  },
];
