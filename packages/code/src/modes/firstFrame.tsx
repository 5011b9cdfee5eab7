import { useWindowSize } from "ink";
import type { ReactNode } from "react";
import type { PermissionMode } from "wave-agent-sdk";
import { Appearance } from "../components/Appearance.tsx";
import { Lines } from "../components/Lines.tsx";
import { PLACEHOLDER, promptHints } from "../input/promptHints.ts";
import { spread } from "../panels/lines.ts";
import { statusLines } from "../panels/statusLine.ts";
import type { Theme } from "../theme.ts";
import { fitLine, span, type Line } from "../view/span.ts";

export interface FirstFrameProps {
  theme: Theme;
  plain: boolean;
  shownFolder: string;
  branch: string | undefined;
  model: string | undefined;
  mode: PermissionMode;
  /** The project may bring something along that is asked about first: then there is no prompt before that. */
  isReviewed: boolean;
}

/**
 * What a new session looks like before there is one, as lines: the components that draw a living prompt take twice as long for
 * the same picture. What is typed meanwhile is kept for the prompt that comes in its place.
 */
export function FirstFrame({ theme, ...facts }: FirstFrameProps): ReactNode {
  const { columns } = useWindowSize();
  return (
    <Appearance theme={theme} plain={facts.plain}>
      <Lines lines={firstLines(facts, columns)} />
    </Appearance>
  );
}

export function firstLines(
  { shownFolder, plain, isReviewed, ...facts }: Omit<FirstFrameProps, "theme">,
  columns: number,
): Line[] {
  const quiet = { tone: "dim" } as const;
  const edge = (left: string, right: string) => [span(left + "─".repeat(columns - 2) + right, quiet)];
  const inside = fitLine(
    [span("> ", { tone: "accent" }), span(PLACEHOLDER, quiet)],
    plain ? columns : columns - 4,
  );
  const framed = [
    edge("╭", "╮"),
    spread([span("│", quiet), span(" "), ...inside], [span("│", quiet)], columns),
    edge("╰", "╯"),
  ];
  const prompt = [
    ...(plain ? [inside] : framed),
    [span(` ${promptHints(EMPTY_PROMPT, columns - 2)}`, quiet)],
  ];
  return [
    ...(isReviewed ? [fitLine([span(LOOKING, quiet)], columns)] : prompt),
    ...statusLines({ ...facts, ...NOTHING_YET, folder: shownFolder }, columns),
  ];
}

const LOOKING = "Looking at this project's hooks…";

const EMPTY_PROMPT = {
  kind: "prompt",
  menu: { show: "nothing" },
  hasFolds: false,
  isBack: false,
  waiting: "nothing",
  cancelled: undefined,
} as const;

const NOTHING_YET = {
  tokens: undefined,
  hooksRunning: [],
  hooksOff: [],
  instructionsOut: false,
  changed: 0,
  failedOpen: 0,
  queued: 0,
};
