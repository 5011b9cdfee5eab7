import type { HookDefinition } from "../definition.ts";
import type { HookDialect } from "../dialect.ts";
import type { HookEvent } from "../events.ts";
import { isRecord } from "../outputFields.ts";
import type { HookExecutionResult } from "../result.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import type { Asked, DialectRow } from "./row.ts";
import { namesThere } from "./tools.ts";

/** Claude Code's is Wave's own. */
const DIALECTS: Readonly<Record<Exclude<HookDialect, "claude-code">, DialectRow>> = {
  cursor,
  copilot,
  codex,
  gemini,
};

export const dialectOf = ({ dialect }: Pick<HookDefinition, "dialect">): DialectRow | undefined =>
  dialect === undefined || dialect === "claude-code" ? undefined : DIALECTS[dialect];

/** Two hooks with the same one read and print the same. Wave's own and Claude Code's do. */
export const shapesOf = (hook: Pick<HookDefinition, "dialect" | "askedAs">): string =>
  dialectOf(hook) ? `${hook.dialect} ${hook.askedAs}` : "";

/** All names by which a hook's matcher may mean a tool. */
export function toolNamesFor(hook: Pick<HookDefinition, "dialect">, tool: string): string[] {
  const row = dialectOf(hook);
  return row ? [tool, ...namesThere(row, tool)] : [tool];
}

export interface AskedHook {
  hook: Pick<HookDefinition, "dialect" | "askedAs">;
  event: HookEvent;
  fields: Asked["fields"];
  now: Date;
  contentOf: Asked["contentOf"];
}

const aboutOf = ({ hook, ...asked }: AskedHook): Asked => ({ ...asked, as: hook.askedAs ?? asked.event });

/** What a hook reads, where it was written for an agent with shapes of its own. */
export const inputThere = (asked: AskedHook): Record<string, unknown> | undefined =>
  dialectOf(asked.hook)?.input(aboutOf(asked));

/** What a hook said, in Wave's words. A text that is not one JSON object stays as it is: others judge what it is worth. */
export function resultHere(result: HookExecutionResult, asked: AskedHook): HookExecutionResult {
  const row = dialectOf(asked.hook);
  if (!row) return result;
  const exitCode = result.exitCode !== undefined && row.refuses?.(result.exitCode) ? 2 : result.exitCode;
  const text = result.stdout?.trim() ?? "";
  const printed = objectIn(text);
  const stdout = printed
    ? JSON.stringify(row.output(printed, aboutOf(asked)))
    : row.plainText === "system-message" && text !== "" && !text.startsWith("{") && exitCode === 0
      ? JSON.stringify({ systemMessage: text })
      : result.stdout;
  return { ...result, ...(exitCode !== undefined && { exitCode }), ...(stdout !== undefined && { stdout }) };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not one object: several, or none that can be read.
    return undefined;
  }
}
