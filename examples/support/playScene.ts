import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Agent, type AgentEvent, type Message, type TurnEnd } from "wave-agent-sdk";
import { startScriptedModel, type ScriptedRequest } from "wave-agent-sdk/testing";
import type { Scene } from "./hookExample.ts";

export interface PlayedScene extends Disposable {
  project: string;
  end: TurnEnd;
  messages: readonly Message[];
  requests: readonly ScriptedRequest[];
  events: readonly AgentEvent[];
  sessionFile: string;
}

/** Not part of the hook: what is in a folder besides scripts. */
const ABOUT_THE_HOOK = ["settings.json", "README.md", "expect.ts"];

/** Installs a hook folder into a new project, as a person would, and plays one prompt with real processes. */
export async function playScene(hookFolder: string, scene: Scene): Promise<PlayedScene> {
  const folder = mkdtempDisposableSync(join(tmpdir(), "wave example "));
  try {
    const project = join(folder.path, "project");
    const env = environment(join(folder.path, "programs"));
    install(hookFolder, project);
    writeAll(project, scene.project ?? {});
    writeAll(join(folder.path, "programs"), scene.programs ?? {}, 0o755);
    if (scene.setUp !== undefined) execFileSync("bash", ["-ec", scene.setUp], { cwd: project, env });

    await using model = await startScriptedModel(scene.model);
    const events: AgentEvent[] = [];
    const { person } = scene;
    const agent = await Agent.create({
      baseUrl: model.baseUrl,
      workdir: project,
      trust: "given",
      waveHome: join(folder.path, "home"),
      // The example is judged, not the settings of the machine it is tried on.
      managedSettingsFile: join(folder.path, "managed.json"),
      permissionMode: "bypassPermissions",
      env,
      onEvent: (event) => void events.push(event),
      ...(person === undefined ? {} : { onPermissionRequest: () => ({ decision: person }) }),
    });
    const end = await agent.sendMessage(scene.prompt ?? "Do what has to be done.");
    await agent.destroy();
    const { messages, sessionFile } = agent;
    const { requests } = model;
    return { project, end, messages, requests, events, sessionFile, [Symbol.dispose]: () => folder.remove() };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

function install(hookFolder: string, project: string): void {
  mkdirSync(join(project, ".wave", "hooks"), { recursive: true });
  cpSync(join(hookFolder, "settings.json"), join(project, ".wave", "settings.json"));
  for (const name of readdirSync(hookFolder)) {
    if (ABOUT_THE_HOOK.includes(name)) continue;
    cpSync(join(hookFolder, name), join(project, ".wave", "hooks", name));
  }
}

function writeAll(folder: string, files: Readonly<Record<string, string>>, mode = 0o644): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  }
}

/** What hooks and tools see. GIT_DIR and its like, set where this runs from a git hook, would lead to another repository. */
function environment(programs: string): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const path = [programs, dirname(process.execPath), process.env["PATH"] ?? "/usr/bin:/bin"].join(delimiter);
  return { ...Object.fromEntries(inherited), PATH: path };
}
