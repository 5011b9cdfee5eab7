import type { z } from "zod";
import type { SettingsProblem } from "./settings.ts";
import { kindOf, type NodePlace, type SettingsNode } from "./node.ts";

/** Notes a problem at a place of the file that is being read. */
export type Report = (severity: SettingsProblem["severity"], place: NodePlace, message: string) => void;

/** A `Report` that adds to `problems`. Without a file the settings came from Agent.create. */
export function reportInto(problems: SettingsProblem[], file: string | undefined): Report {
  return (severity, { path, line }, message) => {
    problems.push({ severity, file, line, path: path === "" ? undefined : path, message });
  };
}

/** `file:line (path): message`, on one line. */
export function describeProblem({
  severity,
  from,
  file,
  line,
  column,
  path,
  message,
}: SettingsProblem): string {
  const place = [file ?? "Agent.create", line, column].filter((part) => part !== undefined).join(":");
  const consequence = severity === "fatal" ? "; Wave does not start until this is mended" : "";
  // No line of a file, and nothing that the caller of the SDK said: the sentence names the variable.
  if (from === "environment") return `${message}${consequence}`;
  return `${path === undefined ? place : `${place} (${path})`}: ${message}${consequence}`;
}

/** "timeout must be …, not 0": the schema says what is expected, the node what stands there. */
export function whyWrong(name: string, error: z.ZodError, node: SettingsNode): string {
  return `${name} ${error.issues[0]?.message ?? "is wrong"}, not ${kindOf(node)}`;
}
