import type { z } from "zod";
import type { HookAction } from "../definition.ts";
import type { HookExecutionResult } from "../result.ts";
import type { SettingsScope } from "../definition.ts";
import type { SettingsObject } from "../../workspace/settings/node.ts";
import type { Report } from "../../workspace/settings/problem.ts";
import type { HookCall } from "./call.ts";

/** What an entry wants, in its kind's own words; or why that cannot be known; or that Wave does not have it. */
export type ReadEntry<Own> = { own: Own } | { problem: string } | { unsupported: string };

/** What settings say about all hooks of a kind. */
export interface HookLimits {
  isUrlAllowed?(url: string): boolean;
  isVariableAllowed?(name: string): boolean;
}

export interface EntryPlace {
  scope: SettingsScope;
  limits?: HookLimits;
  report: Report;
}

/** Runs one hook as often as it is asked, until it is closed. A process or a connection may stay in between. */
export interface HookRunner {
  /** Never rejects: a hook cannot crash Wave. */
  run(call: HookCall): Promise<HookExecutionResult>;
  close(): void | Promise<void>;
}

/**
 * A kind of hook: everything that differs between one `type` and another. `Own` is what only this file knows about an entry. All
 * else in Wave goes by what a row makes of it (`HookAction`).
 */
export interface HookKind<Own> {
  /** What the `type` of an entry says. */
  readonly type: string;
  /** Who may write such an entry: also files, only programs that call Agent.create, or nobody. */
  readonly writtenBy: "anybody" | "programs" | "nobody";
  /** All fields of an entry. The check of options, the JSON Schema and the tables of the docs come from it. */
  schema(): z.ZodObject;
  read(entry: SettingsObject, place: EntryPlace): ReadEntry<Own>;
  /**
   * As JSON: what makes two entries one, and what an approval covers, beside what every hook has (event, matcher, timeout,
   * variables, …). Two entries that could act differently must differ in it.
   */
  identity(own: Own): unknown;
  /** Its name, if its entry has none; what it runs, in one text; and what else somebody who approves it has to know. */
  describe(own: Own): { name: string; shown: string; notes: readonly string[] };
  /**
   * The command line that it starts on this machine, as a shell reads it; {} when it starts nothing. The files in it are
   * pinned, watched and protected, and programs that are missing are reported.
   */
  commandLine(own: Own): Pick<HookAction, "command" | "noShell">;
  /** Why it can never run, whatever happens: it counts as a hook that could not decide. */
  neverRuns(own: Own): string | undefined;
  /** `action` says which copy of its scripts runs. */
  open(own: Own, action: HookAction): HookRunner;
}

/** A row as others see it: what `Own` is stays between `read` and `open`. */
export interface HookKindRow extends Pick<HookKind<never>, "type" | "writtenBy" | "schema"> {
  read(entry: SettingsObject, place: EntryPlace): ReadAction;
  open(action: HookAction): HookRunner;
}

/** What an entry wants to run, with its name if it has none of its own. */
export type ReadAction = { action: HookAction; name: string } | { problem: string } | { unsupported: string };

export function rowOf<Own>(kind: HookKind<Own>): HookKindRow {
  return {
    type: kind.type,
    writtenBy: kind.writtenBy,
    schema: () => kind.schema(),
    read(entry, place) {
      const read = kind.read(entry, place);
      return "own" in read ? asAction(kind, read.own) : read;
    },
    // An action of this type was made below, and nobody else looks into it.
    open: (action) => kind.open(action.own as Own, action),
  };
}

export function asAction<Own>(kind: HookKind<Own>, own: Own): { action: HookAction; name: string } {
  const { name, shown, notes } = kind.describe(own);
  const neverRuns = kind.neverRuns(own);
  const action: HookAction = {
    type: kind.type,
    identity: kind.identity(own),
    shown,
    ...(notes.length > 0 && { notes }),
    ...kind.commandLine(own),
    ...(neverRuns !== undefined && { neverRuns }),
    own,
  };
  return { action, name };
}
