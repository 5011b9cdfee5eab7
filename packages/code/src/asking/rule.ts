import type { PendingPermission } from "wave-agent-sdk";
import { visibleText } from "./visibleText.ts";

/** What "allow with a rule" would add, or why there is nothing to add; no reason where nobody keeps rules at all. */
export type RuleOffer = { offered: true; rule: string } | { offered: false; why: string | undefined };

type Asked = Pick<PendingPermission, "toolName" | "input" | "askedBy">;

/**
 * The narrowest rule that lets this call and its like run without a question. Only a mode's habit can be changed by an allow
 * rule: where a hook or an ask rule asked, it would be a promise that does not hold (T34).
 */
export function offerRule({ toolName, input, askedBy }: Asked): RuleOffer {
  if (askedBy.some((asker) => asker.startsWith("hook ")))
    return no("a hook asked, and no rule can skip a hook");
  if (askedBy.some((asker) => asker.startsWith("rule ")))
    return no("an ask rule asked, and an allow rule does not lift it");
  if (askedBy.length === 0 || !askedBy.every((asker) => asker.startsWith("mode ")))
    return no("only what a mode asks about can be allowed by a rule");
  if (toolName === "Bash") return ruleForCommand(input["command"]);
  const family = FAMILIES.get(toolName);
  if (family) return ruleForPath(family, input["file_path"]);
  if (/^mcp__[\w-]+$/.test(toolName)) return { offered: true, rule: toolName };
  return no(`there is no narrow rule for ${visibleWord(toolName)}`);
}

/** A rule is shown whole beside its key; a longer one would be agreed to unread. */
const LONGEST_RULE = 120;

const FAMILIES = new Map([
  ["Read", "Read"],
  ["Edit", "Edit"],
  ["MultiEdit", "Edit"],
  ["Write", "Edit"],
]);

/** Programs whose next word says what they do, and which of these words run something else again. */
const SUBCOMMANDS = new Map<string, { runners: readonly string[] }>([
  ["git", { runners: ["bisect", "rebase", "submodule", "filter-branch", "config", "difftool", "mergetool"] }],
  ["npm", { runners: ["exec", "x", "explore", "config", "set"] }],
  ["pnpm", { runners: ["exec", "dlx", "config"] }],
  ["yarn", { runners: ["exec", "dlx", "config"] }],
  ["cargo", { runners: ["run", "config"] }],
  ["go", { runners: ["run", "generate", "tool", "env"] }],
  ["gh", { runners: ["alias", "extension", "api", "config"] }],
]);

function ruleForCommand(command: unknown): RuleOffer {
  if (typeof command !== "string") return no("there is no command to make a rule of");
  const words = plainWords(command);
  if (!words) return no("a rule is for one plain command, and this is more than that");
  return ruleOf("Bash", beginningOf(words) ?? words.join(" "));
}

function beginningOf([program, subcommand, script]: readonly string[]): string | undefined {
  const known = SUBCOMMANDS.get(program ?? "");
  if (!program || !known || !isName(subcommand) || known.runners.includes(subcommand)) return undefined;
  if (subcommand !== "run") return `${program} ${subcommand}:*`;
  return isName(script) ? `${program} run ${script}:*` : undefined;
}

const isName = (word: string | undefined): word is string =>
  word !== undefined && /^[a-z][\w:.-]*$/i.test(word);

/**
 * The words, as written, of a line that is one program with its arguments. Anything a shell would expand, join or redirect is left to
 * the person: it gives no rule, so reading too little of the shell's grammar is on the safe side.
 */
function plainWords(command: string): string[] | undefined {
  const words: string[] = [];
  let rest = command.trim();
  while (rest !== "") {
    const written = PLAIN_WORD.exec(rest)?.[0];
    if (!written) return undefined;
    rest = rest.slice(written.length);
    if (rest !== "" && !rest.startsWith(" ")) return undefined;
    rest = rest.trimStart();
    words.push(written);
  }
  const [program] = words;
  // An assignment before the program, or a program whose name is quoted, is nothing a person writes into a rule.
  return program && /^[\w./+-]+$/.test(program) ? words : undefined;
}

// Bare letters, and quotes with nothing in them that bash or a rule would read as anything else than itself.
const PLAIN_WORD = /^(?:[\w@%+=:,./~^-]|'(?:[^'*\s]| (?! ))*'|"(?:[^"*\s$`\\!]| (?! ))*")+/;

function ruleForPath(family: string, path: unknown): RuleOffer {
  if (typeof path !== "string" || !path.startsWith("/"))
    return no("there is no whole path to make a rule of");
  // In a rule these are patterns, and a rule that fits more than this file is not the one that was shown.
  if (/[*?[\]{}()!\\|+@^$"]|\/\.{1,2}(?:\/|$)|^\s|\s$/.test(path))
    return no("the path has characters that mean something else in a rule");
  return ruleOf(family, `/${path}`);
}

function ruleOf(name: string, content: string): RuleOffer {
  const rule = `${name}(${content})`;
  if (visibleText(rule).hidden > 0) return no("it has hidden characters");
  if (rule.length > LONGEST_RULE) return no(`the rule would be ${rule.length} characters long`);
  return { offered: true, rule };
}

const no = (why: string): RuleOffer => ({ offered: false, why });

const visibleWord = (word: string) =>
  visibleText(word)
    .lines.flat()
    .map(({ text }) => text)
    .join("");
