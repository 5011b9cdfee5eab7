import { join } from "node:path";
import { changeOf, comparableTexts, type FileChange, type FileState } from "../settings/configFiles.ts";
import { needsReview, type ProjectTrust } from "./trust.ts";
import { sha256 } from "../../utils/sha256.ts";
import type { Configuration } from "../configuration.ts";
import { openItems } from "./projectTrust.ts";
import type { Watched } from "../watchedFiles.ts";

/** A file that is not any more as it was read. */
export interface ChangedFile {
  file: string;
  is: "settings" | "script";
  change: FileChange;
  /** Undefined: no texts, or too long to be compared. */
  texts: { before: string; after: string } | undefined;
}

/** What waits for a person's yes, as it is at this moment. */
export interface SettingsReview {
  /** "changes": only what is not as it was read. "everything": also what nobody approved before. */
  about: "changes" | "everything";
  /** Names exactly this: an answer is for what was shown. */
  id: string;
  /** Without the scripts that `project` shows. */
  changes: ChangedFile[];
  /** Of the project's files, when a yes would approve something of them. */
  project: ProjectTrust | undefined;
  /** Why it cannot be taken over, whatever a person says. */
  obstacle: string | undefined;
}

/** Pure: what there is to look at, or undefined when nothing waits. */
export function reviewOf(
  about: SettingsReview["about"],
  given: {
    inForce: Configuration;
    /** What the files say now, or why they cannot be read. */
    onDisk: Configuration | string;
    changed: readonly { watched: Watched; after: FileState }[];
  },
): SettingsReview | undefined {
  const { inForce, onDisk, changed } = given;
  const project = typeof onDisk === "string" ? undefined : projectToReview(about, inForce, onDisk);
  if (changed.length === 0 && project === undefined) return undefined;
  const shownThere = new Set(project && openItems(project).flatMap((one) => scriptsOf(project, one)));
  const changes = changed.filter(({ watched }) => !shownThere.has(watched.file));
  return {
    about,
    id: sha256(
      JSON.stringify([
        changed.map(({ watched, after }) => [watched.file, after.hash]),
        project?.sha256 ?? "",
        typeof onDisk === "string" ? onDisk : "",
      ]),
    ),
    changes: changes.map(({ watched, after }) => ({
      file: watched.file,
      is: watched.source === "hook_script" ? "script" : "settings",
      change: changeOf(watched.inForce, after),
      texts: comparableTexts(watched.inForce, after),
    })),
    project,
    obstacle: typeof onDisk === "string" ? onDisk : undefined,
  };
}

/** What was left unapproved before stays off by itself; only something new that a reload would bring needs an answer. */
function projectToReview(
  about: SettingsReview["about"],
  inForce: Configuration,
  { project }: Configuration,
): ProjectTrust | undefined {
  if (project === undefined) return undefined;
  const waits = about === "everything" ? needsReview(project) : newlyOpen(inForce, project).length > 0;
  return waits ? project : undefined;
}

/** Things of a project that nobody approved, and that were not already left out because of it. */
export function newlyOpen(inForce: Configuration, project: ProjectTrust): ProjectTrust["items"] {
  const before = new Set(inForce.project && openItems(inForce.project).map((one) => one.fingerprint));
  return openItems(project).filter(({ fingerprint }) => !before.has(fingerprint));
}

const scriptsOf = ({ projectDir }: ProjectTrust, { files }: ProjectTrust["items"][number]) =>
  files.map(({ path }) => join(projectDir, path));

/** One of them, in a sentence. */
export function nameOf({ item }: ProjectTrust["items"][number]): string {
  if (item.kind === "hook") return `hook ${item.hook.name}`;
  if (item.kind === "setting") return item.name;
  return item.kind === "allow-rule" ? `rule ${item.rule}` : item.path;
}
