import type { Effect } from "../hooks/effects.ts";
import { isInside } from "../permissions/paths.ts";
import type { Touched } from "../permissions/touched.ts";
import { realPath } from "../workspace/files/fileFacts.ts";
import type { ToolPlace } from "../tools/tool.ts";
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
  readonly #place: Pick<ToolPlace, "projectDir" | "cwd">;

  constructor(place: Pick<ToolPlace, "projectDir" | "cwd">) {
    this.#place = place;
  }

  note(turn: AbortSignal, denial: Omit<PreviousDenial, "path">, touched: readonly Touched[]): void {
    const denials = this.#turns.get(turn) ?? [];
    for (const path of this.#telling(touched).flatMap(pathsOf))
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
    const denials = this.#turns.get(turn) ?? [];
    if (denials.length === 0) return [];
    const telling = this.#telling(touched);
    const paths = new Set(telling.flatMap(pathsOf));
    const trees = telling.filter(changesTree).flatMap(pathsOf);
    return denials.filter(({ path }) => paths.has(path) || trees.some((tree) => isInside(tree, path)));
  }

  /** Nearly every search and every git command reads the folder all work is done in: that is no way to a file of it. */
  #telling(touched: readonly Touched[]): readonly Touched[] {
    const { projectDir, cwd } = this.#place;
    const own = [...new Set([projectDir, cwd])].flatMap((folder) => [folder, realPath(folder)]);
    const holdsAll = ({ spellings }: Touched) =>
      spellings.some((path) => own.some((folder) => isInside(path, folder)));
    return touched.filter((one) => one.access !== "read" || !holdsAll(one));
  }
}

const MOST = 200;

const pathsOf = ({ names, spellings }: Touched) => (names.length === 0 ? spellings : []);

/** It is changed with all that lies in it. What an archive or another state of git brings is not known. */
const changesTree = ({ access, below, through }: Touched) =>
  access === "write" && below && through === undefined;
