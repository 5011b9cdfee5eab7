import {
  checkMatcher,
  compileMatcher,
  type MatcherKind,
} from "../../packages/agent-sdk/src/hooks/matcher.ts";
import { code, table } from "./markdown.ts";

const TOOLS = ["Bash", "BashOutput", "Read", "Write", "Edit", "MultiEdit", "Glob", "Grep", "LS"];

const EXAMPLES = [
  "",
  "*",
  "Bash",
  "bash",
  "Edit|Write",
  "Edit, Write",
  "*Edit",
  "Bash*",
  "G???",
  "Edit.*",
  "^Edit$",
  "^(Read|Grep)$",
  "^(?!Read)",
  "mcp__memory__*",
  "Edti",
  "Bash(git push*)",
  "Bash(",
];

const KINDS: Record<MatcherKind, string> = {
  all: "everything",
  names: "names",
  globs: "glob",
  regex: "regular expression",
};

/** What the examples really match: each is compiled and tried, so the page cannot promise something else. */
export function matcherTable(): string {
  const rows = EXAMPLES.map((text) => {
    const matcher = compileMatcher(text);
    const shown = text === "" ? '`""` or nothing' : code(text);
    const said = checkMatcher(text, TOOLS) ?? "";
    if ("problem" in matcher) return [shown, "–", "nothing", said];
    const matches = TOOLS.filter((tool) => matcher.test(tool, TOOLS));
    const names = matches.length === TOOLS.length ? "all" : matches.map(code).join(", ");
    return [shown, KINDS[matcher.kind], names || "nothing here", said];
  });
  return table(["Matcher", "Read as", "Matches", "Said at the start"], rows);
}
