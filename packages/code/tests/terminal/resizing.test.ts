import { describe, expect, it } from "vitest";
import { randomFrom } from "../support/random.ts";
import { ScreenSession } from "./support/screenSession.ts";

const WORDS = Array.from({ length: 300 }, (_, number) => `word${number}.`);

/** Prose, a list and code: each word once. */
const ANSWER = [
  WORDS.slice(0, 150).join(" "),
  ...[0, 1, 2, 3, 4].map((item) => `- ${WORDS.slice(150 + item * 10, 160 + item * 10).join(" ")}`),
  "",
  "```",
  ...[0, 1, 2, 3, 4].map((line) => WORDS.slice(200 + line * 2, 202 + line * 2).join(" ")),
  "```",
  "",
  WORDS.slice(210).join(" "),
].join("\n");

const seed = Number(process.env["SEED"] ?? 0) || Date.now() % 100_000;

describe("a window that changes while an answer streams in (T72)", () => {
  it.each([
    [
      "narrow, wide and narrow again",
      [
        [40, 30],
        [120, 30],
        [40, 30],
        [200, 30],
        [30, 30],
      ],
    ],
    [
      "low and high",
      [
        [80, 10],
        [80, 40],
        [80, 12],
        [80, 30],
        [22, 6],
      ],
    ],
    [`at random, seed ${seed}`, at(seed, 25)],
  ] as [string, [number, number][]][])("%s, has each word exactly once", async (_, sizes) => {
    await using session = await ScreenSession.open({
      scenario: [{ say: ANSWER }],
      model: { tokenDelayMs: 4 },
    });
    const { wave } = session;
    await session.say("go");
    await wave.waitForText("word5.");
    const step = Math.floor(WORDS.length / (sizes.length + 1));
    for (const [index, [columns, rows]] of sizes.entries()) {
      await wave.waitUntil(() => wave.text().includes(`word${Math.min(260, index * step)}.`), {
        what: "more words",
      });
      wave.resize(columns, rows);
    }
    await wave.waitUntil(() => wave.text().includes("word299."), { what: "the end" });
    wave.resize(100, 30);
    await wave.waitForText(`╭${"─".repeat(98)}╮`);
    await session.quiet(300);
    const counts = new Map<string, number>();
    for (const [word] of wave
      .text()
      .replaceAll(/\s/g, "")
      .matchAll(/word\d+\./g))
      counts.set(word, (counts.get(word) ?? 0) + 1);
    expect(
      WORDS.filter((word) => counts.get(word) !== 1).map((word) => [word, counts.get(word) ?? 0]),
    ).toEqual([]);
  });
});

function at(seedOf: number, count: number): [number, number][] {
  const random = randomFrom(seedOf + 1);
  return Array.from({ length: count }, () => [20 + random(140), 6 + random(40)]);
}
