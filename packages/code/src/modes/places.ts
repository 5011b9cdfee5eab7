import { join, resolve } from "node:path";
import { findProjectDir, personHome } from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";

/** $WAVE_HOME, default ~/.wave. Empty counts as not set. */
export function waveHome(env: Record<string, string | undefined>): string {
  const named = env["WAVE_HOME"]?.trim();
  return named ? resolve(named) : join(personHome(env), ".wave");
}

/** The folder whose settings, hooks and sessions count here: this one, or the project above it. */
export function projectDir({ cwd, env }: Pick<Surroundings, "cwd" | "env">): string {
  return findProjectDir(cwd, waveHome(env), personHome(env));
}

/** A folder as a person would write it. */
export function shownFolder(folder: string): string {
  const home = personHome();
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
