import type { SettingsObject } from "./node.ts";
import type { Report } from "./problem.ts";

/** How the settings of one program are written. What they mean is decided for all of them alike. */
export interface SettingsDialect {
  readonly name: string;
  /** The same in Wave's own words, each value with its place in the file. What has no counterpart is reported. */
  translate(root: SettingsObject, report: Report): SettingsObject;
}

export const WAVE: SettingsDialect = { name: "Wave", translate: (root) => root };
