import { namesOfTool } from "../hooks/toolNames.ts";
import { covers, type Covering, type Doings, type Reading } from "wave-shell-reader";
import { shortened } from "../utils/quoted.ts";
import { starMatches } from "../utils/wildcard.ts";
import type { SeenEffect } from "./effect.ts";
import { HOST_RULE_TOOL, mightCoverHost, surelyCoversHost } from "./hostRules.ts";
import type { Family, Rule } from "./parseRule.ts";
import { mightCover, mightReach, surelyCovers, type PathPlaces } from "./pathRules.ts";
import { isPartly, type Touched } from "./touched.ts";

export interface PlacedRule {
  rule: Rule;
  /** What a relative path in it is relative to. Never the shell's folder: a `cd` would change what the rule means. */
  base: string;
}

export interface RuleCall {
  toolName: string;
  effect: SeenEffect;
  /** The files of a command line. */
  touched?: readonly Touched[];
  /** Of a command line: whether some of its commands are known to only read in the project. */
  onlyReads?: (doings: Doings) => boolean;
  /** Of a command line: a folder outside of the project in which one of its programs would work. */
  elsewhere?: string;
}

/** A call with its command line read, once for all rules. */
export type ReadCall = { toolName: string } & (
  | { does: "nothing" | "leave-plan" | "ask-person" }
  | { does: "reach"; hosts: readonly string[] }
  /** Judged by what is known of it, like a command line. */
  | { does: "unknown"; touched: readonly Touched[] }
  | { does: "read" | "edit"; paths: readonly string[] }
  | {
      does: "run";
      reading: Reading;
      touched: readonly Touched[];
      onlyReads?: RuleCall["onlyReads"];
      elsewhere?: string | undefined;
    }
);

export interface RuleContext {
  home: string;
  /** The project's folder: a rule for a command covers absolute paths in it. */
  project?: string;
  caseInsensitive?: boolean;
}

export function readCall({ toolName, effect, touched = [], ...seen }: RuleCall): ReadCall {
  switch (effect.does) {
    case "run":
      return { toolName, does: effect.does, reading: effect.reading, touched, ...seen };
    case "unknown":
      return { toolName, does: effect.does, touched };
    case "read":
    case "edit":
    case "nothing":
    case "reach":
    case "leave-plan":
    case "ask-person":
      return { toolName, ...effect };
  }
}

/**
 * Whether a deny or ask rule speaks about a call, and why. Any doubt is on the side of the rule: one spelling of a path is
 * enough, one command of a line is enough.
 */
export function ruleMatches(
  { rule, base }: PlacedRule,
  call: ReadCall,
  context: RuleContext,
): string | undefined {
  switch (rule.about) {
    case "tool":
      return nameMatches(rule, call) ? `it is about ${shortened(call.toolName, 80)}` : undefined;
    case "server":
      return call.toolName.startsWith(rule.prefix)
        ? `it is about ${shortened(call.toolName, 80)}`
        : undefined;
    case "paths": {
      const places = placesOf(base, context);
      if (call.does === "run" || call.does === "unknown") return touchedMatches(rule, call, places);
      if (!("paths" in call) || call.does !== rule.family) return undefined;
      const path = call.paths.find((spelling) => mightCover(rule.pattern, spelling, places));
      return path === undefined ? undefined : `it is about ${shortened(path, 200)}`;
    }
    case "host": {
      const hosts = call.does === "reach" ? call.hosts : [];
      const host = hosts.find((asked) => mightCoverHost(rule.pattern, asked));
      return host === undefined ? undefined : `it is about ${shortened(host, 200)}`;
    }
    case "command":
      return call.does === "run" ? coveringOf(rule, call.reading, context)?.maybe() : undefined;
  }
}

/** Whoever may not read a file may not give it another name either. */
export function isAccess({ access, away, onlyLooks }: Touched, family: Family): boolean {
  if (onlyLooks) return false;
  return family === "edit" ? access === "write" : access === "read" || away === true;
}

/** Of a call whose files Wave does not open itself. */
type OutsideCall = Extract<ReadCall, { does: "run" | "unknown" }>;

const WHO: Record<OutsideCall["does"], string> = { run: "the command", unknown: "the tool" };

function touchedMatches(
  { family, pattern }: Extract<Rule, { about: "paths" }>,
  { does: kind, touched }: OutsideCall,
  places: PathPlaces,
): string | undefined {
  const found = touched.find(
    (one) =>
      isAccess(one, family) &&
      one.names.length === 0 &&
      one.spellings.some((spelling) => mightCover(pattern, spelling, places)),
  );
  if (!found) return undefined;
  const does = family === "edit" ? "writes" : found.away ? "moves or removes" : "reads";
  return `${WHO[kind]} ${does} ${placeShown(found)}`;
}

/**
 * Why a rule might speak about a command line that is not understood well enough to say that it does: any program may run, a
 * folder is read as a whole, names are known only by a pattern or not at all, or a program may do anything with a file that it
 * is given.
 */
