import { Box, useWindowSize } from "ink";
import { useRef, useState } from "react";
import type { ProjectTrust } from "wave-agent-sdk";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { say, wrapLine } from "../panels/lines.ts";
import { scrolled, scrollTo } from "../panels/scroll.ts";
import { reviewLines } from "../trust/review.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";

export type TrustAnswer = "yes" | "no" | "leave";

const KEYS: readonly PanelKey[] = [
  { keys: "↑↓", does: "scroll" },
  { keys: "y", does: "approve all of it" },
  { keys: "n", does: "go on without it" },
  { keys: "Esc", does: "leave" },
];

const SETTLE_MS = 350;

/** A project's own hooks and rules, in full, before any of them counts. Enter does nothing: a yes is a letter (G24). */
export function TrustReview({
  trust,
  folder,
  onAnswer,
}: {
  trust: ProjectTrust;
  folder: string;
  onAnswer: (answer: TrustAnswer) => void;
}) {
  const { columns, rows } = useWindowSize();
  const [answered, setAnswered] = useState<TrustAnswer>();
  const since = useRef(performance.now());
  const lines = [...introduction(trust, folder), ...reviewLines(trust)].flatMap((line) =>
    wrapLine(line, columns),
  );
  const room = bodyHeight({ rows: rows - 1, columns, keys: KEYS });
  const [from] = usePanel(
    () => 0,
    (now, press) => {
      // Typed ahead, at a screen that did not ask anything yet.
      const early = performance.now() - since.current < SETTLE_MS;
      const given = answerOf(press);
      const answer = early && given !== "leave" ? undefined : given;
      if (answer !== undefined && answered === undefined) {
        setAnswered(answer);
        onAnswer(answer);
      }
      return scrollTo(press, now, lines.length, room);
    },
  );
  if (answered !== undefined) return null;
  return (
    <Box width={columns}>
      <Panel title="Do you trust this folder?" keys={KEYS} columns={columns}>
        <Lines lines={scrolled(lines, from, room)} />
      </Panel>
    </Box>
  );
}

function answerOf(press: { key: string; text?: string }): TrustAnswer | undefined {
  if (press.key === "esc") return "leave";
  if (press.key !== "text") return undefined;
  return press.text === "y" ? "yes" : press.text === "n" ? "no" : undefined;
}

function introduction(trust: ProjectTrust, folder: string) {
  const changed = trust.items.some(({ state }) => state === "changed");
  const what =
    trust.items.length === 0
      ? "Its AGENTS.md would be read to the model. Nothing of it has been used so far."
      : "Its files bring programs that would run on your machine. None has run so far.";
  return [
    [say("strong", folder)],
    [say("plain", changed ? "Something that you approved has changed. Nothing new has run so far." : what)],
    [],
  ];
}
