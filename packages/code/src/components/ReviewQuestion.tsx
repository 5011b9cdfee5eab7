import { usePaste } from "ink";
import { useEffect, useRef, useState } from "react";
import { systemClock, type Clock } from "../asking/clock.ts";
import { NOTHING_SHOWN, unseenIn, withView, type Shown, type View } from "../asking/shown.ts";
import { readKey, type Typed } from "../asking/typed.ts";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { wrapLine } from "../panels/lines.ts";
import type { PanelPress } from "../panels/press.ts";
import { lastPlace, scrolled, scrollTo, shownAtOnce } from "../panels/scroll.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel } from "./usePanel.ts";
import { useQuietStart } from "./useQuietStart.ts";

export interface ReviewQuestionProps<Answer extends string> {
  title: string;
  /** All there is to see; longer ones are wrapped. */
  lines: readonly Line[];
  keys: readonly PanelKey[];
  columns: number;
  rows: number;
  /** What a key means. Enter should mean nothing: a yes is a letter (G24). */
  answerOf: (press: PanelPress) => Answer | undefined;
  /** Answers that also count right after the question appeared, because they leave everything as it is. */
  always?: readonly Answer[];
  /** The answer that is a yes to all of it: it counts once every line was on the screen, and shows the next ones until then. */
  yes: Answer;
  onAnswer: (answer: Answer) => void;
  /** Keys that were typed ahead, and pastes: they were meant for something else. */
  onEarly?: (typed: Typed) => void;
  clock?: Clock;
}

/** Something to read, whole, and one answer to it. */
export function ReviewQuestion<Answer extends string>(props: ReviewQuestionProps<Answer>) {
  const { title, keys, columns, answerOf, always = [], yes, onAnswer, onEarly } = props;
  const [answered, setAnswered] = useState(false);
  // Two answers can come before the screen is drawn again: the first one counts.
  const given = useRef<Answer>(undefined);
  const quiet = useQuietStart(props.clock ?? systemClock);
  const lines = props.lines.flatMap((line) => wrapLine(line, columns));
  const keysWith = (left: number) =>
    keys.map((key) =>
      left > 0 && answerOf({ key: "text", text: key.keys }) === yes ? { ...key, does: readOn(left) } : key,
    );
  // The same however much is left to see: otherwise the last lines would move when they are reached.
  const room = Math.min(
    ...[0, lines.length].map((left) => bodyHeight({ rows: props.rows, columns, keys: keysWith(left) })),
  );
  const page = shownAtOnce(lines.length, room);
  const lastTop = lastPlace(lines.length, room);
  const shown = useRef<Shown>(NOTHING_SHOWN);
  const drawn = useRef<View>(undefined);
  // Keys can come faster than the screen is drawn: only what was drawn was seen.
  const unseen = () => drawn.current && unseenIn(shown.current, drawn.current);
  const [from] = usePanel(
    () => 0,
    (now, press) => {
      const answer = given.current === undefined ? answerOf(press) : undefined;
      if (answer !== undefined && (!quiet.isEarly() || always.includes(answer))) {
        const next = answer === yes ? unseen() : undefined;
        if (next) return Math.min(next.first, lastTop);
        given.current = answer;
        setAnswered(true);
        onAnswer(answer);
      }
      return scrollTo(press, now, lines.length, room);
    },
    {
      elsewhere: (typed) => {
        // Several letters at once are somebody's text and no answer.
        if (!onEarly || (!quiet.isEarly() && readKey(typed).is !== "text")) return false;
        quiet.typed();
        onEarly(typed);
        return true;
      },
    },
  );
  const top = Math.min(from, lastTop);
  const view: View = { top, page, lastTop, mustSee: lines.length, width: columns };
  useEffect(() => {
    shown.current = withView(shown.current, view);
    drawn.current = view;
  });
  const left = unseenIn(shown.current, view)?.count ?? 0;
  usePaste((text) => onEarly?.({ by: "paste", text }));
  if (answered) return null;
  return (
    <Panel title={title} summary={quiet.early ? NOT_YET : ""} keys={keysWith(left)} columns={columns}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}

const readOn = (left: number) => `read on: ${plural(left, "line")} not seen yet`;

const NOT_YET = "a moment, then answer";