export function ruleDoubt(
  { rule, base }: PlacedRule,
  call: ReadCall,
  context: RuleContext,
): string | undefined {
  if (call.does !== "run" && call.does !== "unknown") return undefined;
  if (rule.about === "command" && call.does === "run")
    return anyProgram(call) ?? coveringOf(rule, call.reading, context)?.perhaps();
  if (rule.about !== "paths") return undefined;
  const places = placesOf(base, context);
  // Whoever writes to such a place is asked anyway.
  const anywhere = call.touched.find((one) => rule.family === "read" && isAnywhere(one));
  if (anywhere)
    return `Wave cannot tell which files this reads (${shortened(anywhere.shown, 200)}), and the rule keeps some back`;
  const found = call.touched.find((one) => {
    if (one.access !== "unknown" && (!isAccess(one, rule.family) || !isPartly(one))) return false;
    return one.spellings.some((folder) =>
      mightReach(rule.pattern, { folder, names: one.names, below: one.below }, places),
    );
  });
  return found && `${WHO[call.does]} may touch such files in ${placeShown(found)}`;
}

/** Before the full stop of a sentence `.` would read as the folder above. */
function placeShown({ shown, spellings }: Touched): string {
  const inFull = /(^|\/)\.{1,2}$/.test(shown) ? spellings[0] : undefined;
  return shortened(inFull ?? shown, 200);
}

const isAnywhere = ({ access, spellings, onlyLooks }: Touched) =>
  access === "read" && spellings.length === 0 && !onlyLooks;

/** Where the files of a line could not be looked for, its programs are not all known either. */
function anyProgram({ reading, touched }: Extract<ReadCall, { does: "run" }>): string | undefined {
  const why = reading.understood === "nothing" ? reading.why : undefined;
  const unread = why ?? touched.find((one) => one.unread !== undefined)?.unread;
  return unread === undefined ? undefined : `the line may run any program (${shortened(unread, 200)})`;
}

/**
 * The allow rules that together cover a call, or undefined. Any doubt is against them: every spelling of a path and every
 * command of a line needs a rule.
 */
export function allowedByRules<Placed extends PlacedRule>(
  rules: readonly Placed[],
  call: ReadCall,
  context: RuleContext,
): Placed[] | undefined {
  const whole = rules.find(({ rule }) => allowsTool(rule, call));
  if (whole) return [whole];
  if (call.does === "run") {
    // In another folder `npm test` is another program; only a rule for every command was written for that.
    const covering = rules.flatMap((placed) => {
      const by = coveringOf(placed.rule, call.reading, context);
      return by && (call.elsewhere === undefined || by.everything) ? [{ placed, by }] : [];
    });
    return coveredBy(covering, call);
  }
  if (call.does === "reach") {
    const named = call.hosts.map((host) => rules.find(({ rule }) => namesHost(rule, call.toolName, host)));
    return named.length > 0 && named.every((placed) => placed !== undefined) ? named : undefined;
  }
  if ((call.does !== "read" && call.does !== "edit") || call.paths.length === 0) return undefined;
  const used = call.paths.map((path) => rules.find((placed) => allowsPath(placed, call.does, path, context)));
  return used.every((placed) => placed !== undefined) ? [...new Set(used)] : undefined;
}

/** A rule lets this tool reach a host, and no other tool that would. */
export function namesHost(rule: Rule, toolName: string, host: string): boolean {
  return rule.about === "host" && toolName === HOST_RULE_TOOL && surelyCoversHost(rule.pattern, host);
}

/** What a rule for commands has to say about a line. */
function coveringOf(rule: Rule, reading: Reading, { project }: RuleContext): Covering | undefined {
  const covering = rule.about === "command" ? covers(rule.pattern, reading, { project }) : undefined;
  return covering && "problem" in covering ? undefined : covering;
}

/**
 * The rules that together cover a line: everything in it is understood, and each command has a rule of its own. Rules for some of
 * them are enough when the others are known to only read: alone, neither would be asked about.
 */
function coveredBy<Placed>(
  rules: readonly { placed: Placed; by: Covering }[],
  { reading, onlyReads }: Extract<ReadCall, { does: "run" }>,
): Placed[] | undefined {
  const everything = rules.find(({ by }) => by.everything);
  if (everything) return [everything.placed];
  const all = rules.map(({ placed, by }) => ({ placed, needs: new Set(by.surely()) }));
  const covering = reading.needs.map((need) => all.find(({ needs }) => needs.has(need))?.placed);
  const used = [...new Set(covering.filter((placed) => placed !== undefined))];
  const isWhole = reading.understood === "all" && reading.needs.length > 0 && reading.assigned.length === 0;
  if (isWhole && !covering.includes(undefined)) return used;
  const covered = new Set(reading.needs.filter((_, at) => covering[at] !== undefined));
  const rest = onlyReads && reading.without(covered);
  return rest && onlyReads(rest) ? used : undefined;
}

function allowsTool(rule: Rule, call: ReadCall): boolean {
  if (rule.about === "tool") return nameMatches(rule, call);
  if (rule.about !== "server" || !call.toolName.startsWith(rule.prefix)) return false;
  // `mcp__a` must not open the tools of a server that is called `a__b`, and only the names can tell.
  return !call.toolName.slice(rule.prefix.length).includes("__");
}

function allowsPath({ rule, base }: PlacedRule, does: Family, path: string, context: RuleContext): boolean {
  return (
    rule.about === "paths" &&
    rule.family === does &&
    surelyCovers(rule.pattern, path, placesOf(base, context))
  );
}

export function placesOf(base: string, context: RuleContext): PathPlaces {
  return { base, home: context.home, caseInsensitive: context.caseInsensitive ?? false };
}

function nameMatches(rule: { name: string; family: Family | undefined }, call: ReadCall): boolean {
  const isNamed = namesOfTool(call.toolName).some((name) => starMatches(rule.name, name));
  return isNamed || (rule.family !== undefined && rule.family === call.does);
}
