import { useEffect, useEffectEvent } from "react";
import type { RewindPoint, Rewound } from "wave-agent-sdk";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { say, wrapLine } from "../panels/lines.ts";
import { MARK_WIDTH, windowAround } from "../panels/listWindow.ts";
import {
  choicesFor,
  planLines,
  pointItem,
  pointItemHeight,
  pressInRewind,
  type RewindEffect,
  type RewindPlace,
  type RewindPlan,
} from "../panels/rewind.ts";
import { scrolled, scrollTo, type ScrollKeys } from "../panels/scroll.ts";
import { fitLine } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { SelectList } from "./SelectList.tsx";
import { usePanel } from "./usePanel.ts";

export interface RewindPanelProps {
  /** Newest first. */
  points: readonly RewindPoint[];
  /** What going back to a prompt would do. */
  planFor: (messageId: string) => Promise<Rewound>;
  folder: string;
  /** Milliseconds since the epoch: "5 minutes ago" is counted from here. */
  now: number;
  columns: number;
  /** Lines the panel may take. */
  rows: number;
  onRewind: (point: RewindPoint, options: { files: boolean }) => void;
  onClose: () => void;
}

const KEYS: Record<RewindPlace["at"], readonly PanelKey[]> = {
  prompts: [
    { keys: "↑↓", does: "choose" },
    { keys: "Enter", does: "go back to before it" },
    { keys: "Esc", does: "close" },
  ],
  question: [
    { keys: "↑↓", does: "choose" },
    { keys: "Enter", does: "answer" },
    { keys: "PgUp/PgDn", does: "scroll" },
    { keys: "Esc", does: "another prompt" },
  ],
};

/** The arrows choose the answer. */
const PAGE_KEYS: ScrollKeys = { on: "PgDn", both: "PgUp/PgDn" };

/** Earlier prompts, and for the chosen one what going back would do before it is done. */
export function RewindPanel(props: RewindPanelProps) {
  const { points, folder, columns, rows } = props;
  const width = columns - MARK_WIDTH;
  const bodyOf = (at: RewindPlace["at"]) => bodyHeight({ rows, columns, keys: KEYS[at] });
  const { to: page } = windowAround({
    count: points.length,
    selected: 0,
    itemHeight: pointItemHeight(width),
    height: bodyOf("prompts"),
  });
  /** Lines for the plan: what the prompt and the answers leave. */
  const room = Math.max(1, bodyOf("question") - 6);
  const linesOf = (plan: RewindPlan) => planLines(plan, { folder, columns });

  const [place, change, asks] = usePanel<RewindPlace, RewindEffect>({
    name: "rewind",
    first: () => ({ at: "prompts", selected: 0 }),
    press: (now, press) => {
      const scroll = (at: RewindPlace) =>
        at.at === "question" ? scrollTo(press, at.from, linesOf(at.plan).length, room) : 0;
      return pressInRewind(now, press, { points, page, scroll });
    },
    carryOut: (effect) => {
      if (effect.do === "rewind") props.onRewind(effect.point, { files: effect.files });
      props.onClose();
    },
    asks: (now) => (now.at === "question" ? `${now.selected} ${now.plan.is}` : "prompts"),
  });
  const point = place.at === "question" ? points[place.selected] : undefined;
  const put = useEffectEvent((plan: RewindPlan) =>
    change((now) => (now.at === "question" ? { ...now, plan } : now)),
  );
  const { planFor } = props;
  const asked = point?.messageId;
  useEffect(() => {
    if (asked === undefined) return;
    let isWanted = true;
    const tell = (plan: RewindPlan) => isWanted && put(plan);
    planFor(asked).then(
      (would) => tell({ is: "known", would }),
      (error: unknown) =>
        tell({ is: "unknown", why: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [asked, planFor]);

  if (place.at === "question" && point) {
    return (
      <Panel asks={asks} title="Back to before" keys={KEYS.question} columns={columns}>
        <Lines lines={[fitLine([say("strong", point.firstLine)], columns), []]} />
        <Lines
          lines={[
            ...scrolled(linesOf(place.plan), place.from, room, PAGE_KEYS).map((line) =>
              fitLine(line, columns),
            ),
            [],
          ]}
        />
        <SelectList
          items={choicesFor(point)}
          keyOf={({ answer }) => answer}
          linesOf={({ words }) => [[say("plain", words)]]}
          itemHeight={1}
          height={choicesFor(point).length}
          selected={place.choice}
        />
      </Panel>
    );
  }
  return (
    <Panel
      asks={asks}
      title="Rewind"
      summary={plural(points.length, "prompt")}
      keys={KEYS.prompts}
      columns={columns}
    >
      {points.length === 0 ? (
        <Lines lines={wrapLine([say("dim", "Nothing was said in this session yet.")], columns)} />
      ) : (
        <SelectList
          items={points}
          keyOf={({ messageId }) => messageId}
          linesOf={(one) => pointItem(one, { columns: width, now: props.now })}
          itemHeight={pointItemHeight(width)}
          height={bodyOf("prompts")}
          selected={place.selected}
        />
      )}
    </Panel>
  );
}
