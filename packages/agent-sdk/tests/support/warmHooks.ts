import { fileURLToPath } from "node:url";
import type { HookDefinition } from "../../src/hooks/definition.ts";
import { COMMAND } from "../../src/hooks/kinds/command.ts";
import { asAction } from "../../src/hooks/kinds/kind.ts";
import type { HookRunners } from "../../src/hooks/kinds/runners.ts";
import { readVerdict } from "../../src/hooks/verdict.ts";
import { executeHooks, type HookRunContext } from "../../src/services/hook.ts";
import { FACTS, hookContext, hookOf } from "./runHooks.ts";

const ODD = fileURLToPath(new URL("../fixtures/warm/odd.mjs", import.meta.url));

/** A command that stays, under onError "block". */
export const warmHook = (line: string, more: Partial<HookDefinition> = {}): HookDefinition =>
  hookOf(asAction(COMMAND, { line, how: "shell", warm: true }).action, { onError: "block", ...more });

/** tests/fixtures/warm/odd.mjs: it does what the command of the call says. */
export const oddHook = (more?: Partial<HookDefinition>) =>
  warmHook(`exec '${process.execPath}' '${ODD}'`, more);

export interface Asked {
  decision: string;
  /** Who decided: the hook, or its onError. */
  by: string | undefined;
  way: string | undefined;
  stdout: string | undefined;
}

export async function askWarm(
  hook: HookDefinition,
  runners: HookRunners,
  command: string,
  more: Partial<HookRunContext> = {},
): Promise<Asked> {
  const context = hookContext("/", { runners, ...more });
  const input = { ...context.input, ...FACTS.PreToolUse, tool_input: { command } };
  const [result] = await executeHooks("PreToolUse", { ...context, input }, [hook]);
  if (!result) throw new Error("no result");
  const { decision, decidedBy } = readVerdict("PreToolUse", result, {
    name: "guard",
    source: "s",
    onError: hook.onError,
  });
  const way = result.timedOut ? "timed-out" : result.aborted ? "aborted" : result.error?.way;
  return { decision, by: decidedBy, way, stdout: result.stdout };
}
