import { isDeepStrictEqual } from "node:util";
import type { PendingPermission, RuleOffer } from "wave-agent-sdk";
import { printableLine } from "../utils/printable.ts";
import { shortenPaths } from "../utils/shortPath.ts";
import { describeChange, type ShownChange } from "./change.ts";
import { questionIn, questionText } from "./question.ts";
import { count, sizeOf } from "./sizes.ts";
import { visibleText, type VisibleLine } from "./visibleText.ts";

/** A piece of the dialog's body: a heading, and a text of somebody else's with everything in it made visible. */
export interface Section {
  heading: string;
  /** "before" and "after" of a change, or the thing itself. */
  tone: "input" | "before" | "after";
  lines: readonly VisibleLine[];
  hidden: number;
  /** Characters of the text as it was, before anything was made visible. */
  length: number;
}

/** Everything a person needs to decide (T73), with nothing in it that a terminal would act on (G36). */
export interface Description {
  /** "Main agent wants to run a command". */
  title: string;
  /** Which hook, rule or mode asks, where the reason does not name it. */
  askedBy: string | undefined;
  /** Hooks that were asked again, and failed again. */
  attempts: readonly string[];
  reason: readonly VisibleLine[];
  /** Undefined: it has nothing to do with a folder. */
  folder: string | undefined;
  /** What is judged only after this. */
  next: string | undefined;
  /** Why the rule that was chosen is not kept. */
  notKept: readonly VisibleLine[];
  /** Whoever looks for "always" and does not find it is told why (T34). */
  whyNoRule: string | undefined;
  /** Exactly what will run. */
  input: readonly Section[];
  /** What would become of a file; then the texts of the input are in it and not shown again. */
  change: ShownChange | undefined;
  /** What hooks made of the model's own input, field by field. */
  changes: readonly Section[];
}

type Asked = Pick<
  PendingPermission,
  | "toolName"
  | "agent"
  | "origin"
  | "input"
  | "change"
  | "originalInput"
  | "changedBy"
  | "reason"
  | "askedBy"
  | "failedHooks"
  | "callsBehind"
  | "cwd"
>;

export function describeRequest(
  request: Asked,
  {
    shows = "fields",
    rule,
    notKept,
  }: { shows?: "fields" | "json"; rule?: RuleOffer; notKept?: string | undefined } = {},
): Description {
  const { input } = request;
  const change = request.change && shows === "fields" ? describeChange(request.change) : undefined;
  return {
    title: titleOf(request),
    askedBy: askersOf(request),
    attempts: (request.failedHooks ?? [])
      .filter(({ attempt }) => attempt > 1)
      .map(({ name, attempt }) => `attempt ${attempt}: ${printableLine(name)} failed again`),
    reason: visibleText(reasonOf(request)).lines,
    folder:
      request.toolName === "prompt" || isOfServer(request.toolName)
        ? undefined
        : printableLine(shortenPaths(request.cwd, "/")),
    next: request.callsBehind
      ? `then ${count(request.callsBehind, "more call")}, asked one by one`
      : undefined,
    input: shows === "json" ? [section("input", json(input))] : inputSections(request),
    change,
    notKept: notKept === undefined ? [] : visibleText(`not kept: ${notKept}`).lines,
    whyNoRule:
      rule && !rule.offered && !isOfServer(request.toolName)
        ? `cannot be remembered: ${printableLine(rule.why)}`
        : undefined,
    changes: request.originalInput ? changesBetween(request.originalInput, input, request) : [],
  };
}

/** The mode comes first, as in the status line; a sentence by itself needs no full stop. */
const reasonOf = ({ reason }: Pick<Asked, "reason">): string =>
  reason
    .replace(/^Mode (\w+) /, "$1 mode ")
    .replace(" mode asks before running a command", " mode asks before commands")
    .replace(/^([^\n]*[^.\n])\.$/, "$1");

/** Nobody is named twice: most reasons say whose they are. */
function askersOf({ askedBy, reason, cwd }: Pick<Asked, "askedBy" | "reason" | "cwd">): string | undefined {
  const said = reason.toLowerCase();
  const isNamed = (asker: string) =>
    said.includes(asker.replace(/ \([^()]*\)$|, which nobody approved$/, "").toLowerCase()) ||
    said.includes(asker.replace(/^protected path /, "").toLowerCase());
  const unnamed = askedBy.filter((asker) => !isNamed(asker));
  return unnamed.length === 0 ? undefined : printableLine(shortenPaths(unnamed.join(", "), cwd));
}

/** Hidden characters in what would run, however it is shown. */
export function hiddenIn(request: Fields): number {
  const { toolName, change } = request;
  const inChange = change ? describeChange(change).hidden : 0;
  return inputSections(request).reduce(
    (sum, { hidden }) => sum + hidden,
    visibleText(toolName).hidden + inChange,
  );
}

function titleOf({ toolName, origin, agent }: Pick<Asked, "toolName" | "origin" | "agent">): string {
  if (isTypedCommand({ toolName, origin })) return "You typed this with !";
  if (isOfServer(toolName)) return `MCP server ${printableLine(toolName.slice("mcp__".length))} asks you`;
  const who = agent
    ? `Sub-agent ${printableLine(agent.type)} (${printableLine(agent.description)})`
    : "Main agent";
  return `${who} ${WISHES.get(toolName) ?? `wants to use ${printableLine(toolName)}`}`;
}

