import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import type { HookLimits } from "../../hooks/kinds/kind.ts";
import type { SettingsProblem } from "./problem.ts";
import { readHooks, type HooksRead } from "./hookEvents.ts";
import { nodeOfValue } from "./node.ts";
import { reportInto } from "./problem.ts";

/** The hooks of `Agent.create({ hooks })`, read like those of a file. Their shape was checked with the options. */
export function hooksFromOption(
  hooks: object,
  defaults: HookDefaults = [],
  limits: HookLimits = {},
): HooksRead & { problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const report = reportInto(problems, undefined);
  const place = { scope: "sdk" as const, file: undefined, defaults, limits };
  return { ...readHooks(nodeOfValue(hooks, "hooks"), place, report), problems };
}
