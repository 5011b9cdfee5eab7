import { hashOf } from "../hooks/buildRecord.ts";
import type { DecisionRecord } from "../hooks/record.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import type { PreparedCall } from "../conversation/turn/prepareCall.ts";
import { headAndTail } from "../utils/headAndTail.ts";
import { maskSecrets } from "../utils/maskSecrets.ts";
import type { Attempts } from "../session/person.ts";
import type { ToolJudgement } from "./toolJudge.ts";

/** What the record of a call says about the call itself. */
export function recordedFacts({
  call,
  judged,
  origin,
  attempts: { guards },
}: {
  call: PreparedCall;
  judged: ToolJudgement;
  origin: CallOrigin;
  attempts: Attempts;
}): Partial<DecisionRecord> {
  const asked = call.broken?.raw ?? call.input;
  return {
    toolUseId: call.id,
    toolName: call.name,
    inputHash: hashOf(asked),
    finalInputHash: hashOf(judged.input),
    inputPreview: preview(asked),
    ...(judged.rewritten ? { finalInputPreview: preview(judged.input) } : {}),
    ...(origin === "model" ? {} : { origin }),
    ...(guards.length === 0 ? {} : { brokenGuards: [...guards] }),
  };
}

const preview = (input: unknown) =>
  // Masked before it is cut: half a key cannot be told from other text any more.
  headAndTail(maskSecrets(typeof input === "string" ? input : JSON.stringify(input)), 2_000).text;
