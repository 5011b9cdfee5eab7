import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryName } from "../../process/runRegister.ts";
import { errorCode } from "../../utils/errorCode.ts";
import { once } from "../../utils/once.ts";
import { namesIn } from "../files/fileFacts.ts";
import { readPlainFile } from "../files/plainFile.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../files/privateFile.ts";
import { filesOfPlugin, pluginHash } from "./contents.ts";
import { isPluginName, readPlugin, type Plugin, type ReadPlugin } from "./plugin.ts";

/** A plugin that a person added, and whether it is still what they said yes to. */
export interface KeptPlugin {
  name: string;
  /** The folder or address that it came from. */
  from: string;
  added: string;
  plugin?: Plugin;
  /** Why it is off: it is not what was added, or cannot be read. */
  problem?: string;
  notices: string[];
}

export const pluginsFolder = (home: string) => join(home, "plugins");
const dataFolder = (home: string) => join(pluginsFolder(home), "data");
/** Beside the folder and not in it: a plugin says nothing about its own approval. */
const noteOf = (home: string, name: string) => join(pluginsFolder(home), `${name}.json`);

const noteSchema = once(() => z.object({ sha256: z.string(), from: z.string(), added: z.string() }));

/** All that a person added. Each file of each is compared with what they said yes to. */
export function keptPlugins(home: string): KeptPlugin[] {
  return namesIn(pluginsFolder(home))
    .toSorted()
    .flatMap((file): KeptPlugin[] => {
      const name = /^(.+)\.json$/.exec(file)?.[1];
      return name !== undefined && isPluginName(name) ? [keptPlugin(home, name)] : [];
    });
}

function keptPlugin(home: string, name: string): KeptPlugin {
  let note: z.infer<ReturnType<typeof noteSchema>>;
  try {
    note = noteSchema().parse(JSON.parse(readPlainFile(noteOf(home, name), 64 * 1024).toString("utf8")));
  } catch {
    const problem = `${noteOf(home, name)} cannot be read`;
    return { name, from: "", added: "", problem, notices: [] };
  }
  const { from, added } = note;
  const root = join(pluginsFolder(home), name);
  const read = pluginAt(root, home);
  if ("problem" in read) return { name, from, added, problem: read.problem, notices: [] };
  const { plugin, notices } = read;
  if (read.sha256 === note.sha256 && plugin.name === name) return { name, from, added, plugin, notices };
  return { name, from, added, plugin, notices, problem: "its files are not those that you added" };
}

type PluginAt = (Extract<ReadPlugin, { plugin: Plugin }> & { sha256: string }) | { problem: string };

/** What lies in a folder, with its hash. */
export function pluginAt(root: string, home: string): PluginAt {
  try {
    const sha256 = pluginHash(filesOfPlugin(root));
    const read = readPlugin(root, dataFolder(home));
    return "problem" in read ? read : { ...read, sha256 };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Copies a plugin to where Wave keeps them, and notes what it is. Throws one sentence for what cannot be kept. */
export function keepPlugin(
  home: string,
  given: { root: string; name: string; sha256: string; from: string },
): void {
  const folder = pluginsFolder(home);
  makePrivateFolder(folder);
  const half = join(folder, temporaryName());
  try {
    const files = filesOfPlugin(given.root, ({ path, isProgram }, bytes) => {
      mkdirSync(dirname(join(half, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(half, path), bytes, { mode: isProgram ? 0o700 : PRIVATE_FILE, flag: "wx" });
    });
    if (pluginHash(files) !== given.sha256) throw new Error("its files changed while they were copied");
    // The note of an earlier one would be about other files.
    removePlugin(home, given.name);
    renameSync(half, join(folder, given.name));
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    throw error;
  }
  const { sha256, from } = given;
  const note = join(folder, temporaryName());
  makePrivateFolder(join(dataFolder(home), given.name));
  writeFileSync(note, JSON.stringify({ sha256, from, added: new Date().toISOString() }), {
    mode: PRIVATE_FILE,
  });
  renameSync(note, noteOf(home, given.name));
}

/** Whether there was one. What its programs kept for themselves stays. */
export function removePlugin(home: string, name: string): boolean {
  const root = join(pluginsFolder(home), name);
  const wasThere = [noteOf(home, name), root].filter((path) => isThere(path)).length > 0;
  rmSync(noteOf(home, name), { force: true });
  rmSync(root, { recursive: true, force: true });
  return wasThere;
}

function isThere(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    return errorCode(error) === "ENOTDIR";
  }
}
