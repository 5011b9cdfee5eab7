import { z } from "zod";
import { fieldOf, type SettingsNode } from "../../workspace/settings/node.ts";
import type { HookAction } from "../definition.ts";
import { didNotRun } from "./call.ts";
import { asAction, type HookKind } from "./kind.ts";

interface UnsupportedEntry {
  why: string;
  name: string;
  /** Whatever it was meant to be: a later Wave may run it. */
  identity: unknown;
}

/**
 * What Wave does not have, or cannot read: never run half-understood. Each time it matches it counts as "could not decide", under
 * its `onError`.
 */
export const UNSUPPORTED: HookKind<UnsupportedEntry> = {
  type: "unsupported",
  writtenBy: "nobody",
  schema: () => z.strictObject({}),
  read: () => ({ problem: "it is not known what this hook wants" }),
  identity: ({ identity }) => identity,
  describe: ({ why, name }) => ({ name, shown: `not run: ${why}`, notes: [] }),
  commandLine: () => ({}),
  neverRuns: ({ why }) => why,
  open: ({ why }) => ({
    run: () => Promise.resolve(didNotRun("not-understood", `was not run: ${why}`)),
    close: () => undefined,
  }),
};

/** For an entry, or for something else that stands where one belongs. */
export const unsupportedEntry = (entry: SettingsNode, why: string) =>
  asAction(UNSUPPORTED, { why, name: nameOf(entry), identity: ["unsupported", textOf(entry)] });

/** For a hook that could run once, and cannot any more. */
export const cannotRun = ({ shown, identity }: HookAction, why: string): HookAction =>
  asAction(UNSUPPORTED, { why, name: shown, identity }).action;

function nameOf(entry: SettingsNode): string {
  const text = (key: string) => {
    const field = entry.type === "object" ? fieldOf(entry, key) : undefined;
    return field?.type === "value" && typeof field.value === "string" ? field.value : undefined;
  };
  return text("command") ?? `${text("type") ?? "unknown"} hook`;
}

/** All of it, in its order. What a program gives may be no JSON. */
function textOf(node: SettingsNode): string {
  if (node.type === "list") return `[${node.items.map(textOf).join()}]`;
  if (node.type === "object")
    return `{${node.entries.map(({ key, node: field }) => `${JSON.stringify(key)}:${textOf(field)}`).join()}}`;
  const { value } = node;
  return typeof value === "object" && value !== null ? typeof value : (JSON.stringify(value) ?? typeof value);
}
