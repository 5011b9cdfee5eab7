import { optionsVariable } from "../programs/readerTable.ts";
import type { Certainty, Doings } from "../reading.ts";
import { readPath } from "../words/pathName.ts";
import { isLiteral } from "../words/unknownText.ts";
import type { InOrder, Part, Reason, SeenAccess } from "./sightings.ts";

/** Programs that make files and links, and folders only where they change all that is below one. */
const MAKES_FILES = new Set(["", "cp", "ln", "link", "tee", "touch"]);

/** Programs that change the files they name as a person would with an editor; "" is the shell itself. */
const EDITS_FILES = new Set(["", ..."tee touch mkdir rmdir rm unlink cp mv truncate sed".split(" ")]);

/** Why what it writes is not only what it names, or not only as an edit would. */
function notByEditing(writers: readonly string[], accesses: readonly SeenAccess[]): string | undefined {
  const other = writers.find((name) => !EDITS_FILES.has(name));
  if (other !== undefined) return `${other} does more than change a file`;
  const unnamed = accesses.find(({ access, through }) => access === "unknown" || through !== undefined);
  return unnamed && `what it does to ${unnamed.shown} is not known`;
}

/** What is known of a line beside what its commands do. */
export interface BesideCommands {
  /** Why some program of it is not known. */
  doubt: string | undefined;
  /** Why something happens beside its programs. */
  beside: string | undefined;
  /** All that happens beside them are files that it writes by `>`, and they are spelled out. */
  onlyRedirects: boolean;
  /** All that is not known is what programs run in their text that people use to read. */
  onlyUnread: boolean;
  /** Said where no program runs. */
  nothing?: string;
}

/** What the commands of some parts do together. */
export function doingsOf(parts: readonly Part[], line: BesideCommands): Doings {
  const because = (...kinds: Reason[]) =>
    parts.flatMap(({ reasons }) => kinds.flatMap((kind) => reasons.get(kind) ?? [])).toSorted(inOrder)[0]
      ?.item;
  const all = <Item>(of: (part: Part) => Iterable<Item>): Item[] => [
    ...new Set(parts.flatMap((part) => [...of(part)])),
  ];
  const unclear = because("unclear", "unread") ?? line.doubt;
  const changes = because("changes", "needs bounds");
  const programs = all((part) => part.programs);
  const writers = all((part) => part.writers);
  const nothing = programs.length === 0 ? line.nothing : undefined;
  const { beside, onlyRedirects } = line;
  const accesses = accessesOf(parts);
  return {
    certainty: certaintyOf(because, line, nothing),
    unclear,
    beyondReading: unclear ?? changes ?? because("writes") ?? because("edits") ?? beside ?? nothing,
    beyondEditing:
      unclear ??
      changes ??
      notByEditing(writers, accesses) ??
      (onlyRedirects ? undefined : beside) ??
      nothing,
    accesses: accesses.map(({ path, within, ...rest }) => ({
      ...rest,
      path: readPath(path),
      ...(within !== undefined && isLiteral(within) ? { within } : {}),
    })),
    possibleFiles: all((part) => part.possibleFiles).map(readPath),
    git: gitOf(parts),
    programs: programs.map((name) => {
      const optionsIn = optionsVariable(name);
      return optionsIn === undefined ? { name } : { name, optionsIn };
    }),
    heeding: all((part) => part.heeding),
    assigned: all((part) => part.assigned),
    links: parts
      .flatMap(({ links }) => links)
      .toSorted(inOrder)
      .map(({ item: { at, to, copied } }) => ({
        at: readPath(at),
        to: isLiteral(to) ? to : undefined,
        ...(copied ? { copied } : {}),
      })),
    makesNoFolder:
      unclear === undefined &&
      writers.every((name) => MAKES_FILES.has(name)) &&
      !accesses.some(({ access, below }) => access === "write" && below),
    folders: all((part) => part.folders).map(readPath),
    suppositions: parts
      .flatMap(({ suppositions }) => suppositions)
      .map(({ path, unlike }) => ({ path: readPath(path), unlike })),
  };
}

/** What has to be bounded is less than what has to be asked about. */
function certaintyOf(
  because: (...kinds: Reason[]) => string | undefined,
  { doubt, beside, onlyUnread }: BesideCommands,
  nothing: string | undefined,
): Certainty {
  const outside = onlyUnread ? undefined : (doubt ?? beside);
  const more = because("unclear", "changes", "writes", "edits") ?? outside ?? nothing;
  if (more !== undefined) return { is: "unknown", why: more };
  const less = because("unread", "needs bounds", "unproven") ?? beside;
  return less === undefined ? { is: "proven" } : { is: "bounded", why: less };
}

const inOrder = (one: InOrder<unknown>, other: InOrder<unknown>) => one.order - other.order;

/** Those that several commands have are one. */
function accessesOf(parts: readonly Part[]): SeenAccess[] {
  const all = new Map<string, SeenAccess>();
  const seen = parts.flatMap(({ accesses }) => [...accesses]);
  for (const [key, { item }] of seen.toSorted(([, one], [, other]) => inOrder(one, other))) {
    const { isWord, ...file } = all.get(key) ?? item;
    all.set(key, isWord && item.isWord ? { ...file, isWord } : file);
  }
  return [...all.values()];
}

function gitOf(parts: readonly Part[]): Doings["git"] {
  const all = new Map<string, { shows: boolean; searches: boolean }>();
  for (const { git } of parts)
    for (const [folder, { shows, searches }] of git) {
      const before = all.get(folder);
      all.set(folder, {
        shows: shows || before?.shows === true,
        searches: searches || before?.searches === true,
      });
    }
  return [...all].map(([folder, read]) => ({ folder: readPath(folder), ...read }));
}
