import { join } from "node:path";
import { isOfProject, type SettingsScope } from "../../hooks/definition.ts";
import { CLAUDE } from "./dialects/claude.ts";
import { CODEX } from "./dialects/codex.ts";
import { COPILOT } from "./dialects/copilot.ts";
import { CURSOR } from "./dialects/cursor.ts";
import { DROID } from "./dialects/droid.ts";
import { GEMINI } from "./dialects/gemini.ts";
import { namesIn } from "../files/fileFacts.ts";
import { WAVE, type SettingsDialect } from "./dialects/dialect.ts";
import { PLUGIN } from "./dialects/plugin.ts";
import { pluginVariables, type Plugin } from "../plugins/plugin.ts";

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
  /** In the order in which their hooks run. */
  plugins?: readonly Plugin[];
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
  /** "if-wanted": only when `hooksFrom` names its dialect. */
  readonly isRead: "always" | "if-wanted";
  /** Variables that the processes of its hooks get. */
  variables(folders: SettingsFolders): Readonly<Record<string, string>>;
  /** Undefined: there is no such file in this run. */
  fileIn(folders: SettingsFolders): string | readonly string[] | undefined;
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

const inProject =
  (...path: string[]) =>
  ({ projectDir }: SettingsFolders) =>
    join(projectDir, ...path);

const OWN = { dialect: WAVE, isRead: "always", variables: () => ({}) } as const;
/** Files of a project count only behind somebody's yes, whoever they were written for. */
const FOR_OTHERS = { dialect: CLAUDE, isRead: "always", variables: () => ({}) } as const;

/** The file of another agent below the project, and the one below the person's home, which they have to want. */
const forAgent = (dialect: SettingsDialect, ...path: [string, ...string[]]): SettingsSource[] => [
  {
    ...FOR_OTHERS,
    id: `${dialect.id}-user`,
    scope: "user",
    dialect,
    isRead: "if-wanted",
    fileIn: ({ personHome }) => personHome && join(personHome, ...path),
  },
  { ...FOR_OTHERS, id: `${dialect.id}-project`, scope: "project", dialect, fileIn: inProject(...path) },
];

const OTHERS: readonly SettingsSource[] = [
  ...forAgent(CURSOR, ".cursor", "hooks.json"),
  ...forAgent(CODEX, ".codex", "hooks.json"),
  ...forAgent(GEMINI, ".gemini", "settings.json"),
  ...forAgent(DROID, ".factory", "settings.json").map((source) => ({
    ...source,
    variables: ({ projectDir }: SettingsFolders) => ({ DROID_PROJECT_DIR: projectDir }),
  })),
  {
    ...FOR_OTHERS,
    id: "copilot-user",
    scope: "user",
    dialect: COPILOT,
    isRead: "if-wanted",
    fileIn: ({ personHome }) => personHome && jsonIn(join(personHome, ".copilot", "hooks")),
  },
  {
    ...FOR_OTHERS,
    id: "copilot-project",
    scope: "project",
    dialect: COPILOT,
    fileIn: ({ projectDir }) => jsonIn(join(projectDir, ".github", "hooks")),
  },
];

const othersOf = (wanted: SettingsScope) => OTHERS.filter(({ scope }) => scope === wanted);

/** A folder of files, each of which counts. */
const jsonIn = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => join(folder, name));

/** In declared order. Of one voice, Wave's own file comes last: it is nearer than one that was written for another program. */
export const SETTINGS_SOURCES: readonly SettingsSource[] = [
  { id: "managed", scope: "managed", ...OWN, fileIn: ({ managedFile }) => managedFile },
  {
    id: "claude-user",
    scope: "user",
    ...FOR_OTHERS,
    isRead: "if-wanted",
    fileIn: ({ personHome }) => personHome && join(personHome, ".claude", "settings.json"),
  },
  ...othersOf("user"),
  { id: "user", scope: "user", ...OWN, fileIn: ({ home }) => join(home, "settings.json") },
  { id: "claude-project", scope: "project", ...FOR_OTHERS, fileIn: inProject(".claude", "settings.json") },
  ...othersOf("project"),
  { id: "project", scope: "project", ...OWN, fileIn: inProject(".wave", "settings.json") },
  { id: "claude-local", scope: "local", ...FOR_OTHERS, fileIn: inProject(".claude", "settings.local.json") },
  { id: "local", scope: "local", ...OWN, fileIn: ({ projectDir }) => localSettingsFile(projectDir) },
  { id: "flag", scope: "flag", ...OWN, fileIn: ({ extraFile }) => extraFile },
];

/** Those that a person has to want. */
export const AGENTS_READ: readonly string[] = SETTINGS_SOURCES.flatMap(({ isRead, dialect }) =>
  isRead === "if-wanted" ? [dialect.id] : [],
);

/** Where settings are looked for, whether or not there are any. */
export function settingsFilesOf(
  folders: SettingsFolders & { sources?: readonly SettingsSource[] },
): SourceFile[] {
  const sources = [...(folders.sources ?? SETTINGS_SOURCES), ...(folders.plugins ?? []).map(sourceOfPlugin)];
  return sources.flatMap((source) => {
    const files = [source.fileIn(folders) ?? []].flat();
    return files.map((file) => ({ source, scope: source.scope, file }));
  });
}

const sourceOfPlugin = (plugin: Plugin): SettingsSource => ({
  id: `plugin:${plugin.name}`,
  scope: "plugin",
  dialect: PLUGIN,
  isRead: "always",
  variables: () => pluginVariables(plugin),
  fileIn: () => plugin.hooksFile,
});

/** Those that Wave itself may write: not another program's, and not what whoever manages the machine wrote. */
export const ownSettingsFiles = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ source, scope, file }) => (source.dialect.isOwn && scope !== "managed" ? [file] : []));

/** The files of a project that may say something, whoever they were written for. */
export const projectSettingsFiles = (projectDir: string): string[] =>
  settingsFilesOf({ projectDir, home: "", managedFile: "" }).flatMap(({ scope, file }) =>
    isOfProject(scope) ? [file] : [],
  );
