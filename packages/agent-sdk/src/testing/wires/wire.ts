import type { ScriptedRequestBody, SpokenReply } from "../scenario.ts";

export type Json = Record<string, unknown>;

/** What a reply is spoken in. */
export interface Setting {
  model: string;
  /** Number of the request, from 0. */
  n: number;
  requestBytes: number;
  body: Json;
}

/** What a server remembers of its own answers, to see whether it gets them back as they were. */
export interface Memory {
  /** By the id of a call: who gave it, and the seal of the reasoning that led to it. */
  readonly sealed: Map<string, { model: string; seal: string }>;
}

/** One protocol as its vendor's server speaks it. Written without a look at Wave's client, which reads it in tests. */
export interface ScriptedWire {
  name: string;
  /** The model that a request for an answer names; undefined when it is no such request. */
  asked(path: string, body: Json | undefined): string | undefined;
  /** What a strict server rejects, a sentence each. */
  problems(body: ScriptedRequestBody, asked: { model: string; memory: Memory }): string[];
  isStreamed(path: string, body: Json): boolean;
  /** The text of a stream, piece by piece: what opens it, each piece of thought, text and arguments, and what ends it. */
  stream(reply: SpokenReply, setting: Setting): Generator<string>;
  /** What seals the reasoning of a reply, and is wanted back with its calls; undefined where the wire has no such thing. */
  seal(reply: SpokenReply, setting: Setting): string | undefined;
  /** After the last piece, when everything went well. */
  farewell: string;
  whole(reply: SpokenReply, setting: Setting): Json;
  /** A failure in the vendor's shape. `waitSeconds`: when to ask again, where the body says it. */
  error(status: number, message: string, waitSeconds?: number): Json;
  /** Where models are listed, and how. */
  listPath: RegExp;
  list(names: readonly string[]): Json;
}
