import type { PathName, TreeChange } from "wave-shell-reader";
import { starMatches } from "../utils/wildcard.ts";
import { shortened } from "../utils/quoted.ts";
import {
  placesIn,
  PROTECTED,
  type OwnPlace,
  type ProtectedHit,
  type ProtectedPlaces,
} from "./protectedPaths.ts";
import { programFinder, programReached } from "./programPlaces.ts";
import { couldBe, isAnyDepth, namesOf, type Touched } from "./touched.ts";
import type { ChangedFile, TreeDifference } from "./treeDifference.ts";

const partsOf = (path: string) => path.split("/").filter((name) => name !== "");

/**
 * Many file systems take these for the same name, and on the others a second file of that name is nobody's wish: letters of
 * another case (also `ſ` for `s`), put together of parts or not, with characters between them that nobody sees.
 */
const fold = (name: string) =>
  PLAIN.test(name)
    ? name.toLowerCase()
    : name
        .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
        .normalize("NFC")
        .toUpperCase()
        .toLowerCase();

/** Most names: nothing to put together, nothing unseen. */
const PLAIN = /^[\x20-\x7e]*$/;

const ROWS = PROTECTED.flatMap(({ names, why }) =>
  names.map((name) => ({ names: fold(name).split("/"), why })),
);

/** Which protected files a call would write, or might. One hit per place is enough to ask. */
export function protectedHits(touched: readonly Touched[], places: ProtectedPlaces): ProtectedHit[] {
  const hits = touched
    .filter(({ access }) => access !== "read")
    .flatMap((one) => {
      const { through } = one;
      return typeof through === "object" ? broughtHits(one, through, places) : (hitOf(one, places) ?? []);
    });
  return hits.filter((hit, at) => hits.findIndex(({ path }) => path === hit.path) === at);
}

/** More than this nobody reads in a question. */
const MOST_NAMED = 8;

/** What a command of git changes: a file that it names, and those that come out different from what they are. */
function broughtHits(touched: Touched, change: TreeChange, places: ProtectedPlaces): ProtectedHit[] {
  const named = change.reach === "place" ? hitOf({ ...touched, below: false }, places) : undefined;
  if (named) return [named];
  const command = shortened(change.command, 80);
  const difference = places.brought(change, touched.spellings[0]);
  if (!difference?.known) {
    const why = difference?.why ?? "git was not asked";
    return [
      {
        path: `files that \`${command}\` brings`,
        why: `Wave cannot tell whether a protected one is among them (${why})`,
      },
    ];
  }
  const whyProtected = protectedFinder(places);
  const hits = difference.files.flatMap(({ path, does }) => {
    const why = whyProtected(path);
    return why === undefined ? [] : [{ path: `${path} (${DOES[does](command)})`, why }];
  });
  const left = hits.length - MOST_NAMED;
  if (left <= 0) return hits;
  return [
    ...hits.slice(0, MOST_NAMED),
    { path: `${left} more protected files`, why: `\`${command}\` changes them as well` },
  ];
}

/**
 * What a person is told once a command of git has run: what it fetched nobody could know before, and what a branch was when the
 * command was judged it may no longer be when it runs. `judged` is what git said before, `asked` what the question named anyway.
 */
export function cameOutText(
  { command, fetches }: TreeChange,
  difference: TreeDifference,
  { judged, asked }: { judged: TreeDifference | undefined; asked: ReadonlySet<string> },
): string | undefined {
  const who = `\`${shortened(command, 80)}\` ${fetches ? "fetched something new" : "brought something else than what was there when it was judged"}`;
  if (!difference.known) {
    // Where it could not be told before either, the question said so.
    if (!fetches && judged?.known !== true) return undefined;
    const whose = fetches ? who : `\`${shortened(command, 80)}\` ran`;
    return `${whose}, and Wave cannot tell whether protected files came with it (${difference.why})`;
  }
  const paths = difference.files.map(({ path }) => path).filter((path) => fetches || !asked.has(path));
  if (paths.length === 0) return undefined;
  const left = paths.length - MOST_NAMED;
  const more = left > 0 ? [`${left} more`] : [];
  return `${who}, and these protected files are others now: ${[...paths.slice(0, MOST_NAMED), ...more].join(", ")}; look at them before a program runs them`;
}

const DOES: Record<ChangedFile["does"], (command: string) => string> = {
  replace: (command) => `\`${command}\` would replace it`,
  bring: (command) => `\`${command}\` would bring it`,
  remove: (command) => `\`${command}\` would remove it`,
  change: (command) => `\`${command}\` would change it`,
};

/** The same table for many plain paths at once: a work tree may have a hundred thousand. */
export function protectedFinder({
  own,
  programs,
}: Pick<ProtectedPlaces, "own" | "programs">): (path: string) => string | undefined {
  const whyProgram = programFinder(programs);
  const places = own.map(({ path, why }) => ({ path: fold(path), why }));
  return (path) => {
    const folded = fold(path);
    if (ANY_ROW.test(`/${folded}/`)) {
      const names = partsOf(folded);
      const row = ROWS.find((one) => holds(names, one.names));
      if (row) return row.why;
    }
    const place = places.find((one) => folded === one.path || folded.startsWith(`${one.path}/`));
    return place?.why ?? whyProgram(path);
  };
}

