import { hanging, pad, say } from "./lines.ts";
import { closes, moved, type PanelPress } from "./press.ts";
import { span, widthOf, type Line } from "../view/span.ts";

/** What a person can do who has no model yet. */
export type FirstChoice = "demo" | "local" | "leave";

export interface FirstStartFacts {
  version: string;
  /** Why the model that is set up cannot be used; undefined when none is. */
  problem: string | undefined;
  /** A model server that answers on this machine. */
  local: { server: string; model: string; address: string } | undefined;
}

/** Which offer is marked, and whether one was taken: the same key pressed twice must not choose twice. */
export interface FirstPlace {
  selected: number;
  isChosen: boolean;
}

export interface FirstEffect {
  do: "choose";
  choice: FirstChoice;
}

export function pressInFirstStart(
  now: FirstPlace,
  press: PanelPress,
  offers: readonly FirstOffer[],
): { now: FirstPlace; effect?: FirstEffect } {
  if (now.isChosen) return { now };
  const choice = closes(press) ? "leave" : press.key === "enter" ? offers[now.selected]?.choice : undefined;
  if (choice !== undefined) return { now: { ...now, isChosen: true }, effect: { do: "choose", choice } };
  const selected = moved(press, now.selected, { count: offers.length, page: offers.length });
  return { now: selected === undefined ? now : { ...now, selected } };
}

export interface FirstOffer {
  choice: FirstChoice;
  /** What is done, and what to know about it. */
  does: string;
  about: string;
}

/** What there is to choose, the most useful first. */
export function offersFor({ local }: FirstStartFacts): FirstOffer[] {
  return [
    ...(local
      ? [
          {
            choice: "local" as const,
            does: `Use ${local.model}`,
            about: `${local.server} on this machine, ${local.address}`,
          },
        ]
      : []),
    { choice: "demo", does: "Play the demo", about: "no key, no network, one minute" },
    { choice: "leave", does: "Leave", about: "" },
  ];
}

const VARIABLES = [
  ["OPENAI_API_KEY", "your key of OpenAI, or"],
  ["ANTHROPIC_API_KEY", "of Anthropic, or"],
  ["GEMINI_API_KEY", "of Google, or"],
  ["OPENROUTER_API_KEY", "of OpenRouter"],
  ["WAVE_BASE_URL", "a server of your own (its key: WAVE_API_KEY)"],
  ["WAVE_MODEL", "which model, as provider/model"],
] as const;

const NAME_WIDTH = Math.max(...VARIABLES.map(([name]) => name.length));
/** Below this a name stands on a line of its own. */
const BESIDE_FROM = NAME_WIDTH + 6 + Math.max(...VARIABLES.map(([, meaning]) => meaning.length));

/** What Wave is, and what to set. Fits 40 columns. */
export function firstStartLines({ version, problem }: FirstStartFacts, columns: number): Line[] {
  const text = (line: Line) => hanging(span("  "), line, columns);
  return [
    [say("accent", "≋ "), say("strong", `Wave ${version}`)],
    ...text([say("plain", "A terminal coding agent whose hooks cannot be bypassed.")]),
    [],
    ...(problem === undefined
      ? text([say("plain", "It has no model yet. Set a key in your shell and start it again:")])
      : [
          ...text([say("bad", problem)]),
          [],
          ...text([say("plain", "These say where the model is; set them and start Wave again:")]),
        ]),
    [],
    ...VARIABLES.flatMap(([name, meaning]) => variableLines(name, meaning, columns)),
    [],
  ];
}

function variableLines(name: string, meaning: string, columns: number): Line[] {
  if (columns < BESIDE_FROM)
    return [
      [say("plain", "    "), say("accent", name)],
      ...hanging(span("      "), [say("plain", meaning)], columns),
    ];
  return [[say("plain", "    "), say("accent", pad(name, NAME_WIDTH + 2)), say("plain", meaning)]];
}

/** One choice: beside what to know about it, or above it where there is no room. */
export function offerLines(
  { does, about }: FirstOffer,
  options: { columns: number; widest: number; marked: boolean },
): Line[] {
  const { columns, widest, marked } = options;
  const mark = marked ? say("accent", "› ") : say("plain", "  ");
  const name = say(marked ? "strong" : "plain", does);
  if (about === "") return [[mark, name]];
  const beside: Line = [mark, name, span(" ".repeat(widest - widthOf(does) + 3)), say("dim", about)];
  if (2 + widest + 3 + widthOf(about) <= columns) return [beside];
  return [...hanging(mark, [name], columns), ...hanging(span("    "), [say("dim", about)], columns)];
}
