import { join } from "node:path";
import type { SettingsScope } from "../../hooks/definition.ts";
import { WAVE, type SettingsDialect } from "./dialect.ts";

/** What is known before any file is read. */
export interface SettingsFolders {
  projectDir: string;
  /** $WAVE_HOME, default ~/.wave. */
  home: string;
  /** /etc/wave/settings.json. */
  managedFile: string;
  /** The person's home folder, where other agents keep their settings. Absent: nobody looks there. */
  personHome?: string;
  /** `--settings <file>`. */
  extraFile?: string;
}

/**
 * A place where settings may be. Its scope says with whose voice it speaks, and so how far it is believed; several sources may have
 * the same scope. Its place in the list is its rank: of two that say the same thing the later one is nearer.
 */
export interface SettingsSource {
  /** No other source has it. */
  readonly id: string;
  readonly scope: SettingsScope;
  readonly dialect: SettingsDialect;
  /** Undefined: there is no such file in this run. */
  fileIn(folders: SettingsFolders): string | undefined;
}

/** A source with its file. */
export interface SourceFile {
  source: SettingsSource;
  scope: SettingsScope;
  file: string;
}

/** What one person settled for a project, and is no part of the repository. */
export const localSettingsFile = (projectDir: string): string =>
  join(projectDir, ".wave", "settings.local.json");

/** In declared order. */
export const SETTINGS_SOURCES: readonly SettingsSource[] = [
  { id: "managed", scope: "managed", dialect: WAVE, fileIn: ({ managedFile }) => managedFile },
  { id: "user", scope: "user", dialect: WAVE, fileIn: ({ home }) => join(home, "settings.json") },
  {
    id: "project",
    scope: "project",
    dialect: WAVE,
    fileIn: ({ projectDir }) => join(projectDir, ".wave", "settings.json"),
  },
  {
    id: "local",
    scope: "local",
    dialect: WAVE,
    fileIn: ({ projectDir }) => localSettingsFile(projectDir),
  },
  { id: "flag", scope: "flag", dialect: WAVE, fileIn: ({ extraFile }) => extraFile },
];

/** Where settings are looked for, whether or not there are any. */
export function settingsFilesOf(
  folders: SettingsFolders & { sources?: readonly SettingsSource[] },
): SourceFile[] {
  return (folders.sources ?? SETTINGS_SOURCES).flatMap((source) => {
    const file = source.fileIn(folders);
    return file === undefined ? [] : [{ source, scope: source.scope, file }];
  });
}
