import { onlyRedirects, readCommands, type CommandReading } from "./readCommands.ts";
import type { SimpleCommand } from "../words/words.ts";
import { readWithinSteps, whyBeyond, whyUnreadable } from "../grammar/limits.ts";
import {
  beyondReach,
  type Access,
  type GitRead,
  type HeedingCall,
  type MadeLink,
  type Sightings,
  type Supposition,
} from "./sightings.ts";
import { holdsGapCharacters } from "../words/unknownText.ts";
import { GitProgress } from "../programs/git/progress.ts";
import type { Scope } from "../shell/scope.ts";
import { Walk } from "./walk.ts";

/** Where a command line would run. */
export interface ShellPlace {
  folder: string;
  /** Variables whose value is certain, such as HOME. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** What a command line would do to files, read without running it. */
export interface ShellAnalysis {
  /** Every program is known and every file it touches is among `accesses`; otherwise why not. */
  unclear: string | undefined;
  /** Set when it does more than read, or may. */
  beyondReading: string | undefined;
  /** Set when it does more than read and change files that it names, or may. */
  beyondEditing: string | undefined;
  /** The commands as text, also those inside others. */
  commands: string[];
  accesses: Access[];
  /** Folders in which git only reads: whether that is all, depends on what stands in the repository's settings. */
  git: ({ folder: string } & GitRead)[];
  /** The programs by the names they are called by. */
  programs: string[];
  /** The same with their words, as far as these are known. */
  called: readonly SimpleCommand[];
  /** Calls that only read where no file of the project says otherwise. */
  heeding: HeedingCall[];
  /** Variables that the line sets for itself: programs see them only where the environment has them already. */
  assigned: string[];
  /** What will lead elsewhere once the line has run that far. */
  links: readonly MadeLink[];
  /** What is no folder now is none when the line has run. */
  makesNoFolder: boolean;
  /** Folders in which programs would work, with gaps; not of those that only print their words. */
  folders: string[];
  /** What has to hold on the disk for the rest to be true. */
  suppositions: readonly Supposition[];
}

export function analyseCommand(
  line: string,
  place: ShellPlace,
  reading: CommandReading = readCommands(line),
): ShellAnalysis {
  const unreadable = holdsGapCharacters(line)
    ? "it contains characters that no file name has"
    : whyUnreadable(line);
  const read =
    unreadable === undefined ? readWithinSteps(line, () => walked(line, place)) : { why: unreadable };
  const { seen, commands } = "value" in read ? read.value : unwalked(read.why);
  const doubt = reading.complete || reading.programs === "known" ? undefined : reading.why;
  const unclear = seen.unclear ?? doubt;
  const nothing = seen.programs.size === 0 ? "it runs nothing" : undefined;
  const unread = reading.complete ? undefined : reading.why;
  return {
    unclear,
    beyondReading: unclear ?? seen.changes ?? seen.writes ?? seen.edits ?? unread ?? nothing,
    beyondEditing:
      unclear ??
      seen.changes ??
      notByEditing(seen) ??
      (onlyRedirects(reading) ? undefined : unread) ??
      nothing,
    commands,
    accesses: seen.accesses,
    git: [...seen.git].map(([folder, read]) => ({ folder, ...read })),
    programs: [...seen.programs],
    called: seen.called,
    heeding: [...seen.heeding],
    assigned: [...seen.assigned],
    links: seen.links,
    makesNoFolder:
      unclear === undefined &&
      [...seen.writers].every((name) => MAKES_FILES.has(name)) &&
      !seen.accesses.some(({ access, below }) => access === "write" && below),
    folders: [...seen.folders],
    suppositions: seen.suppositions,
  };
}

interface Walked {
  seen: Sightings;
  commands: string[];
}

function walked(line: string, place: ShellPlace): Walked {
  const seen = nothingSeen();
  const walk = new Walk(seen);
  const beyond = whyBeyond(() => void walk.script(line, scopeAt(place)));
  if (beyond !== undefined) beyondReach(seen, beyond);
  return { seen, commands: walk.commands };
}

/** What a walk that was broken off has seen says nothing about the line. */
function unwalked(why: string): Walked {
  const seen = nothingSeen();
  beyondReach(seen, why);
  return { seen, commands: [] };
}

const nothingSeen = (): Sightings => ({
  accesses: [],
  unclear: undefined,
  changes: undefined,
  writes: undefined,
  edits: undefined,
  git: new Map(),
  gitProgress: new GitProgress(),
  programs: new Set(),
  called: [],
  heeding: new Set(),
  assigned: new Set(),
  links: [],
  writers: new Set(),
  written: new Set(),
  folders: new Set(),
  suppositions: [],
});

/** Programs that change the files they name as a person would with an editor; "" is the shell itself. */
const EDITS_FILES = new Set(["", ..."tee touch mkdir rmdir rm unlink cp mv truncate sed".split(" ")]);

/** Why what it writes is not only what it names, or not only as an edit would. */
function notByEditing({ writers, accesses }: Sightings): string | undefined {
  const other = [...writers].find((name) => !EDITS_FILES.has(name));
  if (other !== undefined) return `${other} does more than change a file`;
  const unnamed = accesses.find(({ access, through }) => access === "unknown" || through !== undefined);
  return unnamed && `what it does to ${unnamed.shown} is not known`;
}

/** Programs that make files and links, and folders only where they change all that is below one. */
const MAKES_FILES = new Set(["", "cp", "ln", "link", "tee", "touch"]);

function scopeAt({ folder, variables }: ShellPlace): Scope {
  const known = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, [value]] as const],
  );
  return { folders: [folder], variables: new Map([...known, ["PWD", [folder]]]), functions: new Map() };
}
