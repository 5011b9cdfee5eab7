import { randomUUID } from "node:crypto";
import { ModelError, type ModelErrorKind } from "../errors.ts";
import { adaptationNotice, adapted, believe, learnFrom } from "./adaptations.ts";
import { answerFailure, connectionFailure, type Failed } from "./answerFailure.ts";
import type { ListedModel, ModelCall, ModelTarget, Outcome } from "./call.ts";
import { type HttpAnswer, readText, sendHttp } from "./httpClient.ts";
import { type HttpFailure, readHttpFailure } from "./httpErrors.ts";
import { ConnectionFailure } from "./networkErrors.ts";
import type { Protocol } from "./protocol.ts";
import { readAnswer, StreamFailure } from "./readAnswer.ts";
import { imagesIn, imagesNotice, isAboutImages, withoutRefused } from "./refusedImages.ts";
import type { ModelAnswer } from "./request.ts";
import { readRetryAfter } from "./retry.ts";
import { PATIENCE, SilenceWatch, type Patience } from "./silence.ts";
import { StreamAnswer, type StreamDelta } from "./streamAnswer.ts";
import { vendorOf, withOwnData } from "./vendorData.ts";
import { wireName } from "./wireNames.ts";

/** An error page longer than this has said what it has to say. */
const ERROR_BODY_BYTES = 64 * 1024;

/** One try to get an answer. Rejects only with the signal's reason, or with what a callback threw. */
export async function askModel(protocol: Protocol, call: ModelCall): Promise<Outcome<ModelAnswer>> {
  const { target, patience = PATIENCE } = call;
  const silence: SilenceWatch = new SilenceWatch({
    patience,
    user: call.signal,
    onNotice: () => call.on.onNotice?.(waitingNotice(target, patience, silence)),
  });
  const body = requestBody(protocol, call);
  const building = new StreamAnswer({ protocol, takenIds: idsOf(call), newId, ...decoding(call) });
  let streamed = false;
  const watchers = {
    onDelta: (delta: StreamDelta): void => {
      streamed = true;
      tell(call, delta);
    },
    onProgress: () => silence.heard(),
    onNothing: () => silence.heardNothing(),
  };
  try {
    const response = await sendHttp({
      url: protocol.answerUrl(target),
      method: "POST",
      headers: {
        ...headersFor(protocol, target),
        accept: "text/event-stream",
        "content-type": "application/json",
      },
      body: bodyText(body),
      env: target.env,
      signal: silence.signal,
    });
    if (response.status !== 200) return await refused(response, { protocol, call, body });
    await readAnswer(response, building, watchers);
    throwIfFull(building);
    believe(protocol.adaptations, call.quirks);
    return { end: "answered", value: building.answer() };
  } catch (error) {
    call.signal?.throwIfAborted();
    if (isWholeAllTheSame(error, building, call)) return { end: "answered", value: building.answer() };
    const failed = answerFailure(error, { target, silence, patience, streamed });
    const said = !streamed && error instanceof StreamFailure ? error.said : undefined;
    return said ? withAnotherRequest(failed, said, { protocol, call, body }) : failed;
  } finally {
    silence.stop();
  }
}

/** What is sent: neutral messages without what this server cannot read or refused, over its wire, in the form that it takes. */
function requestBody(protocol: Protocol, call: ModelCall): object {
  const { target, tools } = call;
  const shown = withoutRefused(call.messages, call.refusedImages);
  const { messages, leftBehind } = withOwnData(shown, vendorOf(target));
  if (leftBehind > 0) sayLeftBehind(call, leftBehind);
  return adapted(protocol.encode({ target, messages, tools }), protocol.adaptations, call.quirks);
}

/** As text in which no server finds half a character, whatever a file, a tool or an older session had in it. */
export function bodyText(body: object): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}

/** Zhipu's way to say that the conversation is too long: an answer that ends for this reason before it begins. */
function throwIfFull(building: StreamAnswer): void {
  const { finish_reason: code } = building.answer();
  if (code !== "model_context_window_exceeded" || !building.isEmpty) return;
  const body = JSON.stringify({ error: { code, message: "the conversation fills the context window" } });
  throw new StreamFailure("the context is full", { said: { status: undefined, body } });
}

/** Short enough for every server: OpenAI takes 40 characters. */
const newId = () => `call_${randomUUID().replaceAll("-", "")}`;

/** Only the farewell is missing, or, from a server that never says it, how the answer ended. */
function isWholeAllTheSame(error: unknown, building: StreamAnswer, { quirks }: ModelCall): boolean {
  if (error instanceof ConnectionFailure) return building.finished;
  if (!(error instanceof StreamFailure) || !error.saidFarewell || building.isEmpty) return false;
  if (quirks.get("no-finish-reason") !== undefined) return true;
  quirks.set("no-finish-reason", "helps");
  return false;
}

