import { posix } from "node:path";
import type { MadeLink, PathName } from "wave-shell-reader";
import { couldBe } from "./touched.ts";

/** What stands in the link at a path; undefined where there is none. */
export type LinkAt = (path: string) => string | undefined;

/** More ways than this, and more steps on them, nobody means; where such a path leads is not known. */
const MOST_WAYS = 32;
const MOST_STEPS = 4_000;
/** For all paths of one call. */
export const MOST_STEPS_FOR_CALL = 50_000;
/** As many links as the kernel follows. */
const MOST_LINKS = 40;
const MOST_MADE = 24;
/** The system takes no longer path, and where one leads takes the longer to find out the more names it has. */
const LONGEST_PATH = 4_096;

/**
 * Where an absolute path may lead. Behind a link `..` is two places: for the kernel the folder above the one that the link leads
 * to, for `cd` of a shell the one that the link is in. A path that is put together of a folder and a name may need both, so every
 * reading counts; the kernel's own comes first. Undefined: it may be anywhere.
 */
export function placesReached(
  path: string,
  linkAt: LinkAt,
  made: readonly MadeLink[] = [],
  left: StepsLeft = { steps: MOST_STEPS_FOR_CALL },
): readonly string[] | undefined {
  if (path.length > LONGEST_PATH) return undefined;
  const ways = new Ways(linkAt, left);
  const goesUp = namesOf(path).includes("..");
  try {
    const coming = made.slice(0, MOST_MADE).reduce<PlacedLink[] | undefined>((before, link) => {
      const placed = before && ways.placed(link, before);
      return placed && [...before, ...placed];
    }, []);
    // A link that may be anywhere: whoever writes it is asked, and without `..` what it leads to is what its maker says.
    if ((!coming || made.length > MOST_MADE) && goesUp) return undefined;
    return ways.readings(path, coming ?? []);
  } catch (error) {
    if (error instanceof Lost) return undefined;
    throw error;
  }
}

/** What these lead to depends on the process that looks, or on what another one does meanwhile. */
const OF_PROCESS = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(?:cwd|root)$/;
const OPENED = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/(?:fd|map_files)\/[^/]+$/;

/** Nobody can say where the path leads. */
class Lost extends Error {}

interface PlacedLink extends Pick<MadeLink, "to" | "copied"> {
  folder: string;
  name: PathName;
}

/** What is left to whoever follows links for all paths of a call. */
export interface StepsLeft {
  steps: number;
}

class Ways {
  readonly #linkAt: LinkAt;
  readonly #left: StepsLeft;
  #steps = 0;

  constructor(linkAt: LinkAt, left: StepsLeft) {
    this.#linkAt = linkAt;
    this.#left = left;
  }

  /** The folders in which a link comes to lie, links that are made before it included. */
  placed(link: MadeLink, before: readonly PlacedLink[]): PlacedLink[] | undefined {
    const { known, names } = link.at;
    if (known === undefined || names.length > 1) return undefined;
    const [name = posix.basename(known)] = names;
    if (name === "..") return undefined;
    const folder = names.length === 0 ? posix.dirname(known) : known;
    const places = this.readings(folder, before, { asFolder: true });
    return places.map((place) => ({ ...link, folder: place, name }));
  }

  readings(path: string, made: readonly PlacedLink[], { asFolder = false } = {}): string[] {
    const names = namesOf(path);
    // Each way is the list of places that it went through, without links.
    let ways: string[][] = [["/"]];
    for (const [index, name] of names.entries()) {
      const isLast = !asFolder && index === names.length - 1;
      const next =
        name === ".."
          ? ways.flatMap((way) => [above(way), way.length > 1 ? way.slice(0, -1) : way])
          : ways.flatMap((way) =>
              this.#step(end(way), name, { made, isLast, linksLeft: MOST_LINKS }).map((place) => [
                ...way,
                place,
              ]),
            );
      ways = next.length > 1 ? distinct(next) : next;
      if (ways.length > MOST_WAYS) throw new Lost();
    }
    return [...new Set(ways.map(end))];
  }

  /** As the kernel goes. */
  #follow(from: string, text: string, given: Going): string[] {
    let places = [text.startsWith("/") ? "/" : from];
    for (const name of namesOf(text)) {
      places = [
        ...new Set(
          places.flatMap((place) =>
            name === ".." ? [posix.dirname(place)] : this.#step(place, name, { ...given, isLast: false }),
          ),
        ),
      ];
      if (places.length > MOST_WAYS) throw new Lost();
    }
    return places;
  }

  #step(folder: string, name: string, given: Going & { isLast: boolean }): string[] {
    if (++this.#steps > MOST_STEPS || this.#left.steps-- <= 0) throw new Lost();
    const here = folder === "/" ? `/${name}` : `${folder}/${name}`;
    const { made, isLast, linksLeft } = given;
    if (OF_PROCESS.test(here) || (!isLast && OPENED.test(here))) throw new Lost();
    if (linksLeft === 0) throw new Lost();
    const going = { made, linksLeft: linksLeft - 1 };
    const target = this.#linkAt(here);
    const there = target === undefined ? [here] : this.#follow(folder, target, going);
    // The link itself is what the command that makes it writes; that command says as well what it leads to.
    const coming = isLast ? [] : made.filter((link) => link.folder === folder && couldBe(link.name, name));
    return [...there, ...coming.flatMap((link) => this.#coming(folder, link, going))];
  }

  #coming(folder: string, { to, copied }: PlacedLink, going: Going): string[] {
    if (to === undefined) throw new Lost();
    // A link that leads to itself through another one that is made: each is followed once.
    const given = { ...going, made: going.made.filter((link) => link.to !== to) };
    const other = copied ? this.#linkAt(posix.normalize(to)) : undefined;
    return [
      ...this.#follow(folder, to, given),
      ...(other === undefined ? [] : this.#follow(folder, other, given)),
    ];
  }
}

interface Going {
  made: readonly PlacedLink[];
  linksLeft: number;
}

const namesOf = (path: string) => path.split("/").filter((name) => name !== "" && name !== ".");

const end = (way: readonly string[]) => way.at(-1) ?? "/";

/** To the folder that a place is in; from there the way back is the same to everybody. */
function above(way: readonly string[]): string[] {
  const names = namesOf(posix.dirname(end(way)));
  return ["/", ...names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`)];
}

function distinct(ways: readonly string[][]): string[][] {
  return [...new Map(ways.map((way) => [way.join("\0"), way])).values()];
}
