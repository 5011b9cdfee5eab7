import { policyOf, type Defaults, type Entry, type Kind } from "./referencePolicy.ts";

/**
 * What hooks decide, written a second time, from the specification's pages alone and without a look at the engine. The
 * property test runs random hook sets through a real agent and compares. It is slow-witted on purpose: it gets stdout as
 * pieces that say what they are, so that it never has to find JSON in text, and it knows no process and no file.
 */
export type Event = "UserPromptSubmit" | "PreToolUse" | "PostToolUse" | "Stop";
export type Input = Record<string, unknown>;
/**
 * One thing a hook printed: plain text, a JSON object, one with the fields of two, or text that looks like a hook's JSON
 * and cannot be used.
 */
export type Piece = { text: string } | { object: Input } | { twice: [Input, Input] } | { broken: string };
export interface Says {
  stdout: Piece[];
  stderr: string;
  /** An exit code, or another way to end. */
  end: number | "signal" | "timeout" | "missing";
}
export interface Hook {
  name: string;
  matches: boolean;
  /** Where it is declared, and what each of these places says about failures. */
  entries: Entry[];
  says: Says;
  /** What it says in the second pass. */
  saysAgain: Says;
}

/** What must be in a text: all of it word for word, every one of some words, at least one of some words, or nothing. */
export type Text = { is: string } | { all: string[] } | { any: string[] };
/** Where the pages leave open whether there is one, the answer is "maybe". */
export type Sure = "yes" | "no" | "maybe";
type Decision = "none" | "allow" | "ask" | "deny";

export interface Verdict {
  hook: string;
  decision: Decision;
  /** Not its word: it could not decide, and its onError denies or asks. */
  byFailure: boolean;
  /** It could not decide, and its onError lets that pass. */
  failedOpen: boolean;
  reason: Text;
  /** A reason from JSON travels in a HookBlock, one from the exit code in a plain message. */
  reasonFrom: "json" | "exit" | "either";
  /** Present when the turn must end; what the user is told about it. */
  halt: Text | undefined;
  context: string | undefined;
  /** Plain stdout of a hook that exited 0. */
  plain: string | undefined;
  updatedInput: Input | undefined;
  error: { text: Text; sure: Sure } | undefined;
  warns: Sure;
  systemMessages: string[];
}

const TOP_FIELDS = ["continue", "stopReason", "systemMessage", "hookSpecificOutput", "decision", "reason"];
const SPECIFIC_FIELDS: Record<Event, string[]> = {
  PreToolUse: ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  PostToolUse: ["decision", "reason", "additionalContext"],
  UserPromptSubmit: ["decision", "reason", "additionalContext"],
  Stop: ["decision", "reason"],
};
const FIELDS_OF_SOME_EVENT = new Set(Object.values(SPECIFIC_FIELDS).flat());
/** Names that are almost those of deciding fields. */
const MISSPELT: Record<string, string> = {
  decison: "decision",
  Decision: "decision",
  permission_decision: "permissionDecision",
  permissionDecison: "permissionDecision",
  contineu: "continue",
  updated_input: "updatedInput",
};
const TOP_DECISIONS: Record<Event, Record<string, Decision>> = {
  PreToolUse: { approve: "allow", block: "deny" },
  PostToolUse: { block: "deny" },
  UserPromptSubmit: { block: "deny" },
  Stop: { block: "deny" },
};
const SPECIFIC_DECISIONS: Record<Event, Record<string, Decision>> = {
  ...TOP_DECISIONS,
  PreToolUse: { allow: "allow", deny: "deny", ask: "ask" },
};
const STRICTNESS: Decision[] = ["none", "allow", "ask", "deny"];
export const stricter = (a: Decision, b: Decision): Decision =>
  STRICTNESS.indexOf(b) > STRICTNESS.indexOf(a) ? b : a;
export const isObject = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isString = (value: unknown): value is string => typeof value === "string";
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";

