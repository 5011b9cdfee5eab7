import type { PermissionMode } from "../permissions/modes.ts";
import type { Tool } from "../tools/tool.ts";
import type { CallFacts } from "./callFacts.ts";
import type { Ahead, Decides, Opinion, PolicyDecision, SeenInputs } from "./seams.ts";

/**
 * What a conversation may do that works for another one: both policies decide, and the stricter counts. So whatever is
 * held back from the parent is held back here, also what a person changes there later.
 */
export class NarrowedPolicy implements Decides {
  readonly #parent: Decides;
  readonly #own: Decides;

  constructor(parent: Decides, own: Decides) {
    this.#parent = parent;
    this.#own = own;
  }

  /** What hooks are told: the stricter one. */
  get mode(): PermissionMode {
    const [parent, own] = [this.#parent.mode, this.#own.mode];
    return MODES_BY_STRICTNESS.indexOf(parent) > MODES_BY_STRICTNESS.indexOf(own) ? parent : own;
  }

  see(tool: Tool | undefined, input: Record<string, unknown>): CallFacts {
    return this.#own.see(tool, input);
  }

  absolutePath(path: string): string {
    return this.#own.absolutePath(path);
  }

  lookAhead(call: SeenInputs, signal: AbortSignal): Promise<Ahead> {
    return this.#own.lookAhead(call, signal);
  }

  decide(call: Parameters<Decides["decide"]>[0], opinion: Opinion): PolicyDecision {
    return stricterOf(this.#parent.decide(call, opinion), this.#own.decide(call, opinion));
  }
}

/** Where nobody wants to be asked, nobody is asked about a hook that failed, either: so that is the strictest. */
const MODES_BY_STRICTNESS: readonly PermissionMode[] = [
  "bypassPermissions",
  "acceptEdits",
  "default",
  "plan",
  "dontAsk",
];

const STRICTNESS = ["allow", "ask", "deny"] as const;

/** Of two that say the same the first is named; both have their say about files that are kept back. */
function stricterOf(first: PolicyDecision, second: PolicyDecision): PolicyDecision {
  const isFirst = STRICTNESS.indexOf(first.decision) >= STRICTNESS.indexOf(second.decision);
  const [counts, other] = isFirst ? [first, second] : [second, first];
  const rules = [...counts.rules, ...other.rules];
  const searchFilter =
    first.searchFilter && second.searchFilter
      ? (path: string) => first.searchFilter?.(path) ?? second.searchFilter?.(path)
      : (first.searchFilter ?? second.searchFilter);
  const bounds = [first, second].some((one) => one.bounds === "read-only") ? "read-only" : "none";
  return {
    ...counts,
    bounds,
    hidden: (within) => [...first.hidden(within), ...second.hidden(within)],
    rules: rules.filter((rule, index) => rules.findIndex(isSame(rule)) === index),
    searchFilter,
    namedHost: first.namedHost && second.namedHost,
  };
}

const isSame =
  (one: PolicyDecision["rules"][number]) =>
  ({ rule, behavior, source }: PolicyDecision["rules"][number]) =>
    one.rule === rule && one.behavior === behavior && one.source === source;
