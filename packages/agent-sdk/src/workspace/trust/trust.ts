import { statSync } from "node:fs";
import { join } from "node:path";
import { isOfProject, type HookDefinition } from "../../hooks/definition.ts";
import {
  fingerprintOf,
  setFingerprint,
  type ProjectSetting,
  type Reviewable,
} from "../../hooks/fingerprint.ts";
import { INSTRUCTIONS_FILE } from "../instructions.ts";
import type { PermissionRuleSource } from "../settings/permissions.ts";
import { instructionsItems, rememberedInstructions } from "./instructionsItem.ts";
import { isLoadedBy, PYTHON } from "./languages.ts";
import { pinnedFiles, type ReadFile } from "./pinnedFiles.ts";
import { commandOnCopy, reviewedCopy } from "./reviewedCopy.ts";
import { settingsAt } from "./settingsAt.ts";
import { readTrustOf, writeTrust, type ReviewedItem, type StoredTrust, type TrustedFolder } from "./store.ts";

export { addTrust, revokeTrust, trustFileOf, type ReviewedItem } from "./store.ts";
export { approveInstructions, instructionsFingerprint } from "./instructionsItem.ts";
export type { ReadFile } from "./pinnedFiles.ts";
export { whatCounts } from "./packageFile.ts";
export { settingsAt } from "./settingsAt.ts";

/** One thing of a project's files that needs a yes, and whether it has one. */
export interface TrustItem {
  item: Reviewable;
  fingerprint: string;
  files: readonly ReadFile[];
  state: "reviewed" | "new" | "changed";
  /** What was approved in its place before. */
  before: ReviewedItem | undefined;
}

/** What a project brings along, against what a person has approved of it. */
export interface ProjectTrust {
  projectDir: string;
  /** Whether the folder as such was ever approved: its settings and the state of its repository may be believed. */
  folder: "trusted" | "unknown";
  /** The main working tree whose approval counts here, because this is a work tree of it with the same hooks. */
  through?: string;
  items: TrustItem[];
  /** Names exactly this set: `--trust-hooks`. */
  sha256: string;
  /** Said before anybody answers. */
  warnings: string[];
}

export interface TrustQuestion {
  home: string;
  projectDir: string;
  hooks: readonly HookDefinition[];
  rules: readonly PermissionRuleSource[];
  /** `model`, `contextSize` and `env` of the project's files. */
  ofProject: readonly ProjectSetting[];
}

/** Reads what the project's own files name, once: the bytes that are hashed here are the bytes that run. */
export function readProjectTrust({ home, projectDir, hooks, rules, ofProject }: TrustQuestion): ProjectTrust {
  const stored = readTrustOf(home, projectDir);
  const { problem } = stored;
  const reviewables = [
    ...hooks.flatMap((hook) => ofHook(hook, projectDir)),
    ...rules.flatMap((rule) => ofRule(rule, projectDir)),
    ...ofProject.map((setting) => ofSetting(setting, projectDir)),
    ...instructionsItems(projectDir),
  ].map((one) => ({ ...one, fingerprint: fingerprintOf(one.item) }));
  const { known, through } = approvedFor(reviewables, stored);
  const items = reviewables.map(({ item, files, fingerprint }): TrustItem => {
    const reviewed = known?.reviewed[fingerprint];
    const before = reviewed ?? earlierForm(item, Object.values(known?.reviewed ?? {}));
    return { item, files, fingerprint, state: reviewed ? "reviewed" : before ? "changed" : "new", before };
  });
  return {
    projectDir,
    // A rule that was kept in a folder is no yes to its settings.
    folder: known?.since === undefined ? "unknown" : "trusted",
    ...(through === undefined ? {} : { through }),
    items,
    sha256: setFingerprint(items.map(({ fingerprint }) => fingerprint)),
    warnings: [...(problem === undefined ? [] : [problem]), ...ownerWarning(projectDir)],
  };
}

/**
 * A linked work tree needs no yes of its own when its hooks are exactly those that were approved for the main one, byte for byte:
 * none more, none less, none changed. Allow rules may be fewer, since many are kept in a file that git does not carry over. In any
 * other case it is a folder like any other, and all of it is asked about (T41).
 */
function approvedFor(
  present: readonly { item: Reviewable; fingerprint: string }[],
  { folder, main }: StoredTrust,
): { known: TrustedFolder | undefined; through?: string } {
  if (!main) return { known: folder };
  const reviewed = { ...main.folder.reviewed, ...folder?.reviewed };
  const hooksThere = Object.entries(main.folder.reviewed).flatMap(([hash, { kind }]) =>
    kind === "hook" ? [hash] : [],
  );
  const hooksHere = present.flatMap(({ item, fingerprint }) => (item.kind === "hook" ? [fingerprint] : []));
  const same =
    setFingerprint(hooksHere) === setFingerprint(hooksThere) &&
    // What a branch tells the model, and what it sets, is asked about by itself.
    present.every(
      ({ item, fingerprint }) =>
        item.kind === "instructions" || item.kind === "setting" || Object.hasOwn(reviewed, fingerprint),
    );
  return same ? { known: { since: main.folder.since, reviewed }, through: main.path } : { known: folder };
}

