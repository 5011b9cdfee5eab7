import { realpathSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "../../utils/errorCode.ts";
import { once } from "../../utils/once.ts";
import { SettingsError } from "../../errors.ts";
import { NotPlainFile, readPlainFile } from "../files/plainFile.ts";
import { editSettings } from "../settings/editSettings.ts";
import type { SettingsEdit } from "../settings/editText.ts";
import { describeProblem } from "../settings/problem.ts";
import { isWorktreeOf } from "./worktree.ts";

/** What a person approved, kept so that a change can be shown as one. */
export const reviewedItemSchema = once(() =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("hook"),
      name: z.string(),
      event: z.string(),
      matcher: z.string().optional(),
      command: z.string(),
      timeoutMs: z.number(),
      onError: z.string(),
      passEnv: z.array(z.string()),
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      sandbox: z.string().optional(),
      /** Its place in a sequential group. */
      sequential: z.number().optional(),
      files: z.record(z.string(), z.string()),
      /** Where the reviewed bytes are. */
      copy: z.string().optional(),
    }),
    z.object({ kind: z.literal("allow-rule"), rule: z.string() }),
    z.object({ kind: z.literal("setting"), name: z.string(), says: z.string(), path: z.string() }),
    z.object({
      kind: z.literal("instructions"),
      /** Of earlier approvals, which had none, it is AGENTS.md. */
      path: z.string().optional(),
      /** Where the reviewed bytes are. */
      copy: z.string(),
    }),
  ]),
);

export type ReviewedItem = z.infer<ReturnType<typeof reviewedItemSchema>>;

const folderSchema = once(() =>
  z.object({
    /** When somebody said yes to the folder; without it there are only rules that were kept in it. */
    since: z.string().optional(),
    /** Somebody took its approval back: what holds for a main working tree does not hold here. */
    inherits: z.literal(false).optional(),
    /** By fingerprint. */
    reviewed: z.record(z.string(), reviewedItemSchema()),
  }),
);

/** null: approved once, and taken back. */
const storeSchema = once(() => z.object({ folders: z.record(z.string(), folderSchema().nullable()) }));

export type TrustedFolder = z.infer<ReturnType<typeof folderSchema>>;

export const trustFileOf = (home: string) => join(home, "trust.json");

/** What the store says about a folder. */
export interface StoredTrust {
  folder: TrustedFolder | undefined;
  /** The main working tree that was approved, when the folder is a linked one that nobody approved or revoked by itself. */
  main?: { path: string; folder: TrustedFolder };
  problem?: string;
}

type Folders = z.infer<ReturnType<typeof storeSchema>>["folders"];

/** A store that cannot be read trusts nothing, and says so (G25). */
export function readTrustOf(home: string, projectDir: string): StoredTrust {
  const { folders, problem } = readStore(home);
  return problem === undefined ? findTrust(folders, trustKeyOf(projectDir)) : { folder: undefined, problem };
}

function readStore(home: string): { folders: Folders; problem?: string } {
  const file = trustFileOf(home);
  let text: string;
  try {
    text = readPlainFile(file).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { folders: {} };
    const why = error instanceof NotPlainFile ? error.message : errorCode(error);
    return { folders: {}, problem: `${file} cannot be read (${why}): no project is trusted` };
  }
  const parsed = storeSchema().safeParse(parseJson(text));
  if (parsed.success) return { folders: parsed.data.folders };
  return {
    folders: {},
    problem: `${file} is damaged: no project is trusted; remove it and approve your projects again`,
  };
}

const wasRevoked = (home: string, projectDir: string) =>
  readStore(home).folders[trustKeyOf(projectDir)] === null;

function findTrust(folders: Folders, key: string): StoredTrust {
  const own = Object.hasOwn(folders, key) ? folders[key] : undefined;
  // Somebody's no.
  if (own === null) return { folder: undefined };
  if (own?.since !== undefined || own?.inherits === false) return { folder: own };
  const main = Object.entries(folders).find(
    ([path, folder]) => folder?.since !== undefined && isWorktreeOf(path, key),
  );
  return { folder: own, ...(main?.[1] && { main: { path: main[0], folder: main[1] } }) };
}

/** The real path: a link to a trusted folder is that folder, and a folder that took its name is not (G21). */
function trustKeyOf(projectDir: string): string {
  try {
    return realpathSync(projectDir);
  } catch {
    // The folder is gone: nothing was ever trusted under a name that leads nowhere.
    return projectDir;
  }
}

/** Approves exactly these items of a project, and takes back what was approved of it before. Throws when it cannot. */
export async function writeTrust(
  home: string,
  projectDir: string,
  reviewed: Record<string, ReviewedItem>,
  now: Date,
): Promise<void> {
  const value: TrustedFolder = { since: now.toISOString(), reviewed };
  await change(home, { do: "set", path: ["folders", trustKeyOf(projectDir)], value });
}

/** One more thing that a person said yes to, beside what was approved before. */
export async function addTrust(
  home: string,
  projectDir: string,
  fingerprint: string,
  item: ReviewedItem,
): Promise<void> {
  const path = ["folders", trustKeyOf(projectDir)];
  if (wasRevoked(home, projectDir)) {
    const value: TrustedFolder = { inherits: false, reviewed: { [fingerprint]: item } };
    return change(home, { do: "set", path, value });
  }
  await change(home, { do: "set", path: [...path, "reviewed", fingerprint], value: item });
}

/** False when there was nothing to take back. */
export async function revokeTrust(home: string, projectDir: string): Promise<boolean> {
  const { folder, main } = readTrustOf(home, projectDir);
  if (folder === undefined && main === undefined) return false;
  await change(home, { do: "set", path: ["folders", trustKeyOf(projectDir)], value: null });
  return true;
}

async function change(home: string, edit: SettingsEdit): Promise<void> {
  const written = await editSettings(trustFileOf(home), edit);
  if (written.edited === "not") throw new SettingsError([describeProblem(written.problem)]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON at all: the schema refuses it like anything else that is no store.
    return undefined;
  }
}
