import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ON_ERROR } from "@/hooks/failurePolicy.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { EVENTS } from "./generate.ts";
import { isMark, wildArb, withObjects } from "./generateOutput.ts";
import { isObject, printedText, readHook, type Event, type Says } from "./reference.ts";

const SOAK = process.env["WAVE_SOAK"] === "1";
const given = process.env["WAVE_SEED"];
const seed = given ? Number(given) : SOAK ? randomInt(2 ** 31 - 1) : 20_261_117;

const RUNS = SOAK ? 100_000 : 800;

/** Marks stand for a rewrite. */
const withRewrites = (says: Says): Says => ({
  ...says,
  stdout: withObjects(says.stdout, (object) => {
    const specific = object["hookSpecificOutput"];
    if (!isObject(specific) || !isMark(specific["updatedInput"])) return object;
    return {
      ...object,
      hookSpecificOutput: { ...specific, updatedInput: { command: specific["updatedInput"] } },
    };
  }),
});

/** What the runner would tell of a hook that says this. */
function resultOf({ stdout, stderr, end }: Says) {
  const base = { success: end === 0, duration: 5, timedOut: end === "timeout" };
  if (end === "missing")
    return { ...base, error: { way: "not-started" as const, message: "was not started" } };
  const printed = { stdout: stdout.map((piece) => printedText(piece)).join("\n"), stderr };
  if (end === "timeout") return { ...base, ...printed };
  return { ...base, ...printed, ...(end === "signal" ? { signal: "SIGKILL" } : { exitCode: end }) };
}

function difference(event: Event, says: Says, onError: (typeof ON_ERROR)[number]): string | undefined {
  const entries = [{ in: "user" as const, onError }];
  const want = readHook(event, { name: "h", matches: true, entries, says, saysAgain: says }, says);
  const got = readVerdict(event, resultOf(says), { name: "h", source: "settings.json:1", onError });
  // A halt, the user's own messages and a missing reason are no warnings of the kind that is compared here.
  const warned = got.warnings.some((text) => !want.systemMessages.includes(text));
  const seen = {
    // A halt beats what lets through.
    decision: got.halt !== undefined && got.decision === "allow" ? "none" : got.decision,
    byFailure: got.decidedBy === "failure",
    // Beside a refusal the pages leave that open.
    failedOpen:
      got.decision === "none" && got.failure?.kind !== "interrupted" && got.failure?.did === "continue",
    halts: got.halt !== undefined,
    warns: want.warns === "maybe" ? want.warns : warned ? "yes" : "no",
  };
  const { decision, byFailure, failedOpen, halt, warns } = want;
  const wanted = { decision, byFailure, failedOpen, halts: halt !== undefined, warns };
  if (JSON.stringify(seen) === JSON.stringify(wanted)) return undefined;
  return `${event}, onError ${onError}: ${JSON.stringify(says)}\n  seen ${JSON.stringify({ ...seen, warnings: got.warnings })}\n  want ${JSON.stringify(wanted)}`;
}

it("reads what a hook prints like the reference model in thousands of random outputs (SC-003, JO-6, JO-7, JO-8, G5)", () => {
  process.stderr.write(`outputs: seed ${seed}\n`);
  const wrong = EVENTS.flatMap((event) =>
    fc
      .sample(wildArb(event), { seed, numRuns: RUNS })
      .map(withRewrites)
      .flatMap((says) => ON_ERROR.flatMap((onError) => difference(event, says, onError) ?? [])),
  );
  expect(wrong.slice(0, 3)).toEqual([]);
});
