import type { ApiMessage, ApiToolCall } from "../utils/convertMessagesForAPI.ts";
import { asRecord, asText, type JsonRecord } from "./json.ts";
import type { Kept } from "./protocol.ts";

type Kind = "reasoning" | "text" | "call";

/** A piece of an answer as it lay on the wire: its text is with the message, `fields` are what the server wants to see again with it. */
interface LaidPiece {
  is: Kind;
  /** Characters of the reasoning, or of the text. */
  length?: number;
  fields?: JsonRecord;
}

/** The same with its text, or its call, in it. */
export type Piece =
  | { is: "reasoning" | "text"; text: string; fields: JsonRecord }
  | { is: "call"; call: ApiToolCall };

/**
 * The order of an answer's pieces, with what belongs to each of them. A message of Wave's has the reasoning, then the text, then the
 * calls; servers that sign their reasoning take it back only where it stood.
 */
export class Layout {
  readonly #pieces: LaidPiece[] = [];

  /** Gives the number of the piece. */
  begin(is: Kind, fields?: JsonRecord): number {
    return this.#pieces.push({ is, ...(is !== "call" && { length: 0 }), ...(fields && { fields }) }) - 1;
  }

  /** The kind of piece that is growing. */
  get last(): Kind | undefined {
    return this.#pieces.at(-1)?.is;
  }

  /** More text of the last piece. */
  grow(text: string): void {
    const piece = this.#pieces.at(-1);
    if (piece) piece.length = (piece.length ?? 0) + text.length;
  }

  /** More of what goes back with the last piece, or with piece `at`. */
  keep(fields: JsonRecord, at = this.#pieces.length - 1): void {
    const piece = this.#pieces[at];
    if (piece) piece.fields = { ...piece.fields, ...fields };
  }

  hasText(of: Kind): boolean {
    return this.#pieces.some(({ is, length = 0 }) => is === of && length > 0);
  }

  /** Undefined when no piece has anything that would have to go back: then any order will do. */
  kept(): Kept | undefined {
    if (this.#pieces.every(({ fields }) => fields === undefined)) return undefined;
    return { fields: { layout: this.#pieces }, textField: "reasoning" };
  }
}

type Answer = Extract<ApiMessage, { role: "assistant" }>;

/** An answer of this server as it lay on the wire; any other as text and calls. */
export function piecesOf(answer: Answer): Piece[] {
  return laidOut(answer) ?? plain(answer);
}

function plain({ content, tool_calls: calls = [] }: Answer): Piece[] {
  return [
    ...(content === null ? [] : [{ is: "text" as const, text: content, fields: {} }]),
    ...calls.map((call) => ({ is: "call" as const, call })),
  ];
}

/** Undefined where the layout does not fit the message: somebody changed it, and signatures would not fit either. */
function laidOut({ content, tool_calls: calls = [], vendorData }: Answer): Piece[] | undefined {
  const layout = readLayout(vendorData?.fields["layout"]);
  const reasoning = asText(vendorData?.fields["reasoning"]) ?? "";
  // Text of blanks alone is not part of a message.
  const said = layout?.filter(({ is }) => is !== "text" || content !== null);
  const fits =
    said && sizeOf(said, "reasoning") === reasoning.length && sizeOf(said, "text") === (content ?? "").length;
  if (!fits || sizeOf(said, "call") !== calls.length) return undefined;
  const at = { reasoning: 0, text: 0, call: 0 };
  return said.flatMap(({ is, length = 0, fields = {} }): Piece[] => {
    const from = at[is];
    at[is] += is === "call" ? 1 : length;
    if (is !== "call")
      return [{ is, text: (is === "text" ? (content ?? "") : reasoning).slice(from, at[is]), fields }];
    const call = calls[from];
    return call ? [{ is, call }] : [];
  });
}

/** Characters, or calls. */
function sizeOf(layout: readonly LaidPiece[], of: Kind): number {
  return layout
    .filter(({ is }) => is === of)
    .reduce((sum, { is, length = 0 }) => sum + (is === "call" ? 1 : length), 0);
}

/** From a session file: what it says is only believed where it has this shape. */
function readLayout(value: unknown): LaidPiece[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const pieces = value.map((entry): LaidPiece | undefined => {
    const { is, length, fields } = asRecord(entry) ?? {};
    if (is !== "reasoning" && is !== "text" && is !== "call") return undefined;
    const own = asRecord(fields);
    return { is, ...(typeof length === "number" && { length }), ...(own && { fields: own }) };
  });
  return pieces.every((piece) => piece !== undefined) ? pieces : undefined;
}
