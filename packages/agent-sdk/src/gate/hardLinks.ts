import type { ToolEffect } from "../permissions/effect.ts";
import type { NameDoubt, RuleInForce } from "../permissions/matchRules.ts";
import { coverageOf, mightReach, type PathPlaces } from "../permissions/pathRules.ts";
import type { Rule } from "../permissions/parseRule.ts";
import type { RuleContext } from "../permissions/rules.ts";
import { isPartly, type Touched } from "../permissions/touched.ts";
import { filesBelow } from "../workspace/files/fileFacts.ts";
import { sharedFiles, sharedKey, type SharedFiles } from "../workspace/files/hardLinks.ts";
import { once } from "../utils/once.ts";
import type { CallView } from "./callView.ts";

/** A folder with more files is not searched to its end. */
const MOST_FILES = 20_000;

type PathRule = Extract<Rule, { about: "paths" }>;
type Family = PathRule["family"];

interface Guard {
  placed: RuleInForce;
  rule: PathRule;
  places: PathPlaces;
  /** The files with several names that it is about. */
  shared: () => SharedFiles[];
}

/**
 * A hard link is a second name of one file, and no path tells: the files that rules speak of are looked up, so that the rules hold
 * for them under any name (G32). Only for a file that has several names, since most have one.
 */
export class HardLinks {
  readonly #guards: readonly Guard[];

  constructor(rules: readonly RuleInForce[], context: RuleContext) {
    this.#guards = rules.flatMap((placed): Guard[] => {
      const { rule, base, behavior } = placed;
      // A rule for every path is about any name.
      if (behavior === "allow" || rule.about !== "paths" || rule.pattern.everywhere) return [];
      const places = { base, home: context.home, caseInsensitive: context.caseInsensitive ?? false };
      const starts = coverageOf(rule.pattern, places);
      const shared = once(() => starts.map(({ folder, coverage }) => sharedFiles(folder, coverage)));
      return [{ placed, rule, places, shared }];
    });
  }

  /** The names of a file that rules speak of, when it has several. */
  of(path: string, ...families: Family[]): string[] {
    const key = this.#guarding(families).length > 0 ? sharedKey(path) : undefined;
    if (key === undefined) return [];
    return this.#guarding(families).flatMap(({ shared }) =>
      shared().flatMap(({ names }) => names.get(key) ?? []),
    );
  }

  /** The rules of which nobody can tell whether they speak of it. */
  doubtsAbout(path: string, ...families: Family[]): NameDoubt[] {
    const guards = this.#guarding(families);
    const key = guards.length > 0 ? sharedKey(path) : undefined;
    if (key === undefined) return [];
    return guards
      .filter(({ shared }) => shared().some(({ complete }) => !complete))
      .filter(({ shared }) => !shared().some(({ names }) => names.has(key)))
      .map(({ placed }) => ({ placed, path }));
  }

  /** What a call touches, under every name that rules speak of. */
  seen(view: CallView): { view: CallView; doubts: NameDoubt[] } {
    const { effect } = view;
    if (this.#guards.length === 0) return { view, doubts: [] };
    const byOthers = OPENED_BY_OTHERS[effect.does];
    const touched = view.touched.map((one) => this.#named(one, byOthers));
    const single = view.touched.filter(({ names }) => names.length === 0);
    const doubts = single.flatMap((one) =>
      one.spellings.flatMap((path) => this.doubtsAbout(path, ...familiesOf(one, byOthers))),
    );
    // A search of Wave's own leaves files out one by one; a command cannot.
    if (byOthers) {
      const met = touched.map((one) => this.#metBy(one));
      return {
        view: { ...view, touched: [...touched, ...met.flatMap((one) => one.touched)] },
        doubts: [...doubts, ...met.flatMap((one) => one.doubts)],
      };
    }
    if (effect.does !== "read") return { view, doubts: [] };
    const paths = [...new Set(touched.flatMap(({ spellings }) => spellings))];
    return { view: { ...view, touched, effect: { ...effect, paths } }, doubts };
  }

  #guarding(families: readonly Family[]): readonly Guard[] {
    return this.#guards.filter(({ rule }) => families.includes(rule.family));
  }

  #named(touched: Touched, byOthers: boolean): Touched {
    if (touched.names.length > 0) return touched;
    const families = familiesOf(touched, byOthers);
    const others = touched.spellings.flatMap((path) => this.of(path, ...families));
    return { ...touched, spellings: [...new Set([...touched.spellings, ...others])] };
  }

  /** The files with several names that a command would come across below a folder or behind a star. */
  #metBy(touched: Touched): { touched: Touched[]; doubts: NameDoubt[] } {
    const { access, spellings, names, below } = touched;
    const nothing = { touched: [], doubts: [] };
    if (access !== "read" || !isPartly(touched)) return nothing;
    const guards = this.#guarding(["read"]).filter(({ rule, places, shared }) => {
      const reaches = spellings.some((folder) => mightReach(rule.pattern, { folder, names, below }, places));
      return !reaches && shared().some((one) => one.names.size > 0);
    });
    if (guards.length === 0) return nothing;
    const files = spellings.flatMap((folder) => filesBelow(folder, MOST_FILES));
    const met = files.flatMap((path): Touched[] => {
      const others = this.of(path, "read");
      const whole = {
        access: "read",
        shown: path,
        spellings: [path, ...others],
        names: [],
        below: false,
      } as const;
      return others.length === 0 ? [] : [whole];
    });
    const isCut = files.length >= MOST_FILES;
    const doubts = isCut ? guards.map(({ placed }) => ({ placed, path: touched.shown })) : [];
    return { touched: met, doubts };
  }
}

/** Whether a program other than Wave opens the files. */
const OPENED_BY_OTHERS: Record<ToolEffect["does"], boolean> = {
  nothing: false,
  read: false,
  edit: false,
  run: true,
  reach: false,
  "leave-plan": false,
  "ask-person": false,
  unknown: true,
};

/** Write and Edit put a new file in the place of the old one, which keeps its other names; a command writes into it. */
function familiesOf({ access }: Touched, byOthers: boolean): Family[] {
  if (access === "read") return ["read"];
  if (!byOthers) return [];
  return access === "write" ? ["edit"] : ["read", "edit"];
}
