export { everyNode } from "./grammar/grammar.ts";
export { judgeWithinSteps, readWithinSteps, whyBeyond } from "./grammar/limits.ts";
export { parseShell } from "./grammar/parse.ts";
export { coveredBy, heldBackBy, parseCommandPattern, type CommandPattern } from "./patterns/covers.ts";
export { withoutCovered } from "./patterns/partlyCovered.ts";
export { CHECKS_SIGNATURES } from "./programs/git/reads.ts";
export {
  EMPTY_TREE,
  type Becomes,
  type BroughtFiles,
  type ChangedFile,
  type TreeChange,
  type TreeDifference,
} from "./programs/git/treeChange.ts";
export { settingsOf } from "./programs/readerTable.ts";
export { pay } from "./steps.ts";
export { analyseCommand, type ShellAnalysis } from "./walk/analyse.ts";
export { readCommands, type CommandReading } from "./walk/readCommands.ts";
export type { Access, HeedingCall, MadeLink, Supposition } from "./walk/sightings.ts";
export { expandWord, literalOf } from "./words/expand.ts";
export { canMeet, fits, type Gapped } from "./words/pieces.ts";
export { GAP, gapped, isLiteral, isUnknown, mayBeginWithDot, shown } from "./words/unknownText.ts";
export { literal, type SimpleCommand } from "./words/words.ts";
export { rulesForCommands, type CommandRules } from "./patterns/rulesForCommands.ts";
export { PROGRAM_ROWS } from "./ruleTable/table.ts";
