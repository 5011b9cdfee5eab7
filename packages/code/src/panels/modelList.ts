import type { ListedModel } from "wave-agent-sdk";
import { shortCount } from "../utils/shortCount.ts";
import { printableLine } from "../utils/printable.ts";
import type { Line } from "../view/span.ts";
import { say, spread } from "./lines.ts";

/** The models whose name has every word of the query, in any case and any order. */
export function searchModels(models: readonly ListedModel[], query: string): ListedModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** One model in the picker. */
export function modelItem(
  { name, contextSize, price }: ListedModel,
  { columns, present }: { columns: number; present: string | undefined },
): Line[] {
  const facts = [
    ...(name === present ? ["in use"] : []),
    ...(contextSize === undefined ? [] : [`${shortCount(contextSize)} tokens`]),
    ...(price === undefined ? [] : [`$${price.input} in, $${price.output} out`]),
  ];
  return [spread([say("plain", printableLine(name))], [say("dim", facts.join(" · "))], columns)];
}
