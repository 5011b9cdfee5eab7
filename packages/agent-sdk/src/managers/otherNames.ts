import type { RuleInForce } from "../permissions/matchRules.ts";
import { knownStart } from "../permissions/pathRules.ts";
import type { RuleContext } from "../permissions/rules.ts";
import type { Touched } from "../permissions/touched.ts";
import { filesBelow, statOf } from "../services/fileFacts.ts";
import type { CallView } from "./callView.ts";

/** A folder with more files is not searched to its end. */
const MOST_FILES = 2_000;

/**
 * A hard link is a second name of one file, and no path tells: a file that is read and has several names gets those of them that
 * deny and ask rules about reading speak of, so that the rules hold for it under any name (G32).
 */
export function withOtherNames(
  view: CallView,
  rules: readonly RuleInForce[],
  context: RuleContext,
): CallView {
  const folders = new Set(
    rules.flatMap(({ rule, base, behavior }) =>
      behavior !== "allow" && rule.about === "paths" && rule.family === "read"
        ? (knownStart(rule.pattern, { base, home: context.home }) ?? [])
        : [],
    ),
  );
  if (folders.size === 0) return view;
  const touched = view.touched.map((one) => named(one, [...folders]));
  const { effect } = view;
  if (effect.does !== "read") return { ...view, touched };
  return {
    ...view,
    touched,
    effect: { ...effect, paths: [...new Set(touched.flatMap(({ spellings }) => spellings))] },
  };
}

function named(touched: Touched, folders: readonly string[]): Touched {
  if (touched.access !== "read" || touched.names.length > 0) return touched;
  const stats = touched.spellings.map(statOf).find((one) => one !== undefined);
  if (!stats?.isFile() || stats.nlink < 2) return touched;
  const others = folders
    .flatMap((folder) => [folder, ...filesBelow(folder, MOST_FILES)])
    .filter((file) => {
      const other = statOf(file);
      return other?.ino === stats.ino && other.dev === stats.dev;
    });
  return { ...touched, spellings: [...new Set([...touched.spellings, ...others])] };
}
