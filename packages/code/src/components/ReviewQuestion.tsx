import { usePaste } from "ink";
import { useRef, useState } from "react";
import { systemClock, type Clock } from "../asking/clock.ts";
import { readKey, type Typed } from "../asking/typed.ts";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { wrapLine } from "../panels/lines.ts";
import type { PanelPress } from "../panels/press.ts";
import { scrolled, scrollTo } from "../panels/scroll.ts";
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
  onAnswer: (answer: Answer) => void;
  /** Keys that were typed ahead, and pastes: they were meant for something else. */
  onEarly?: (typed: Typed) => void;
  clock?: Clock;
}

/** Something to read, whole, and one answer to it. */
export function ReviewQuestion<Answer extends string>(props: ReviewQuestionProps<Answer>) {
  const { title, keys, columns, answerOf, always = [], onAnswer, onEarly } = props;
  const [answered, setAnswered] = useState(false);
  // Two answers can come before the screen is drawn again: the first one counts.
  const given = useRef<Answer>(undefined);
  const quiet = useQuietStart(props.clock ?? systemClock);
  const lines = props.lines.flatMap((line) => wrapLine(line, columns));
  const room = bodyHeight({ rows: props.rows, columns, keys });
  const [from] = usePanel(
    () => 0,
    (now, press) => {
      const answer = given.current === undefined ? answerOf(press) : undefined;
      if (answer !== undefined && (!quiet.isEarly() || always.includes(answer))) {
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
  usePaste((text) => onEarly?.({ by: "paste", text }));
  if (answered) return null;
  return (
    <Panel title={title} summary={quiet.early ? NOT_YET : ""} keys={keys} columns={columns}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}

const NOT_YET = "a moment, then answer";
