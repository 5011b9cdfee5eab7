import type { Effect } from "../hooks/effects.ts";
import type { Touched } from "../permissions/touched.ts";
import { shortened } from "../utils/quoted.ts";

export interface PreviousDenial {
  path: string;
  tool_name: string;
  tool_use_id: string;
  by: string;
  reason: string;
}

/** Remembers for one turn which files calls were denied for, so that a second way to the same file is seen as one (T87). */
export class DeniedPaths {
  /** By the signal of the turn: with the turn its memory goes. */
  readonly #turns = new WeakMap<AbortSignal, PreviousDenial[]>();

  note(turn: AbortSignal, denial: Omit<PreviousDenial, "path">, touched: readonly Touched[]): void {
    const denials = this.#turns.get(turn) ?? [];
    for (const path of pathsOf(touched))
      denials.push({ path, ...denial, reason: shortened(denial.reason, 500) });
    this.#turns.set(turn, denials.slice(-MOST));
  }

  /** For the transcript: this call is a second way to something that was denied. */
  warnings(turn: AbortSignal, toolName: string, touched: readonly Touched[]): Effect[] {
    const [first] = this.about(turn, touched);
    if (!first) return [];
    const text = `${toolName} touches ${first.path}, for which ${first.tool_name} was denied earlier in this turn: ${first.by}`;
    const origin = { hookEvent: "PreToolUse", hook: "wave", source: "denials of this turn" };
    return [{ do: "tell-user", as: "warning", text, origin }];
  }

  about(turn: AbortSignal, touched: readonly Touched[]): PreviousDenial[] {
    const paths = pathsOf(touched);
    return (this.#turns.get(turn) ?? []).filter(({ path }) => paths.has(path));
  }
}

const MOST = 200;

function pathsOf(touched: readonly Touched[]): Set<string> {
  return new Set(touched.flatMap(({ names, spellings }) => (names.length === 0 ? spellings : [])));
}
