import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { findProjectDir, loadSettings, type Settings } from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";

/** $WAVE_HOME, default ~/.wave. Empty counts as not set. */
export function waveHome(env: Record<string, string | undefined>): string {
  const named = env["WAVE_HOME"]?.trim();
  return named ? resolve(named) : join(homedir(), ".wave");
}

/** The folder whose settings, hooks and sessions count here: this one, or the project above it. */
export function projectDir({ cwd, env }: Pick<Surroundings, "cwd" | "env">): string {
  return findProjectDir(cwd, waveHome(env));
}

/** The settings a session in this folder would have. */
export function readSettings(
  extraFile: string | undefined,
  around: Pick<Surroundings, "cwd" | "env">,
): Settings {
  return loadSettings({
    projectDir: projectDir(around),
    home: waveHome(around.env),
    managedFile: "/etc/wave/settings.json",
    ...(extraFile === undefined ? {} : { extraFile: resolve(around.cwd, extraFile) }),
  });
}

export const fatalProblems = (settings: Settings) =>
  settings.problems.filter(({ severity }) => severity === "fatal");