/** Everything one object says, before anybody asks how the hook ended. */
interface Reading {
  broken: boolean;
  /** It may have meant more than it says: a failure where onError holds back, else a warning. */
  doubtful: boolean;
  warns: boolean;
  halts: boolean;
  stopReason: string;
  decision: Decision;
  reasons: string[];
  context: string;
  systemMessage: string;
  /** "refused" when it is there and no object. */
  updatedInput: Input | "refused" | undefined;
}

function readObject(event: Event, object: Input): Reading {
  let broken = false;
  let warns = false;
  let nulls = false;
  let spoke = false;
  /** A field's value if it is there and of the right type; null means absent, a wrong type breaks the output. */
  const read = <T>(from: Input, field: string, isRight: (value: unknown) => value is T): T | undefined => {
    const value = from[field] ?? undefined;
    if (value === undefined || isRight(value)) return value;
    broken = true;
    return undefined;
  };
  const text = (from: Input, field: string): string => (read(from, field, isString) ?? "").trim();
  const decide = (from: Input, field: string, known: Record<string, Decision>): Decision => {
    const word = read(from, field, isString);
    if (from[field] === null) nulls = true;
    if (word === undefined) return "none";
    spoke = true;
    const decision = Object.hasOwn(known, word) ? known[word] : undefined;
    if (decision === undefined) broken = true;
    return decision ?? "none";
  };

  const own = read(object, "hookSpecificOutput", isObject);
  const specific = own ?? {};
  const misnamed = own !== undefined && read(own, "hookEventName", isString) !== event;
  const foreign = Object.keys(specific).filter(
    (field) =>
      FIELDS_OF_SOME_EVENT.has(field) && !SPECIFIC_FIELDS[event].includes(field) && specific[field] !== null,
  );
  if (foreign.length > 0) warns = true;
  for (const [name, meant] of Object.entries(MISSPELT)) {
    if (!Object.hasOwn(object, name) && !Object.hasOwn(specific, name)) continue;
    if (TOP_FIELDS.includes(meant) || SPECIFIC_FIELDS[event].includes(meant)) broken = true;
    else warns = true;
  }
  const has = (field: string): boolean => SPECIFIC_FIELDS[event].includes(field);

  const pre = event === "PreToolUse";
  const top = decide(object, "decision", TOP_DECISIONS[event]);
  const inner = decide(specific, pre ? "permissionDecision" : "decision", SPECIFIC_DECISIONS[event]);
  const topReason = text(object, "reason");
  const innerReason = text(specific, pre ? "permissionDecisionReason" : "reason");
  if (top !== "none" && inner !== "none" && top !== inner) warns = true;
  let decision = stricter(top, inner);
  const reasons = [top === decision ? topReason : "", inner === decision ? innerReason : ""].filter(
    (r) => r !== "",
  );
  const halts = read(object, "continue", isBoolean) === false;
  const stopReason = text(object, "stopReason");
  const systemMessage = text(object, "systemMessage");
  let context = has("additionalContext") ? text(specific, "additionalContext") : "";
  let updatedInput: Reading["updatedInput"] = undefined;
  const rewrite = has("updatedInput") ? (specific["updatedInput"] ?? undefined) : undefined;
  if (rewrite !== undefined) updatedInput = isObject(rewrite) ? rewrite : "refused";

  const holds = halts || decision === "ask" || decision === "deny";
  const letsThrough = decision === "allow" || updatedInput !== undefined;
  const doubtful = !holds && ((nulls && !spoke) || (misnamed && letsThrough));
  if (misnamed && !doubtful) warns = true;

  // What lets through must be well formed.
  if ((misnamed || broken) && decision === "allow") decision = "none";
  if ((misnamed || broken) && updatedInput !== "refused") updatedInput = undefined;
  if (broken) context = "";
  return {
    broken,
    doubtful,
    warns,
    halts,
    stopReason,
    decision,
    reasons,
    context,
    systemMessage,
    updatedInput,
  };
}

