import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import type { SettingsProblem } from "../settings.ts";
import { readHooks, type HooksRead } from "./hookEvents.ts";
import { nodeOfValue } from "./node.ts";
import { reportInto } from "./problem.ts";

/**
 * The hooks of `Agent.create({ hooks })`, under the same rules as those of a file: programs in plain JavaScript make
 * the same mistakes, so the type of the option is not relied on.
 */
export function hooksFromOption(
  hooks: unknown,
  defaults: HookDefaults = [],
): HooksRead & { problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const report = reportInto(problems, undefined);
  const place = { scope: "sdk" as const, file: undefined, defaults };
  return { ...readHooks(nodeOfValue(hooks, "hooks"), place, report), problems };
}
