import { personHome } from "../workspace/personHome.ts";
import type { AgentOptions } from "../agentOptions.ts";
import type { AgentEvent } from "../events.ts";
import type { ModelOptions } from "../services/aiService.ts";
import { Checkpoints } from "../messages/checkpoints.ts";
import { SessionFacts } from "../messages/sessionFacts.ts";
import { FileCopies } from "./file/fileCopies.ts";
import { worktreeAt } from "../workspace/git/gitFacts.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import { copiesFolderOf } from "./file/sessionPaths.ts";
import { FileMemory } from "../tools/fileMemory.ts";
import { ShellRegistry } from "../tools/shells.ts";
import type { ToolRegistry } from "../tools/sources/registry.ts";
import type { ToolSession } from "../tools/tool.ts";
import { childEnvironment, modelKeysOf } from "../utils/environment.ts";
import { HookRunners } from "../hooks/kinds/runners.ts";
import { reviewWays } from "../hooks/plan.ts";
import { AIManager } from "../managers/aiManager.ts";
import { CompactionManager } from "../conversation/compactionManager.ts";
import { WAY_BACK } from "../conversation/compactionWords.ts";
import { ConfigGuard } from "../workspace/configGuard.ts";
import { countsLater, readConfiguration, type Configuration } from "../workspace/configuration.ts";
import { conversationRecords } from "./conversationRecords.ts";
import { ContextGauge } from "../conversation/contextGauge.ts";
import { SessionJournal } from "./fileJournal.ts";
import { Gate } from "../gate/gate.ts";
import { HookManager } from "../managers/hookManager.ts";
import { MessageManager } from "../managers/messageManager.ts";
import { ModelManager } from "./modelManager.ts";
import type { OpenedSession } from "./openSession.ts";
import { PermissionManager } from "./permissionManager.ts";
import type { RunRegister } from "../process/runRegister.ts";
import { PermissionPolicy } from "../gate/permissionPolicy.ts";
import { PersonShell } from "../conversation/personShell.ts";
import { ProjectNotes } from "../conversation/projectNotes.ts";
import { ProtectedFiles } from "../workspace/protectedFiles.ts";
import { PromptManager } from "../conversation/promptManager.ts";
import { RewindManager } from "../conversation/rewindManager.ts";
import { RuleKeeper } from "../gate/ruleKeeper.ts";
import { Person } from "./person.ts";
import { HookPipeline } from "./hookPipeline.ts";
import { SettingsChanges } from "./settingsChanges.ts";
import { SessionLog } from "./sessionLog.ts";
import { SteeringQueue } from "../conversation/steering.ts";
import { ToolManager } from "../conversation/toolManager.ts";

/** What an agent is made of, wired together. */
export interface AgentParts {
  log: SessionLog;
  pipeline: HookPipeline;
  settings: SettingsChanges;
  messages: MessageManager;
  policy: PermissionPolicy;
  permissions: PermissionManager;
  rules: RuleKeeper;
  hooks: HookManager;
  guard: ConfigGuard;
  prompts: PromptManager;
  model: ModelManager;
  gauge: ContextGauge;
  compaction: CompactionManager;
  steering: SteeringQueue;
  ai: AIManager;
  shell: PersonShell;
  notes: ProjectNotes;
  rewinding: RewindManager;
  session: ToolSession;
  sandbox: Sandbox | undefined;
  register: RunRegister;
  tools: ToolRegistry;
  runners: HookRunners;
}

