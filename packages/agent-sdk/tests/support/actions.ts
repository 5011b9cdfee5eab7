import type { HookAction, HookFunction } from "../../src/hooks/definition.ts";
import { COMMAND } from "../../src/hooks/kinds/command.ts";
import { FUNCTION } from "../../src/hooks/kinds/function.ts";
import { asAction } from "../../src/hooks/kinds/kind.ts";
import { UNSUPPORTED } from "../../src/hooks/kinds/unsupported.ts";

/** What hooks run, as reading their entries would give it. */
export const commandAction = (line: string): HookAction =>
  asAction(COMMAND, { line, how: "shell" as const }).action;

export const functionAction = (run: HookFunction): HookAction => asAction(FUNCTION, run).action;

export const unsupportedAction = (why: string): HookAction =>
  asAction(UNSUPPORTED, { why, name: "unknown hook", identity: ["unsupported", why] }).action;
