import { isIP } from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { sendHttp, type HttpAnswer } from "../../model/httpClient.ts";
import { ConnectionFailure } from "../../model/networkErrors.ts";
import { proxyVariable } from "../../model/proxy.ts";
import { hostOf, hostRule } from "../../permissions/hostRules.ts";
import { isPrivateAddress, PrivateAddress, publicLookup } from "../../workspace/privateAddress.ts";

export interface FetchOptions {
  env: Record<string, string>;
  signal: AbortSignal;
  /** A rule names the host: it may be on this machine or its network. */
  mayBePrivate: boolean;
}

export type FetchedPage =
  | { is: "page"; url: URL; status: number; type: string; body: Buffer; cut: boolean }
  /** Another host has to be judged first. */
  | { is: "elsewhere"; url: URL; to: URL }
  | { is: "failed"; why: string };

export const MOST_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const LONGEST_MS = 30_000;

/** Gets a page. Redirects are followed on the same host only, and every connection is checked where it is made. */
export async function fetchPage(from: URL, options: FetchOptions): Promise<FetchedPage> {
  const limit = AbortSignal.timeout(LONGEST_MS);
  const signal = AbortSignal.any([options.signal, limit]);
  let url = from;
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await get(url, { ...options, signal });
      const to = redirectOf(answer, url);
      if (to === undefined) return await readPage(url, answer);
      await close(answer);
      if (!/^https?:$/.test(to.protocol)) return failed(`${url.href} leads to ${to.href}, which is no page`);
      if (hostOf(to) !== hostOf(url)) return { is: "elsewhere", url, to };
      // From a secure page to one that anybody on the way can read and change.
      if (url.protocol === "https:" && to.protocol === "http:")
        return failed(`${url.href} leads to ${to.href}, which is not secure; fetch that address to go on`);
      url = to;
    }
    return failed(`${from.href} leads to another address more than ${MOST_REDIRECTS} times`);
  } catch (error) {
    if (options.signal.aborted) throw error;
    if (limit.aborted) return failed(`${url.host} took longer than ${LONGEST_MS / 1_000} seconds`);
    return failed(whyNotReached(url, error));
  }
}

/** Why an address is not asked at all, as far as its text tells. */
export function whyPrivate(url: URL): string | undefined {
  const host = hostOf(url);
  const isLocalName = host === "localhost" || host.endsWith(".localhost");
  const isPrivate = isLocalName || (isIP(host) !== 0 && isPrivateAddress(host));
  return isPrivate
    ? privateSentence(host, `${host} is an address of this machine or its network`)
    : undefined;
}

const privateSentence = (host: string, why: string) =>
  `${why}; WebFetch asks those only when an allow rule names the host: ${hostRule(host)}. Nothing was fetched.`;

function get(url: URL, { env, signal, mayBePrivate }: FetchOptions): Promise<HttpAnswer> {
  const host = hostOf(url);
  if (!mayBePrivate && whyPrivate(url) !== undefined) throw new PrivateAddress(host, host);
  // A proxy looks the name up, and connects in our place.
  const isChecked = !mayBePrivate && proxyVariable(url, env) === undefined;
  return sendHttp({
    url,
    method: "GET",
    headers: {
      accept: "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1",
      "accept-encoding": "identity",
      "user-agent": "wave (WebFetch)",
    },
    env,
    signal,
    ...(isChecked && { lookup: publicLookup }),
  });
}

function redirectOf({ status, headers }: HttpAnswer, from: URL): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
}

async function readPage(url: URL, answer: HttpAnswer): Promise<FetchedPage> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    pieces.push(piece);
    size += piece.length;
    if (size > MOST_BYTES) break;
  }
  const raw = Buffer.concat(pieces);
  const packed = String(answer.headers["content-encoding"] ?? "identity").toLowerCase();
  const body = packed === "identity" ? raw : unpack(packed, raw);
  if (body === undefined)
    return failed(`${url.href} answered packed as ${packed}, which is broken or larger than 2 MB`);
  const type = String(answer.headers["content-type"] ?? "");
  return {
    is: "page",
    url,
    status: answer.status,
    type,
    body: body.subarray(0, MOST_BYTES),
    cut: size > MOST_BYTES,
  };
}

/** Some servers pack whatever they are asked for. */
function unpack(packed: string, body: Buffer): Buffer | undefined {
  const unpackers = {
    gzip: gunzipSync,
    "x-gzip": gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  };
  const unpacker = Object.entries(unpackers).find(([name]) => name === packed)?.[1];
  try {
    return unpacker?.(body, { maxOutputLength: MOST_BYTES });
  } catch {
    return undefined;
  }
}

async function close(answer: HttpAnswer): Promise<void> {
  for await (const _ of answer.body) break;
}

function whyNotReached(url: URL, error: unknown): string {
  const cause = error instanceof ConnectionFailure ? error.cause : error;
  if (cause instanceof PrivateAddress) return privateSentence(hostOf(url), cause.message);
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  return `${url.host} was not reached: ${why}`;
}

const failed = (why: string): FetchedPage => ({ is: "failed", why });
