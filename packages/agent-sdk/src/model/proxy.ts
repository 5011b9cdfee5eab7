import { ModelError } from "../errors.ts";

type Env = Record<string, string | undefined>;

/** This machine itself: no proxy can reach it in our place, and a model server on it needs no key. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.toLowerCase();
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/** The variables Node's agent reads, from the ones people set. A proxy that cannot be used is said, not skipped. */
export function proxyEnvFor(url: URL, env: Env): Env {
  const variable = proxyVariable(url, env);
  if (variable === undefined) return {};
  const value = env[variable]?.trim() ?? "";
  const proxy = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(proxy) || !/^https?:/i.test(proxy)) {
    // The value stays out of the message: it may hold a password.
    throw new ModelError(
      "unreachable",
      `${variable} does not name an http:// or https:// proxy, and Wave speaks no other kind; correct it, or add ${url.hostname} to NO_PROXY.`,
      { canRetry: false },
    );
  }
  return { http_proxy: proxy, https_proxy: proxy, no_proxy: noProxy(env) };
}

/** Which variable sends this address through a proxy, if one does. */
export function proxyVariable(url: URL, env: Env): string | undefined {
  if (isLoopback(url) || isExcepted(url, env)) return undefined;
  const scheme = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  const names = [scheme, scheme.toUpperCase(), "all_proxy", "ALL_PROXY"];
  return names.find((name) => (env[name] ?? "").trim() !== "");
}

/** Names only; ranges of addresses in NO_PROXY are read by Node. */
function isExcepted(url: URL, env: Env): boolean {
  const hosts = [url.hostname.toLowerCase(), url.host.toLowerCase()];
  return noProxy(env)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      const name = entry.replace(/^\*?\./, "");
      return entry === "*" || hosts.some((host) => host === name || host.endsWith(`.${name}`));
    });
}

function noProxy(env: Env): string {
  return env["no_proxy"] ?? env["NO_PROXY"] ?? "";
}
