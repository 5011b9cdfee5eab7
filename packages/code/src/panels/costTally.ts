import { PRICES_AS_OF, type AgentEvent, type Usage } from "wave-agent-sdk";
import { plural } from "./hookWords.ts";

/** What the answers of one model cost. */
interface ModelCost {
  /** Calls that were answered. */
  calls: number;
  /** Of these, the ones whose tokens the server did not tell, and whose cached tokens it did not. */
  uncounted: number;
  cacheUntold: number;
  input: number;
  output: number;
  cached: number;
  /** In US dollars; undefined when not one call has a price. */
  cost: number | undefined;
  /** Calls whose tokens were told, and have no price. */
  unpriced: number;
}

/** What a session has cost since it was opened here. */
export interface CostTally {
  models: ReadonlyMap<string, ModelCost>;
  /** Calls without an answer: under way, interrupted or failed. */
  unanswered: number;
  hooks: { runs: number; ms: number };
}

export const NO_COST: CostTally = { models: new Map(), unanswered: 0, hooks: { runs: 0, ms: 0 } };

/** The tally after one more event; `model` is the one that is in use. */
export function countCost(tally: CostTally, event: AgentEvent, model: string | undefined): CostTally {
  switch (event.type) {
    case "model_started":
    case "compaction_started":
      return { ...tally, unanswered: tally.unanswered + 1 };
    case "model_ended":
      return answered(tally, event.usage, model);
    case "compaction_ended":
      if (event.end.compacted) return answered(tally, event.end.usage, model);
      return event.end.because === "nothing-to-do" ? { ...tally, unanswered: tally.unanswered - 1 } : tally;
    case "hook_finished": {
      const { runs, ms } = tally.hooks;
      return { ...tally, hooks: { runs: runs + 1, ms: ms + event.durationMs } };
    }
    case "subagent_event":
      return countCost(tally, event.event, model);
    default:
      return tally;
  }
}

const NOTHING: ModelCost = {
  calls: 0,
  uncounted: 0,
  cacheUntold: 0,
  input: 0,
  output: 0,
  cached: 0,
  cost: undefined,
  unpriced: 0,
};

function answered(tally: CostTally, usage: Usage | undefined, model = "a model without a name"): CostTally {
  const before = tally.models.get(model) ?? NOTHING;
  const cost: ModelCost = {
    calls: before.calls + 1,
    uncounted: before.uncounted + (usage ? 0 : 1),
    cacheUntold: before.cacheUntold + (usage && usage.cachedInputTokens === undefined ? 1 : 0),
    input: before.input + (usage?.inputTokens ?? 0),
    output: before.output + (usage?.outputTokens ?? 0),
    cached: before.cached + (usage?.cachedInputTokens ?? 0),
    cost: usage?.costUsd === undefined ? before.cost : (before.cost ?? 0) + usage.costUsd,
    unpriced: before.unpriced + (usage && usage.costUsd === undefined ? 1 : 0),
  };
  return { ...tally, models: new Map([...tally.models, [model, cost]]), unanswered: tally.unanswered - 1 };
}

/** All that is known of the cost, and what is not. `before`: what was counted before the session was resumed. */
export function costLines(tally: CostTally, before: Usage | undefined): string[] {
  const costs = [...tally.models.values()];
  const total = costs.reduce((sum, { input, output }) => sum + input + output, 0);
  return [
    `${count(total + tokensOf(before))} tokens in this session${inAll(costs, before)}`,
    ...Array.from(tally.models, ([model, cost]) => `  ${model}: ${modelWords(cost)}`),
    ...(before ? [`  before it was resumed: ${usageWords(before)}; of which models is not recorded`] : []),
    `  hooks: ${tally.hooks.runs === 0 ? "none ran" : `${plural(tally.hooks.runs, "run")}, ${seconds(tally.hooks.ms)} together`}`,
    ...notKnown(tally, before),
  ];
}

function modelWords({ calls, uncounted, input, output, cached, cacheUntold, cost }: ModelCost): string {
  const told = { inputTokens: input, outputTokens: output };
  const usage: Usage = cacheUntold + uncounted < calls ? { ...told, cachedInputTokens: cached } : told;
  return `${plural(calls, "call")}, ${usageWords({ ...usage, ...(cost !== undefined && { costUsd: cost }) })}`;
}

function usageWords({ inputTokens, outputTokens, cachedInputTokens, costUsd }: Usage): string {
  const cached = cachedInputTokens === undefined ? "" : ` (${count(cachedInputTokens)} of them cached)`;
  return `${count(inputTokens)} input${cached} and ${count(outputTokens)} output tokens${costUsd === undefined ? "" : `, ${dollars(costUsd)}`}`;
}

/** What all of it costs, as far as it has a price. */
function inAll(costs: readonly ModelCost[], before: Usage | undefined): string {
  const sums = [...costs.map(({ cost }) => cost), before?.costUsd].filter((sum) => sum !== undefined);
  if (sums.length === 0) return "";
  const total = sums.reduce((all, sum) => all + sum, 0);
  return `, ${dollars(total)} by the price lists of ${PRICES_AS_OF}`;
}

/** Small sums to the hundredth of a cent: a session of cheap answers is not free. */
const dollars = (sum: number): string => `$${sum.toFixed(sum < 1 ? 4 : 2)}`;

function notKnown(tally: CostTally, before: Usage | undefined): string[] {
  const things = unknown(tally, before);
  return things.length === 0 ? [] : [`  not known: ${things.join("; ")}`];
}

function unknown({ models, unanswered }: CostTally, before: Usage | undefined): string[] {
  const costs = [...models.values()];
  const unpriced = [...models].flatMap(([model, cost]) => (cost.unpriced > 0 ? [model] : []));
  const earlier = before?.costUsd === undefined ? tokensOf(before) : (before.unpricedTokens ?? 0);
  const uncounted = costs.reduce((sum, cost) => sum + cost.uncounted, 0);
  const cacheUntold = costs.reduce((sum, cost) => sum + cost.cacheUntold, 0);
  return [
    ...(unpriced.length > 0 ? [`the price of ${unpriced.join(", ")}, which Wave has no price list of`] : []),
    ...(earlier > 0 ? [`the price of ${count(earlier)} tokens from before it was resumed`] : []),
    ...(uncounted > 0 ? [`the tokens of ${plural(uncounted, "call")}, which the server did not tell`] : []),
    ...(unanswered > 0
      ? [
          `the tokens of ${plural(unanswered, "call")} without a whole answer: under way, interrupted or failed`,
        ]
      : []),
    ...(cacheUntold > 0 ? [`how much was cached in ${plural(cacheUntold, "call")}`] : []),
  ];
}

const tokensOf = (usage: Usage | undefined) => (usage ? usage.inputTokens + usage.outputTokens : 0);
const count = (number: number): string => number.toLocaleString("en-US");
const seconds = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
