import { useEffect, useState } from "react";
import type { SessionHit } from "wave-agent-sdk";

export type TextHits =
  | { is: "searching" | "done"; found: readonly SessionHit[] }
  | { is: "failed"; why: string; found: readonly SessionHit[] };

/** Every letter would begin a search through all sessions: it waits for a moment without one. */
const PAUSE_MS = 150;
const NONE: TextHits = { is: "searching", found: [] };

/** What a search through texts has found so far. A new text stops the search before it. */
export function useTextSearch(
  search: (text: string, signal: AbortSignal) => AsyncIterable<SessionHit>,
  text: string | undefined,
): (wanted: string | undefined) => TextHits {
  const [hits, setHits] = useState<TextHits & { for: string | undefined }>({ ...NONE, for: undefined });
  useEffect(() => {
    if (text === undefined || text === "") return;
    const stop = new AbortController();
    const failed = (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (!stop.signal.aborted) setHits({ is: "failed", why, found: [], for: text });
    };
    const timer = setTimeout(() => void follow(text, stop.signal).catch(failed), PAUSE_MS);
    async function follow(wanted: string, signal: AbortSignal) {
      const found: SessionHit[] = [];
      for await (const hit of search(wanted, signal)) {
        if (signal.aborted) return;
        found.push(hit);
        setHits({ is: "searching", found: [...found], for: wanted });
      }
      if (!signal.aborted) setHits({ is: "done", found, for: wanted });
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, search]);
  // Keys can come faster than a search: only what was found for this very text counts.
  return (wanted) => (wanted !== undefined && wanted === hits.for ? hits : NONE);
}