function waitingNotice({ address }: ModelTarget, patience: Patience, { isAlive }: SilenceWatch): string {
  const [waited, limit] = [patience.noticeMs / 1000, patience.silenceMs / 1000];
  const alive = isAlive ? "; it keeps the connection open" : "";
  return `Waiting for the model server at ${address}: nothing for ${waited} s${alive}. Wave gives up after ${limit} s (modelTimeout).`;
}

/** The models the server has, asked once. */
export async function askForModels(
  protocol: Protocol,
  target: ModelTarget,
  signal: AbortSignal | undefined,
): Promise<Outcome<ListedModel[]>> {
  const silence = new SilenceWatch({ patience: PATIENCE, user: signal });
  try {
    const response = await sendHttp({
      url: protocol.modelsUrl(target),
      method: "GET",
      headers: { ...headersFor(protocol, target), accept: "application/json" },
      env: target.env,
      signal: silence.signal,
    });
    const body = await readText(response);
    const listed = protocol.listed(body);
    if (response.status === 200 && listed) return { end: "answered", value: listed };
    return {
      end: "failed",
      ...readHttpFailure(failureOf(protocol, response, body), { ...target, model: "" }),
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ConnectionFailure) return connectionFailure(error, target);
    if (error instanceof ModelError) return { end: "failed", error, retry: { again: "no" } };
    throw error;
  } finally {
    silence.stop();
  }
}

/** A request and everything that a refusal of it is read with. */
interface Asked {
  protocol: Protocol;
  call: ModelCall;
  body: object;
}

async function refused(response: HttpAnswer, asked: Asked): Promise<Outcome<ModelAnswer>> {
  const failure = failureOf(asked.protocol, response, await readText(response, ERROR_BODY_BYTES));
  return withAnotherRequest(
    { end: "failed", ...readHttpFailure(failure, asked.call.target) },
    failure,
    asked,
  );
}

type Said = { status: number | undefined; body: string };

/** Failures that are about what was asked, and not about who asks, how often or how much. */
const ABOUT_THE_REQUEST: ReadonlySet<ModelErrorKind> = new Set(["bad-request", "server", "unknown-model"]);

/** A refusal that is about the form of the request: it is tried in a form that the server may take. */
function withAnotherRequest(failed: Failed, said: Said, { protocol, call, body }: Asked): Failed {
  if (!ABOUT_THE_REQUEST.has(failed.error.kind)) return failed;
  const adaptation = learnFrom(said.body, body, protocol.adaptations, call.quirks);
  if (!adaptation) return withoutImages(failed, said, call);
  call.on.onNotice?.(adaptationNotice(adaptation, said, call.target));
  return { ...failed, retry: { again: "at-once" } };
}

/** A refusal that is about images: they are left out from now on, and the request is tried without them. */
function withoutImages(failed: Failed, said: Said, call: ModelCall): Failed {
  const images = imagesIn(call.messages, call.refusedImages);
  if (images.length === 0 || !isAboutImages(said)) return failed;
  for (const url of images) call.refusedImages.add(url);
  call.on.onNotice?.(imagesNotice(images.length, said, call.target));
  return { ...failed, retry: { again: "at-once" } };
}

function failureOf(protocol: Protocol, response: HttpAnswer, body: string): HttpFailure {
  return {
    status: response.status,
    body,
    location: response.headers.location,
    retryAfterMs: readRetryAfter(response.headers, Date.now()) ?? protocol.waitMs(body),
    useless: response.headers["x-should-retry"] === "false",
  };
}

function headersFor(protocol: Protocol, target: ModelTarget): Record<string, string> {
  return { "user-agent": "wave", ...protocol.headers(target), ...target.headers };
}

function idsOf(call: ModelCall): string[] {
  return call.messages.flatMap((message) =>
    message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  );
}

/** Once for a model: it reads the conversation, and nothing of what others would have wanted back. */
function sayLeftBehind({ quirks, on, target }: ModelCall, answers: number): void {
  if (quirks.get("left-behind") !== undefined) return;
  quirks.set("left-behind", "helps");
  const which = answers === 1 ? "1 earlier answer" : `${answers} earlier answers`;
  on.onNotice?.(
    `"${target.model}" gets the whole conversation, but not what another model attached to ${which} for itself, such as reasoning.`,
  );
}

/** The way back from names and fields of the wire. */
function decoding({ target, tools }: ModelCall): { vendor: string; toolName: (wire: string) => string } {
  const names = new Map(tools.map(({ name }) => [wireName(name), name]));
  return { vendor: vendorOf(target), toolName: (wire) => names.get(wire) ?? wire };
}

function tell({ on }: ModelCall, delta: StreamDelta): void {
  switch (delta.kind) {
    case "text":
      return on.onText?.(delta.text);
    case "reasoning":
      return on.onReasoning?.(delta.text);
    case "tool-call":
      return on.onToolCall?.(delta.name);
    default:
      return delta satisfies never;
  }
}
