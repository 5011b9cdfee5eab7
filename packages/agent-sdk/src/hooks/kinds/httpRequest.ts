import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { hookVariables } from "../../utils/environment.ts";
import { isOfProject } from "../definition.ts";
import type { FailureWay } from "../failures.ts";
import type { HookExecutionResult } from "../result.ts";
import { didNotRun, type HookCall } from "./call.ts";
import type { HookRunner } from "./kind.ts";
import { isPrivateAddress, PrivateAddress, publicLookup } from "../../workspace/privateAddress.ts";

/** An answer that is longer was meant for something else. */
const MOST_BYTES = 1024 * 1024;

export interface HttpTarget {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Posts the input of each event to a server. Connections stay open between two events. */
export function openHttp(target: HttpTarget): HookRunner {
  const isSecure = target.url.startsWith("https:");
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true });
  return {
    run: async (call) => {
      const startedAt = performance.now();
      const result = await post(call, target, agent);
      return { ...result, duration: performance.now() - startedAt };
    },
    close: () => agent.destroy(),
  };
}

async function post(
  call: HookCall,
  { url, headers }: HttpTarget,
  agent: HttpAgent | HttpsAgent,
): Promise<HookExecutionResult> {
  const filled = fillIn(headers, variablesFor(call));
  if ("missing" in filled)
    return didNotRun("not-reached", `was not asked: the variable ${filled.missing} is not set`);
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isGuarded = isOfProject(call.hook.source.scope);
  if (isGuarded && isIP(host) !== 0 && isPrivateAddress(host))
    return notReached(new PrivateAddress(host, host));
  const limit = AbortSignal.timeout(Math.min(call.timeoutMs, 2 ** 31 - 1));
  const signals = [limit, ...(call.context.signal ? [call.context.signal] : [])];
  try {
    const body = Buffer.from(call.line);
    const { status, text } = await exchange(url, body, {
      agent,
      signal: AbortSignal.any(signals),
      headers: { ...filled.headers, "content-type": "application/json", "content-length": body.length },
      ...(isGuarded && { lookup: publicLookup }),
    });
    if (status >= 200 && status < 300)
      return { success: true, exitCode: 0, stdout: text, stderr: "", duration: 0, timedOut: false };
    const where = status >= 300 && status < 400 ? " (Wave follows no redirects)" : "";
    return failed("bad-answer", `answered with status ${status}${where}`);
  } catch (error) {
    if (call.context.signal?.aborted) return { success: false, duration: 0, timedOut: false, aborted: true };
    if (limit.aborted) return { success: false, duration: 0, timedOut: true };
    return error instanceof TooLong ? failed("broken-output", error.message) : notReached(error);
  }
}

class TooLong extends Error {
  constructor() {
    super(`answered with more than ${MOST_BYTES} bytes`);
  }
}

function exchange(
  url: string,
  body: Buffer,
  options: Parameters<typeof requestHttp>[1],
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const start = url.startsWith("https:") ? requestHttps : requestHttp;
  const request = start(url, { ...options, method: "POST" }, (answer: IncomingMessage) => {
    const parts: Buffer[] = [];
    let length = 0;
    answer.on("data", (part: Buffer) => {
      length += part.length;
      if (length > MOST_BYTES) answer.destroy(new TooLong());
      else parts.push(part);
    });
    answer.on("error", reject);
    answer.on("end", () =>
      answer.complete
        ? resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") })
        : reject(new Error("the answer ended in the middle")),
    );
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

/** Never the key of the model: `withheld` is not looked at. */
function variablesFor({ hook, context }: HookCall): Record<string, string> {
  const reach = { ofProject: isOfProject(hook.source.scope), passEnv: hook.passEnv };
  const variables = hookVariables({ env: context.env, withheld: {} }, reach, context.setBySettings ?? []);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => hook.passEnv.includes(name)));
}

export const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

function fillIn(
  headers: HttpTarget["headers"],
  variables: Readonly<Record<string, string>>,
): { headers: Record<string, string> } | { missing: string } {
  const names = Object.values(headers).flatMap((text) => [...text.matchAll(VARIABLE)].map(nameIn));
  const missing = names.find((name) => variables[name] === undefined);
  if (missing !== undefined) return { missing };
  const filled = Object.entries(headers).map(([name, text]) => [
    name,
    text.replaceAll(
      VARIABLE,
      (_all, braced?: string, plain?: string) => variables[braced ?? plain ?? ""] ?? "",
    ),
  ]);
  return { headers: Object.fromEntries(filled) };
}

export const nameIn = ([, braced, plain]: RegExpMatchArray): string => braced ?? plain ?? "";

const failed = (way: FailureWay, message: string): HookExecutionResult => didNotRun(way, message);

function notReached(error: unknown): HookExecutionResult {
  const why = error instanceof Error ? error.message || error.name : String(error);
  return didNotRun("not-reached", `was not reached: ${why}`);
}
