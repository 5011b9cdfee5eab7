import { arch, release } from "node:os";
import {
  approvedSettings,
  builtInToolNames,
  checkHooks,
  describePolicy,
  examineSandbox,
  findPrograms,
  hooksNotThere,
  listModels,
  ModelError,
  readProjectTrust,
  resolveModel,
  type ProjectTrust,
  type Settings,
  type TrustItem,
} from "wave-agent-sdk";
import type { Surroundings } from "../cli/surroundings.ts";
import { leastNode } from "../cli/version.ts";
import type { ModelChoice } from "../modes/model.ts";
import { projectDir, waveHome } from "../modes/places.ts";
import { readSettings } from "../modes/readSettings.ts";
import type {
  DoctorFacts,
  HookFact,
  ModelFacts,
  SandboxFacts,
  ServerFacts,
  TerminalFacts,
  TrustFacts,
} from "./facts.ts";
import { lookAtSessions } from "./lookAtSessions.ts";

export type Patient = Pick<Surroundings, "env" | "cwd" | "version"> & {
  stdout: Pick<Surroundings["stdout"], "isTTY" | "columns">;
};

/** What a session was started with, and what only it knows. */
export interface DoctorCase {
  settingsFile: string | undefined;
  model: ModelChoice;
  /** Of the session that runs; otherwise what a session would have. */
  hooks?: readonly HookFact[];
  /** Files that this session has read in another form. */
  changedFiles?: readonly string[];
}

/** A server that needs longer is no pleasure to work with. */
const SERVER_MS = 5_000;

/** Looks at everything at once. Only the model server that the person configured is contacted. */
export async function gatherFacts(around: Patient, given: DoctorCase): Promise<DoctorFacts> {
  const { env, version } = around;
  const settings = readSettings(given.settingsFile, around);
  const folder = projectDir(around);
  const trust = lookAtTrust(settings, around);
  const [model, sessions, programs, sandbox] = await Promise.all([
    lookAtModel(modelThatCounts(settings, trust, around, given.settingsFile), given.model, env),
    lookAtSessions(waveHome(env)),
    findPrograms({ projectDir: folder, env }),
    lookAtSandbox(settings, { projectDir: folder, env }),
  ]);
  const known = { knownTools: builtInToolNames(), projectDir: folder, env };
  return {
    wave: version,
    node: {
      version: process.versions.node,
      least: leastNode(),
      platform: `${process.platform} ${arch()} (${release()})`,
    },
    terminal: lookAtTerminal(around),
    model,
    settings: { files: settings.files, problems: settings.problems },
    hooks: {
      all: given.hooks ?? hooksOf(settings, trust),
      leftOut: hooksNotThere(settings, known.knownTools).map(({ source }) => source.path),
      problems: checkHooks(settings.hooks, known),
    },
    trust: { open: trust.items.flatMap(openItem), changed: given.changedFiles ?? [] },
    sessions,
    programs,
    sandbox,
  };
}

async function lookAtSandbox(
  { sandbox }: Settings,
  place: Parameters<typeof examineSandbox>[1],
): Promise<SandboxFacts> {
  const { mode } = sandbox;
  if (mode === "off") return { mode, missing: undefined, problems: [] };
  const { availability, problems } = await examineSandbox(sandbox, place);
  return { mode, missing: availability.is === "missing" ? availability.why : undefined, problems };
}

function lookAtTerminal({ env, stdout }: Patient): TerminalFacts {
  if (!stdout.isTTY) return { is: "none" };
  const term = env["TERM"];
  const colour = env["NO_COLOR"] ? "off by NO_COLOR" : term === "dumb" ? "off by TERM" : "on";
  const inside = env["TMUX"] ? "tmux" : env["STY"] ? "screen" : undefined;
  return { is: "there", columns: stdout.columns, term, colour, inside };
}

type ModelThatCounts = Pick<Settings, "model" | "baseUrl" | "providers"> &
  Pick<Extract<ModelFacts, { is: "set" }>, "waiting">;

/** What a session would use. A model that only the project wants is none before somebody approved it. */
function modelThatCounts(
  { ofProject }: Settings,
  trust: ProjectTrust,
  around: Patient,
  settingsFile: string | undefined,
): ModelThatCounts {
  const believes = approvedSettings(trust);
  const { model, baseUrl, providers } = readSettings(settingsFile, around, believes);
  const waiting = ofProject.find((setting) => setting.name === "model" && !believes(setting));
  return {
    model,
    baseUrl,
    providers,
    ...(waiting && { waiting: { says: waiting.says, path: waiting.path } }),
  };
}

async function lookAtModel(
  { waiting, ...settings }: ModelThatCounts,
  choice: ModelChoice,
  env: Patient["env"],
): Promise<ModelFacts> {
  const options = { ...choice, settings, env };
  try {
    const { address, keyFrom, model } = resolveModel(options);
    const server = await askServer(options, address);
    return { is: "set", address, keyFrom, model, ...(waiting && { waiting }), server };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { is: "unusable", why: error.message };
  }
}

async function askServer(options: Parameters<typeof listModels>[0], address: string): Promise<ServerFacts> {
  try {
    return { answers: "list", names: (await listModels(options, SERVER_MS)).map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // Not every server that answers prompts has a list: 404 and 405 say that it is there.
    const isThere = error.status === 404 || error.status === 405 || error.status === 200;
    return isThere
      ? { answers: "something", why: `status ${error.status}` }
      : { answers: "nothing", why: error.message || `${address} cannot be reached` };
  }
}

/** The same look for a session that runs and for one that would begin. */
function lookAtTrust({ hooks, permissions, ofProject }: Settings, { env, ...around }: Patient): ProjectTrust {
  return readProjectTrust({
    home: waveHome(env),
    projectDir: projectDir({ env, ...around }),
    hooks,
    rules: permissions.rules,
    ofProject,
  });
}

function openItem({ item, files, state, before }: TrustItem): TrustFacts["open"] {
  if (state === "reviewed") return [];
  const old = before?.kind === "hook" ? before.files : {};
  const changed = files.filter(({ path, sha256 }) => Object.hasOwn(old, path) && old[path] !== sha256);
  return [{ what: whatOf(item), state, files: changed.map(({ path }) => path) }];
}

function whatOf(item: TrustItem["item"]): string {
  if (item.kind === "hook") return `hook ${item.hook.name}`;
  if (item.kind === "setting") return item.name;
  return item.kind === "allow-rule" ? `rule ${item.rule}` : item.path;
}

/** What a session here would have, with what nobody approved left out. */
function hooksOf({ hooks }: Settings, { items }: ProjectTrust): HookFact[] {
  const open = new Set(
    items.flatMap(({ item, state }) => (item.kind === "hook" && state !== "reviewed" ? [item.hook] : [])),
  );
  return hooks.map((hook) => ({
    name: hook.name,
    scope: hook.source.scope,
    off:
      hook.action.neverRuns !== undefined
        ? `cannot run, so onError (${describePolicy(hook.onError)}) speaks: ${hook.action.neverRuns}`
        : open.has(hook)
          ? "not approved (wave hooks trust shows and approves them)"
          : undefined,
  }));
}
