import type { AgentEvent } from "../events.ts";
import { lstatSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { once } from "../utils/once.ts";
import { namesIn } from "./files/fileFacts.ts";
import { startOf, thisProcess } from "./files/lockHolder.ts";
import { readPlainFile } from "./files/plainFile.ts";
import { stateOfNamed } from "../process/processName.ts";
import { ProcessTree } from "../process/processTree.ts";
import { isTemporaryName, REGISTER_NAME, registersOf, type RunNote } from "../process/runRegister.ts";
import { removePlaceholder } from "./sandbox/placeholders.ts";

const MOST_ROUNDS = 10;

/** The same, and the person is told. */
export function tellOfLeftovers(home: string, emit: (event: AgentEvent) => void): void {
  const count = removeLeftovers(home);
  if (count === 0) return;
  const [processes, was] = count === 1 ? ["1 process", "was"] : [`${count} processes`, "were"];
  const text = `${processes} that ${was} left running when Wave was killed: ended now, with all that came of it`;
  emit({ type: "notice", level: "warning", text });
}

/** Ends and removes what Waves left that are certainly gone. Returns how many processes were ended. Never throws. */
export function removeLeftovers(home: string): number {
  const me = thisProcess();
  const registers = namesIn(registersOf(home)).map((name) => ({
    folder: join(registersOf(home), name),
    // One of another machine that shares the home may be there.
    state: stateOfNamed(REGISTER_NAME.exec(name)?.groups?.["process"] ?? "", me),
  }));
  const isAlone = registers.every(({ state }) => state === "dead" || state === undefined);
  return registers
    .filter(({ state }) => state === "dead")
    .map(({ folder }) => removeRegister(folder, isAlone))
    .reduce((sum, count) => sum + count, 0);
}

/** How many processes were ended. The notes stay as long as one of them is about something that has to stay for now. */
function removeRegister(folder: string, isAlone: boolean): number {
  const done = namesIn(folder)
    .flatMap((name) => noteOf(folder, name))
    .map((note) => (note.is === "process" ? end(note) : remove(note, isAlone)));
  if (!done.includes("stays")) removeQuietly(folder);
  return done.filter((one) => one === "ended").length;
}

function end({ pid, runId }: Extract<RunNote, { is: "process" }>): "ended" | "gone" {
  const tree = new ProcessTree(pid, runId, { sparesLeader: false });
  const found = tree.signal("SIGKILL");
  // More than once, because a process can fork while the list of processes is being read.
  for (let rounds = 0, left = found; left > 0 && rounds < MOST_ROUNDS; rounds++)
    left = tree.signal("SIGKILL");
  return found > 0 ? "ended" : "gone";
}

function remove({ path, what }: Extract<RunNote, { is: "path" }>, isAlone: boolean): "gone" | "stays" {
  if (what === "file" || what === "folder") {
    if (isTemporaryName(basename(path)) && isOurs(path)) removeQuietly(path);
    return "gone";
  }
  // What another Wave runs in the sandbox may stand on it.
  if (!isAlone) return "stays";
  removePlaceholder({ path, as: what === "empty-folder" ? "folder" : "file" });
  return "gone";
}

const noteSchema = once(() =>
  z.discriminatedUnion("is", [
    z.object({
      is: z.literal("process"),
      runId: z.uuid(),
      pid: z.int().min(2).optional(),
      started: z.string().optional(),
    }),
    z.object({
      is: z.literal("path"),
      path: z.string(),
      what: z.enum(["file", "folder", "empty-file", "empty-folder"]),
    }),
  ]),
);

function noteOf(folder: string, name: string): RunNote[] {
  const note = parsed(join(folder, name)) ?? beginning(name);
  if (note?.is !== "process" || note.pid === undefined) return note ? [note] : [];
  // Nothing for a process that has ended since, also when its number belongs to another one by now.
  return note.started !== "" && startOf(note.pid) === note.started ? [note] : [];
}

function parsed(file: string): RunNote | undefined {
  try {
    const { data } = noteSchema().safeParse(JSON.parse(readPlainFile(file).toString("utf8")));
    return data as RunNote | undefined;
  } catch {
    // Cut short when its Wave died, or gone.
    return undefined;
  }
}

/** The name says enough of a process whose Wave died while it wrote the note. */
function beginning(name: string): RunNote | undefined {
  return z.uuid().safeParse(name).success ? { is: "process", runId: name } : undefined;
}

function isOurs(path: string): boolean {
  try {
    const { uid } = lstatSync(path);
    return process.getuid === undefined || uid === process.getuid();
  } catch {
    // ENOENT: it was never made, or is gone already.
    return false;
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // EACCES, EBUSY, EROFS: the next start tries again.
  }
}
