import type { Doings, ReadPath } from "wave-shell-reader";
import { placePath, type Touched, type TouchedFolders } from "../permissions/touched.ts";
import { repositoriesAt } from "../workspace/git/gitFacts.ts";
import { placesBeyond, whyBeyondReading } from "../workspace/git/gitReach.ts";

/** What git would meet on the disk in the folders in which a command line has it only read. */
export interface GitView {
  touched: readonly Touched[];
  /** Why it may do more than read there. */
  unproven(): string | undefined;
}

export function viewGit(reads: Doings["git"], folders: TouchedFolders): GitView {
  const met = reads.flatMap(({ folder, ...read }) =>
    placesOf(folder, folders).flatMap((place) =>
      repositoriesAt(place).map((repository) => ({
        ...read,
        repository,
        beyond: placesBeyond(repository, read.searches),
      })),
    ),
  );
  const touched = met.flatMap(({ repository: { top }, shows, beyond = [] }) => [
    // git reads all of a repository, from whichever folder of it.
    { ...placePath("read", top, folders), below: shows },
    ...beyond.map((path) => ({ ...placePath("read", path, folders), below: true })),
  ]);
  const unproven = () => {
    for (const { repository, beyond } of met) {
      const why = whyBeyondReading(repository);
      if (why !== undefined) return why;
      if (beyond === undefined) return `not all that git keeps in ${repository.gitDir} could be looked at`;
    }
    return undefined;
  };
  return { touched, unproven };
}

/** A folder as written, and every place that it may be. */
function placesOf({ known, names }: ReadPath, { leadsTo }: Pick<TouchedFolders, "leadsTo">): string[] {
  if (known === undefined) return [];
  // Behind a star there may be any folder; what lies above it is known.
  return names.length > 0 ? [known] : [...new Set([known, ...(leadsTo(known) ?? [])])];
}
