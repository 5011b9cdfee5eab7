import type { HookDialect } from "../../../hooks/dialect.ts";
import type { SettingsObject } from "../node.ts";
import type { Report } from "../problem.ts";

/** How the settings of one program are written. What they mean is decided for all of them alike. */
export interface SettingsDialect {
  /** As `hooksFrom` names it. */
  readonly id: string;
  /** As people know the program. */
  readonly agent: string;
  /** What its hooks read and print, where that is not what Wave's own do. */
  readonly hookDialect?: HookDialect;
  /** Whether a file that cannot be read keeps Wave from starting. One of another program does not; it is reported. */
  readonly isOwn: boolean;
  /** The same in Wave's own words, each value with its place in the file. What has no counterpart is reported. */
  translate(root: SettingsObject, report: Report): SettingsObject;
}

export const WAVE: SettingsDialect = { id: "wave", agent: "Wave", isOwn: true, translate: (root) => root };
