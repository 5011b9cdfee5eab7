import type { ModelTarget } from "./call.ts";

/** The address of one operation. A base URL with a query (some gateways want one) keeps it, and one that names an operation loses that. */
export function operationUrl(baseUrl: URL, operation: string): URL {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|responses)$/, "");
  url.pathname = `${path}/${operation}`;
  return url;
}

/** The key as most servers take it. */
export function bearer({ apiKey }: ModelTarget): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}
