import type { ModelError } from "../errors.ts";
import type { ProtocolName } from "../utils/protocolNames.ts";
import type { Patience } from "./silence.ts";
import type { ApiMessage } from "../utils/convertMessagesForAPI.ts";
import type { ModelRequest, RetryNotice, ToolDescription } from "./request.ts";

/** Where the model is, and where each part of that was set, so that an error can name the right variable. */
export interface ModelTarget {
  protocol: ProtocolName;
  /** The id of the provider; "own server" for one that was named by its address. */
  provider: string;
  baseUrl: URL;
  /** The base URL for people: without user name and password. */
  address: string;
  /** Absent only where a key is not needed. */
  apiKey: string | undefined;
  /** "WAVE_API_KEY", "the apiKey option", … */
  keyFrom: string;
  /** What settings add to every request. */
  headers: Readonly<Record<string, string>>;
  /** As the server calls it. Absent: nobody named one, and the server has to be asked. */
  model: string | undefined;
  modelFrom: string;
  env: Record<string, string | undefined>;
}

/** A target whose model has a name. */
export type NamedTarget = ModelTarget & { model: string };

export interface ModelCall {
  target: NamedTarget;
  messages: ApiMessage[];
  tools: ToolDescription[];
  signal: AbortSignal | undefined;
  on: Pick<ModelRequest, "onText" | "onReasoning" | "onToolCall" | "onNotice">;
  /** What this server will not take; `askModel` adds to it. */
  quirks: Quirks;
  /** Images that this server refused; `askModel` adds to it. */
  refusedImages: RefusedImages;
  patience?: Patience;
}

/** Things learned about one model at one server. They outlive a call, so that they are learned once per session. */
export interface Quirks {
  get(quirk: Quirk): QuirkState | undefined;
  set(quirk: Quirk, state: QuirkState): void;
}

/** "tried": in the requests since, and not known yet to be of use. */
export type QuirkState = "tried" | "helps" | "no-help";

/** By their data URL. What is learned of one model at one server says nothing of another. */
export interface RefusedImages {
  has(url: string): boolean;
  add(url: string): void;
}

/** The name of an adaptation of the protocol, or one of these. */
export type Quirk =
  | (string & {})
  /** Its answers end without a word about how. Believed when it happens twice. */
  | "no-finish-reason"
  /** The person knows that something of other models is not sent to this one. */
  | "left-behind";

export type RetryAdvice =
  | { again: "no" }
  /** `afterMs`: what the server asked for, never more than Wave waits. `why`: the error without its advice, since Wave itself tries again. */
  // `restarts`: part of the answer has been told, and the next attempt tells it from the beginning.
  | { again: "later"; attempts: number; afterMs: number | undefined; why: string; restarts?: true }
  /** The request was changed to what the server takes; ask again without waiting. */
  | { again: "at-once" };

/** One try. A failure is a value, since most failures are not the end. */
export type Outcome<T> =
  | { end: "answered"; value: T }
  | { end: "failed"; error: ModelError; retry: RetryAdvice };

export interface ListedModel {
  name: string;
  /** In tokens, where the server says it. */
  contextSize: number | undefined;
  /** In US dollars for a million tokens, where Wave knows it. */
  price?: { input: number; output: number };
}

export type OnRetry = ((notice: RetryNotice) => void) | undefined;
