import { posix } from "node:path";
import picomatch from "picomatch";
import type { PathName } from "wave-shell-reader";
import { isInside, namesBelow } from "./paths.ts";
import { isAnyDepth } from "./touched.ts";

/** What stands in `Read(…)` and `Edit(…)`: where it starts from, and one entry per name below that. */
export interface PathPattern {
  from: "root" | "home" | "base";
  /** How many folders above the start it begins (`../`). */
  up: number;
  names: readonly NamePattern[];
  /** `*` and `**`: for a rule that holds back, every path there is. */
  everywhere: boolean;
  /** `/etc/x` is read from the base folder, as `/src` in other rule files; whoever meant the disk's root is guarded too. */
  maybeRoot: boolean;
}

type NamePattern =
  | { is: "any-depth" }
  | { is: "name"; name: string }
  /** `letters` are those that are certain, for names of which not everything is known either. */
  | { is: "like"; regex: RegExp; letters: readonly string[] };

export interface PathPlaces {
  base: string;
  home: string;
  /** The file system does not tell upper from lower case. */
  caseInsensitive: boolean;
}

/** No file system takes longer names, and a longer one could make a pattern with several stars slow. */
const LONGEST_NAME = 255;
const MOST_STARS = 3;
/** Of names that the braces of one name stand for: each may be tried before the last one fits. */
const MOST_CHOICES = 1_000;

export function parsePathPattern(content: string): PathPattern | { problem: string } {
  const text = content.trim();
  if (text.includes("\0")) return { problem: "it contains a NUL byte" };
  if (text.startsWith("!"))
    return { problem: "a path cannot be negated; write an allow or a deny rule instead" };
  if (/^~[^/]/.test(text)) return { problem: "only ~/ is known; write the whole path with // before it" };
  if (/\{[^{}/]*\/[^}]*\}/.test(text.slice(0, text.lastIndexOf("}") + 1)))
    return { problem: "braces cannot hold a slash; write one rule for each path" };

  const from = text.startsWith("//") ? "root" : /^~(\/|$)/.test(text) ? "home" : "base";
  const maybeRoot = from === "base" && text.startsWith("/");
  const parts = text.replace(/^~/, "").split("/");
  const anchored = text.replace(/\/$/, "").includes("/");
  if (text.endsWith("/")) parts.push("**");
  if (from === "base" && !anchored) parts.unshift("**");

  const names: NamePattern[] = [];
  let up = 0;
  for (const part of parts.filter((name) => name !== "" && name !== ".")) {
    if (part !== "..") {
      const name = parseName(part);
      if ("problem" in name) return name;
      // Two of them in a row are one.
      if (name.is !== "any-depth" || names.at(-1)?.is !== "any-depth") names.push(name);
    } else if (names.length === 0) up += 1;
    else if (names.pop()?.is !== "name")
      return { problem: "`..` cannot follow a star; write the folder itself" };
  }
  return { from, up, names, everywhere: /^\*{1,2}$/.test(text), maybeRoot };
}

/** Whether a rule that holds back speaks about a path: it names it, or a folder it lies in. */
export function mightCover(pattern: PathPattern, path: string, places: PathPlaces): boolean {
  if (pattern.everywhere || !isUsable(path)) return true;
  const andBelow: PathPattern = { ...pattern, names: [...pattern.names, { is: "any-depth" }] };
  return (
    covers(andBelow, path, places) ||
    (pattern.maybeRoot && covers({ ...andBelow, from: "root" }, path, places))
  );
}

/**
 * Whether a rule that holds back might speak about something of which only a part is known: names with gaps behind a folder,
 * or everything below it.
 */
export function mightReach(
  pattern: PathPattern,
  touched: { folder: string; names: readonly PathName[]; below: boolean },
  places: PathPlaces,
): boolean {
  if (pattern.everywhere || !isUsable(touched.folder)) return true;
  const andBelow: PathPattern = { ...pattern, names: [...pattern.names, { is: "any-depth" }] };
  const patterns = pattern.maybeRoot ? [andBelow, { ...andBelow, from: "root" as const }] : [andBelow];
  return patterns.some((one) => reaches(one, touched, places));
}

function reaches(
  pattern: PathPattern,
  { folder, names, below }: { folder: string; names: readonly PathName[]; below: boolean },
  places: PathPlaces,
): boolean {
  const start = startOf(pattern, places);
  const spelling = places.caseInsensitive ? foldCase : (text: string) => text;
  const inside = namesBelow(spelling(start), spelling(folder));
  // The pattern begins somewhere below the folder.
  if (inside === undefined) return (below || names.length > 0) && isInside(spelling(folder), spelling(start));
  let reached = withSkips(pattern.names, new Set([0]));
  for (const name of [...inside, ...names]) {
    if (isAnyDepth(name)) return reached.size > 0;
    reached = step(pattern.names, reached, (entry) => couldMatch(entry, name, places));
  }
  return below ? reached.size > 0 : reached.has(pattern.names.length);
}

function couldMatch(entry: PlainPattern, name: PathName, places: PathPlaces): boolean {
  if (typeof name === "string") return nameMatches(entry, name, places);
  return name.couldBe(entry.is === "name" ? entry.name : entry.letters);
}

/** How far a way down from a folder has come towards what a pattern speaks of. */
export interface Coverage {
  /** The pattern speaks of this place, and of all that lies below it. */
  all: boolean;
  /** One name further down; undefined: nothing that it speaks of lies there. */
  into: (name: string) => Coverage | undefined;
}