export function assembleParts(given: {
  options: AgentOptions;
  configuration: Configuration;
  opened: OpenedSession;
  tools: ToolRegistry;
  emit: (event: AgentEvent) => void;
  register: RunRegister;
}): AgentParts {
  const { options, configuration, opened, tools, emit, register } = given;
  const { projectDir, settings } = configuration;
  const { sandbox } = configuration;
  const keys = { apiKey: options.apiKey, providers: settings.providers };
  const environment = {
    ...childEnvironment({ ...configuration.env, ...settings.env }, keys),
    setBySettings: Object.keys(settings.env),
    ...(sandbox && { sandbox }),
    register,
    runners: new HookRunners(),
  };
  const tell = (text: string) => emit({ type: "notice", level: "error", text });
  const checkpoints = opened.goingBack?.checkpoints ?? new Checkpoints();
  const copies = new FileCopies(copiesFolderOf(opened.handle.file), register);
  const log = new SessionLog(opened.handle, tell, {
    facts: new SessionFacts(opened),
    conversation: () => conversationRecords(messages, checkpoints),
    onAppend: (record) => checkpoints.add(record, new Date().toISOString()),
    keys: modelKeysOf(configuration.env, keys),
  });
  const session: ToolSession = {
    projectDir,
    cwd: configuration.workdir,
    env: environment.env,
    files: new FileMemory(),
    journal: new SessionJournal({ copies, checkpoints, log, onProblem: tell }),
    shells: new ShellRegistry(register),
    register,
    ...(sandbox && {
      sandbox: {
        start: (request, endedByItself) => sandbox.start(settings.sandbox.mode, request, endedByItself),
        hint: (output) => (settings.sandbox.mode === "off" ? undefined : sandbox.hint(output)),
      },
    }),
    todos: [],
  };
  sandbox?.onProblem(tell);
  const cwd = () => session.cwd;
  const ways = reviewWays(configuration.reviewCommand);
  const messages = new MessageManager({
    log,
    messages: opened.messages,
    takenAway: opened.goingBack?.takenAway,
    onChange: (change) => emit({ type: "messages_changed", ...change }),
  });
  const protectedFiles = new ProtectedFiles({
    projectDir,
    home: personHome(environment.env),
    waveHome: configuration.home,
    settingsFiles: configuration.settingsFiles,
    hooks: () => guard.inForce.hooks,
    path: environment.env["PATH"],
  });
  const policy = new PermissionPolicy({
    rules: configuration.rules,
    mode: configuration.mode,
    session,
    protectedFiles,
    reviewWays: ways,
    selfConfig: options.allowSelfConfig ? "as-others" : "asks",
  });
  for (const rule of opened.rules ?? []) policy.allow(rule, "this session");
  const mode = () => policy.mode;
  const guard = new ConfigGuard({
    configuration,
    register,
    trust: options.trust ?? "store",
    reread: (trust) => readConfiguration({ ...options, trust }, [...tools.keys()]),
  });
  const permissions = new PermissionManager({ ask: options.onPermissionRequest, emit });
  const hooks = new HookManager({
    settings: guard,
    session: {
      id: opened.handle.id,
      file: opened.handle.file,
      projectDir,
      interactive: permissions.canAsk,
      entrypoint: options.entrypoint ?? "sdk",
      worktree: worktreeAt(projectDir),
    },
    environment,
    knownTools: [...tools.keys()],
    emit,
  });
  const place = { audience: messages, cwd, mode };
  const pipeline = new HookPipeline({ hooks, guard, log, place, emit });
  const person = new Person({ permissions, hooks });
  const gate = new Gate({ tools, session, hooks: pipeline, policy, person, records: pipeline });
  const prompts = new PromptManager({
    hooks: pipeline,
    messages,
    person,
    session: { cwd, mode },
    reviewWays: ways,
  });
  const shared = { hooks: pipeline, messages, log, emit };
  const toolManager = new ToolManager({ ...shared, tools, session, gate });
  const model = new ModelManager({
    model: modelOptions(options, configuration, opened),
    contextSize: settings.contextSize,
    place: { projectDir, cwd, believed: () => guard.believesFolder, instructions: () => guard.instructions },
    log,
  });
  const settingsChanges = new SettingsChanges({
    guard,
    hooks: pipeline,
    taken: (taken) => {
      policy.readRules(taken.rules);
      void environment.runners.keepOnly(taken.hooks.map(({ action }) => action));
      // What the model is told stays the same bytes where nothing of it changed.
      model.readInstructionsAgain();
      const later = countsLater(settings, taken.settings);
      if (later.length > 0)
        emit({
          type: "notice",
          level: "warning",
          text: `${later.join(", ")} of the settings ${later.length === 1 ? "stays as it was" : "stay as they were"} in this session; a change counts from the next one on`,
        });
      if (JSON.stringify(taken.settings.sandbox) !== JSON.stringify(settings.sandbox))
        emit({
          type: "notice",
          level: "warning",
          text: "commands go on in the sandbox they had; a change counts from the next session on",
        });
    },
    emit,
  });
  const rules = new RuleKeeper({
    policy,
    log,
    place: { home: configuration.home, projectDir },
    settings: settingsChanges,
    emit,
  });
  const gauge = new ContextGauge(() => model.contextSize, opened.messages);
  const wayBack = WAY_BACK[options.entrypoint ?? "sdk"];
  const compaction = new CompactionManager({
    messages,
    model,
    gauge,
    wayBack,
    alwaysSent: () => JSON.stringify(toolManager.describe()).length,
    hooks: pipeline,
    emit,
  });
  const steering = new SteeringQueue();
  const ai = new AIManager({
    ...shared,
    prompts,
    tools: toolManager,
    model,
    gauge,
    compaction,
    wayBack,
    steering,
    maxModelCalls: options.maxTurns,
  });
  const shell = new PersonShell({ messages, tools: toolManager });
  const rewinding = new RewindManager({
    checkpoints,
    copies,
    messages,
    files: session.files,
    gauge,
    log,
    register,
  });
  const notes = new ProjectNotes({ projectDir, approval: guard, ways, register });
  return {
    log,
    pipeline,
    settings: settingsChanges,
    messages,
    policy,
    permissions,
    rules,
    hooks,
    guard,
    prompts,
    model,
    gauge,
    compaction,
    steering,
    ai,
    shell,
    notes,
    rewinding,
    session,
    sandbox,
    register,
    tools,
    runners: environment.runners,
  };
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
