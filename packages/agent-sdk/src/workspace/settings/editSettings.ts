import { realpathSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../utils/errorCode.ts";
import { removeLockLeftovers, takeLock } from "../files/fileLock.ts";
import { stateOf, type LockHolder } from "../files/lockHolder.ts";
import { replaceFile } from "../files/replaceFile.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../files/privateFile.ts";
import type { SettingsProblem } from "./problem.ts";
import { editText, type SettingsEdit } from "./editText.ts";
import { BOM, readSettingsFile } from "./readFile.ts";
import { whyNotWritten } from "./whyNotWritten.ts";

export type SettingsEdited =
  /** On disk. "already": the file said so before and was not touched. */
  | { edited: "written" | "already" }
  /** The file is as it was. */
  | { edited: "not"; problem: SettingsProblem };

/** Longer than any writer needs on a slow disk, short enough for somebody who waits. */
const WAIT_MS = 5_000;

/**
 * The one writer of settings files: changes one value, and keeps comments, order and everything else. Several processes may
 * do so at once and none loses what another wrote; whoever reads or is killed meanwhile finds the old file or the new one.
 * A file that cannot be parsed is never written.
 */
export async function editSettings(
  file: string,
  edit: SettingsEdit,
  options: { waitMs?: number } = {},
): Promise<SettingsEdited> {
  const waitMs = options.waitMs ?? WAIT_MS;
  const giveUpAt = performance.now() + waitMs;
  try {
    for (;;) {
      const target = targetOf(file);
      if ("problem" in target) return { edited: "not", problem: target.problem };
      const lock = `${target.path}.lock`;
      let unlock;
      try {
        unlock = takeLock(lock, (holder) => new LockHeld(holder));
        const edited = await editLocked(file, target.path, edit);
        if (edited !== "moved") return edited;
      } catch (error) {
        if (!(error instanceof LockHeld)) throw error;
        if (performance.now() >= giveUpAt) return not(file, whoHolds(error.holder, lock, waitMs));
      } finally {
        unlock?.();
      }
      // Not all after the same time: whoever waits must not meet the others again and again.
      await sleep(5 + Math.random() * 20);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return not(file, `this file cannot be written: ${whyNotWritten(error, file)}`);
  }
}

class LockHeld extends Error {
  readonly holder: LockHolder;

  constructor(holder: LockHolder) {
    super(`locked by process ${holder.pid}`);
    this.holder = holder;
  }
}

/** Where the bytes are or will be: links are followed, so that two names of one file share one lock. */
function targetOf(file: string): { path: string } | { problem: SettingsProblem } {
  const read = readSettingsFile("local", file);
  if (read.found === "problem") return read;
  if (read.found === "settings") return { path: read.real };
  makePrivateFolder(dirname(file));
  return { path: join(realpathSync(dirname(file)), basename(file)) };
}

/** "moved": the name leads to another file than the one that was locked. */
async function editLocked(
  file: string,
  target: string,
  edit: SettingsEdit,
): Promise<SettingsEdited | "moved"> {
  // Read again: what another process wrote while this one waited is part of what is changed.
  const read = readSettingsFile("local", file);
  if (read.found === "problem") return { edited: "not", problem: read.problem };
  if (read.found === "settings" && read.real !== target) return "moved";
  const before = read.found === "settings" ? read.text : "";
  const changed = editText(before, edit);
  if (!changed.edited) {
    const { path, line } = changed.place;
    const message = `${changed.message}; correct it, and the setting can be written`;
    return { edited: "not", problem: { severity: "error", file, line, path: path || undefined, message } };
  }
  if (changed.text === before) return { edited: "already" };
  removeLockLeftovers(`${target}.lock`);
  // Only the holder of the lock writes here, so what is there was left by one that was killed.
  const temporary = `${target}.new`;
  await rm(temporary, { force: true });
  await replaceFile({
    path: target,
    bytes: Buffer.from((read.found === "settings" && read.bom ? BOM : "") + changed.text),
    before: statSync(target, { throwIfNoEntry: false }),
    mode: PRIVATE_FILE,
    temporary,
  });
  return { edited: "written" };
}

function whoHolds(holder: LockHolder, lock: string, waitMs: number): string {
  const since = `for ${waitMs / 1000} seconds`;
  if (stateOf(holder) === "elsewhere") {
    return `process ${holder.pid} on ${holder.host} has been writing this file ${since}, and cannot be seen from here; try again, or delete ${lock} if it is gone`;
  }
  const who = holder.pid === process.pid ? "another part of this process" : `process ${holder.pid}`;
  return `${who} has been writing this file ${since}; try again, or end that process`;
}

function not(file: string, message: string): SettingsEdited {
  return { edited: "not", problem: { severity: "error", file, line: undefined, path: undefined, message } };
}
