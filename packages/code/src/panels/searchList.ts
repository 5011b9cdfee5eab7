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
): { place: SearchPlace; effect?: SearchEffect<Item> } {
  const found = find(place.query);
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
      const item = found[place.selected];
      return item === undefined ? { place } : { place, effect: { do: "choose", item } };
    }
  }
}
