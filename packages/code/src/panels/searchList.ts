import { moved, type PanelPress } from "./press.ts";

/** Where somebody is in a list that is searched by typing. */
export interface SearchPlace {
  query: string;
  selected: number;
}

/** A new search begins at its first hit. */
export const searchFor = (text: string): SearchPlace => ({
  query: text.replaceAll(/\s+/g, " ").trimStart(),
  selected: 0,
});

export type SearchEffect<Item> = { do: "choose"; item: Item } | { do: "close" };

/** What a key does in such a list; a pure step, so that quick keys act on what the ones before them chose. */
export function pressInSearch<Item>(
  place: SearchPlace,
  press: PanelPress,
  { find, page }: { find: (query: string) => readonly Item[]; page: number },
): { now: SearchPlace; effect?: SearchEffect<Item> } {
  const found = find(place.query);
  const to = moved(press, Math.min(place.selected, found.length - 1), { count: found.length, page });
  if (to !== undefined) return { now: { ...place, selected: to } };
  switch (press.key) {
    case "text":
      return { now: searchFor(place.query + press.text) };
    case "backspace":
      return { now: searchFor(Array.from(place.query).slice(0, -1).join("")) };
    case "close":
      return { now: place, effect: { do: "close" } };
    case "esc":
      return place.query === "" ? { now: place, effect: { do: "close" } } : { now: searchFor("") };
    default: {
      const item = found[place.selected];
      return item === undefined ? { now: place } : { now: place, effect: { do: "choose", item } };
    }
  }
}
