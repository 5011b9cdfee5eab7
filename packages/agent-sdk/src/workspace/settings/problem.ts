import type { z } from "zod";
import { kindOf, type NodePlace, type SettingsNode } from "./node.ts";

export interface SettingsProblem {
  /** fatal: Wave cannot know what should guard it, because the file cannot be read or parsed, or what guards has no name that it knows. */
  severity: "fatal" | "error" | "warning";
  /** Set when a variable is wrong, which `message` names. */
  from?: "environment";
  /** Absent when it is about what was given to Agent.create, or about the environment. */
  file: string | undefined;
  line: number | undefined;
  /** Where the text stops being JSON; other problems have a path instead. */
  column?: number;
  /** JSON path, e.g. `hooks.PreToolUse[0].matcher`. */
  path: string | undefined;
  /** One sentence: what is wrong and what to do. */
  message: string;
}

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
  const consequence = severity === "fatal" ? "; Wave does not start until you fix this" : "";
  // No line of a file, and nothing that the caller of the SDK said: the sentence names the variable.
  if (from === "environment") return `${message}${consequence}`;
  return `${path === undefined ? place : `${place} (${path})`}: ${message}${consequence}`;
}

/** "timeout must be …, not 0": the schema says what is expected, the node what stands there. */
export function whyWrong(name: string, error: z.ZodError, node: SettingsNode): string {
  return `${name} ${error.issues[0]?.message ?? "is wrong"}, not ${kindOf(node)}`;
}
