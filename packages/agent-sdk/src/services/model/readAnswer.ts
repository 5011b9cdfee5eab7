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

  constructor(message: string, said?: StreamFailure["said"]) {
    super(message);
    this.said = said;
  }
}

interface Watchers {
  onDelta: (delta: StreamDelta) => void;
  /** Something came, and its deltas have been told. */
  onBytes: () => void;
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
  for await (const piece of body) {
    for (const data of events.push(decoder.write(piece))) {
      if (data.trim() === "[DONE]") return;
      readEvent(data, answer, watchers);
    }
    watchers.onBytes();
  }
  for (const data of events.end()) {
    if (data.trim() === "[DONE]") return;
    readEvent(data, answer, watchers);
  }
  if (!answer.finished) throw new StreamFailure("the stream ended early");
}

function readEvent(data: string, answer: StreamAnswer, watchers: Watchers): void {
  if (data.trim() === "") return;
  const chunk = asRecord(parseJson(data));
  if (!chunk) throw new StreamFailure("an event of the stream is not JSON");
  if (chunk["error"]) throw failureIn(chunk, "the server reported an error");
  for (const delta of answer.push(chunk)) watchers.onDelta(delta);
}

function readWhole(text: string, answer: StreamAnswer, watchers: Watchers): void {
  const whole = asRecord(parseJson(text));
  if (whole?.["error"]) throw failureIn(whole, "the server reported an error");
  if (!whole || !Array.isArray(whole["choices"])) {
    throw new StreamFailure("the answer is not a chat completion", { status: 200, body: text });
  }
  for (const delta of answer.push(whole)) watchers.onDelta(delta);
}

function failureIn(record: JsonRecord, message: string): StreamFailure {
  const code = asRecord(record["error"])?.["code"];
  const status = typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
  return new StreamFailure(message, { status, body: JSON.stringify(record) });
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