/** A server's own question, and no call of one of its tools. */
export const isOfServer = (toolName: string) => /^mcp__(?:(?!__).)+$/.test(toolName);

/** A prompt is typed as well, but it is the model that gets it. */
export const isTypedCommand = ({ toolName, origin }: Pick<PendingPermission, "toolName" | "origin">) =>
  origin === "person" && toolName !== "prompt";

const WISHES = new Map([
  ["Bash", "wants to run a command"],
  ["Edit", "wants to edit a file"],
  ["MultiEdit", "wants to edit a file"],
  ["Write", "wants to write a file"],
  ["Read", "wants to read a file"],
  ["ExitPlanMode", "has a plan"],
  ["AskUserQuestion", "has a question"],
  ["prompt", "is about to get your prompt"],
]);

/** The field that says what a call is about comes first and needs no heading. */
const MAIN_FIELD = new Map([
  ["Bash", "command"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["Write", "file_path"],
  ["Read", "file_path"],
  ["ExitPlanMode", "plan"],
  ["prompt", "prompt"],
]);

/** The fields that a change of a file is made of. */
const CHANGE_FIELDS = new Map([
  ["Edit", ["old_string", "new_string"]],
  ["MultiEdit", ["edits"]],
  ["Write", ["content"]],
]);

type Fields = Pick<Asked, "toolName" | "origin" | "input" | "originalInput" | "change">;

function inputSections(request: Fields): Section[] {
  const { toolName, input, change } = request;
  const question = questionIn(request);
  if (question) return [section("", questionText(question))];
  const main = isOfServer(toolName) ? "question" : MAIN_FIELD.get(toolName);
  const elsewhere = [...(change ? (CHANGE_FIELDS.get(toolName) ?? []) : []), ...setByWave(request)];
  const rest = Object.entries(input).filter(([field]) => field !== main && !elsewhere.includes(field));
  const first = main !== undefined && Object.hasOwn(input, main) ? [section("", asText(input[main]))] : [];
  return [...first, ...rest.flatMap(([field, value]) => fieldSections(toolName, field, value))];
}

/** Nobody typed the time limit of a typed command. One that a hook has set is part of what is asked about. */
function setByWave({ toolName, origin, input, originalInput = input }: Fields): string[] {
  const isOurs = isTypedCommand({ toolName, origin }) && originalInput["timeout"] === input["timeout"];
  return isOurs ? ["timeout"] : [];
}

function fieldSections(toolName: string, field: string, value: unknown): Section[] {
  if (toolName === "MultiEdit" && field === "edits" && Array.isArray(value)) {
    return value.flatMap((edit: unknown, index) =>
      editSections(edit, `edit ${index + 1} of ${value.length}: `),
    );
  }
  if (typeof value !== "string") return [section(field, json(value))];
  if (toolName === "Edit" && field === "old_string") return [fileText("replaces", value, "before")];
  if (toolName === "Edit" && field === "new_string") return [fileText("with", value, "after")];
  if (toolName === "Write" && field === "content") return [fileText("content", value, "after")];
  return [section(field, value)];
}

function editSections(edit: unknown, prefix: string): Section[] {
  if (typeof edit !== "object" || edit === null) return [section(prefix, json(edit))];
  return Object.entries(edit).flatMap(([field, value]) =>
    fieldSections("Edit", field, value).map((part) => ({ ...part, heading: prefix + part.heading })),
  );
}

/** Text of a file says how much it is, and its line ends are its own business. */
function fileText(heading: string, text: string, tone: Section["tone"]): Section {
  // The last line break ends a line and begins none.
  const { lines, hidden } = visibleText(text.replace(/\r?\n$/, ""), { windowsLines: true });
  const ends = text.includes("\r\n") ? ", lines end in CRLF" : "";
  return { heading: `${heading} ${sizeOf(text)}${ends}`, tone, lines, hidden, length: text.length };
}

function section(field: string, text: string, tone: Section["tone"] = "input"): Section {
  const { lines, hidden } = visibleText(text);
  return {
    heading: printableLine(field),
    tone,
    lines,
    hidden: hidden + visibleText(field).hidden,
    length: text.length,
  };
}

/** What stands in the input is what would run, and it is shown; here is what stood there before, and who changed it. */
function changesBetween(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  { changedBy = {}, cwd }: Pick<Asked, "changedBy" | "cwd">,
): Section[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => {
      const hook = shortenPaths((Object.hasOwn(changedBy, field) && changedBy[field]) || "a hook", cwd);
      if (!Object.hasOwn(before, field)) return section(`${field} was added by ${hook}`, "", "before");
      const what = Object.hasOwn(after, field) ? `changed by ${hook}; before` : `taken away by ${hook}`;
      return section(`${field}, ${what}`, asText(before[field]), "before");
    });
}

const asText = (value: unknown) => (typeof value === "string" ? value : json(value));

const json = (value: unknown) => JSON.stringify(value, null, 2) ?? "undefined";
