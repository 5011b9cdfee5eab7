import { StringDecoder } from "node:string_decoder";
import { type HttpAnswer, readText } from "./httpClient.ts";
import { asRecord, parseJson, type JsonRecord } from "./json.ts";
import { looksLikeHtml } from "./serverWords.ts";
import { SseReader } from "./sseReader.ts";
import type { StreamAnswer, StreamDelta } from "./streamAnswer.ts";

/** The connection is fine, what came over it is not an answer, or not a whole one. */
export class StreamFailure extends Error {
  /** What the server said instead, when it said something. */
  readonly said: { status: number | undefined; body: string } | undefined;
  /** The server took its leave as after a whole answer. Some do so without a word about how it ended. */
  readonly saidFarewell: boolean;

  constructor(message: string, options: Partial<Pick<StreamFailure, "said" | "saidFarewell">> = {}) {
    super(message);
    this.said = options.said;
    this.saidFarewell = options.saidFarewell ?? false;
  }
}

interface Watchers {
  onDelta: (delta: StreamDelta) => void;
  /** Something of the answer came. */
  onProgress: () => void;
  /** Something came that is no part of an answer. */
  onNothing: () => void;
}

/** Reads a stream of events, or a whole answer from a server that does not stream. Throws StreamFailure. */
export async function readAnswer(
  response: HttpAnswer,
  answer: StreamAnswer,
  watchers: Watchers,
): Promise<void> {
  const type = response.headers["content-type"] ?? "";
  const pieces = response.body[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) throw new StreamFailure("the answer was empty");
  const body: AsyncIterable<Buffer> = { [Symbol.asyncIterator]: () => startingWith(first.value, pieces) };
  if (isWhole(type, first.value)) {
    return readWhole(await readText({ ...response, body }), answer, watchers);
  }
  return readEvents(body, answer, watchers);
}

async function readEvents(
  body: AsyncIterable<Buffer>,
  answer: StreamAnswer,
  watchers: Watchers,
): Promise<void> {
  const decoder = new StringDecoder("utf8");
  const events = new SseReader();
  let came = 0;
  for await (const piece of body) {
    const before = answer.progress;
    for (const data of events.push(decoder.write(piece))) {
      if (data.trim() === "[DONE]") return ended(answer);
      readEvent(data, answer, watchers);
      came += 1;
    }
    if (answer.progress > before) watchers.onProgress();
    else watchers.onNothing();
  }
  for (const data of events.end()) {
    if (data.trim() === "[DONE]") return ended(answer);
    readEvent(data, answer, watchers);
  }
  if (answer.finished) return;
  if (events.other === "") throw new StreamFailure("the stream ended early");
  const said = { status: came === 0 ? 200 : undefined, body: events.other };
  throw new StreamFailure("the server said something else", { said });
}

/** A farewell without a word about how the answer ended: servers say it when they gave up in the middle of one. */
function ended(answer: StreamAnswer): void {
  if (answer.finished) return;
  throw new StreamFailure("the server ended it before the model did", { saidFarewell: true });
}

function readEvent(data: string, answer: StreamAnswer, watchers: Watchers): void {
  if (data.trim() === "") return;
  const chunk = asRecord(parseJson(data));
  if (!chunk)
    throw new StreamFailure("an event of the stream is not JSON", {
      said: { status: undefined, body: data },
    });
  throwIfError(chunk, answer);
  for (const delta of answer.push(chunk)) watchers.onDelta(delta);
}

function readWhole(text: string, answer: StreamAnswer, watchers: Watchers): void {
  const whole = asRecord(parseJson(text));
  if (whole) throwIfError(whole, answer);
  const deltas = whole && answer.pushWhole(whole);
  if (!deltas) throw new StreamFailure("the answer is not a model's", { said: { status: 200, body: text } });
  for (const delta of deltas) watchers.onDelta(delta);
}

function throwIfError(record: JsonRecord, answer: StreamAnswer): void {
  const error = answer.errorIn(record);
  if (!error) return;
  const code = (asRecord(error["error"]) ?? error)["code"];
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
  throw new StreamFailure("the server reported an error", { said: { status, body: JSON.stringify(error) } });
}

/** Not a stream, by its type or by its first bytes: no event begins like JSON, and some errors come with a stream's type. */
function isWhole(type: string, start: Buffer): boolean {
  if (/json|html/.test(type)) return true;
  const text = start.toString("utf8").trimStart();
  return text.startsWith("{") || looksLikeHtml(text);
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // Closes the connection when the reader stops early, as leaving the original loop would.
    await rest.return?.();
  }
}
