import type { HookDefinition } from "../../hooks/definition.ts";
import type { HookDefaults } from "../../hooks/hookDefaults.ts";
import type { SettingsProblem } from "../settings.ts";
import { readHooks } from "./hookEvents.ts";
import { nodeOfValue } from "./node.ts";
import { reportInto } from "./problem.ts";

/**
 * The hooks of `Agent.create({ hooks })`, under the same rules as those of a file: programs in plain JavaScript make
 * the same mistakes, so the type of the option is not relied on.
 */
export function hooksFromOption(
  hooks: unknown,
  defaults: HookDefaults = [],
): { hooks: HookDefinition[]; problems: SettingsProblem[] } {
  const problems: SettingsProblem[] = [];
  const report = reportInto(problems, undefined);
  return {
    hooks: readHooks(nodeOfValue(hooks, "hooks"), { scope: "sdk", file: undefined, defaults }, report),
    problems,
  };
}