/** The folders below which everything lies that a rule that holds back speaks of. */
export function coverageOf(
  pattern: PathPattern,
  places: PathPlaces,
): { folder: string; coverage: Coverage }[] {
  const plain = pattern.names.findIndex((entry) => entry.is !== "name");
  const known = plain < 0 ? pattern.names.length : plain;
  const folders = pattern.names.slice(0, known).flatMap((entry) => (entry.is === "name" ? [entry.name] : []));
  const patterns = pattern.maybeRoot ? [pattern, { ...pattern, from: "root" as const }] : [pattern];
  const coverage = covered(pattern.names, withSkips(pattern.names, new Set([known])), places);
  return patterns.map((one) => ({ folder: posix.join(startOf(one, places), ...folders), coverage }));
}

function covered(
  pattern: readonly NamePattern[],
  reached: ReadonlySet<number>,
  places: PathPlaces,
): Coverage {
  const spelling = places.caseInsensitive ? foldCase : (text: string) => text;
  return {
    all: reached.has(pattern.length),
    into: (name) => {
      const next = step(pattern, reached, (entry) => nameMatches(entry, spelling(name), places));
      return next.size === 0 ? undefined : covered(pattern, next, places);
    },
  };
}

/** Whether an allow rule names exactly this path. */
export function surelyCovers(pattern: PathPattern, path: string, places: PathPlaces): boolean {
  return isUsable(path) && covers(pattern, path, places);
}

function covers(pattern: PathPattern, path: string, places: PathPlaces): boolean {
  const folder = startOf(pattern, places);
  const spelling = places.caseInsensitive ? foldCase : (text: string) => text;
  const names = namesBelow(spelling(folder), spelling(path));
  return names !== undefined && namesMatch(pattern.names, names, places);
}

function startOf(pattern: PathPattern, places: Pick<PathPlaces, "base" | "home">): string {
  const start = { root: "/", home: places.home, base: places.base }[pattern.from];
  return posix.join(start, "../".repeat(pattern.up));
}

/** Such file systems also take composed and decomposed letters for the same. */
function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Name by name. `reached` holds how many entries of the pattern may be used up so far, so no pattern takes exponential time. */
function namesMatch(pattern: readonly NamePattern[], names: string[], places: PathPlaces): boolean {
  let reached = withSkips(pattern, new Set([0]));
  for (const name of names) reached = step(pattern, reached, (entry) => nameMatches(entry, name, places));
  return reached.has(pattern.length);
}

type PlainPattern = Exclude<NamePattern, { is: "any-depth" }>;

function step(
  pattern: readonly NamePattern[],
  reached: ReadonlySet<number>,
  matches: (entry: PlainPattern) => boolean,
): Set<number> {
  const next = new Set<number>();
  for (const at of reached) {
    const entry = pattern[at];
    if (entry?.is === "any-depth") next.add(at);
    else if (entry && matches(entry)) next.add(at + 1);
  }
  return withSkips(pattern, next);
}

function nameMatches(entry: PlainPattern, name: string, places: PathPlaces): boolean {
  if (entry.is === "name") return name === (places.caseInsensitive ? foldCase(entry.name) : entry.name);
  return places.caseInsensitive ? new RegExp(entry.regex.source, "si").test(name) : entry.regex.test(name);
}

/**
 * `**` also stands for no folder at all. A set visits what is added to it while it is walked. Who has come to one `**` has no need
 * of the places before it: whatever leads on from there, this `**` takes in.
 */
function withSkips(pattern: readonly NamePattern[], reached: Set<number>): Set<number> {
  let last = -1;
  for (const at of reached)
    if (pattern[at]?.is === "any-depth") {
      reached.add(at + 1);
      last = Math.max(last, at);
    }
  for (const at of reached) if (at < last) reached.delete(at);
  return reached;
}

function parseName(part: string): NamePattern | { problem: string } {
  if (part === "**") return { is: "any-depth" };
  if (!/[*?[\]{}\\]/.test(part)) return { is: "name", name: part };
  if (part.split("*").length - 1 > MOST_STARS)
    return { problem: `one name can hold at most ${MOST_STARS} stars` };
  if (choicesIn(part) > MOST_CHOICES)
    return { problem: `the braces of one name can stand for at most ${MOST_CHOICES} names` };
  // Only *, ?, […] and {…} mean something; brackets such as those of `app/(shop)/page.ts` are part of a name.
  const glob = part.replace(/(?<!\\)[()|+^$@!"]/g, "\\$&");
  try {
    const regex = picomatch.makeRe(glob, {
      dot: true,
      nonegate: true,
      noextglob: true,
      flags: "s",
    });
    const letters = part.split(/[*?]+|\[[^\]]*\]?|\{[^}]*\}?|\\./);
    return regex ? { is: "like", regex, letters } : { problem: `${part} cannot be read as a pattern` };
  } catch {
    // picomatch hands over to RegExp, which throws for ranges such as [z-a].
    return { problem: `${part} cannot be read as a pattern` };
  }
}

/** At most: braces within braces are counted as if they stood behind each other. */
function choicesIn(part: string): number {
  const [, ...braces] = part.split("{");
  return braces.reduce((choices, inside) => choices * inside.split(",").length, 1);
}

function isUsable(path: string): boolean {
  return (
    path.startsWith("/") &&
    !path.includes("\0") &&
    path.split("/").every((name) => name.length <= LONGEST_NAME)
  );
}
