import type { RuleInForce } from "../permissions/matchRules.ts";
import { knownStart } from "../permissions/pathRules.ts";
import type { RuleContext } from "../permissions/rules.ts";
import { isPartly, type Touched } from "../permissions/touched.ts";
import { filesBelow, statOf } from "../services/fileFacts.ts";
import { once } from "../utils/once.ts";
import type { CallView } from "./callView.ts";

/** A folder with more files is not searched to its end. */
const MOST_FILES = 2_000;

/** The names of a file that deny and ask rules about reading speak of, when it has several names. */
export type OtherNames = (path: string) => readonly string[];

/**
 * A hard link is a second name of one file, and no path tells: the files that rules about reading speak of are looked up, so that
 * the rules hold for them under any name (G32).
 */
export function otherNamesOf(rules: readonly RuleInForce[], context: RuleContext): OtherNames {
  const folders = rules.flatMap(({ rule, base, behavior }) =>
    behavior !== "allow" && rule.about === "paths" && rule.family === "read"
      ? (knownStart(rule.pattern, { base, home: context.home }) ?? [])
      : [],
  );
  if (folders.length === 0) return () => [];
  const guarded = once(() => {
    const names = new Map<string, string[]>();
    for (const file of folders.flatMap((folder) => [folder, ...filesBelow(folder, MOST_FILES)])) {
      const key = keyOf(file);
      if (key !== undefined) names.set(key, [...(names.get(key) ?? []), file]);
    }
    return names;
  });
  return (path) => {
    const key = keyOf(path);
    return (key === undefined ? undefined : guarded().get(key)) ?? [];
  };
}

/** Undefined for what is no file, or has one name only. */
function keyOf(path: string): string | undefined {
  const stats = statOf(path);
  return stats?.isFile() && stats.nlink > 1 ? `${stats.dev}:${stats.ino}` : undefined;
}

/** What a call reads, under every name that rules speak of. */
export function withOtherNames(view: CallView, otherNames: OtherNames): CallView {
  const touched = view.touched.map((one) => named(one, otherNames));
  const { effect } = view;
  // A search of Wave's own leaves files out one by one; a command cannot.
  if (effect.does === "run")
    return { ...view, touched: [...touched, ...touched.flatMap((one) => metBy(one, otherNames))] };
  if (effect.does !== "read") return { ...view, touched };
  return {
    ...view,
    touched,
    effect: { ...effect, paths: [...new Set(touched.flatMap(({ spellings }) => spellings))] },
  };
}

function named(touched: Touched, otherNames: OtherNames): Touched {
  if (touched.access !== "read" || touched.names.length > 0) return touched;
  return {
    ...touched,
    spellings: [...new Set([...touched.spellings, ...touched.spellings.flatMap(otherNames)])],
  };
}

/** The files with several names that a command would come across below a folder or behind a star. */
function metBy(touched: Touched, otherNames: OtherNames): Touched[] {
  if (touched.access !== "read" || !isPartly(touched)) return [];
  return touched.spellings
    .flatMap((folder) => filesBelow(folder, MOST_FILES))
    .flatMap((path) => {
      const others = otherNames(path);
      const met = {
        access: "read",
        shown: path,
        spellings: [path, ...others],
        names: [],
        below: false,
      } as const;
      return others.length === 0 ? [] : [met];
    });
}
