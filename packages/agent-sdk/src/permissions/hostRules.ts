import { quoted } from "../utils/quoted.ts";

/** `WebFetch(domain:example.com)`: what stands behind `domain:`. */
export interface HostPattern {
  host: string;
  /** `*.example.com`: every name below it, and not itself. */
  below: boolean;
}

/** The one tool whose rules may name hosts. */
export const HOST_RULE_TOOL = "WebFetch";

export function parseHostPattern(content: string): HostPattern | { problem: string } {
  const [, star = "", written = ""] =
    /^domain:(\*\.)?([^\s/:@*]+|\[[\da-f:.]+\])$/i.exec(content.trim()) ?? [];
  const url = `http://${written}/`;
  if (written === "" || !URL.canParse(url))
    return { problem: `${quoted(content)} names no host; write domain:example.com or domain:*.example.com` };
  return { host: hostOf(new URL(url)), below: star !== "" };
}

/** The rule that lets the tool reach one host. */
export const hostRule = (host: string): string =>
  `${HOST_RULE_TOOL}(domain:${host.includes(":") ? `[${host}]` : host})`;

/** As rules compare them: small letters, no dot at the end, no brackets around an address. */
export function hostOf({ hostname }: URL): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** For an allow rule: exactly what it names. */
export function surelyCoversHost({ host, below }: HostPattern, asked: string): boolean {
  return below ? isBelow(host, asked) : asked === host;
}

/** For a deny or ask rule: also the names below, which belong to whoever has the name. */
export function mightCoverHost({ host }: HostPattern, asked: string): boolean {
  return asked === host || isBelow(host, asked);
}

const isBelow = (host: string, asked: string) => asked.endsWith(`.${host}`);
