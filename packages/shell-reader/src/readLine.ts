import { possibleFiles } from "./words/possibleFiles.ts";
import { holdsGapCharacters, placeIn } from "./words/unknownText.ts";
import { everyNode } from "./grammar/grammar.ts";
import { readWithinSteps, whyBeyond, whyUnreadable } from "./grammar/limits.ts";
import { parseShell } from "./grammar/parse.ts";
import { needsOf } from "./patterns/needs.ts";
import { suggestionFor } from "./patterns/suggestions.ts";
import type { Doings, Need, Place, PlacedWord, PossibleRun, Reading, Suggestion } from "./reading.ts";
import type { Scope } from "./shell/scope.ts";
import { doingsOf, type BesideCommands } from "./walk/doings.ts";
import { Sightings, type Part } from "./walk/sightings.ts";
import { Survey, surveyText, type CommandReading } from "./walk/survey.ts";
import { Walk } from "./walk/walk.ts";
import { expandWord, literalOf } from "./words/expand.ts";
import { literal, type SimpleCommand } from "./words/words.ts";

/** What a command line would run, read and write at a place, told without running it. */
export function readLine(line: string, place: Place): Reading {
  const unreadable = holdsGapCharacters(line)
    ? "it contains characters that no file name has"
    : whyUnreadable(line);
  const read = unreadable === undefined ? walked(line, place) : unwalked(line, unreadable);
  return readingOf(line, place, read);
}

interface Read {
  programs: CommandReading;
  seen: Sightings;
  /** The commands as text. */
  shown: readonly string[];
}

function walked(line: string, place: Place): Read {
  const read = readWithinSteps(() => {
    const seen = new Sightings();
    const survey = new Survey();
    const walk = new Walk(seen, survey);
    const beyond = whyBeyond(() => walk.line(line, scopeAt(place)));
    if (beyond !== undefined) {
      survey.beyond(beyond);
      seen.beyondReach(beyond);
    }
    if (seen.opensUnknown) opensAnyWord(line, place, seen);
    return { programs: survey.amountsTo(line), seen, shown: walk.commands };
  });
  // What a walk that was broken off has seen says nothing about the line.
  return "value" in read ? read.value : unwalked("", read.why);
}

/** `f() { foo $1; }; f x`: what a word becomes that nobody followed stands somewhere on the line. */
function opensAnyWord(line: string, place: Place, seen: Sightings): void {
  const folders = new Set([place.folder, ...seen.parts().flatMap((part) => [...part.folders])]);
  for (const { text } of wordsOf(line, place))
    for (const name of possibleFiles(text, false))
      for (const folder of folders) seen.mayOpen(placeIn(folder, name));
}

/** A line that nobody walks through. Its programs may be known all the same. */
function unwalked(line: string, why: string): Read {
  const seen = new Sightings();
  seen.beyondReach(why);
  const read = readWithinSteps(() => surveyText(line, 0, why));
  return { programs: "value" in read ? read.value : surveyText("", 0, read.why), seen, shown: [] };
}

const UNDERSTOOD = { known: "programs", unknown: "words", any: "nothing" } as const;

function readingOf(line: string, place: Place, { programs, seen, shown }: Read): Reading {
  const { commands, hidden, foreign, unseenCode } = programs;
  const beside: BesideCommands = programs.complete
    ? NOTHING_BESIDE
    : {
        doubt: programs.programs === "known" ? undefined : programs.why,
        beside: programs.why,
        onlyRedirects: programs.onlyRedirects,
        onlyUnread: programs.onlyUnread,
      };
  let made: ReadonlyMap<SimpleCommand, readonly Need[]> | undefined;
  let possible: readonly PossibleRun[] | undefined;
  const needs = () => (made ??= new Map(commands.map((one) => [one, needsOf(one, commandsOf)])));
  return {
    ...doingsOf(seen.parts(), { ...beside, nothing: NO_PROGRAM }),
    line,
    understood: programs.complete ? "all" : UNDERSTOOD[programs.programs],
    why: programs.complete ? undefined : programs.why,
    commands,
    embedded: [...hidden, ...seen.called],
    possible: () => (possible ??= possibleIn(seen)),
    code: foreign,
    unseenCode,
    shown,
    get needs() {
      return [...needs().values()].flat();
    },
    suggestions: () => suggestionsFor(programs, seen),
    words: () => wordsOf(line, place),
    without: (covered) => without(covered, { programs, seen, needs: needs(), beside }),
  };
}

