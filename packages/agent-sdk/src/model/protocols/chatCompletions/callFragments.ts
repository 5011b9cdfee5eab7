import { asRecord, asText, parseJson, type JsonRecord } from "../../json.ts";
import type { Delta } from "../../protocol.ts";
import { VendorFields } from "./vendorFields.ts";

interface Begun {
  /** The server's own number for it, when it gave one. */
  wireIndex: number | undefined;
  wireId: string | undefined;
  name: string;
  arguments: string;
  vendor: VendorFields;
}

/**
 * Which call a fragment belongs to. By the book each fragment carries the index of its call, and the first one also id and
 * name. Real servers leave out the index, the id, or both, or number every call 0; what is left still says which is meant.
 */
export class CallFragments {
  readonly #calls: Begun[] = [];

  push(fragment: JsonRecord): Delta {
    const called = asRecord(fragment["function"]);
    const name = asText(called?.["name"]) ?? "";
    const args = argumentText(called?.["arguments"]);
    const wireId = asText(fragment["id"]) || undefined;
    const wireIndex = typeof fragment["index"] === "number" ? fragment["index"] : undefined;

    let call = this.#find({ wireIndex, wireId, name, args });
    if (!call) {
      call = { wireIndex, wireId, name: "", arguments: "", vendor: new VendorFields("call") };
      this.#calls.push(call);
    }
    call.wireId ??= wireId;
    call.name ||= name;
    call.arguments += args;
    call.vendor.push(fragment);
    return {
      kind: "call",
      call: this.#calls.indexOf(call),
      id: wireId,
      name: name || undefined,
      arguments: args,
      fields: call.vendor.all,
    };
  }

  #find(fragment: {
    wireIndex: number | undefined;
    wireId: string | undefined;
    name: string;
    args: string;
  }): Begun | undefined {
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

  #withoutIndex(wireId: string | undefined, name: string): Begun | undefined {
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
