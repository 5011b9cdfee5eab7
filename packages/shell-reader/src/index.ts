export { covers, type Covering } from "./patterns/covers.ts";
export { READING_VARIABLES } from "./programs/proven.ts";
export type { Becomes, TreeChange } from "./programs/git/treeChange.ts";
export type {
  Access,
  CalledProgram,
  Certainty,
  Doings,
  GitRead,
  HeedingCall,
  MadeLink,
  Need,
  Place,
  PlacedWord,
  Reading,
  Suggestion,
  Supposition,
} from "./reading.ts";
export { readLine } from "./readLine.ts";
export type { PartlyKnownName, PathName, ReadPath } from "./words/pathName.ts";
export type { Pieces } from "./words/pieces.ts";
export type { ShellWord, SimpleCommand } from "./words/words.ts";
