import { z } from "zod";
import { once } from "../../utils/once.ts";
import { quoted } from "../../utils/quoted.ts";
import { hookFields, namesSchema, says } from "../../workspace/settings/fieldSchemas.ts";
import { fieldOf, plainValue, type SettingsObject } from "../../workspace/settings/node.ts";
import { whyWrong } from "../../workspace/settings/problem.ts";
import { nameIn, openHttp, VARIABLE, type HttpTarget } from "./httpRequest.ts";
import type { EntryPlace, HookKind, ReadEntry } from "./kind.ts";

const HEADERS = says('must be an object of names and texts, such as {"Authorization": "Bearer $TOKEN"}');

export const httpHookSchema = once(() =>
  z.strictObject({
    type: z.literal("http").describe("What kind of hook."),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an address such as "https://guard.example/hooks"' })
      .describe("Where the input is posted to. The answer is read as what a command prints."),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, HEADERS),
        z.string(HEADERS).regex(/^[^\r\n\0]*$/, HEADERS),
        HEADERS,
      )
      .optional()
      .describe("More headers of the request. $NAME and ${NAME} in them are filled in for allowedEnvVars."),
    allowedEnvVars: namesSchema()
      .optional()
      .describe("Variables that may stand in headers. Never those that hold the key of the model."),
    ...hookFields(),
  }),
);

interface HttpEntry extends HttpTarget {
  variables: readonly string[];
}

/** A server that judges. In a project's file it must not be one of this machine or its network. */
export const HTTP: HookKind<HttpEntry> = {
  type: "http",
  writtenBy: "anybody",
  schema: httpHookSchema,
  read,
  identity: ({ url, headers, variables }) => [
    "http",
    url,
    Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    variables.toSorted(),
  ],
  describe: ({ url, headers }) => ({
    name: url,
    shown: `POST ${url}`,
    notes: Object.entries(headers).map(([name, text]) => `sends ${name}: ${text}`),
  }),
  commandLine: () => ({}),
  neverRuns: () => undefined,
  open: openHttp,
};

function read(entry: SettingsObject, { limits = {} }: EntryPlace): ReadEntry<HttpEntry> {
  const { url, headers, allowedEnvVars } = httpHookSchema().shape;
  const at = fieldOf(entry, "url");
  if (at === undefined) return { problem: 'this hook has no "url", so there is nobody to ask' };
  const target = url.safeParse(plainValue(at));
  if (!target.success) return { problem: whyWrong("url", target.error, at) };
  if (limits.isUrlAllowed?.(target.data) === false)
    return { unsupported: `${target.data} is not on the list allowedHttpHookUrls of the settings` };
  const named = fieldOf(entry, "allowedEnvVars");
  const variables = allowedEnvVars.safeParse(named && plainValue(named));
  if (!variables.success && named) return { problem: whyWrong("allowedEnvVars", variables.error, named) };
  const allowed = variables.data ?? [];
  const refused = allowed.find((name) => limits.isVariableAllowed?.(name) === false);
  if (refused !== undefined)
    return { unsupported: `${quoted(refused)} is not on the list httpHookAllowedEnvVars of the settings` };
  const more = fieldOf(entry, "headers");
  const sent = headers.safeParse(more && plainValue(more));
  if (!sent.success && more) return { problem: whyWrong("headers", sent.error, more) };
  const unknown = Object.values(sent.data ?? {})
    .flatMap((text) => [...text.matchAll(VARIABLE)].map(nameIn))
    .find((name) => !allowed.includes(name));
  // Without it the server would not know who asks, and answer something else.
  if (unknown !== undefined)
    return {
      problem: `${quoted(unknown)} stands in headers and not in allowedEnvVars, so it is not filled in`,
    };
  return { own: { url: target.data, headers: sent.data ?? {}, variables: allowed } };
}
