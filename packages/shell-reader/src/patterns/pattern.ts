import type { ParsedScript } from "unbash";
import { readWithinSteps, whyBeyond } from "../grammar/limits.ts";
import { parseShell } from "../grammar/parse.ts";
import { wordsOf } from "../walk/commands.ts";
import type { Pieces } from "../words/pieces.ts";
import type { SimpleCommand } from "../words/words.ts";

/** What a pattern is about. */
export type Pattern =
  | { covers: "everything" }
  /** `git status:*`, `git status *`: these words, then anything. */
  | { covers: "beginning"; words: SimpleCommand }
  /** `npm run test`: these words and no others. */
  | { covers: "exactly"; words: SimpleCommand }
  /** `git * main`: the whole command as text. */
  | { covers: "text"; pieces: Pieces };

const MOST_KEPT = 2_000;
const kept = new Map<string, Pattern | { problem: string }>();

/** Read once: rules are asked about every line. */
export function patternOf(content: string): Pattern | { problem: string } {
  const known = kept.get(content);
  if (known) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const pattern = readPattern(content);
  kept.set(content, pattern);
  return pattern;
}

function readPattern(content: string): Pattern | { problem: string } {
  const text = content.trim().replace(/\s+/g, " ");
  if (text === "*") return { covers: "everything" };
  const beginning = /^(.*?)(?::\*| \*)$/.exec(text)?.[1];
  const spelled = beginning ?? text;
  if (spelled === "") return { problem: "it names no command before the star" };
  if (spelled.includes("*"))
    return { covers: "text", pieces: (beginning === undefined ? text : `${beginning} *`).split("*") };
  const words = readOneCommand(spelled);
  if (!words) {
    return {
      problem:
        "it has to be one plain command; write a rule of its own for each command, without redirections",
    };
  }
  return { covers: beginning === undefined ? "exactly" : "beginning", words };
}

/** Text that is one program with arguments and nothing else: what a pattern may spell out. */
function readOneCommand(text: string): SimpleCommand | undefined {
  let words: SimpleCommand | undefined;
  readWithinSteps(() => whyBeyond(() => (words = onlyCommand(parseShell(text)))));
  return words;
}

function onlyCommand({ commands, errors }: ParsedScript): SimpleCommand | undefined {
  const [statement, ...others] = commands;
  const node = statement?.command;
  if (errors?.length || others.length > 0 || statement?.background) return undefined;
  if (node?.type !== "Command" || !node.name || node.prefix.length > 0 || node.redirects.length > 0)
    return undefined;
  return wordsOf(node.name, node);
}

/** How many leading words a pattern spells out. */
export function reachOf(pattern: Pattern): number {
  switch (pattern.covers) {
    case "everything":
      return Number.POSITIVE_INFINITY;
    case "text":
      return (pattern.pieces[0] ?? "").split(" ").length - 1;
    default:
      return pattern.words.length;
  }
}
