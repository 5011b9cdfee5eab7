import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { HookRunners } from "@/hooks/kinds/runners.ts";
import { processesWith } from "../support/processes.ts";
import { waitFor } from "../support/waitFor.ts";
import { askWarm, oddHook, type Asked } from "../support/warmHooks.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const ROUNDS = SOAK ? 500 : 8;
const given = process.env["WAVE_SEED"];
const seed = given ? Number(given) : SOAK ? randomInt(2 ** 31 - 1) : 20_261_117;

/** What a call is answered with when nothing disturbs it; "fails" and "confuses" take the calls beside it along. */
const MODEL = {
  nothing: "passes",
  deny: "denies",
  slow: "denies",
  "deny by exit code": "denies",
  log: "denies",
  hang: "fails alone",
  "end well": "fails",
  "end badly": "fails",
  killed: "fails",
  "half a line": "fails",
  chatter: "fails",
  "another id": "fails",
  "a misspelt field": "fails",
  flood: "fails",
} as const;
type Act = keyof typeof MODEL;
const ACTS = Object.keys(MODEL) as Act[];

const meant = ({ decision, by }: Asked) =>
  by === "failure" ? "fails" : decision === "deny" ? "denies" : "passes";

/** What may come of one call of a round. A failure beside it may be its own, too; nothing else may be another's. */
function allowed(act: Act, round: readonly Act[]): string[] {
  const own = MODEL[act] === "fails alone" ? "fails" : MODEL[act];
  const disturbed = round.some((other) => MODEL[other] === "fails");
  return disturbed ? [own, "fails"] : [own];
}

it(`decides the same in ${ROUNDS} rounds of killing, hanging, flooding and confusing hooks that stay (T7, T14)`, async () => {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const mark = `warm-rounds-${process.pid}-${randomInt(2 ** 31)}`;
  const runners = new HookRunners();
  const hook = oddHook({ env: { MARK: mark } });
  const wrong: string[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const acts = Array.from({ length: 1 + next(4) }, () => ACTS[next(ACTS.length)] ?? "deny");
      const asked = await Promise.all(
        // Only a call that hangs has little time: a busy machine must not make another one late.
        acts.map((act) => askWarm({ ...hook, timeoutMs: act === "hang" ? 300 : 60_000 }, runners, act)),
      );
      asked.forEach((one, at) => {
        const act = acts[at] ?? "deny";
        if (!allowed(act, acts).includes(meant(one)))
          wrong.push(`round ${round}, ${acts.join(" + ")}: ${act} ${meant(one)}`);
      });
    }
  } finally {
    await runners.close();
  }
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
  await waitFor("all processes to end", () => processesWith(mark).length === 0);
});
