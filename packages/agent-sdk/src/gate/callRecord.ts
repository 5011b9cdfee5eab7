import { buildRecord, hashOf } from "../hooks/buildRecord.ts";
import type { BrokenGuard, DecisionRecord } from "../hooks/record.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import type { PreparedCall } from "../conversation/turn/prepareCall.ts";
import { headAndTail } from "../utils/headAndTail.ts";
import { maskSecrets } from "../utils/maskSecrets.ts";
import type { ToolJudgement } from "./toolJudge.ts";

export interface DecidedCall {
  call: PreparedCall;
  judged: ToolJudgement;
  origin: CallOrigin;
  mode: PermissionMode;
  guards: readonly BrokenGuard[];
  earlier: ToolJudgement["judgements"];
}

/** The line that explains afterwards what became of a call, and why. */
export function callRecord(
  { call, judged, origin, mode, guards, earlier }: DecidedCall,
  rest: Partial<DecisionRecord>,
): DecisionRecord {
  const asked = call.broken?.raw ?? call.input;
  const facts = {
    toolUseId: call.id,
    toolName: call.name,
    inputHash: hashOf(asked),
    finalInputHash: hashOf(judged.input),
    inputPreview: preview(asked),
    ...(judged.rewritten ? { finalInputPreview: preview(judged.input) } : {}),
    ...(origin === "model" ? {} : { origin }),
    ...(guards.length === 0 ? {} : { brokenGuards: [...guards] }),
    ...rest,
  };
  return buildRecord("PreToolUse", mode, judged.judgements, facts, earlier);
}

const preview = (input: unknown) =>
  // Masked before it is cut: half a key cannot be told from other text any more.
  headAndTail(maskSecrets(typeof input === "string" ? input : JSON.stringify(input)), 2_000).text;
