import type { IncomingHttpHeaders } from "node:http";

export interface ScriptedCall {
  name: string;
  /** An object, or text for arguments that are not valid JSON. */
  arguments: Record<string, unknown> | string;
  /** Default: made from the number of the request and of the call, and therefore unique. */
  id?: string;
  /** Chat Completions: further fields of the call, such as the signatures of some vendors. */
  extra?: Record<string, unknown>;
}

export interface ScriptedUsage {
  input: number;
  output: number;
  /** Of the input: read from the cache. */
  cached?: number;
  /** Of the input: written to the cache, where the wire says so. */
  written?: number;
}

/** The model speaks. Everything named is streamed in this order: think, say, call. */
export interface SpokenReply {
  think?: string;
  /** Chat Completions: the field in which the thoughts are sent. Default: "reasoning_content". Other wires seal them. */
  thinkAs?: "reasoning_content" | "reasoning";
  say?: string;
  call?: ScriptedCall;
  calls?: ScriptedCall[];
  /** Chat Completions: further fields of the message; in a stream they come in one piece, before the words. */
  extra?: Record<string, unknown>;
  /** Default: an estimate from the size of request and reply. */
  usage?: ScriptedUsage;
  /** In OpenAI's words on every wire. Default: "tool_calls" with calls, else "stop". */
  finish?: string;
  /** Characters per piece of text and of arguments. Default: text by words, arguments whole. */
  chunkSize?: number;
  /** Cuts the connection after this many pieces. */
  breakAfter?: number;
  /** Says everything, or with nothing to say does not even send headers, and then leaves the line open. */
  hang?: true;
  /** One JSON answer, as from a server that cannot stream. */
  plain?: true;
  /** Says nothing: sends a comment this often and leaves the line open, as servers do whose model never begins. */
  keepAliveMs?: number;
}

/** The server answers with an error, or with anything else that has a status. */
export interface StatusReply {
  status: number;
  headers?: Record<string, string>;
  /** When to ask again, said the way the vendor says it: in a header, or in the body. */
  waitSeconds?: number;
  /** What the vendor says, in its own shape of an error. Default: words that name the status. */
  message?: string;
  /** Instead of that, exactly this. An object is sent as JSON. */
  body?: Record<string, unknown> | string;
}

/** The body exactly as written. */
export interface RawReply {
  raw: string;
  /** Default: content-type text/event-stream. */
  headers?: Record<string, string>;
}

/** `delayMs`: wait this long before the first byte. */
export type ScriptedReply = (SpokenReply | StatusReply | RawReply) & { delayMs?: number };

export interface ScriptedRequest {
  /** Over which wire it came: "chat-completions", "anthropic-messages", … */
  wire: string;
  headers: IncomingHttpHeaders;
  /** The parsed body. Its fields are those of Chat Completions; on other wires `messages` may be empty, and the rest is theirs. */
  body: ScriptedRequestBody;
  /** The body as it came. */
  text: string;
  /** Size of the body. */
  bytes: number;
  /** What a picky provider would reject; see checkRequest. */
  problems: string[];
}

export interface ScriptedRequestBody {
  model?: string;
  messages: ScriptedMessage[];
  tools?: {
    type: string;
    function: { name: string; description: string; parameters: Record<string, unknown> };
  }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  [field: string]: unknown;
}

/** A message as it arrived; nothing about it is certain but that somebody sent it. */
export interface ScriptedMessage {
  role: string;
  content?: string | null | { type: string; text?: string; image_url?: { url: string } }[];
  tool_calls?: {
    id: string;
    type: string;
    function: { name: string; arguments: string };
    [field: string]: unknown;
  }[];
  tool_call_id?: string;
  [field: string]: unknown;
}

/** Replies in order, or a function of the request and its number, from 0. Undefined: the script is at its end. */
export type Scenario =
  | readonly ScriptedReply[]
  | ((request: ScriptedRequest, n: number) => ScriptedReply | undefined | Promise<ScriptedReply | undefined>);
