import { findSession, loadSession, loadSubAgent, type Message } from "wave-agent-sdk";
import { paintFor } from "../../output/paint.ts";
import { printable, printableJson, printableLine } from "../../utils/printable.ts";
import { failed } from "../wrongUsage.ts";
import type { SessionsRun } from "./run.ts";
import { transcript } from "./transcript.ts";

export async function show({ words: [id = ""], json, sessionsDir, around }: SessionsRun): Promise<number> {
  const session = await loadSession(findSession(sessionsDir, id));
  if (!session) return failed(around, `Session ${id} is gone.`);
  for (const problem of session.problems)
    around.stderr.write(printable(`wave: ${session.file}: ${problem}\n`));
  if (json) {
    around.stdout.write(`${printableJson(session)}\n`);
    return 0;
  }
  const paint = paintFor(around.stdout, around.env);
  const name = session.name === undefined ? "" : ` (${printableLine(session.name)})`;
  around.stdout.write(`Session ${session.id}${name}\n`);
  const write = async (messages: readonly Message[], whose: string): Promise<void> => {
    for (const message of messages) {
      around.stdout.write(transcript(message, paint, whose));
      for (const block of message.blocks) {
        const agent = block.type === "tool" ? block.agent : undefined;
        const read = agent && (await loadSubAgent(session.file, agent.id));
        if (read) await write(read.messages, `sub-agent ${agent.type} (${agent.id}), `);
      }
    }
  };
  await write(session.messages, "");
  if (session.messages.length === 0) around.stdout.write("Nothing was said in it.\n");
  return 0;
}
