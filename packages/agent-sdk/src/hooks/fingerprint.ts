import { shapesOf } from "./dialects/index.ts";
import { createHash } from "node:crypto";
import type { HookDefinition } from "./definition.ts";
import { sortedEnv } from "./plan.ts";

/** A file of the project that a hook runs, or that what it runs names. */
export interface PinnedFile {
  /** Relative to the project, with forward slashes. */
  path: string;
  sha256: string;
  /** Where a symbolic link leads, when it leaves the project (T47). */
  leadsTo?: string;
}

/** What a project's file sets for a session beside hooks and rules. */
export interface ProjectSetting {
  /** "model", "contextSize" or "env NAME". */
  name: string;
  /** With its value: "model x", "env NAME=value". */
  says: string;
  /** Relative to the project, with forward slashes. */
  path: string;
}

/** Something in a project's files that a person has to approve before it counts. */
export type Reviewable = (
  | { kind: "hook"; hook: HookDefinition; files: readonly PinnedFile[] }
  /** A rule that lets calls run without a question. */
  | { kind: "allow-rule"; rule: string; file: string }
  | ({ kind: "setting" } & ProjectSetting)
  /** What the model is told about the project. */
  | {
      kind: "instructions";
      /** Relative to the project. */
      path: string;
      /** Of what the model would read. */
      sha256: string;
      /** So many bytes stand behind that, and are never read. */
      unread: number;
    }
) & {
  /** Where its file really is, when a link leads out of the project (T47). */
  settingsAt?: string;
};

/**
 * What a yes binds to: everything of a hook that decides what runs, when, and what a failure means by its own word (a
 * default of the person's own settings can change without a new yes). Where the project
 * lies and in which order its hooks stand is not part of it, so a moved line needs no new yes (T41).
 */
export function fingerprintOf(item: Reviewable): string {
  const from = item.settingsAt === undefined ? [] : [{ settingsAt: item.settingsAt }];
  if (item.kind === "allow-rule") return sha256(JSON.stringify(["allow-rule", item.rule, ...from]));
  // Which of two files it stands in decides which of two values holds.
  if (item.kind === "setting") return sha256(JSON.stringify(["setting", item.path, item.says, ...from]));
  if (item.kind === "instructions") {
    return sha256(JSON.stringify(["instructions", item.path, item.sha256, ...from]));
  }
  const { event, matcher, action, timeoutMs, onError, ownOnError = onError, passEnv, sandbox } = item.hook;
  const files = item.files
    .map(({ path, sha256: hash, leadsTo }) => [path, hash, leadsTo ?? ""])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  const aims = item.hook.if === undefined ? (matcher ?? "") : [matcher ?? "", item.hook.if];
  const definition: unknown[] = [
    "hook",
    event,
    aims,
    action.identity,
    timeoutMs,
    ownOnError,
    passEnv.toSorted(),
    files,
    ...from,
  ];
  if (sandbox !== undefined) definition.push(sandbox);
  const env = sortedEnv(item.hook);
  if (env.length > 0) definition.push({ env });
  if (item.hook.cwd !== undefined) definition.push({ cwd: item.hook.cwd });
  if (shapesOf(item.hook) !== "") definition.push({ reads: shapesOf(item.hook) });
  if (item.hook.protectEnv) definition.push({ protectEnv: item.hook.protectEnv.toSorted() });
  if (item.hook.sharesTime) definition.push({ sharesTime: true });
  // What is not waited for, or not asked again, guards less.
  if (item.hook.inBackground) definition.push({ inBackground: item.hook.inBackground });
  if (item.hook.once) definition.push({ once: true });
  // Here the order decides what each of them sees.
  if (item.hook.sequence) definition.push({ sequential: item.hook.sequence.place });
  return sha256(JSON.stringify(definition));
}

/** One hash for a whole set, to name it on a command line. Order and repetition do not matter. */
export function setFingerprint(fingerprints: readonly string[]): string {
  return sha256([...new Set(fingerprints)].toSorted().join("\n"));
}

export const sha256 = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");
