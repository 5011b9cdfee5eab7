import { instructionsFingerprint, type ProjectTrust, type TrustItem } from "./trust/trust.ts";
import type { Configuration } from "./configuration.ts";
import { INSTRUCTIONS_FILE } from "./instructions.ts";
import { openItems } from "./trust/projectTrust.ts";

const isInstructions = ({ item }: TrustItem) =>
  item.kind === "instructions" && item.path === INSTRUCTIONS_FILE;

/** Whether the project has instructions that nobody approved in this form. */
export const leavesInstructionsOut = (project: ProjectTrust | undefined): boolean =>
  project !== undefined && openItems(project).some(isInstructions);

/** Whether a person's yes covers this content; nothing at all needs none. */
export function coversContent(content: Buffer, { projectDir, project }: Configuration): boolean {
  if (content.toString("utf8").trim() === "") return true;
  const fingerprint = instructionsFingerprint(projectDir, content);
  return project?.items.some((one) => one.fingerprint === fingerprint && one.state === "reviewed") === true;
}

/** What is in force, with the instructions that are on disk; undefined when nobody approved those. */
export function withInstructions(inForce: Configuration, onDisk: Configuration): Configuration | undefined {
  if (leavesInstructionsOut(onDisk.project)) return undefined;
  const { project } = inForce;
  const others = project?.items.filter((one) => !isInstructions(one)) ?? [];
  const items = [...others, ...(onDisk.project?.items.filter(isInstructions) ?? [])];
  return {
    ...inForce,
    instructions: onDisk.instructions,
    project: project && { ...project, items },
  };
}
