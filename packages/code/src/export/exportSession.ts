import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { loadSession, RunRegister, temporaryName } from "wave-agent-sdk";
import { beganAt, localMinute } from "../utils/localTime.ts";
import { sessionMarkdown } from "./sessionMarkdown.ts";

export type Exported = { written: true; file: string; messages: number } | { written: false; why: string };

/** Writes a session as Markdown. What is there already is replaced only by `force`, and then whole or not at all. */
export async function exportSession(options: {
  sessionFile: string;
  /** Undefined: named after the session, in the folder. */
  target: string | undefined;
  folder: string;
  /** Of Wave: a file that is half written when Wave is killed is noted there. */
  home: string;
  force: boolean;
}): Promise<Exported> {
  const session = await loadSession(options.sessionFile, { decisions: true });
  if (!session) return { written: false, why: "the session is gone" };
  const target = resolve(options.folder, options.target ?? defaultName(session.name, session.id));
  try {
    await write(target, sessionMarkdown(session), options);
    return { written: true, file: target, messages: session.messages.length };
  } catch (error) {
    return { written: false, why: whyNot(error, target) };
  }
}

/** "the-login-fix.md", or the time at which the session began: "wave-2026-11-15-1432.md". */
export function defaultName(name: string | undefined, id: string): string {
  const readable = (name ?? "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (readable !== "") return `${Array.from(readable).slice(0, 60).join("")}.md`;
  const began = beganAt(id);
  if (!began) return "wave-session.md";
  return `wave-${localMinute(began).replace(" ", "-").replace(":", "")}.md`;
}

async function write(
  target: string,
  text: string,
  { force, home }: { force: boolean; home: string },
): Promise<void> {
  if (!force) return writeNew(target, text);
  using register = new RunRegister(home);
  const temporary = join(dirname(target), temporaryName());
  register.making(temporary, "file");
  await writeNew(temporary, text);
  try {
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Readable by its owner alone, as the session is: whoever sends it on decides that. */
async function writeNew(path: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    await file.writeFile(text);
    await file.close();
  } catch (error) {
    // Half a file would look like a short session.
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

function whyNot(error: unknown, target: string): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST") return `${target} exists already: give another name, or --force to replace it`;
  if (code === "ENOENT") return `the folder ${dirname(target)} does not exist`;
  if (code === "EISDIR") return `${target} is a folder: give the name of a file`;
  if (code === "EACCES" || code === "EPERM") return `there is no permission to write ${target}`;
  if (code === "ENOSPC") return `the disk of ${target} is full`;
  return `${target} cannot be written: ${error instanceof Error ? error.message : String(error)}`;
}
