import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryName } from "../process/runRegister.ts";
import { sha256 } from "../utils/sha256.ts";
import { makePrivateFolder, PRIVATE_FILE } from "./files/privateFile.ts";

interface Pinned {
  name: string;
  description: string;
  parameters?: Readonly<Record<string, unknown>>;
}

const pinsSchema = z.record(z.string(), z.record(z.string(), z.string()));

/**
 * What every tool of every server said of itself when Wave first saw it. A server can change that between two sessions, and a
 * description is something that the model does as it is told.
 */
export class McpPins {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, "mcp", "tools.json");
  }

  /** What is not as it was, as sentences; from now on it counts as seen. */
  changes(server: string, tools: readonly Pinned[]): string[] {
    const all = this.#read();
    const before = all[server] ?? {};
    const now = Object.fromEntries(tools.map((tool) => [tool.name, pinOf(tool)]));
    const changed = Object.keys(now).filter(
      (name) => before[name] !== undefined && before[name] !== now[name],
    );
    const merged = { ...before, ...now };
    if (JSON.stringify(merged) !== JSON.stringify(before)) this.#write({ ...all, [server]: merged });
    if (changed.length === 0) return [];
    const names = changed.slice(0, 5).join(", ");
    return [`the description or input of ${names} is not what it was when you first used it; /mcp shows it`];
  }

  #read(): z.infer<typeof pinsSchema> {
    try {
      return pinsSchema.parse(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      // ENOENT, or a file that somebody else wrote: everything is seen for the first time.
      return {};
    }
  }

  #write(pins: z.infer<typeof pinsSchema>): void {
    try {
      makePrivateFolder(dirname(this.#file));
      const half = join(dirname(this.#file), temporaryName());
      writeFileSync(half, JSON.stringify(pins), { mode: PRIVATE_FILE, flag: "wx" });
      renameSync(half, this.#file);
    } catch {
      // EROFS, ENOSPC: what is said about a change is lost, and nothing else.
    }
  }
}

const pinOf = ({ description, parameters }: Pinned) =>
  sha256(JSON.stringify([description, parameters ?? {}]));