/** The `believes` of `loadSettings`: what of a project's settings was approved, with exactly this value. */
export function approvedSettings({ items }: ProjectTrust): (setting: ProjectSetting) => boolean {
  const approved = new Set(
    items.flatMap(({ item, state }) =>
      item.kind === "setting" && state === "reviewed" ? [keyOf(item)] : [],
    ),
  );
  return (setting) => approved.has(keyOf(setting));
}

const keyOf = ({ says, path }: ProjectSetting) => JSON.stringify([path, says]);

/** Whether there is anything that a person has to look at before it counts. */
export function needsReview({ items }: ProjectTrust): boolean {
  return items.some(({ state }) => state !== "reviewed");
}

/** Remembers a yes to everything that was shown. */
export async function approveProject(home: string, trust: ProjectTrust, now: Date): Promise<void> {
  await writeTrust(home, trust.projectDir, approvalOf(home, trust), now);
}

/** What the store keeps of a yes. */
export function approvalOf(home: string, trust: ProjectTrust): Record<string, ReviewedItem> {
  return Object.fromEntries(trust.items.map((one) => [one.fingerprint, remembered(home, trust, one)]));
}

/** The hook in the form in which it runs: with its scripts replaced by the reviewed copies. */
export function pinned(
  home: string,
  trust: ProjectTrust,
  { item, files }: TrustItem,
): HookDefinition | undefined {
  if (item.kind !== "hook") return undefined;
  const { hook } = item;
  const { command } = hook.action;
  if (command === undefined || files.length === 0) return hook;
  const copy = reviewedCopy(home, trust.projectDir, files);
  const runs = commandOnCopy(command, trust.projectDir, copy, files);
  const loadsLive = files.some((file) => file.loadsLive);
  const isPython = files.some(({ path }) => isLoadedBy([PYTHON], path));
  return {
    ...hook,
    action: {
      ...hook.action,
      ...(runs !== undefined && { runs, copy }),
      ...(loadsLive && { loadsLive }),
      ...(isPython && (loadsLive || runs === undefined) && { compiled: "is not read" }),
    },
  };
}

function ofHook(hook: HookDefinition, projectDir: string): { item: Reviewable; files: ReadFile[] }[] {
  if (!isOfProject(hook.source.scope)) return [];
  const { command } = hook.action;
  const files = command === undefined ? [] : pinnedFiles(command, projectDir);
  return [{ item: { kind: "hook", hook, files, ...settingsAt(hook.source.file, projectDir) }, files }];
}

function ofRule(
  { rule, behavior, scope, file }: PermissionRuleSource,
  projectDir: string,
): { item: Reviewable; files: ReadFile[] }[] {
  if (behavior !== "allow" || !isOfProject(scope)) return [];
  const item = { kind: "allow-rule" as const, rule, file: file ?? "", ...settingsAt(file, projectDir) };
  return [{ item, files: [] }];
}

function ofSetting(setting: ProjectSetting, projectDir: string): { item: Reviewable; files: ReadFile[] } {
  const at = settingsAt(join(projectDir, setting.path), projectDir);
  return { item: { kind: "setting", ...setting, ...at }, files: [] };
}

/**
 * What stood in its place when it was approved: the same name, else the same command, else one of the same
 * files; of a setting, its value in the same file; of instructions, what was approved last. */
function earlierForm(item: Reviewable, reviewed: readonly ReviewedItem[]): ReviewedItem | undefined {
  if (item.kind === "instructions") {
    return reviewed.findLast(
      (one) => one.kind === "instructions" && (one.path ?? INSTRUCTIONS_FILE) === item.path,
    );
  }
  if (item.kind === "setting") {
    return reviewed.find((one) => one.kind === "setting" && one.name === item.name && one.path === item.path);
  }
  if (item.kind !== "hook") return undefined;
  const { event, name, action } = item.hook;
  const hooks = reviewed.flatMap((one) => (one.kind === "hook" && one.event === event ? [one] : []));
  return (
    hooks.find((one) => one.name === name) ??
    hooks.find((one) => one.command === action.shown) ??
    hooks.find((one) => item.files.some(({ path }) => Object.hasOwn(one.files, path)))
  );
}

function remembered(home: string, trust: ProjectTrust, { item, files }: TrustItem): ReviewedItem {
  if (item.kind === "allow-rule") return { kind: "allow-rule", rule: item.rule };
  if (item.kind === "setting") {
    return { kind: "setting", name: item.name, says: item.says, path: item.path };
  }
  if (item.kind === "instructions") return rememberedInstructions(home, trust.projectDir, files);
  const { name, event, matcher, action, timeoutMs, onError, passEnv, cwd, env, sandbox, sequence } =
    item.hook;
  return {
    kind: "hook",
    name,
    event,
    ...(matcher === undefined ? {} : { matcher }),
    command: action.shown,
    timeoutMs,
    onError: typeof onError === "string" ? onError : JSON.stringify(onError),
    passEnv: [...passEnv],
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env: { ...env } }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(sequence && { sequential: sequence.place }),
    files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])),
    ...(files.length === 0 ? {} : { copy: reviewedCopy(home, trust.projectDir, files) }),
  };
}

/** Whoever owns the folder can change what it says after a look at it. */
function ownerWarning(projectDir: string): string[] {
  const owner = statSync(projectDir, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  return owner === undefined || own === undefined || owner === own
    ? []
    : [`this folder belongs to another user (id ${owner}), who can change it at any time`];
}
