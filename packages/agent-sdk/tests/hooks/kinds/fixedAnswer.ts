import { z } from "zod";
import type { HookKind } from "@/hooks/kinds/kind.ts";
import { hookFields, textSchema } from "@/workspace/settings/fieldSchemas.ts";
import { fieldOf, plainValue } from "@/workspace/settings/node.ts";

interface FixedAnswer {
  answer: string;
}

/** How often runners of this kind ran and were closed. */
export const seen = { runs: 0, closed: 0 };

const schema = () => z.strictObject({ type: z.literal("fixed"), answer: textSchema(), ...hookFields() });

/** The smallest kind there can be: it always exits with 2 and the same words. All of it stands in this file. */
export const FIXED_ANSWER: HookKind<FixedAnswer> = {
  type: "fixed",
  writtenBy: "anybody",
  schema,
  read(entry) {
    const field = fieldOf(entry, "answer");
    const answer = textSchema().safeParse(field && plainValue(field));
    return answer.success ? { own: { answer: answer.data } } : { problem: 'this hook has no "answer"' };
  },
  identity: ({ answer }) => ["fixed", answer],
  describe: ({ answer }) => ({ name: `says ${answer}`, shown: `always says ${answer}`, notes: [] }),
  commandLine: () => ({}),
  neverRuns: () => undefined,
  open: ({ answer }) => ({
    run() {
      seen.runs += 1;
      return Promise.resolve({ success: false, exitCode: 2, stderr: answer, duration: 0, timedOut: false });
    },
    close() {
      seen.closed += 1;
    },
  }),
};
