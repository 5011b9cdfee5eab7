import { lstatSync, readdirSync, readFileSync, realpathSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../permissions/paths.ts";

/**
 * Sockets and pipes of programs outside of the sandbox: whoever connects to them has something done there, and a read-only file
 * system does not keep anybody from it. One that a command itself makes in a writable folder stays open to the next.
 */
export class SocketsOutside {
  readonly #projectDir: string;
  readonly #temporary: readonly string[];
  /** What was there before the first command: in the temporary folder nobody can tell later whose a socket is. */
  readonly #early: readonly string[];

  constructor(places: {
    /** What listens there is meant for it. */
    projectDir: string;
    temporary: readonly string[];
    home: string;
  }) {
    this.#projectDir = places.projectDir;
    this.#temporary = places.temporary;
    const found = [
      ...below("/run", { depth: 5 }),
      ...places.temporary.flatMap((folder) => below(folder, { depth: 3 })),
      ...below(places.home, { depth: 4, onlyHidden: true }),
    ];
    this.#early = [...new Set([...found, ...boundSockets()])];
  }

  /** Those that are there now. */
  paths(): string[] {
    const later = boundSockets().filter((path) => !this.#temporary.some((folder) => isInside(folder, path)));
    const real = [...new Set([...this.#early, ...later])].flatMap(realSocket);
    return [...new Set(real)].filter((path) => !isLookup(path) && !isInside(this.#projectDir, path));
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

/** Those that are listed now, wherever they are, but for some that nobody needs to know of. */
export const socketsNow = (isLeftOut: (path: string) => boolean): string[] => [
  ...new Set(
    boundSockets()
      .filter((path) => !isLeftOut(path))
      .flatMap(realSocket),
  ),
];

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
