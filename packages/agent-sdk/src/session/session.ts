import type { AgentOptions } from "../agentOptions.ts";
import type { AgentEvent } from "../events.ts";
import type { HookQuestion } from "../hooks/kinds/call.ts";
import type { Entrypoint } from "../hooks/eventFields.ts";
import { HookManager } from "../managers/hookManager.ts";
import { Checkpoints } from "../messages/checkpoints.ts";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import { SessionFacts } from "../messages/sessionFacts.ts";
import { modeForApproved } from "../permissions/sandboxModes.ts";
import type { ModelOptions } from "../services/aiService.ts";
import type { ToolRegistry } from "../tools/sources/registry.ts";
import type { Configuration } from "../workspace/configuration.ts";
import { worktreeAt } from "../workspace/git/gitFacts.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { startIn } from "../workspace/sandbox/sandbox.ts";
import { Budget } from "./budget.ts";
import { CommandVariables } from "./commandVariables.ts";
import { FileCopies } from "./file/fileCopies.ts";
import { copiesFolderOf } from "./file/sessionPaths.ts";
import { SessionJournal } from "./fileJournal.ts";
import { HookPipeline, type EventPlace } from "./hookPipeline.ts";
import { ModelManager } from "./modelManager.ts";
import type { OpenedSession } from "./openSession.ts";
import { PermissionManager } from "./permissionManager.ts";
import { Person } from "./person.ts";
import { SessionLog } from "./sessionLog.ts";

/** One session file, and what is the same for every conversation in it: log, person, hooks, model, tools. */
export class Session {
  readonly workspace: Workspace;
  readonly opened: OpenedSession;
  readonly entrypoint: Entrypoint;
  readonly log: SessionLog;
  readonly checkpoints: Checkpoints;
  readonly copies: FileCopies;
  readonly journal: SessionJournal;
  readonly permissions: PermissionManager;
  readonly hooks: HookManager;
  readonly model: ModelManager;
  readonly tools: ToolRegistry;
  /** What commands run with, and what hooks add to that. */
  readonly variables: CommandVariables;
  readonly budget: Budget;
  readonly emit: (event: AgentEvent) => void;
  readonly #onSettings = new Set<(taken: Configuration) => void>();

  constructor(
    workspace: Workspace,
    about: {
      options: AgentOptions;
      opened: OpenedSession;
      tools: ToolRegistry;
      emit: (event: AgentEvent) => void;
    },
  ) {
    const { options, opened, tools, emit } = about;
    const { projectDir, guard, environment, register, configuration } = workspace;
    const { id, file } = opened.handle;
    const tell = (text: string) => emit({ type: "notice", level: "error", text });
    workspace.sandbox?.onProblem(tell);
    this.workspace = workspace;
    this.opened = opened;
    this.entrypoint = options.entrypoint ?? "sdk";
    this.tools = tools;
    this.budget = new Budget(options.limits);
    this.emit = emit;
    const checkpoints = opened.goingBack?.checkpoints ?? new Checkpoints();
    this.checkpoints = checkpoints;
    this.copies = new FileCopies(copiesFolderOf(file), register);
    this.log = new SessionLog(opened.handle, tell, {
      facts: new SessionFacts(opened),
      onAppend: (record) => checkpoints.add(record, new Date().toISOString()),
      keys: workspace.keys,
    });
    this.journal = new SessionJournal({ copies: this.copies, checkpoints, log: this.log, onProblem: tell });
    this.permissions = new PermissionManager({ ask: options.onPermissionRequest, emit });
    const { mode } = configuration.settings.sandbox;
    this.variables = new CommandVariables({
      env: environment.env,
      projectDir,
      register,
      start: async (request) => startIn(workspace.sandbox, modeForApproved(mode), request).done,
      say: (level, text) => emit({ type: "notice", level, text }),
    });
    this.hooks = new HookManager({
      settings: guard,
      session: {
        id,
        file,
        projectDir,
        interactive: this.permissions.canAsk,
        entrypoint: this.entrypoint,
        worktree: worktreeAt(projectDir),
      },
      environment: { ...environment, askModel: (question) => this.#answerHook(question) },
      knownTools: () => [...tools.keys()],
      emit,
    });
    this.model = new ModelManager({
      model: modelOptions(options, configuration, opened),
      contextSize: configuration.settings.contextSize,
      projectDir,
      settings: guard,
      log: this.log,
      tell: (text) => emit({ type: "notice", level: "info", text }),
    });
  }

  /** A hook asks a model. */
  async #answerHook({ system, prompt, model, by, signal, onText }: HookQuestion): Promise<string> {
    const { content, usage } = await this.model.as(model).ask({
      cwd: this.workspace.projectDir,
      system,
      messages: [{ role: "user", content: prompt }],
      tools: [],
      signal,
      onText,
    });
    if (usage) this.log.append({ type: "turn_ended", because: `hook ${by}`, usage });
    return content ?? "";
  }

  /** The one way to ask, for the questions of one conversation. */
  personFor(events: HookPipeline, agent: SubAgentIdentity | undefined): Person {
    return new Person({ permissions: this.permissions, hooks: this.hooks, events, agent });
  }

  /** The one hook pipeline, for the events of one conversation. */
  pipelineIn(place: EventPlace): HookPipeline {
    const { hooks, log, emit } = this;
    return new HookPipeline({ hooks, guard: this.workspace.guard, log, place, emit });
  }

  /** For whoever goes by settings and is not asked anew each time. */
  onSettings(listener: (taken: Configuration) => void): void {
    this.#onSettings.add(listener);
  }

  /** A new configuration counts from now on. */
  settingsTaken(taken: Configuration): void {
    for (const listener of this.#onSettings) listener(taken);
    void this.workspace.environment.runners.keepOnly(taken.hooks.map(({ action }) => action));
    // What the model is told stays the same bytes where nothing of it changed.
    this.model.readInstructionsAgain();
    for (const text of this.workspace.countsLater(taken))
      this.emit({ type: "notice", level: "warning", text });
  }
}

/** A model that was chosen in the session before counts, unless this program names one itself. */
function modelOptions(
  options: AgentOptions,
  { settings, env }: Configuration,
  opened: OpenedSession,
): ModelOptions {
  const { apiKey, baseUrl, model, localModel, modelTimeout } = options;
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(model === undefined ? { chosenModel: opened.model } : { model }),
    ...(localModel === undefined ? {} : { localModel }),
    ...(modelTimeout === undefined ? {} : { modelTimeout }),
    settings,
    env,
  };
}
