import { findLocalModel, ModelError, resolveModel, type AgentOptions, type Settings } from "wave-agent-sdk";
import type { SessionFlags } from "../cli/args.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { readSettings } from "./readSettings.ts";

/** What Agent.create is told about the model; empty where environment and settings say it all. */
export type ModelChoice = Pick<AgentOptions, "baseUrl" | "model" | "localModel" | "apiKey">;

export type FoundModel =
  | { found: "configured"; choice: ModelChoice }
  /** Nothing says where a model is: one sentence on what to set. */
  | { found: "no-key"; choice: ModelChoice; problem: string }
  /** Something is set, and it cannot work. */
  | { found: "unusable"; problem: string };

export function findModel(
  flags: Pick<SessionFlags, "model" | "settingsFile">,
  around: Surroundings,
): FoundModel {
  return modelIn(readSettings(flags.settingsFile, around), flags, around.env);
}

/** Asked before a session begins: without a model no hook has to run and no session has to be written. */
export function modelIn(
  settings: Settings,
  flags: Pick<SessionFlags, "model">,
  env: Record<string, string | undefined>,
): FoundModel {
  const choice = flags.model === undefined ? {} : { model: flags.model };
  try {
    // That of a project may wait for an approval.
    const isOfProject = settings.ofProject.some(({ name }) => name === "model");
    resolveModel({ ...choice, settings: { ...settings, ...(isOfProject && { model: undefined }) }, env });
    return { found: "configured", choice };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (error.kind === "no-key") return { found: "no-key", choice, problem: error.message };
    return { found: "unusable", problem: error.message };
  }
}

export type UsableModel = { usable: true; choice: ModelChoice } | { usable: false; problem: string };

/** Without a key, a model server on this machine is used, and named before anything is sent to it. */
export async function useLocalModel(model: FoundModel, say: (text: string) => void): Promise<UsableModel> {
  if (model.found === "configured") return { usable: true, choice: model.choice };
  if (model.found === "unusable") return { usable: false, problem: model.problem };
  const local = await findLocalModel();
  if (!local) return { usable: false, problem: model.problem };
  const name = model.choice.model ?? local.model;
  say(`No key is set, so Wave uses the model ${name} of ${local.server} on this machine (${local.baseUrl}).`);
  // Nobody asked for this model: a session that is resumed with another one of the server's keeps its own.
  const choice = model.choice.model === undefined ? { localModel: name } : { model: name };
  return { usable: true, choice: { baseUrl: local.baseUrl, ...choice } };
}
