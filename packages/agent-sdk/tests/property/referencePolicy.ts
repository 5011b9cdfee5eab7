/** What `onError` and `hookDefaults` of several files come to, written from the pages and not from the engine. */
export type OnError = "continue" | "ask" | "block";
export const KINDS = ["timeout", "crash", "missing", "invalid"] as const;
export type Kind = (typeof KINDS)[number];
/** One word, or a word for some kinds and one for the rest. */
export type Setting = OnError | { [K in Kind | "default"]?: OnError };
export type File = "managed" | "user" | "project" | "local" | "sdk";
/** The same hook may stand in several files. */
export interface Entry {
  in: File;
  onError: Setting | undefined;
}
export type Defaults = { [F in File]?: Setting };

const ORDER: OnError[] = ["continue", "ask", "block"];
export const strictest = (words: (OnError | undefined)[]): OnError =>
  ORDER.findLast((word) => words.includes(word)) ?? "continue";

const wordFor = (kind: Kind, setting: Setting | undefined): OnError | undefined =>
  typeof setting === "object" ? (setting[kind] ?? setting.default) : setting;

/** The word that holds for a hook of all these files when it fails in one of these ways. */
export function policyOf(entries: Entry[], defaults: Defaults, kinds: Kind[]): OnError {
  const words = kinds.flatMap((kind) => entries.map((entry) => wordOf(entry, defaults, kind)));
  return strictest(words);
}

function wordOf(entry: Entry, defaults: Defaults, kind: Kind): OnError {
  const own = wordFor(kind, entry.onError);
  if (own === undefined) return strictest(Object.values(defaults).map((one) => wordFor(kind, one)));
  const least: File[] = entry.in === "project" || entry.in === "local" ? ["managed", "user"] : ["managed"];
  return strictest([own, ...least.map((file) => wordFor(kind, defaults[file]))]);
}
