import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScriptedReply, ScriptedRequest } from "wave-agent-sdk/testing";
import { askedIn } from "./support/asked.ts";
import { randomFrom } from "../support/random.ts";
import { Person, type Deeds } from "./support/person.ts";
import { hooksOf, READY, ScreenSession, sessionLinesOf, sessionTextOf } from "./support/screenSession.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
/** The same in every `npm test`, new ones in every soak. */
const SEED = Number(process.env["WAVE_SEED"]) || (SOAK ? Date.now() % 1_000_000 : 20_260_101);
/** Most of the time somebody waits, so several play at once. */
const LANES = 4;
const RUNS_PER_LANE = SOAK ? 100 : 5;
const LONGEST_BATCH = 3;

/** How long a hook thinks about a file is in its name: that is when the question arrives. */
const DELAYS = ["", "-slow", "-slower"];
const HOOK = `read -r line; case "$line" in *-slower*) sleep 0.6;; *-slow*) sleep 0.2;; esac`;

const fileOf = (run: number, index: number, delay: string) => `run${run}-${index}${delay}.txt`;

describe(`questions of a real session, answered at random (seed ${SEED})`, () => {
  it.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane))(
    "an answer applies only to what was on the screen, and what was typed beside it is kept to the byte (lane %i; PD-1, PD-2, T70, T71, T72, T76)",
    async (lane) => {
      const random = randomFrom(SEED + lane * 7_919);
      const batches = Array.from({ length: RUNS_PER_LANE }, (_, run) =>
        Array.from({ length: 1 + random(LONGEST_BATCH) }, (_, index) =>
          fileOf(run, index, DELAYS[random(3)] ?? ""),
        ),
      );
      await using session = await ScreenSession.open({
        settings: hooksOf(["PreToolUse", HOOK, "thinker"]),
        prepare: ({ folder }) =>
          batches.flat().forEach((file) => writeFileSync(join(folder, "..", file), "text\n")),
        scenario: (request) => replyTo(request, batches),
      });
      const person = new Person(session, random);
      let answers = 0;
      for (const run of batches.keys()) {
        const deeds = await play(session, person, run);
        answers += expectHeld(session, run, deeds);
        await expectDraft(session, run, deeds);
      }
      // A play in which nobody answered would prove nothing.
      expect(answers).toBeGreaterThanOrEqual(RUNS_PER_LANE / 2);
    },
    SOAK ? 3_600_000 : 120_000,
  );
});

/** A run is a prompt: the model reads its files, all at once, and says a word when it may. */
function replyTo({ body }: ScriptedRequest, batches: readonly string[][]): ScriptedReply {
  const asked = askedIn({ body });
  const batch = /^run (\d+)$/.exec(asked);
  if (!batch || body.messages.at(-1)?.role === "tool") return { say: "Heard." };
  const files = batches[Number(batch[1])] ?? [];
  return { calls: files.map((file) => ({ name: "Read", arguments: { file_path: `../${file}` } })) };
}

const endedTurns = ({ project }: ScreenSession) =>
  sessionTextOf(project).split('"type":"turn_ended"').length - 1;

async function play(session: ScreenSession, person: Person, run: number): Promise<Deeds> {
  const before = endedTurns(session);
  await session.say(`run ${run}`);
  // Enter and a letter that arrive together would be read as a paste.
  await session.wave.waitForText(/Esc stops|waiting for your answer/);
  const deeds = await person.act(() => endedTurns(session) > before);
  await session.idle();
  // What comes back to the input comes a moment after the end.
  await session.quiet(300);
  return deeds;
}

/** Whatever a person decided, as the records tell it, is an answer to that very question while it was on the screen. */
function expectHeld({ project }: ScreenSession, run: number, deeds: Deeds): number {
  const decided = sessionLinesOf(project).flatMap(({ record }) => {
    const { event, decidedBy, decision, inputPreview } = (record ?? {}) as Record<string, unknown>;
    const about = /run\d+-[^"]*\.txt/.exec(String(inputPreview))?.[0];
    return event === "PreToolUse" && decidedBy === "person" && about?.startsWith(`run${run}-`)
      ? [{ about, decision }]
      : [];
  });
  for (const one of decided) expect(deeds.answers).toContainEqual(one);
  return decided.length;
}

/**
 * Sent to the model, where every byte can be counted. A prompt that came back stands before it: above an empty line when
 * something was typed by then.
 */
async function expectDraft(session: ScreenSession, run: number, { typed }: Deeds): Promise<void> {
  const { wave, model } = session;
  if (typed.some(({ is }) => is === "text")) {
    const ended = endedTurns(session);
    await wave.press("enter");
    await wave.waitUntil(() => endedTurns(session) > ended, { what: "the end of the turn" });
    const pieces = typed.map(({ text, is }) => (is === "text" ? RegExp.escape(text) : `${text}?`));
    const content = model.requests.at(-1)?.body.messages.at(-1)?.content;
    expect(content).toMatch(new RegExp(`^(?:run ${run}(?:\\n\\n)?)?${pieces.join("")}$`, "u"));
    await session.idle();
  }
  await wave.press("ctrl-u");
  await wave.waitForText(READY);
}
