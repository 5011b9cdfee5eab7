import { sha256 } from "../../utils/sha256.ts";
import type { ScriptedCall, SpokenReply } from "../scenario.ts";
import type { Json, Memory, Setting } from "./wire.ts";

/** A call as every wire needs it. */
export interface SpokenCall extends ScriptedCall {
  id: string;
  /** Its arguments as text, and the pieces in which it streams. */
  text: string;
  pieces: string[];
}

export function callsOf(reply: SpokenReply, { n }: Pick<Setting, "n">): SpokenCall[] {
  return scriptedCalls(reply).map((call, index) => {
    const text = argumentText(call);
    const size = reply.chunkSize;
    return {
      ...call,
      id: call.id ?? `call_${n}_${index}`,
      text,
      pieces: size === undefined ? [text] : pieces(text, size),
    };
  });
}

function scriptedCalls(reply: SpokenReply): ScriptedCall[] {
  return [...(reply.call ? [reply.call] : []), ...(reply.calls ?? [])];
}

export function saysSomething(reply: SpokenReply): boolean {
  return reply.think !== undefined || reply.say !== undefined || scriptedCalls(reply).length > 0;
}

function argumentText(call: ScriptedCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

/** By words, as a model streams, or by a number of characters, never through the middle of one. */
export function pieces(text: string, size: number | undefined): string[] {
  if (text === "") return [];
  if (size === undefined) return text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [];
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, index) =>
    letters.slice(index * size, (index + 1) * size).join(""),
  );
}

/** In OpenAI's words, which scenarios use on every wire. */
export function finishOf(reply: SpokenReply): string {
  return reply.finish ?? (scriptedCalls(reply).length > 0 ? "tool_calls" : "stop");
}

export function countsOf(
  reply: SpokenReply,
  setting: Setting,
): { input: number; output: number; cached: number | undefined; written: number | undefined } {
  const spoken = (reply.think ?? "") + (reply.say ?? "") + scriptedCalls(reply).map(argumentText).join("");
  const { input, output, cached, written } = reply.usage ?? {
    input: tokens(setting.requestBytes),
    output: tokens(spoken.length),
  };
  return { input, output, cached, written };
}

const tokens = (size: number) => Math.ceil(size / 4);

/** What only this server can make, and can check wherever it sees it again: the reasoning is part of it. */
export function sealOf(reply: SpokenReply, { n, model }: Pick<Setting, "n" | "model">): string {
  return `seal-${n}-${fingerprint(model, n, reply.think ?? "")}`;
}

const fingerprint = (model: string, n: number | string, thought: string) =>
  sha256(`${model} ${n} ${thought}`).slice(0, 24);

/** Whether a seal was made by this model for this reasoning. */
export function isSealOf(seal: unknown, thought: string, model: string): boolean {
  const [, n, print] = /^seal-(\d+)-(\w+)$/.exec(typeof seal === "string" ? seal : "") ?? [];
  return n !== undefined && print === fingerprint(model, n, thought);
}

/** Remembers whose calls came with which seal. */
export function remember(
  reply: SpokenReply,
  setting: Setting,
  memory: Memory,
  seal: string | undefined,
): void {
  if (reply.think === undefined || seal === undefined) return;
  for (const { id } of callsOf(reply, setting)) memory.sealed.set(id, { model: setting.model, seal });
}

/** The ids of calls that this model gave with reasoning, of which the seal is not among those that came back beside them. */
export function withoutTheirSeal(
  ids: readonly string[],
  seals: readonly unknown[],
  { model, memory }: { model: string; memory: Memory },
): string[] {
  return ids.filter((id) => {
    const given = memory.sealed.get(id);
    return given !== undefined && given.model === model && !seals.includes(given.seal);
  });
}

/** The model that a body names, when it has a list under this name. */
export function modelIn(body: Json | undefined, list: string): string | undefined {
  if (!Array.isArray(body?.[list])) return undefined;
  return typeof body["model"] === "string" ? body["model"] : "";
}

export function event(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
