import type { AgentOptions } from "../agentOptions.ts";
import { reviewWays } from "../hooks/plan.ts";
import { HookRunners } from "../hooks/kinds/runners.ts";
import { RunRegister } from "../process/runRegister.ts";
import { childEnvironment, modelKeysOf, type ChildEnvironment } from "../utils/environment.ts";
import { ConfigGuard } from "./configGuard.ts";
import { countsLater, readConfiguration, type Configuration } from "./configuration.ts";
import { personHome } from "./personHome.ts";
import { ProtectedFiles } from "./protectedFiles.ts";
import { ReadOnlySandbox } from "./sandbox/readOnly.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { withSandbox } from "./sandbox/sandboxing.ts";

/** What processes of hooks and commands are started with. */
export interface ProcessEnvironment extends ChildEnvironment {
  /** Names of variables that the settings set. */
  setBySettings: readonly string[];
  sandbox?: Sandbox;
  register: RunRegister;
  runners: HookRunners;
}

/** The project and the machine: settings and who trusts them, the sandbox, processes, and what is protected on disk. */
export class Workspace {
  readonly projectDir: string;
  /** Wave's own folder. */
  readonly home: string;
  /** As it was when the session began; what is in force now is for `guard` to say. */
  readonly configuration: Configuration;
  readonly guard: ConfigGuard;
  readonly register: RunRegister;
  readonly sandbox: Sandbox | undefined;
  /** For commands that nobody said yes to; undefined where a person switched it off. */
  readonly readOnly: ReadOnlySandbox | undefined;
  readonly environment: ProcessEnvironment;
  readonly protectedFiles: ProtectedFiles;
  /** The model's keys, which no record needs. */
  readonly keys: readonly string[];
  /** How a person gets to what waits for an approval. */
  readonly reviewWays: string;

  /** Rejects with SettingsError for a sandbox that is required and cannot be had. */
  static async open(
    options: AgentOptions,
    configuration: Configuration,
    knownTools: () => readonly string[],
  ): Promise<Workspace> {
    const register = new RunRegister(configuration.home);
    const isShown = options.entrypoint === "terminal";
    const ready = await withSandbox(configuration, register, { isShown });
    return new Workspace(options, ready, { register, knownTools });
  }

  private constructor(
    options: AgentOptions,
    configuration: Configuration,
    { register, knownTools }: { register: RunRegister; knownTools: () => readonly string[] },
  ) {
    const { settings, env, sandbox, projectDir, home } = configuration;
    this.projectDir = projectDir;
    this.home = home;
    this.configuration = configuration;
    this.register = register;
    this.sandbox = sandbox;
    const given = { apiKey: options.apiKey, providers: settings.providers };
    this.keys = modelKeysOf(env, given);
    this.reviewWays = reviewWays(configuration.reviewCommand);
    this.environment = {
      ...childEnvironment({ ...env, ...settings.env }, given),
      setBySettings: Object.keys(settings.env),
      ...(sandbox && { sandbox }),
      register,
      runners: new HookRunners(),
    };
    this.readOnly =
      settings.sandbox.mode === "off"
        ? undefined
        : new ReadOnlySandbox({ projectDir, env: this.environment.env });
    const guard = new ConfigGuard({
      configuration,
      register,
      trust: options.trust ?? "store",
      reread: (trust) => readConfiguration({ ...options, trust }, knownTools()),
    });
    this.guard = guard;
    this.protectedFiles = new ProtectedFiles({
      projectDir,
      home: personHome(this.environment.env),
      waveHome: home,
      settingsFiles: configuration.settingsFiles,
      hooks: () => guard.inForce.hooks,
      path: this.environment.env["PATH"],
    });
  }

  /** What of a new configuration waits for the next session, each as one sentence. */
  countsLater({ settings }: Configuration): string[] {
    const before = this.configuration.settings;
    const later = countsLater(before, settings);
    const stay = later.length === 1 ? "stays as it was" : "stay as they were";
    return [
      ...(later.length === 0
        ? []
        : [
            `${later.join(", ")} of the settings ${stay} in this session; a change counts from the next one on`,
          ]),
      ...(JSON.stringify(settings.sandbox) === JSON.stringify(before.sandbox)
        ? []
        : ["commands go on in the sandbox they had; a change counts from the next session on"]),
    ];
  }

  /** `isShared`: another Wave works in the same project. */
  close({ isShared }: { isShared: boolean }): void {
    this.guard.dispose();
    this.sandbox?.close({ isShared });
    this.register.close();
  }
}
