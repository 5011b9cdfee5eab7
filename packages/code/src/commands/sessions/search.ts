import { searchSessions } from "wave-agent-sdk";
import { printableJson, printableLine } from "../../utils/printable.ts";
import { wrongUsage } from "../wrongUsage.ts";
import type { SessionsRun } from "./index.ts";
import { withRest } from "./list.ts";

/** The sessions in whose texts the words were said, as they are found. */
export async function search({ words, json, sessionsDir, around }: SessionsRun): Promise<number> {
  const text = words.join(" ");
  if (text.trim() === "") return wrongUsage(around, "wave sessions search needs the text to look for.");
  if (json) {
    around.stdout.write(`${printableJson(await Array.fromAsync(searchSessions(sessionsDir, text)))}\n`);
    return 0;
  }
  let found = 0;
  for await (const { id, by, line } of searchSessions(sessionsDir, text)) {
    found++;
    around.stdout.write(`${withRest(id, `${by}: ${line}`, around.stdout.columns)}\n`);
  }
  if (found === 0)
    around.stdout.write(`No session of this folder has ${printableLine(JSON.stringify(text))} in it.\n`);
  return 0;
}