/** From what one hook printed and how it ended to what it wants. */
const NEAR_MISS = /\{\s*"(?:decision|permissionDecision|continue|hookSpecificOutput)"\s*:/;

export function readHook(event: Event, hook: Hook, says: Says, defaults: Defaults = {}): Verdict {
  const objects = says.stdout.map(waysToRead).filter((ways) => ways.some(isForHooks));
  const read = objects.map((ways) => ways.map((object) => readObject(event, object)));
  const readings = read.flat();
  const rank = (one: Reading): number => (one.halts ? 9 : STRICTNESS.indexOf(one.decision));
  const strictest = readings.toSorted((a, b) => rank(b) - rank(a))[0];
  const word = policyOf(hook.entries, defaults, ["invalid"]);
  const isStrict = (word === "block" && event !== "Stop") || (word === "ask" && canAsk(event));
  const broken =
    says.stdout.some((piece) => "broken" in piece) ||
    readings.some((one) => one.broken || (isStrict && one.doubtful));
  const stderr = says.stderr.trim();
  const exited = typeof says.end === "number";
  const said = (text: string): Text => (text === "" ? { any: [hook.name] } : { is: text });

  const verdict: Verdict = {
    hook: hook.name,
    decision: "none",
    byFailure: false,
    failedOpen: false,
    reason: { all: [] },
    reasonFrom: "exit",
    halt: strictest?.halts ? said(strictest.stopReason) : undefined,
    context: undefined,
    plain: undefined,
    updatedInput: undefined,
    error: undefined,
    warns: "no",
    systemMessages: read.flatMap((ways) => [
      ...new Set(ways.map((one) => one.systemMessage).filter((text) => text !== "")),
    ]),
  };
  const warn = (how: Sure): void => {
    if (verdict.warns !== "yes") verdict.warns = how;
  };
  if (readings.some((one) => one.warns)) warn(strictest?.warns ? "yes" : "maybe");
  if (readings.some((one) => one.doubtful)) warn(strictest?.doubtful && !isStrict ? "yes" : "maybe");
  if (objects.length > 1 || says.stdout.some(hasFieldTwice)) warn("yes");
  // 0003.9: a decision in the middle of a line stays text, and the author is told.
  const nearMiss = says.stdout.some((piece) => "text" in piece && NEAR_MISS.test(piece.text));
  if (readings.length === 0 && nearMiss && !says.stdout.some((piece) => "broken" in piece)) warn("yes");
  if (readings.length === 1 && says.stdout.some((piece) => "broken" in piece)) warn("maybe");
  if (strictest?.halts && strictest.stopReason === "") warn("yes");
  if (exited && !broken) {
    verdict.context = strictest?.context || undefined;
    if (isObject(strictest?.updatedInput)) verdict.updatedInput = strictest.updatedInput;
    // JO-8: one object and nothing else is never text.
    const [only, ...more] = says.stdout;
    const isOneObject = more.length === 0 && only !== undefined && ("object" in only || "twice" in only);
    if (readings.length === 0 && says.end === 0 && !isOneObject) verdict.plain = plainText(says) || undefined;
  }

  const refused = readings.some((one) => one.updatedInput === "refused");
  const json = strictest?.decision ?? "none";
  const holdsBack = verdict.halt !== undefined || json === "deny" || json === "ask" || refused;
  if (holdsBack && !exited) warn("yes");
  if (holdsBack && broken) warn(refused ? "maybe" : "yes");
  const [reason, otherReason] = strictest?.reasons ?? [];

  if (json === "deny") {
    verdict.decision = "deny";
    verdict.reasonFrom = reason === undefined ? "either" : "json";
    if (reason !== undefined) {
      const alone = otherReason === undefined && !refused;
      verdict.reason = alone
        ? { is: reason }
        : { any: [reason, ...(otherReason === undefined ? [] : [otherReason])] };
    } else {
      verdict.reason = says.end === 2 ? said(stderr) : { any: [hook.name] };
      warn(says.end === 2 && stderr !== "" ? "maybe" : "yes");
    }
    return verdict;
  }
  if (says.end === 2 || refused) {
    verdict.decision = "deny";
    verdict.reason = refused ? { any: stderr === "" ? [hook.name] : [hook.name, stderr] } : said(stderr);
    if (says.end === 2 && json !== "none") warn("yes");
    if (broken) warn(refused ? "maybe" : "yes");
    // Whether a fault beside the refusal is reported as well is left open.
    if (refused && says.end !== 2 && (broken || says.end !== 0))
      verdict.error = { text: { all: [] }, sure: "maybe" };
    return verdict;
  }
  if (json === "ask") {
    verdict.decision = "ask";
    verdict.reason = reason === undefined ? { all: [] } : { is: reason };
    if (reason === undefined) warn("maybe");
    return verdict;
  }
  if (verdict.halt !== undefined) return verdict;
  if (exited && !broken && json === "allow") {
    // JO-7: the JSON decides; that it was not meant to be the end of the program is not kept back.
    if (says.end !== 0) warn("yes");
    return { ...verdict, decision: "allow" };
  }
  if (says.end === 0 && !broken) return verdict;

  // It could not decide, so its onError does.
  if (verdict.warns === "yes" && (!exited || broken)) verdict.warns = "maybe";
  const onError = policyOf(hook.entries, defaults, kindsOf(says.end, broken));
  const blocks = onError === "block" && event !== "Stop";
  const asks = onError === "ask" && canAsk(event);
  const fault = stderr === "" || says.end === "missing" ? [hook.name] : [hook.name, stderr];
  if (blocks || asks) {
    // The reason carries the fault; whether a warning repeats it, or says what helps, is left open.
    warn("maybe");
    return { ...verdict, decision: blocks ? "deny" : "ask", byFailure: true, reason: { any: fault } };
  }
  if (broken) warn("maybe");
  const code = typeof says.end === "number" && !broken ? [String(says.end)] : [];
  const text: Text = stderr !== "" && code.length > 0 ? { all: [stderr] } : { all: [hook.name, ...code] };
  return { ...verdict, failedOpen: true, error: { text, sure: "yes" } };
}

const canAsk = (event: Event): boolean => event === "UserPromptSubmit" || event === "PreToolUse";

/** With the later of two equal fields, and with the earlier. */
function waysToRead(piece: Piece): Input[] {
  if ("object" in piece) return [piece.object];
  if (!("twice" in piece)) return [];
  const [one, two] = piece.twice;
  return [
    { ...one, ...two },
    { ...two, ...one },
  ];
}
const isForHooks = (object: Input): boolean =>
  [...TOP_FIELDS, ...Object.keys(MISSPELT)].some((field) => Object.hasOwn(object, field));
const hasFieldTwice = (piece: Piece): boolean =>
  "twice" in piece && TOP_FIELDS.some((field) => piece.twice.every((one) => Object.hasOwn(one, field)));

/** A hook that was ended, or never ran, failed in that way alone; one that ended by itself may fail in two ways at once. */
function kindsOf(end: Says["end"], broken: boolean): Kind[] {
  if (end === "timeout") return ["timeout"];
  if (end === "signal") return ["crash"];
  if (end === "missing") return ["missing"];
  const code: Kind[] = end === 0 ? [] : [end === 126 || end === 127 ? "missing" : "crash"];
  return [...(broken ? (["invalid"] as const) : []), ...code];
}

/** stdout as plain text; the pieces of a hook without a known object. */
export function plainText(says: Says): string {
  return says.stdout
    .map((piece) => printedText(piece))
    .join("\n")
    .trim();
}

export function printedText(piece: Piece, indent?: number): string {
  if ("text" in piece) return piece.text;
  if ("broken" in piece) return piece.broken;
  if ("object" in piece) return JSON.stringify(piece.object, undefined, indent);
  const [one, two] = piece.twice.map((object) => JSON.stringify(object).slice(1, -1));
  return `{${one},${two}}`;
}
