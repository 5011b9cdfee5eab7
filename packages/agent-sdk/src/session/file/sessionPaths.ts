import { createHash, randomBytes } from "node:crypto";
import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SessionError } from "../../errors.ts";
import { parseSessionLine } from "../../messages/parseSessionLine.ts";
import { errorCode } from "../../utils/errorCode.ts";
import { nearestName } from "../../utils/nearestName.ts";
import { namesIn } from "../../workspace/files/fileFacts.ts";
import { fileStart } from "../../workspace/files/plainFile.ts";
import { readSessionHead } from "./sessionHead.ts";

const SUFFIX = ".jsonl";
const HOW_TO_LIST = "`wave sessions list` shows them all.";

/** Where the sessions of a project are. The name can be read by a person; the hash tells folders of one name apart. */
export function sessionsDirFor(home: string, projectDir: string): string {
  const path = realPath(projectDir);
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
  const readable = `${basename(dirname(path))}-${basename(path)}`
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return join(home, "sessions", `${Array.from(readable).slice(-40).join("") || "root"}-${hash}`);
}

/** A UUID of version 7: sorts by the millisecond in which it was made. */
export function newSessionId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export function sessionFileFor(sessionsDir: string, id: string): string {
  return join(sessionsDir, id + SUFFIX);
}

export function sessionIdOf(file: string): string {
  return basename(file, SUFFIX);
}

/** Where the copies are that a session keeps of files it changed. */
export function copiesFolderOf(sessionFile: string): string {
  return join(dirname(sessionFile), `${sessionIdOf(sessionFile)}.files`);
}

/** The conversation in Claude Code's shape. There, too, the file has the session's id for a name, and scripts go by that. */
export function claudeTranscriptOf(sessionFile: string, agentId?: string): string {
  const name = agentId === undefined ? basename(sessionFile) : `${agentId}${SUFFIX}`;
  return join(claudeFolderOf(sessionFile), name);
}

export const claudeFolderOf = (sessionFile: string): string =>
  join(dirname(sessionFile), `${sessionIdOf(sessionFile)}.claude`);

/** Where the transcripts of its sub-agents are. */
export function agentsFolderOf(sessionFile: string): string {
  return join(dirname(sessionFile), `${sessionIdOf(sessionFile)}.agents`);
}

/** The ids in a folder, newest first. A folder that does not exist has none. Throws SessionError "unreadable". */
export function sessionIdsIn(sessionsDir: string): string[] {
  return idsAmong(readdirIfThere(sessionsDir));
}

function idsAmong(names: readonly string[]): string[] {
  const files = names.filter((name) => name.endsWith(SUFFIX));
  return files.map(sessionIdOf).toSorted().toReversed();
}

/**
 * The file of a session by its id, the beginning of it, or else its name. Throws SessionError "not-found", also when several are
 * meant.
 */
export function findSession(sessionsDir: string, wanted: string): string {
  const ids = sessionIdsIn(sessionsDir);
  // Compared with names that are there, never joined to a path: "../x" finds nothing.
  const matches = ids.includes(wanted) ? [wanted] : ids.filter((id) => id.startsWith(wanted));
  const [match] = matches;
  if (wanted !== "" && match !== undefined && matches.length === 1) return sessionFileFor(sessionsDir, match);
  const named = ids.filter((id) => isNamed(sessionFileFor(sessionsDir, id), wanted));
  const [byName] = named;
  if (byName !== undefined && named.length === 1) return sessionFileFor(sessionsDir, byName);
  if (named.length > 1) throw new SessionError("not-found", severalNamed(wanted, named));
  const there = matches.length === 0 ? elsewhere(sessionsDir, wanted) : undefined;
  throw new SessionError("not-found", there ?? whyNotFound(wanted, ids, matches));
}

const isNamed = (file: string, wanted: string) => wanted !== "" && readSessionHead(file).name === wanted;

const severalNamed = (name: string, ids: readonly string[]) =>
  `${ids.length} sessions of this project are called "${name}": say which by its id, ${ids.join(" or ")}.`;

/** Whoever copied an id wants that session: where it belongs is more use than that it is not here. */
function elsewhere(sessionsDir: string, wanted: string): string | undefined {
  // A few characters fit sessions of every folder.
  if (wanted.length < 8) return undefined;
  // Looked for as a favour: a folder that cannot be read has nothing to offer.
  const folders = namesIn(dirname(sessionsDir)).map((name) => join(dirname(sessionsDir), name));
  const found = folders.flatMap((folder) =>
    idsAmong(namesIn(folder))
      .filter((id) => id.startsWith(wanted))
      .map((id) => ({ id, folder: folderOf(sessionFileFor(folder, id)) })),
  );
  const [one] = found;
  if (found.length !== 1 || one?.folder === undefined) return undefined;
  return `Session ${one.id} belongs to another folder: cd ${one.folder} to go on with it.`;
}

/** The folder a session was started in, from its first line. */
function folderOf(file: string): string | undefined {
  const [line = ""] =
    fileStart(file, 16 * 1024)
      ?.toString()
      .split("\n", 1) ?? [];
  const parsed = parseSessionLine(line);
  if (parsed.read !== "record" || parsed.record.type !== "header") return undefined;
  return parsed.record.cwd || undefined;
}

function whyNotFound(wanted: string, ids: string[], matches: string[]): string {
  if (ids.length === 0) return `There is no session "${wanted}": this project has no sessions yet.`;
  if (wanted !== "" && matches.length > 1) {
    return `"${wanted}" is the beginning of ${matches.length} sessions (${some(matches)}): give more of the id. ${HOW_TO_LIST}`;
  }
  const near = nearestName(wanted, ids);
  const hint = near === undefined ? `The newest: ${some(ids)}.` : `Did you mean ${near}?`;
  return `There is no session "${wanted}" in this project. ${hint} ${HOW_TO_LIST}`;
}

function some(ids: string[]): string {
  return ids.length > 3 ? `${ids.slice(0, 3).join(", ")}, …` : ids.join(", ");
}

function readdirIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw new SessionError(
      "unreadable",
      `The folder of the sessions cannot be read (${errorCode(error)}): ${folder}`,
      { cause: error },
    );
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // The folder was deleted, or may not be looked at: its name still has to give the same place every time.
    return resolve(path);
  }
}