/** Whether one of the names of a path is that of a protected file, wherever it lies. */
export const isProtectedName = (path: string) => ANY_ROW.test(`/${fold(path)}/`);

const ANY_ROW = new RegExp(`/(?:${ROWS.map(({ names }) => names.map(asPattern).join("/")).join("|")})/`);

function asPattern(name: string): string {
  return name.replaceAll(/[.+^$(){}|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
}

function hitOf(touched: Touched, places: ProtectedPlaces): ProtectedHit | undefined {
  const { spellings, shown, unread } = touched;
  if (spellings.length === 0) {
    const doubt = "Wave cannot tell which file that is, and it may be one of those it protects";
    return { path: shown, why: unread === undefined ? doubt : `${unread}. So ${doubt}` };
  }
  for (const [at, names] of namesOf(touched).entries()) {
    const path = shownPath(touched, at);
    const row = rowOf(
      names.map((name) => (typeof name === "string" ? fold(name) : undefined)),
      touched,
    );
    if (row) return { path, why: row.why };
    const place = placeReached(names, touched, places) ?? programReached(names, touched, places.programs);
    if (place) return { path: path === place.path ? path : `${path} (${place.path})`, why: place.why };
  }
  if (touched.names.length > 0) return undefined;
  const other = spellings.map(places.otherName).find((one) => one !== undefined);
  return other && { path: `${shown} (another name of ${other.path})`, why: other.why };
}

/** As written, and where it really is (G29). */
function shownPath({ shown, spellings, names }: Touched, at: number): string {
  const real = spellings[at];
  return at === 0 || real === undefined || names.length > 0 ? shown : `${shown} (which is ${real})`;
}

function rowOf(path: readonly (string | undefined)[], { below }: Touched) {
  return ROWS.find(({ names }) => holds(path, names) || (below && leadsTo(path, names)));
}

/** Whether a path lies at or below a row of the table, wherever that row begins. */
function holds(path: readonly (string | undefined)[], row: readonly string[]): boolean {
  return path.some((_, start) => row.every((name, index) => sameName(path[start + index], name)));
}

/** Whether a folder is one in which the rest of a row would lie: `.github` for `.github/workflows`. */
function leadsTo(path: readonly (string | undefined)[], row: readonly string[]): boolean {
  return row.slice(1).some((_, at) => {
    const start = path.length - (at + 1);
    return start >= 0 && row.slice(0, at + 1).every((name, index) => sameName(path[start + index], name));
  });
}

/** A star stands for files that are there: what a name would be of which not all is known is looked up on disk instead. */
function sameName(name: string | undefined, pattern: string): boolean {
  return name !== undefined && starMatches(pattern, name);
}

/** A place of this session, or a file of the table that is there, which a write reaches. */
function placeReached(
  names: readonly PathName[],
  touched: Touched,
  places: ProtectedPlaces,
): OwnPlace | undefined {
  if (names.some(isAnyDepth)) {
    return places.files().find(({ path }) => {
      const parts = partsOf(path);
      return couldLead(names, parts, "exactly") || (touched.below && couldLead(names, parts, "above"));
    });
  }
  return (
    places.own.find(({ path }) => reaches(names, touched, path, places)) ??
    (names.some((name) => typeof name !== "string") ? underStars(names, touched, places) : undefined) ??
    (touched.below && touched.through === undefined ? insideTree(names, places) : undefined)
  );
}

/** Whether a write reaches a place: the file itself, something in it, or a folder that is changed as a whole. */
function reaches(
  names: readonly PathName[],
  { below, through }: Touched,
  place: string,
  places: ProtectedPlaces,
): boolean {
  const target = partsOf(place);
  if (couldLead(names, target, "inside")) return true;
  if (!below || !couldLead(names, target, "above")) return false;
  return through === "archive" || places.exists(place);
}

/** Files of the table that are there and that `*` would find. */
function underStars(
  names: readonly PathName[],
  { spellings }: Touched,
  places: ProtectedPlaces,
): OwnPlace | undefined {
  return spellings
    .flatMap(placesIn)
    .find(({ path }) => couldLead(names, partsOf(path), "inside") && places.exists(path));
}

/** Files of the table in a folder that is moved, removed or changed as a whole. */
function insideTree(names: readonly PathName[], places: ProtectedPlaces): OwnPlace | undefined {
  return places.roots
    .filter((root) => couldLead(names, partsOf(root), "above"))
    .flatMap(placesIn)
    .find(({ path }) => places.exists(path));
}

/** Whether a path with gaps can be a place ("exactly"), that or something in it ("inside"), or a folder it lies in ("above"). */
function couldLead(
  names: readonly PathName[],
  place: readonly string[],
  where: "exactly" | "inside" | "above",
): boolean {
  const from = (at: number, index: number): boolean => {
    if (at === names.length) return where === "above" || index === place.length;
    const name = names[at] ?? "";
    if (index === place.length) return where === "inside" || (isAnyDepth(name) && from(at + 1, index));
    if (isAnyDepth(name)) return from(at + 1, index) || from(at, index + 1);
    const there = place[index] ?? "";
    if (there.startsWith(".") && typeof name !== "string" && !name.mayHide) return false;
    return couldBe(name, there, fold) && from(at + 1, index + 1);
  };
  return from(0, 0);
}
