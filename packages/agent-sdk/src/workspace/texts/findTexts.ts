import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { NotPlainFile, readPlainStart } from "../files/plainFile.ts";
import { errorCode } from "../../utils/errorCode.ts";

/** Texts in files of their own: a person calls for a command, the model for a skill or for a sub-agent. */
export const TEXT_KINDS = ["command", "skill", "agent"] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

interface TextPlaces {
  /** Of a project. */
  ofProject: readonly string[];
  /** Of a person, below Wave's own folder. */
  ofPerson: string;
  /** What a file there has to be called, with the folders above it. */
  isOne: (names: readonly string[]) => boolean;
}

const TEXT_PLACES: Record<TextKind, TextPlaces> = {
  command: {
    ofProject: [".wave/commands", ".claude/commands"],
    ofPerson: "commands",
    isOne: (names) => names.at(-1)?.endsWith(".md") === true,
  },
  skill: {
    ofProject: [".wave/skills", ".claude/skills"],
    ofPerson: "skills",
    isOne: (names) => names.length === 2 && names[1] === "SKILL.md",
  },
  agent: {
    ofProject: [".wave/agents", ".claude/agents"],
    ofPerson: "agents",
    isOne: (names) => names.length === 1 && names[0]?.endsWith(".md") === true,
  },
};

export interface FoundText {
  kind: TextKind;
  /** Below the folder of its kind, without the ending: "deploy", "git/amend"; of a skill, its folder. */
  name: string;
  /** Relative to where it was looked for, with forward slashes. */
  path: string;
  bytes: Buffer;
  /** Of the file; more than `bytes` when it was cut. */
  size: number;
}

export interface FoundTexts {
  texts: FoundText[];
  problems: string[];
}

/** More of a text nobody reads. */
export const TEXT_BYTES = 32 * 1024;
const MOST_TEXTS = 200;
const DEEPEST = 3;

export const textsOfProject = (projectDir: string): FoundTexts =>
  findTexts(projectDir, ({ ofProject }) => ofProject);

/** A plugin has its texts in the same folders. */
export const textsOfPerson = (waveHome: string): FoundTexts =>
  findTexts(waveHome, ({ ofPerson }) => [ofPerson]);

function findTexts(root: string, foldersOf: (places: TextPlaces) => readonly string[]): FoundTexts {
  const texts: FoundText[] = [];
  const problems: string[] = [];
  for (const kind of TEXT_KINDS) {
    for (const folder of foldersOf(TEXT_PLACES[kind])) {
      const files = filesBelow(join(root, folder), []).filter(TEXT_PLACES[kind].isOne);
      if (files.length > MOST_TEXTS)
        problems.push(
          `${folder} has ${files.length} texts, and Wave reads ${MOST_TEXTS}: the others are skipped`,
        );
      for (const names of files.slice(0, MOST_TEXTS)) {
        const path = [folder, ...names].join("/");
        try {
          const { bytes, size } = readPlainStart(join(root, path), TEXT_BYTES);
          texts.push({ kind, name: nameOf(kind, names), path, bytes, size });
        } catch (error) {
          const why = error instanceof NotPlainFile ? error.message : errorCode(error);
          problems.push(`${path} cannot be read (${why}) and is skipped`);
        }
      }
    }
  }
  return { texts, problems };
}

const nameOf = (kind: TextKind, names: readonly string[]) =>
  kind === "skill" ? (names[0] ?? "") : names.join("/").replace(/\.md$/, "");

/** Names from the folder on. Links to folders are not followed: one could lead anywhere, and in circles. */
function filesBelow(folder: string, above: readonly string[]): string[][] {
  return entriesOf(folder).flatMap((entry): string[][] => {
    const names = [...above, entry.name];
    if (entry.isDirectory()) return names.length < DEEPEST ? filesBelow(join(folder, entry.name), names) : [];
    return [names];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // ENOENT and ENOTDIR: there are none. EACCES: what Wave cannot see it has none of.
    return [];
  }
}
