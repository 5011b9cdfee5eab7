import type { ToolCallWire } from "../messages/toolCall.ts";
import { asRecord, asText, parseJson, type JsonRecord } from "./json.ts";
import { VendorFields } from "./vendorFields.ts";

export interface AnswerOptions {
  /** Tool call ids of the conversation so far. A server that numbers each answer from 0 would repeat them. */
  takenIds: Iterable<string>;
  newId: () => string;
  /** Who gives what only it understands. */
  vendor: string;
  /** The name of a tool by its name on the wire. */
  toolName: (wire: string) => string;
}

interface Building {
  /** The server's own number for it, when it gave one. */
  wireIndex: number | undefined;
  wireId: string | undefined;
  name: string;
  arguments: string;
  vendor: VendorFields;
}

/**
 * Tool calls from their fragments. By the book each fragment carries the index of its call, and the first one also id and
 * name. Real servers leave out the index, the id, or both, or number every call 0; what is left still says which is meant.
 */
export class ToolCalls {
  readonly #calls: Building[] = [];
  readonly #taken: Set<string>;
  readonly #options: AnswerOptions;

  constructor(options: AnswerOptions) {
    this.#taken = new Set(options.takenIds);
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Grows with every part of a call that came. */
  get progress(): number {
    return this.#calls.reduce((sum, call) => sum + 1 + call.arguments.length, 0);
  }

  /** Gives the name of the call when this fragment is the one that brought it. */
  push(fragment: JsonRecord): string | undefined {
    const called = asRecord(fragment["function"]);
    const name = this.#options.toolName(asText(called?.["name"]) ?? "");
    const args = argumentText(called?.["arguments"]);
    const wireId = asText(fragment["id"]) || undefined;
    const wireIndex = typeof fragment["index"] === "number" ? fragment["index"] : undefined;

    let call = this.#find({ wireIndex, wireId, name, args });
    if (!call) {
      call = { wireIndex, wireId, name: "", arguments: "", vendor: new VendorFields("call") };
      this.#calls.push(call);
    }
    call.wireId ??= wireId;
    call.arguments += args;
    call.vendor.push(fragment);
    // Some servers repeat the name in every fragment.
    if (name === "" || call.name !== "") return undefined;
    call.name = name;
    return name;
  }

  /** Broken JSON in arguments stays as it came: the model is told about it in its own words. */
  all(): ToolCallWire[] {
    const taken = new Set(this.#taken);
    return this.#calls.map((call, index) => {
      const { newId, vendor } = this.#options;
      const id = call.wireId !== undefined && !taken.has(call.wireId) ? call.wireId : newId();
      taken.add(id);
      const fields = call.vendor.all;
      return {
        id,
        type: "function",
        index,
        function: { name: call.name, arguments: call.arguments },
        ...(fields && { vendorData: { from: vendor, fields } }),
      };
    });
  }

  #find(fragment: {
    wireIndex: number | undefined;
    wireId: string | undefined;
    name: string;
    args: string;
  }): Building | undefined {
    const { wireIndex, wireId, name, args } = fragment;
    const call =
      wireIndex === undefined
        ? this.#withoutIndex(wireId, name)
        : this.#calls.findLast((each) => each.wireIndex === wireIndex);
    if (!call || name === "" || call.name === "") return call;
    // A name again: the same call, unless its id is another one or its arguments were complete already.
    if (wireId !== undefined && call.wireId !== undefined) return wireId === call.wireId ? call : undefined;
    const complete = asRecord(parseJson(call.arguments)) !== undefined;
    const another = name !== call.name || (complete && args !== "");
    return another ? undefined : call;
  }

  #withoutIndex(wireId: string | undefined, name: string): Building | undefined {
    if (wireId === undefined) return this.#calls.at(-1);
    const known = this.#calls.find((each) => each.wireId === wireId);
    // An id nobody has seen, but no name either: a server that makes up a new id for every fragment.
    return known ?? (name === "" ? this.#calls.at(-1) : undefined);
  }
}

/** A few servers send the arguments as an object instead of its text. */
function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return asRecord(value) ? JSON.stringify(value) : "";
}
