import { resolve } from "node:path";
import {
  builtInToolNames,
  loadSettings,
  personHome,
  type Settings,
  type SettingsPlaces,
} from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";
import { projectDir, waveHome } from "./places.ts";

/** The settings a session in this folder would have. */
export function readSettings(
  extraFile: string | undefined,
  around: Pick<Surroundings, "cwd" | "env">,
  believes?: SettingsPlaces["believes"],
): Settings {
  return loadSettings({
    projectDir: projectDir(around),
    home: waveHome(around.env),
    managedFile: "/etc/wave/settings.json",
    personHome: personHome(around.env),
    knownTools: builtInToolNames(),
    ...(believes && { believes }),
    ...(extraFile === undefined ? {} : { extraFile: resolve(around.cwd, extraFile) }),
  });
}

export const fatalProblems = (settings: Settings) =>
  settings.problems.filter(({ severity }) => severity === "fatal");
