import {
  findSession,
  listSessions,
  loadSession,
  SessionError,
  sessionsDirFor,
  type Block,
  type Message,
  type SessionSummary,
} from "wave-agent-sdk";
import type { Invocation } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { projectDir, waveHome } from "../modes/readSettings.ts";
import { paintFor, type Paint } from "../output/paint.ts";
import { nearestName } from "wave-agent-sdk";
import { printable, printableJson, printableLine } from "../utils/printable.ts";
import { failed, wrongUsage } from "./wrongUsage.ts";

type SessionsInvocation = Extract<Invocation, { run: "sessions" }>;

const SUBCOMMANDS = ["list", "show"] as const;

export async function runSessions(
  { words, json }: SessionsInvocation,
  around: Surroundings,
): Promise<number> {
  const [name = "list", ...rest] = words;
  try {
    if (name === "list" && rest.length === 0) return await list(json, around);
    if (name === "show" && rest.length === 1) return await show(rest[0] ?? "", json, around);
  } catch (error) {
    if (error instanceof SessionError) return failed(around, error.message);
    throw error;
  }
  if (name === "list")
    return wrongUsage(
      around,
      `wave sessions list takes no arguments, but ${JSON.stringify(rest[0])} follows.`,
    );
  if (name === "show")
    return wrongUsage(around, "wave sessions show needs the id of one session; wave sessions list has them.");
  const near = nearestName(name, SUBCOMMANDS);
  return wrongUsage(
    around,
    `There is no wave sessions ${name}. ${near ? `Did you mean wave sessions ${near}?` : `There are: ${SUBCOMMANDS.join(", ")}.`}`,
  );
}

const folderOf = (around: Surroundings) => sessionsDirFor(waveHome(around.env), projectDir(around));

async function list(json: boolean, around: Surroundings): Promise<number> {
  const sessions = await listSessions(folderOf(around));
  if (json) around.stdout.write(`${printableJson(sessions)}\n`);
  else if (sessions.length === 0) around.stdout.write("There are no sessions in this folder yet.\n");
  else
    for (const session of sessions) around.stdout.write(`${sessionLine(session, around.stdout.columns)}\n`);
  return 0;
}

function sessionLine(
  { id, updatedAt, messageCount, counted, firstPrompt }: SessionSummary,
  columns: number,
): string {
  const when = localTime(new Date(updatedAt));
  const size = `${messageCount}${counted === "head" ? "+" : ""} message${messageCount === 1 ? "" : "s"}`;
  const start = `${id}  ${when}  ${size}`;
  const prompt = Array.from(printableLine(firstPrompt ?? "(no prompt)"));
  // The id is for copying: it is never cut. The prompt gets what is left, or a line of its own.
  const room = columns - start.length - 2;
  const [width, between] = room >= 20 ? [room, "  "] : [Math.max(columns - 2, 10), "\n  "];
  return (
    start + between + (prompt.length > width ? `${prompt.slice(0, width - 1).join("")}…` : prompt.join(""))
  );
}

function localTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

async function show(id: string, json: boolean, around: Surroundings): Promise<number> {
  const session = await loadSession(findSession(folderOf(around), id));
  if (!session) return failed(around, `Session ${id} is gone.`);
  for (const problem of session.problems)
    around.stderr.write(printable(`wave: ${session.file}: ${problem}\n`));
  if (json) {
    around.stdout.write(`${printableJson(session)}\n`);
    return 0;
  }
  const paint = paintFor(around.stdout, around.env);
  around.stdout.write(`Session ${session.id}\n`);
  for (const message of session.messages) around.stdout.write(transcript(message, paint));
  if (session.messages.length === 0) around.stdout.write("Nothing was said in it.\n");
  return 0;
}

/** One message, each block under the name of who speaks. */
export function transcript(message: Message, paint: Paint): string {
  return message.blocks
    .map((block) => {
      const { who, text } = spoken(message, block);
      return `\n${paint(message.role === "user" ? "green" : "cyan", printableLine(who))}\n${indent(printable(text))}\n`;
    })
    .join("");
}

function spoken(message: Message, block: Block): { who: string; text: string } {
  const author = message.origin
    ? `hook ${message.origin.hook} (${message.origin.hookEvent})`
    : message.role === "user"
      ? "you"
      : "model";
  switch (block.type) {
    case "text":
      return { who: author, text: block.content };
    case "reasoning":
      return { who: `${author}, thinking`, text: block.content };
    case "tool": {
      const input = block.input ? `\nran with: ${JSON.stringify(block.input)}` : "";
      const result = block.result === undefined ? "(no result)" : block.result;
      return {
        who: `${block.name} (${block.id})${block.success === false ? `, ${block.error ?? "failed"}` : ""}`,
        text: `${block.parameters}${input}\n${result}`,
      };
    }
    case "image":
      return { who: author, text: `(image, ${block.mediaType}${block.path ? `, ${block.path}` : ""})` };
    case "error":
      return { who: block.origin ? `error, hook ${block.origin.hook}` : "error", text: block.content };
    case "warn":
      return { who: block.origin ? `warning, hook ${block.origin.hook}` : "warning", text: block.content };
    case "hook": {
      const hook = block.metadata?.["hook"];
      return {
        who: `hook ${typeof hook === "string" ? hook : ""} (${block.hookEvent})`,
        text: block.content,
      };
    }
  }
}

const indent = (text: string) =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : `  ${line}`))
    .join("\n");
