import type { AgentEvent } from "../events.ts";
import { buildRecord } from "../hooks/buildRecord.ts";
import { combine } from "../hooks/combine.ts";
import { effectsOf } from "../hooks/effects.ts";
import type { HookFacts } from "../hooks/events.ts";
import { onlyHalt } from "../hooks/verdict.ts";
import { carryOut } from "../hooks/run/carryOut.ts";
import type { HookManager } from "../managers/hookManager.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { ChangeJudged } from "../workspace/configGuard.ts";
import type { SessionLog } from "./sessionLog.ts";

/** The ConfigChange event. It happens in the course of another event, which does the ending of a turn. */
export async function tellOfChange(
  parts: {
    hooks: HookManager;
    messages: MessageManager;
    log: SessionLog;
    mode: () => string;
    emit: (event: AgentEvent) => void;
  },
  facts: HookFacts<"ConfigChange">,
): Promise<ChangeJudged> {
  const judged = await parts.hooks.judge("ConfigChange", facts);
  const effects = effectsOf("ConfigChange", judged.verdicts);
  const { denied } = carryOut(
    effects.filter((effect) => effect.do !== "end-turn"),
    parts.messages,
  );
  const record = buildRecord("ConfigChange", parts.mode(), [judged]);
  if (judged.verdicts.length > 0) parts.log.append({ type: "decision", record });
  parts.emit({ type: "hooks_decided", record });
  return { refused: denied, halts: combine(judged.verdicts).halts.map(onlyHalt) };
}
