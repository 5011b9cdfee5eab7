import { useEffect, useRef } from "react";
import { NOTHING_SHOWN, unseenIn, withView, type Shown, type View } from "../asking/shown.ts";
import type { CoverName } from "../keyboard/covers.ts";
import type { Came } from "../keyboard/guard.ts";
import { bodyHeight, type PanelKey } from "../panels/frame.ts";
import { plural } from "../panels/hookWords.ts";
import { wrapLine } from "../panels/lines.ts";
import { closes, type PanelPress } from "../panels/press.ts";
import { lastPlace, scrolled, scrollTo, shownAtOnce } from "../panels/scroll.ts";
import type { Line } from "../view/span.ts";
import { Lines } from "./Lines.tsx";
import { Panel } from "./Panel.tsx";
import { usePanel, type Pressed } from "./usePanel.ts";

export interface ReviewQuestionProps<Answer extends string> {
  name: CoverName;
  came: Came;
  title: string;
  /** All there is to see; longer ones are wrapped. */
  lines: readonly Line[];
  keys: readonly PanelKey[];
  columns: number;
  rows: number;
  /** What a letter means. Enter means nothing: a yes is a letter (G24). */
  answers: Readonly<Record<string, Answer>>;
  /** The answer that is a yes to all of it: it counts once every line was on the screen, and shows the next ones until then. */
  yes: Answer;
  /** What Esc means: it leaves everything as it is. */
  close: Answer;
  onAnswer: (answer: Answer) => void;
  /** Ctrl-C, whenever it comes. */
  onCancel?: () => void;
}

/** `round`: how often a yes has shown more instead of being one. What it shows then has to be read, too. */
interface Place<Answer> {
  from: number;
  round: number;
  given: Answer | undefined;
}

type Effect<Answer> = { do: "answer" | "close"; answer: Answer };

/** Something to read, whole, and one answer to it. */
export function ReviewQuestion<Answer extends string>(props: ReviewQuestionProps<Answer>) {
  const { name, came, title, keys, columns, answers, yes, close, onAnswer, onCancel } = props;
  const lines = props.lines.flatMap((line) => wrapLine(line, columns));
  const keysWith = (left: number) =>
    keys.map((key) => (left > 0 && answers[key.keys] === yes ? { ...key, does: readOn(left) } : key));
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
  const press = (now: Place<Answer>, pressed: PanelPress): Pressed<Place<Answer>, Effect<Answer>> => {
    // Two answers can come before the screen is drawn again: the first one counts.
    if (now.given !== undefined) return { now };
    if (closes(pressed)) return { now: { ...now, given: close }, effect: { do: "close", answer: close } };
    const answer = pressed.key === "text" ? answers[pressed.text] : undefined;
    const next = answer === yes ? unseen() : undefined;
    if (next) return { now: { ...now, from: Math.min(next.first, lastTop), round: now.round + 1 } };
    if (answer !== undefined) return { now: { ...now, given: answer }, effect: { do: "answer", answer } };
    const from = scrollTo(pressed, now.from, lines.length, room);
    return { now: from === now.from ? now : { ...now, from } };
  };
  const [{ from, given }, , asks] = usePanel<Place<Answer>, Effect<Answer>>({
    name,
    came,
    first: () => ({ from: 0, round: 0, given: undefined }),
    press,
    carryOut: ({ answer }) => onAnswer(answer),
    asks: (now) => (now.given === undefined ? `${title} ${now.round}` : "answered"),
    onCancel,
  });
  const top = Math.min(from, lastTop);
  const view: View = { top, page, lastTop, mustSee: lines.length, width: columns };
  useEffect(() => {
    shown.current = withView(shown.current, view);
    drawn.current = view;
  });
  const left = unseenIn(shown.current, view)?.count ?? 0;
  if (given !== undefined) return null;
  return (
    <Panel came={came} asks={asks} title={title} keys={keysWith(left)} columns={columns}>
      <Lines lines={scrolled(lines, from, room)} />
    </Panel>
  );
}

const readOn = (left: number) => `read on: ${plural(left, "line")} not seen yet`;
