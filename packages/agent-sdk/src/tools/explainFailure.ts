import { codeOf } from "../process/startFailure.ts";

/** "Cannot read /x: permission denied." The system's own wording stays where Wave has none. */
export function explainFailure(doing: string, path: string, error: unknown): string {
  const code = codeOf(error);
  const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  return `Cannot ${doing} ${path}: ${reason}.`;
}

const REASONS: Record<string, string | undefined> = {
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full; free some space and try again",
  EDQUOT: "the disk quota is used up; free some space and try again",
  EFBIG: "the file would be larger than the system allows",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder",
  EEXIST: "a part of its path is a file, not a folder",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
};
