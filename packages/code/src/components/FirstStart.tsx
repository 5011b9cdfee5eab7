import { Box, useWindowSize } from "ink";
import {
  firstStartLines,
  offerLines,
  offersFor,
  pressInFirstStart,
  type FirstChoice,
  type FirstEffect,
  type FirstPlace,
  type FirstStartFacts,
} from "../panels/firstStart.ts";
import type { PanelKey } from "../panels/frame.ts";
import { widthOf, type Line } from "../view/span.ts";
import { Foot } from "./Panel.tsx";
import { Lines } from "./Lines.tsx";
import { usePanel } from "./usePanel.ts";

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "choose" },
  { keys: "Enter", does: "go" },
  { keys: "Esc", does: "leave" },
];

/** What `wave` shows where there is no model to talk to. */
export function FirstStart({
  facts,
  onChoose,
}: {
  facts: FirstStartFacts;
  onChoose: (choice: FirstChoice) => void;
}) {
  const { columns } = useWindowSize();
  const offers = offersFor(facts);
  const [{ selected }, , asks] = usePanel<FirstPlace, FirstEffect>({
    name: "first-start",
    came: "by-itself",
    first: () => ({ selected: 0, isChosen: false }),
    press: (now, press) => pressInFirstStart(now, press, offers),
    carryOut: ({ choice }) => onChoose(choice),
    onCancel: () => onChoose("leave"),
  });

  const widest = Math.max(...offers.map(({ does }) => widthOf(does)));
  const lines: Line[] = [
    ...firstStartLines(facts, columns),
    ...offers.flatMap((offer, index) => offerLines(offer, { columns, widest, marked: index === selected })),
    [],
  ];
  return (
    <Box width={columns} flexDirection="column">
      <Lines lines={lines} />
      <Box marginLeft={2}>
        <Foot came="by-itself" asks={asks} keys={KEYS} columns={columns - 2} />
      </Box>
    </Box>
  );
}
