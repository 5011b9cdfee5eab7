import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bystander, life } from "./bystander.ts";

describe("the queue of requests", () => {
  it("applies an answer only to the request and the input that were on the screen, and puts every key in exactly one place (PD-1, T70, T71, T72, T76, T78)", () => {
    let [answers, readWhole] = [0, 0];
    fc.assert(
      fc.property(life, (steps) => {
        const bystander = new Bystander();
        bystander.play(steps);
        answers += bystander.answers.length;
        readWhole += bystander.readWhole;
      }),
      { numRuns: 2_000 },
    );
    // A property that never saw an answer would prove nothing.
    expect(answers).toBeGreaterThan(500);
    expect(readWhole).toBeGreaterThan(0);
  });
});
