import { spawn } from "node:child_process";
import type { ListedFiles } from "../input/completion.ts";

/** What a completion list looks through at every key. */
export interface ListBounds {
  names: number;
  /** Of all names together, in characters: paths can be very long. */
  length: number;
}

/** Half a million names are looked through in about a tenth of a second. */
const BOUNDS: ListBounds = { names: 500_000, length: 64 * 1024 * 1024 };

interface ListRequest {
  /** Nobody wants the list any more. */
  signal?: AbortSignal;
  bounds?: ListBounds;
}

/** The files of a project, as ripgrep sees them: without what .gitignore names. In the order in which they were found. */
export async function listFiles(
  folder: string,
  { signal, bounds = BOUNDS }: ListRequest = {},
): Promise<ListedFiles> {
  const { rgPath } = await import("@vscode/ripgrep");
  const { promise, resolve, reject } = Promise.withResolvers<ListedFiles>();
  const ripgrep = spawn(rgPath, ["--files", "--hidden", "--null", "-g", "!.git"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    // No more than it needs to find the person's own .gitignore: the keys of the model are none of its business.
    env: { HOME: process.env["HOME"], XDG_CONFIG_HOME: process.env["XDG_CONFIG_HOME"] },
    ...(signal && { signal }),
  });
  const names: string[] = [];
  let length = 0;
  let rest = "";
  let isCut = false;
  ripgrep.stdout.setEncoding("utf8").on("data", (text: string) => {
    const found = (rest + text).split("\0");
    rest = found.pop() ?? "";
    for (const name of found) {
      isCut ||= names.length >= bounds.names || length + name.length > bounds.length;
      if (isCut) break;
      names.push(name);
      length += name.length;
    }
    if (isCut) ripgrep.kill();
  });
  let complaints = "";
  ripgrep.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaints.length < LONGEST_PATH) complaints += text;
  });
  // Not started, or not wanted any more.
  ripgrep.on("error", reject);
  ripgrep.on("close", (code, killedBy) => {
    if (isCut) return resolve({ names, lacks: `only the first ${count(names.length)} files are searched` });
    const complaint = firstLine(complaints);
    // 1: there are none. 2: some could not be read; the others are there.
    if (code === 0 || (code === 1 && complaint === "")) return resolve({ names });
    if (code === 2 && names.length > 0) return resolve({ names, lacks: `some are missing: ${complaint}` });
    reject(new Error(complaint || `ripgrep ended with ${killedBy ?? code}`));
  });
  return promise;
}

/** With some words around it. */
const LONGEST_PATH = 5_000;

/** In one row as far as possible: what is wrong stands behind the path. */
function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length <= 120 ? line : `${line.slice(0, 30)}…${line.slice(-60)}`;
}

const count = (number: number) => number.toLocaleString("en-US");
