import { randomInt } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bystander, life } from "./bystander.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
// `npm test` lives the same lives every time: of 2,000 drawn by chance about four read a long input to its end, and now and
// then none does. `npm run soak` draws new ones.
const given = process.env["WAVE_SEED"];
const seed = given ? Number(given) : SOAK ? randomInt(2 ** 31 - 1) : -1_763_884_101;

describe("the queue of requests", () => {
  it("applies an answer only to the request and the input that were on the screen, and puts every key in exactly one place (PD-1, T70, T71, T72, T76, T78)", () => {
    process.stderr.write(`queue: seed ${seed}\n`);
    let [answers, readWhole] = [0, 0];
    fc.assert(
      fc.property(life, (steps) => {
        const bystander = new Bystander();
        bystander.play(steps);
        answers += bystander.answers.length;
        readWhole += bystander.readWhole;
      }),
      { numRuns: SOAK ? 20_000 : 2_000, seed },
    );
    // A property that never saw an answer would prove nothing.
    expect(answers).toBeGreaterThan(500);
    expect(readWhole).toBeGreaterThan(0);
  });
});
