import { fitLine, lineWidth, type Line } from "../view/span.ts";
import { say } from "./lines.ts";

/** One thing to say, from its fullest form to its shortest. */
export interface StatusItem {
  full: Line;
  /** What it may become, in this order. The lowest loss of all items is taken first; an empty form leaves it out. */
  shorter: readonly { loss: number; form: Line }[];
}

const BETWEEN = " · ";

/** All items in their order, as full as the width allows. */
export function fitItems(items: readonly StatusItem[], width: number): Line {
  const taken: number[] = [];
  const draw = () => joined(items.map((item, index) => formOf(item, count(taken, index))));
  const fits = () => lineWidth(draw()) <= width;
  while (!fits()) {
    const next = leastLoss(items, taken);
    // Nothing can become shorter any more: what is too much is cut, with a mark.
    if (next === undefined) return fitLine(draw(), width);
    taken.push(next);
  }
  // The last step may have given up more than was needed: what still fits comes back, the greatest loss first.
  for (const index of taken.toReversed()) {
    const at = taken.lastIndexOf(index);
    taken.splice(at, 1);
    if (!fits()) taken.splice(at, 0, index);
  }
  return draw();
}

const count = (taken: readonly number[], index: number): number =>
  taken.filter((one) => one === index).length;

const formOf = ({ full, shorter }: StatusItem, steps: number): Line =>
  steps === 0 ? full : (shorter[steps - 1]?.form ?? full);

function leastLoss(items: readonly StatusItem[], taken: readonly number[]): number | undefined {
  return items
    .flatMap(({ shorter }, index) => {
      const next = shorter[count(taken, index)];
      return next ? [{ index, loss: next.loss }] : [];
    })
    .toSorted((a, b) => a.loss - b.loss)[0]?.index;
}

function joined(forms: readonly Line[]): Line {
  const shown = forms.filter((form) => form.length > 0);
  return shown.flatMap((form, index) => (index === 0 ? form : [say("dim", BETWEEN), ...form]));
}
