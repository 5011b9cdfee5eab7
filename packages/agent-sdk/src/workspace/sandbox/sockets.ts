import { lstatSync, readdirSync, readFileSync, realpathSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../permissions/paths.ts";

/**
 * Sockets and pipes of programs outside of the sandbox: whoever connects to them has something done there, and a read-only file
 * system does not keep anybody from it. One that a command itself makes in a writable folder stays open to the next.
 */
export class SocketsOutside {
  readonly #projectDir: string | undefined;
  readonly #temporary: readonly string[];
  readonly #replaced: readonly string[];
  /** What was there before the first command: in the temporary folder nobody can tell later whose a socket is. */
  readonly #early: readonly string[];

  constructor(places: {
    /** What listens there is meant for it, as are those that look things up. Absent: nothing is. */
    projectDir?: string;
    temporary?: readonly string[];
    home: string;
    /** Folders of which nothing is there. */
    replaced?: readonly string[];
  }) {
    const { projectDir, temporary = [], replaced = [] } = places;
    this.#projectDir = projectDir;
    this.#temporary = temporary;
    this.#replaced = replaced;
    const found = [
      ...(replaced.includes("/run") ? [] : below("/run", { depth: 5 })),
      ...temporary.flatMap((folder) => below(folder, { depth: 3 })),
      ...below(places.home, { depth: 4, onlyHidden: true }),
    ];
    this.#early = [...new Set([...found, ...boundSockets()])];
  }

  /** Those that are there now. */
  paths(): string[] {
    const isIn = (folders: readonly string[], path: string) =>
      folders.some((folder) => isInside(folder, path));
    const later = boundSockets().filter((path) => !isIn(this.#temporary, path));
    const all = [...new Set([...this.#early, ...later])].filter((path) => !isIn(this.#replaced, path));
    const real = [...new Set(all.flatMap(realSocket))];
    const projectDir = this.#projectDir;
    if (projectDir === undefined) return real.filter((path) => !isIn(this.#replaced, path));
    return real.filter((path) => !isLookup(path) && !isInside(projectDir, path));
  }
}

/** Where programs ask who a user is and what address a name has, and where they log: nothing is done for whoever asks. */
const LOOKUPS = [
  "/run/nscd",
  "/run/systemd/userdb",
  "/run/systemd/resolve",
  "/run/systemd/journal",
  "/run/avahi-daemon/socket",
  "/var/lib/sss/pipes/nss",
];

const isLookup = (path: string) => LOOKUPS.some((place) => isInside(place, path));

/** What programs of this machine listen at, as the system lists it. Some are named from a folder that it does not tell. */
function boundSockets(): string[] {
  try {
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
    return lines.flatMap((line) => /^\S+: (?:\S+ +){6}(\/.*)$/.exec(line)?.[1] ?? []);
  } catch {
    // Another system, or one that does not tell.
    return [];
  }
}

/** More names than this are not looked through. */
const MOST_NAMES = 5_000;

/** Sockets and pipes in a folder, the nearest first. `onlyHidden`: of a home, in which the rest are a person's own files. */
function below(
  folder: string,
  { depth, onlyHidden = false }: { depth: number; onlyHidden?: boolean },
): string[] {
  const found: string[] = [];
  let level = [folder];
  let seen = 0;
  for (let at = 0; at < depth && level.length > 0; at++) {
    const next: string[] = [];
    for (const one of level) {
      for (const entry of entriesOf(one)) {
        if (++seen > MOST_NAMES) return found;
        const path = join(one, entry.name);
        if (entry.isSocket() || entry.isFIFO()) found.push(path);
        else if (entry.isDirectory() && !(onlyHidden && at === 0 && !entry.name.startsWith(".")))
          next.push(path);
      }
    }
    level = next;
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not ours to see, so nobody in the sandbox sees it either.
    return [];
  }
}

function realSocket(path: string): string[] {
  try {
    const real = realpathSync(path);
    const stats = lstatSync(real);
    return stats.isSocket() || stats.isFIFO() ? [real] : [];
  } catch {
    // Gone, in another mount namespace, or behind a folder that is not ours to enter.
    return [];
  }
}
