import { resolve } from "node:path";
import type { SettingsProblem } from "../settings/problem.ts";
import { keptPlugins, pluginAt } from "./keptPlugins.ts";
import type { Plugin } from "./plugin.ts";

export interface FoundPlugins {
  plugins: Plugin[];
  problems: SettingsProblem[];
}

/** Those that a person added, and those that were given for this run. */
export function findPlugins(home: string, given: readonly string[] = []): FoundPlugins {
  const found: FoundPlugins = { plugins: [], problems: [] };
  const say = (severity: SettingsProblem["severity"], file: string, message: string) =>
    found.problems.push({ severity, file, line: undefined, path: undefined, message });
  for (const { name, from, plugin, problem, notices } of keptPlugins(home)) {
    for (const notice of notices) say("warning", plugin?.root ?? name, notice);
    if (problem !== undefined) {
      const again = from === "" ? "" : `wave plugin add ${from} adds it again, `;
      say(
        "error",
        plugin?.root ?? name,
        `the plugin ${name} is off: ${problem}; ${again}wave plugin remove ${name} removes it`,
      );
    }
    if (plugin) found.plugins.push(problem === undefined ? plugin : { ...plugin, isChanged: true });
  }
  for (const folder of given) {
    const root = resolve(folder);
    const read = pluginAt(root, home);
    if ("problem" in read) say("fatal", root, `this plugin cannot be used: ${read.problem}`);
    else if (found.plugins.some(({ name }) => name === read.plugin.name))
      say(
        "fatal",
        root,
        `there are two plugins of the name ${read.plugin.name}; wave plugin list shows the other`,
      );
    else {
      for (const notice of read.notices) say("warning", root, notice);
      found.plugins.push(read.plugin);
    }
  }
  return found;
}
