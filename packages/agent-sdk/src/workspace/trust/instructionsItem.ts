import { join } from "node:path";
import { fingerprintOf, sha256, type Reviewable } from "../../hooks/fingerprint.ts";
import { INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, readInstructions } from "../instructions.ts";
import { textsOfProject } from "../texts/findTexts.ts";
import type { ReadFile } from "./pinnedFiles.ts";
import { keptBytes } from "./reviewedCopy.ts";
import { settingsAt } from "./settingsAt.ts";
import { addTrust, type ReviewedItem } from "./store.ts";

type InstructionsItem = Extract<Reviewable, { kind: "instructions" }>;

/** The project's instructions as something to approve; none when there are none, or they cannot be read. */
export function instructionsItems(projectDir: string): { item: InstructionsItem; files: ReadFile[] }[] {
  const read = readInstructions(projectDir);
  const own = read.found === "text" ? [instructionsItem(projectDir, read.bytes, read.size)] : [];
  // Commands and skills are read to the model as well, when somebody calls for them.
  const { texts } = textsOfProject(projectDir);
  return [...own, ...texts.map(({ bytes, size, path }) => instructionsItem(projectDir, bytes, size, path))];
}

/** A yes is for what the model would read: what stands behind that never counts, and needs none. */
function instructionsItem(
  projectDir: string,
  content: Buffer,
  size = content.length,
  path = INSTRUCTIONS_FILE,
): { item: InstructionsItem; files: ReadFile[] } {
  const bytes = content.subarray(0, INSTRUCTIONS_BYTES);
  const pinned = { path, sha256: sha256(bytes) };
  return {
    item: {
      kind: "instructions",
      ...pinned,
      unread: size - bytes.length,
      ...settingsAt(join(projectDir, path), projectDir),
    },
    files: [{ ...pinned, bytes, mode: 0o600 }],
  };
}

/** What a yes to instructions with this content would be kept under. */
export const instructionsFingerprint = (projectDir: string, content: Buffer): string =>
  fingerprintOf(instructionsItem(projectDir, content).item);

/** What the store keeps of a yes to instructions, with their bytes: the next change is shown as a difference. */
export function rememberedInstructions(
  home: string,
  projectDir: string,
  files: readonly ReadFile[],
): ReviewedItem {
  const path = files[0]?.path ?? INSTRUCTIONS_FILE;
  return { kind: "instructions", path, copy: keptBytes(home, projectDir, files) };
}

/** A person's own hand wrote this content: no other is approved by it. Throws SettingsError. */
export async function approveInstructions(place: { home: string; projectDir: string }, content: Buffer) {
  const { home, projectDir } = place;
  const { item, files } = instructionsItem(projectDir, content);
  await addTrust(home, projectDir, fingerprintOf(item), rememberedInstructions(home, projectDir, files));
}
