import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadSession, saveSession } from "@/services/session.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const ROUNDS = process.env["WAVE_SOAK"] ? 1_000 : 20;
const PROGRAM = fileURLToPath(new URL("../../fixtures/sessions/appendForEver.ts", import.meta.url));

/** Lets the program save into the file, kills it after so many saves, and returns the ids it said were saved. */
async function appendAndKill(file: string, prefix: string, saves: number): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, file, prefix], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.split("\n").length > saves) child.kill("SIGKILL");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  await once(child, "close");
  if (errors !== "") throw new Error(errors);
  return output.split("\n").slice(0, -1);
}

// Generous: on a busy machine a process takes seconds to start.
describe("kill -9 while saving", { timeout: ROUNDS * 10_000 }, () => {
  it("loses nothing that was said to be saved, round after round in one file (G50, G51, G56, G60)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "killed.jsonl");
    const saved: string[] = [];
    let before = Buffer.alloc(0);
    for (let round = 0; round < ROUNDS; round++) {
      saved.push(...(await appendAndKill(file, `r${round}`, 1 + ((round * 37) % 100))));
      const now = readFileSync(file);
      expect(now.subarray(0, before.length).equals(before)).toBe(true);
      before = now;
    }
    const session = { id: "killed", file, cwd: "/" };
    expect(saveSession(session, [])).toEqual({ saved: true });
    const loaded = await loadSession(file);
    expect(loaded?.problems).toEqual([]);
    const found = new Set(loaded?.messages.map((message) => message.id));
    expect(saved.length).toBeGreaterThan(ROUNDS);
    expect(saved.filter((id) => !found.has(id))).toEqual([]);
  });
});
