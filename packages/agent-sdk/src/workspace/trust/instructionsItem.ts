import { join } from "node:path";
import { fingerprintOf, sha256, type Reviewable } from "../../hooks/fingerprint.ts";
import { INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, readInstructions } from "../instructions.ts";
import type { ReadFile } from "./pinnedFiles.ts";
import { keptBytes } from "./reviewedCopy.ts";
import { settingsAt } from "./settingsAt.ts";
import { addTrust, type ReviewedItem } from "./store.ts";

type InstructionsItem = Extract<Reviewable, { kind: "instructions" }>;

/** The project's instructions as something to approve; none when there are none, or they cannot be read. */
export function instructionsItems(projectDir: string): { item: InstructionsItem; files: ReadFile[] }[] {
  const read = readInstructions(projectDir);
  return read.found === "text" ? [instructionsItem(projectDir, read.bytes, read.size)] : [];
}

/** A yes is for what the model would read: what stands behind that never counts, and needs none. */
function instructionsItem(
  projectDir: string,
  content: Buffer,
  size = content.length,
): { item: InstructionsItem; files: ReadFile[] } {
  const bytes = content.subarray(0, INSTRUCTIONS_BYTES);
  const pinned = { path: INSTRUCTIONS_FILE, sha256: sha256(bytes) };
  return {
    item: {
      kind: "instructions",
      ...pinned,
      unread: size - bytes.length,
      ...settingsAt(join(projectDir, INSTRUCTIONS_FILE), projectDir),
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
  return { kind: "instructions", copy: keptBytes(home, projectDir, files) };
}

/** A person's own hand wrote this content: no other is approved by it. Throws SettingsError. */
export async function approveInstructions(place: { home: string; projectDir: string }, content: Buffer) {
  const { home, projectDir } = place;
  const { item, files } = instructionsItem(projectDir, content);
  await addTrust(home, projectDir, fingerprintOf(item), rememberedInstructions(home, projectDir, files));
}