function possibleIn(seen: Sightings): PossibleRun[] {
  return seen.possible.flatMap(({ program, commands, texts }) => {
    const read = readWithinSteps(() => texts.map((text) => surveyText(text, 0)));
    const inTexts = "value" in read ? read.value.flatMap((one) => [...one.commands, ...one.hidden]) : [];
    return [...commands, ...inTexts].map((command) => ({ program, command }));
  });
}

/** The commands of a script that is handed to a shell, when they are all there is. */
function commandsOf(script: string) {
  const read = readWithinSteps(() => surveyText(script, 0));
  if (!("value" in read)) return undefined;
  const { commands, assigned, complete } = read.value;
  return complete && commands.length > 0 && assigned.length === 0 ? commands : undefined;
}

function suggestionsFor({ commands, nodes }: CommandReading, seen: Sightings): Suggestion[] {
  const all = new Map<string, { found: ReturnType<typeof suggestionFor>; parts: (Part | undefined)[] }>();
  for (const command of commands) {
    const found = suggestionFor(command);
    const node = nodes.get(command);
    const parts = all.get(found.command)?.parts ?? [];
    all.set(found.command, { found, parts: [...parts, node && seen.partOf(node)] });
  }
  return [...all.values()].map(({ found, parts }) => {
    const known = parts.filter((part) => part !== undefined);
    const isKnown = known.length === parts.length;
    return {
      ...found,
      doings: isKnown ? doingsOf(known, { ...NOTHING_BESIDE, nothing: NO_PROGRAM }) : undefined,
    };
  });
}

const NO_PROGRAM = "it runs nothing";
const NOTHING_BESIDE: BesideCommands = {
  doubt: undefined,
  beside: undefined,
  onlyRedirects: false,
  onlyUnread: false,
};

/** They change where the rest of the line works. */
const MOVES = new Set(["cd", "chdir", "pushd", "popd"]);

function without(
  covered: ReadonlySet<Need>,
  given: {
    programs: CommandReading;
    seen: Sightings;
    needs: ReadonlyMap<SimpleCommand, readonly Need[]>;
    beside: BesideCommands;
  },
): Doings | undefined {
  const { programs, seen, needs, beside } = given;
  if (!programs.complete && !programs.onlyRedirects) return undefined;
  const known = programs.commands.flatMap((command) => {
    const node = programs.nodes.get(command);
    const isCovered = needs.get(command)?.every((need) => covered.has(need)) === true;
    return node && seen.partOf(node) && isCovered ? [{ node, command }] : [];
  });
  if (known.length === 0) return undefined;
  // Only a program that nobody can see through: whoever covers it covers whatever it does. Of one that is known to write a file,
  // make a link or move something the rest of the line might read the result, which nobody has looked at yet.
  const opaque = known.filter(({ node, command }) => {
    const words = command.map(literal);
    const part = seen.partOf(node);
    return (
      words.every((word) => word !== undefined && !MOVES.has(word)) &&
      node.redirects.every(({ type }) => type === "Redirect") &&
      // The home is never a part of the project: who covers `ls ~/x` knows that.
      (part?.isOpaque || words.some((word) => word?.startsWith("~"))) &&
      part?.accesses.values().every(({ item }) => item.access !== "write") === true
    );
  });
  return doingsOf(remaining(seen, new Set(opaque.map(({ node }) => node))), beside);
}

/** A command stays as long as another one that stays makes use of what it prints. */
function remaining(seen: Sightings, taken: ReadonlySet<object>): Part[] {
  const parts = seen.parts(taken);
  const used = new Set(parts.flatMap(({ uses }) => [...uses]));
  const left = [...taken].filter(
    (node) =>
      !seen
        .partOf(node)
        ?.prints.values()
        .some((text) => used.has(text)),
  );
  return left.length === taken.size ? parts : remaining(seen, new Set(left));
}

function wordsOf(line: string, place: Place): PlacedWord[] {
  const words: PlacedWord[] = [];
  const scope = scopeAt(place);
  const read = readWithinSteps(() =>
    whyBeyond(() => {
      for (const { node } of everyNode(parseShell(line))) {
        const text = node.type === "Word" ? literalOf(expandWord(node, scope)) : undefined;
        if (text !== undefined) words.push({ from: node.pos, to: node.end, text });
      }
    }),
  );
  return "value" in read && read.value === undefined ? words : [];
}

function scopeAt({ folder, variables }: Place): Scope {
  const known = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, [value]] as const],
  );
  return { folders: [folder], variables: new Map([...known, ["PWD", [folder]]]), functions: new Map() };
}
