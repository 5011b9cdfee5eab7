import type { ListedModel } from "wave-agent-sdk";
import { shortCount } from "../utils/shortCount.ts";
import { printableLine } from "../utils/printable.ts";
import type { Line } from "../view/span.ts";
import { say, spread } from "./lines.ts";
import { moved, type PanelPress } from "./press.ts";
import { searchFor, type SessionsPlace } from "./sessionList.ts";

/** The models whose name has every word of the query, in any case and any order. */
export function searchModels(models: readonly ListedModel[], query: string): ListedModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** One model in the picker. */
export function modelItem(
  { name, contextSize }: ListedModel,
  { columns, present }: { columns: number; present: string | undefined },
): Line[] {
  const facts = [
    ...(name === present ? ["in use"] : []),
    ...(contextSize === undefined ? [] : [`${shortCount(contextSize)} tokens`]),
  ];
  return [spread([say("plain", printableLine(name))], [say("dim", facts.join(" · "))], columns)];
}

export type ModelsEffect = { do: "choose"; model: ListedModel } | { do: "close" };

/** What a key does in the picker; a pure step, so that quick keys act on what the ones before them chose. */
export function pressInModels(
  place: SessionsPlace,
  press: PanelPress,
  { models, page }: { models: readonly ListedModel[]; page: number },
): { place: SessionsPlace; effect?: ModelsEffect } {
  const found = searchModels(models, place.query);
  const to = moved(press, Math.min(place.selected, found.length - 1), { count: found.length, page });
  if (to !== undefined) return { place: { ...place, selected: to } };
  switch (press.key) {
    case "text":
      return { place: searchFor(place.query + press.text) };
    case "backspace":
      return { place: searchFor(Array.from(place.query).slice(0, -1).join("")) };
    case "close":
      return { place, effect: { do: "close" } };
    case "esc":
      return place.query === "" ? { place, effect: { do: "close" } } : { place: searchFor("") };
    default: {
      const model = found[place.selected];
      return model ? { place, effect: { do: "choose", model } } : { place };
    }
  }
}
