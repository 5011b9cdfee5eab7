import type { Usage } from "../messages/blocks.ts";
import type { ApiMessage } from "../utils/convertMessagesForAPI.ts";
import type { Adaptation } from "./adaptations.ts";
import type { ListedModel, ModelTarget, NamedTarget } from "./call.ts";
import type { JsonRecord } from "./json.ts";
import type { ToolDescription } from "./request.ts";

/**
 * One wire: how a conversation becomes a request, and how what comes back becomes an answer. A new one is a file in protocols/ and a
 * line in protocols/index.ts; nothing else asks which one it is. All of it is pure: `askModel` does the talking.
 */
export interface Protocol<Body extends object = object> {
  /** In settings, and beside what a server wants to see again. */
  readonly name: string;
  /** Where an answer is asked for. */
  answerUrl(target: NamedTarget): URL;
  /** Where the models are listed. */
  modelsUrl(target: ModelTarget): URL;
  /** Who asks: the key, and the version of the protocol where it has one. */
  headers(target: ModelTarget): Record<string, string>;
  encode(request: NeutralRequest): Body;
  /** How a request changes after a refusal, in the order in which the changes are made. */
  readonly adaptations: readonly Adaptation<Body>[];
  /** One for each answer. */
  decoder(): AnswerDecoder;
  /** What an event, or a body in the place of an answer, says about a failure; undefined for what belongs to an answer. */
  errorIn(event: JsonRecord): JsonRecord | undefined;
  /** How long a refusal asks to wait, where its body says so. Headers are read for every protocol. */
  waitMs(body: string): number | undefined;
  /** The models in an answer from `modelsUrl`; undefined when it is no such answer. */
  listed(body: string): ListedModel[] | undefined;
}

export interface NeutralRequest {
  target: NamedTarget;
  /** The system prompt first. Vendor data in them is this server's own. */
  messages: readonly ApiMessage[];
  tools: readonly ToolDescription[];
}

/** From the events of one stream to pieces of one answer. */
export interface AnswerDecoder {
  push(event: JsonRecord): Delta[];
  /** The same from an answer in one piece; undefined when it is no answer. */
  whole(answer: JsonRecord): Delta[] | undefined;
  /** What the server wants to see again with this answer, once it is whole. */
  kept(): Kept | undefined;
}

/** By the names of the protocol. `textField`: the field in which the reasoning goes back as text. */
export interface Kept {
  fields?: JsonRecord;
  textField?: string;
}

/** A piece of an answer, whatever the wire. */
export type Delta =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  /** Of call number `call` of this answer: whatever this piece brought. The first id and name count; `arguments` are added up. */
  | {
      kind: "call";
      call: number;
      id?: string | undefined;
      name?: string | undefined;
      arguments?: string;
      /** All that the server wants to see again with this call, so far. */
      fields?: JsonRecord | undefined;
    }
  | { kind: "usage"; usage: Usage }
  /** The model ended the answer. In OpenAI's words: "stop", "length", "tool_calls", "content_filter", or a word of the server's. */
  | { kind: "finish"; reason: string };
