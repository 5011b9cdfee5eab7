import type { ListedModel } from "wave-agent-sdk";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { cutStart, say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import { modelItem, searchModels } from "../panels/modelList.ts";
import { pressInSearch, searchFor } from "../panels/searchList.ts";
import { printableLine } from "../utils/printable.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";
import { usePanel } from "./usePanel.ts";

export type ModelsShown =
  | { are: "loading" }
  | { are: "listed"; models: readonly ListedModel[] }
  /** One sentence on why there is no list. */
  | { are: "unknown"; why: string };

export interface ModelPickerProps {
  shown: ModelsShown;
  /** The model that answers now. */
  present: string | undefined;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onChoose: (name: string) => void;
  onClose: () => void;
}

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "choose" },
  { keys: "Enter", does: "use it" },
  { keys: "letters", does: "search" },
  { keys: "Esc", does: "clear the search, close" },
];

/** What the model server offers. Typing narrows the list, Enter changes the model of this session. */
export function ModelPicker({ shown, present, columns, rows, onChoose, onClose }: ModelPickerProps) {
  const all = shown.are === "listed" ? shown.models : [];
  const width = columns - MARK_WIDTH;
  const height = bodyHeight({ rows, columns, keys: KEYS }) - 1;
  const find = (asked: string) => searchModels(all, asked);
  const { to: page } = windowAround({ count: all.length, selected: 0, itemHeight: 1, height });
  const [{ query, selected }, , asks] = usePanel({
    name: "models",
    first: () => searchFor(""),
    press: (place, press) => pressInSearch(place, press, { find, page }),
    carryOut: (effect) => {
      if (effect.do === "choose") onChoose(effect.item.name);
      onClose();
    },
    asks: () => shown.are,
    letters: "are-typed",
    paste: (place, text) => searchFor(place.query + text),
  });

  const found = find(query);
  const summary = printableLine(present === undefined ? "no model named" : `now ${present}`);
  return (
    <Panel asks={asks} title={titleOf(shown)} summary={summary} keys={KEYS} columns={columns}>
      <Lines
        lines={[[say("dim", "Search: "), say("plain", cutStart(query, columns - 9)), say("accent", "▏")]]}
      />
      {found.length === 0 ? (
        <Lines lines={wrapLine([say("dim", whyEmpty(shown))], columns)} />
      ) : (
        <SelectList
          items={found}
          keyOf={({ name }) => name}
          linesOf={(model) => modelItem(model, { columns: width, present })}
          itemHeight={1}
          height={height}
          selected={Math.min(selected, found.length - 1)}
        />
      )}
    </Panel>
  );
}

const titleOf = (shown: ModelsShown) =>
  shown.are === "listed" ? `Models (${plural(shown.models.length, "model")})` : "Models";

function whyEmpty(shown: ModelsShown): string {
  if (shown.are === "loading") return "Asking the model server…";
  if (shown.are === "unknown") return `${printableLine(shown.why)} /model <name> works all the same.`;
  return shown.models.length === 0
    ? "The server lists no model; /model <name> works all the same."
    : "No model matches.";
}
