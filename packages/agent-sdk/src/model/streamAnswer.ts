import type { Usage } from "../messages/blocks.ts";
import type { JsonRecord } from "./json.ts";
import type { AnswerDecoder, Delta, Protocol } from "./protocol.ts";
import type { ModelAnswer, ToolCallWire } from "./request.ts";

/** What one piece of the stream added, for whoever watches. */
export type StreamDelta =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "tool-call"; name: string };

export interface AnswerOptions {
  protocol: Pick<Protocol, "decoder" | "errorIn">;
  /** Tool call ids of the conversation so far. A server that numbers each answer from 0 would repeat them. */
  takenIds: Iterable<string>;
  newId: () => string;
  /** Who gives what only it understands. */
  vendor: string;
  /** The name of a tool by its name on the wire. */
  toolName: (wire: string) => string;
}

interface BuiltCall {
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  fields: JsonRecord | undefined;
}

/** Builds one answer from the pieces of a stream, or from a whole answer. */
export class StreamAnswer {
  readonly #options: AnswerOptions;
  readonly #decoder: AnswerDecoder;
  #text = "";
  #reasoning = "";
  readonly #calls: BuiltCall[] = [];
  #usage: Usage | undefined;
  #finishReason: string | undefined;
  #progress = 0;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#decoder = options.protocol.decoder();
  }

  /** The model itself ended the answer: a connection that breaks after this broke nothing. */
  get finished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Nobody would miss it: no word, no call. */
  get isEmpty(): boolean {
    return this.#text.trim() === "" && this.#calls.length === 0;
  }

  /** Grows with everything that becomes part of the answer, and with nothing else. */
  get progress(): number {
    return this.#progress + (this.finished ? 1 : 0);
  }

  errorIn(event: JsonRecord): JsonRecord | undefined {
    return this.#options.protocol.errorIn(event);
  }

  push(event: JsonRecord): StreamDelta[] {
    return this.#decoder.push(event).flatMap((delta) => this.#add(delta));
  }

  /** Undefined when it is no answer. */
  pushWhole(answer: JsonRecord): StreamDelta[] | undefined {
    return this.#decoder.whole(answer)?.flatMap((delta) => this.#add(delta));
  }

  answer(): ModelAnswer {
    const calls = this.#toolCalls();
    const kept = this.#decoder.kept();
    return {
      ...(this.#text !== "" && { content: this.#text }),
      ...(this.#reasoning !== "" && { reasoning: this.#reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#finishReason !== undefined && { finish_reason: this.#finishReason }),
      ...(kept && { vendorData: { from: this.#options.vendor, ...kept } }),
    };
  }

  #add(delta: Delta): StreamDelta[] {
    switch (delta.kind) {
      case "text":
        this.#text += delta.text;
        this.#progress += 1;
        return [delta];
      case "reasoning":
        this.#reasoning += delta.text;
        this.#progress += 1;
        return [delta];
      case "call":
        return this.#addToCall(delta);
      case "usage":
        this.#usage = delta.usage;
        return [];
      case "finish":
        this.#finishReason = delta.reason;
        return [];
      default:
        return delta satisfies never;
    }
  }

  /** The name is told once, when it is there. */
  #addToCall(delta: Extract<Delta, { kind: "call" }>): StreamDelta[] {
    const { call: number, id, name, arguments: args = "", fields } = delta;
    const known = this.#calls[number];
    const call = known ?? { id: undefined, name: undefined, arguments: "", fields: undefined };
    this.#calls[number] = call;
    this.#progress += (known ? 0 : 1) + args.length;
    call.id ??= id;
    call.arguments += args;
    call.fields = fields ?? call.fields;
    if (name === undefined || call.name !== undefined) return [];
    call.name = this.#options.toolName(name);
    return [{ kind: "tool-call", name: call.name }];
  }

  /** Broken JSON in arguments stays as it came: the model is told about it in its own words. */
  #toolCalls(): ToolCallWire[] {
    const { takenIds, newId, vendor } = this.#options;
    const taken = new Set(takenIds);
    return this.#calls.map(({ id: given, name = "", arguments: args, fields }, index) => {
      const id = given !== undefined && !taken.has(given) ? given : newId();
      taken.add(id);
      return {
        id,
        type: "function",
        index,
        function: { name, arguments: args },
        ...(fields && { vendorData: { from: vendor, fields } }),
      };
    });
  }
}
