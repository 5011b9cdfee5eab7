import { Box, useWindowSize } from "ink";
import { useState } from "react";
import {
  firstStartLines,
  offerLines,
  offersFor,
  type FirstChoice,
  type FirstStartFacts,
} from "../panels/firstStart.ts";
import { footLines, type PanelKey } from "../panels/frame.ts";
import { closes, moved } from "../panels/press.ts";
import { span, widthOf, type Line } from "../view/span.ts";
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
  // The same key pressed twice must not choose twice.
  const [chosen, setChosen] = useState<FirstChoice>();
  const choose = (choice: FirstChoice) => {
    if (chosen !== undefined) return;
    setChosen(choice);
    onChoose(choice);
  };
  const [selected] = usePanel(
    () => 0,
    (now, press) => {
      const offer = offers[now];
      if (press.key === "enter" && offer) choose(offer.choice);
      if (closes(press)) choose("leave");
      return moved(press, now, { count: offers.length, page: offers.length }) ?? now;
    },
  );

  const widest = Math.max(...offers.map(({ does }) => widthOf(does)));
  const lines: Line[] = [
    ...firstStartLines(facts, columns),
    ...offers.flatMap((offer, index) => offerLines(offer, { columns, widest, marked: index === selected })),
    [],
    ...footLines(KEYS, columns - 2).map((line) => [span("  "), ...line]),
  ];
  return (
    <Box width={columns}>
      <Lines lines={lines} />
    </Box>
  );
}
