import type { Block, Message } from "wave-agent-sdk";
import type { Tone } from "../theme.ts";
import { printableLine } from "../utils/printable.ts";
import { fitLine, span, type Line } from "./span.ts";
import { finalInput, isInput, textField, type Input } from "./toolInput.ts";

/** A step of the list that the model keeps with TodoWrite. */
export interface Step {
  /** How it reads now: "Run the tests", or "Running the tests" while that is done. */
  words: string;
  status: Status;
}

type Status = "pending" | "in_progress" | "completed";

const LOOKS: Record<Status, { sign: string; tone?: Tone }> = {
  completed: { sign: "✓", tone: "dim" },
  in_progress: { sign: "→", tone: "accent" },
  pending: { sign: "○" },
};

/** The list that a call has written; undefined for every other call. */
export function stepsOf(block: Block): readonly Step[] | undefined {
  if (block.type !== "tool" || block.name !== "TodoWrite") return undefined;
  return block.stage === "ended" && block.success ? readSteps(finalInput(block)) : undefined;
}

/** The newest list of a conversation; undefined where there is none. */
export function stepsIn(messages: readonly Message[]): readonly Step[] | undefined {
  for (const { blocks } of messages.toReversed()) {
    const steps = blocks
      .toReversed()
      .map(stepsOf)
      .find((list) => list !== undefined);
    if (steps) return steps;
  }
  return undefined;
}

export function readSteps(input: Input | undefined): readonly Step[] | undefined {
  const todos = input?.["todos"];
  if (!Array.isArray(todos)) return undefined;
  return todos.filter(isInput).map((todo) => {
    const status = (Object.keys(LOOKS) as Status[]).find((one) => one === todo["status"]) ?? "pending";
    const doing = status === "in_progress" ? textField(todo, "activeForm") : undefined;
    return { words: printableLine(doing ?? textField(todo, "content") ?? ""), status };
  });
}

/** "2 of 5 steps done". */
export function stepsDone(steps: readonly Step[]): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  return `${done} of ${steps.length} steps done`;
}

/** What is being done, or else what comes next. */
export const currentStep = (steps: readonly Step[]): Step | undefined =>
  steps.find(({ status }) => status === "in_progress") ?? steps.find(({ status }) => status === "pending");

interface StepsLook {
  width: number;
  /** For all of it. */
  rows: number;
  /** While nobody works on it, one line is enough. */
  form: "list" | "line";
}

/** The list above the prompt, until all of it is done: around the step that is being done, where it is too long. */
export function stepLines(steps: readonly Step[], { width, rows, form }: StepsLook): Line[] {
  const current = currentStep(steps);
  if (!current) return [];
  const head = stepsDone(steps);
  if (form === "line" || rows < 3)
    return [fitLine([span(`${head}; ${when(current)}: ${current.words}`, { tone: "dim" })], width)];
  const room = steps.length <= rows - 1 ? rows - 1 : rows - 2;
  const top = Math.max(0, Math.min(steps.indexOf(current) - 1, steps.length - room));
  const shown = steps.slice(top, top + room);
  const below = steps.length - top - shown.length;
  const cut = [...(top > 0 ? [`${top} above`] : []), ...(below > 0 ? [`${below} below`] : [])].join(", ");
  return [
    [span(head, { tone: "dim" })],
    ...shown.map(({ words, status }) => {
      const { sign, ...tone } = LOOKS[status];
      return fitLine([span(`${sign} ${words}`, tone)], width);
    }),
    ...(cut === "" ? [] : [[span(`… ${cut}`, { tone: "dim" })]]),
  ];
}

const when = ({ status }: Step) => (status === "in_progress" ? "now" : "next");
