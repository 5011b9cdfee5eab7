import { searchSessions } from "wave-agent-sdk";
import { printableJson, printableLine } from "../../utils/printable.ts";
import { nameSkipped } from "../nameSkipped.ts";
import { wrongUsage } from "../wrongUsage.ts";
import type { SessionsRun } from "./run.ts";
import { withRest, type Cut } from "./list.ts";

/** The sessions in whose texts the words were said, as they are found. */
export async function search({ words, json, sessionsDir, around }: SessionsRun): Promise<number> {
  const text = words.join(" ");
  if (text.trim() === "") return wrongUsage(around, "wave sessions search needs the text to look for.");
  nameSkipped(sessionsDir, around);
  if (json) {
    around.stdout.write(`${printableJson(await Array.fromAsync(searchSessions(sessionsDir, text)))}\n`);
    return 0;
  }
  let found = 0;
  for await (const { id, by, line } of searchSessions(sessionsDir, text)) {
    found++;
    around.stdout.write(`${withRest(id, `${by}: ${line}`, around.stdout.columns, cutAround(text))}\n`);
  }
  if (found === 0)
    around.stdout.write(`No session of this folder has ${printableLine(JSON.stringify(text))} in it.\n`);
  return 0;
}

/** Of a line that is too long, the part around what was looked for, behind who said it. */
export function cutAround(text: string): Cut {
  const wanted = printableLine(text.trim()).toLowerCase();
  return (line, width) => {
    if (Array.from(line).length <= width) return line;
    const [by = ""] = /^.*?: /.exec(line) ?? [];
    const said = line.slice(by.length);
    const at = Math.max(said.toLowerCase().indexOf(wanted), 0);
    const before = Array.from(said.slice(0, at));
    const rest = Array.from(said.slice(at));
    const room = width - Array.from(by).length;
    const spare = Math.max(room - Array.from(wanted).length, 0);
    // What one side does not need the other one gets.
    const left = Math.min(before.length, Math.max(Math.floor(spare / 2), room - rest.length, 1));
    const head = left < before.length ? ["…", ...before.slice(before.length - left + 1)] : before;
    const tail = rest.length > room - left ? [...rest.slice(0, Math.max(room - left - 1, 0)), "…"] : rest;
    return [by, ...head, ...tail].join("");
  };
}
