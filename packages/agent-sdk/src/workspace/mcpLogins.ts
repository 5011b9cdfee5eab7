import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryName } from "../process/runRegister.ts";
import { sha256 } from "../utils/sha256.ts";
import { makePrivateFolder, PRIVATE_FILE } from "./files/privateFile.ts";

/** What a server's authorization gave: who Wave is there, and its tokens. */
const loginSchema = z.object({
  client: z.record(z.string(), z.unknown()).optional(),
  /** Which authorization server it came from. */
  discovery: z.record(z.string(), z.unknown()).optional(),
  tokens: z.record(z.string(), z.unknown()).optional(),
});

export type StoredLogin = z.infer<typeof loginSchema>;

/**
 * Logins to MCP servers, each in a private file of its own. A file is for one address: a settings file that names another one under
 * the same name does not get the tokens.
 */
export class McpLogins {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, "mcp", "logins");
  }

  read(url: string): StoredLogin | undefined {
    try {
      return loginSchema.parse(JSON.parse(readFileSync(this.#file(url), "utf8")));
    } catch {
      // ENOENT, or a file that somebody else wrote: there is no login.
      return undefined;
    }
  }

  /** Whole or not at all. Throws the system's error. */
  write(url: string, login: StoredLogin): void {
    const file = this.#file(url);
    makePrivateFolder(dirname(file));
    const half = join(dirname(file), temporaryName());
    writeFileSync(half, JSON.stringify({ url, ...login }), { mode: PRIVATE_FILE, flag: "wx" });
    renameSync(half, file);
  }

  /** False when there was none. */
  remove(url: string): boolean {
    const had = this.read(url) !== undefined;
    rmSync(this.#file(url), { force: true });
    return had;
  }

  #file(url: string): string {
    return join(this.#folder, `${sha256(url).slice(0, 32)}.json`);
  }
}
