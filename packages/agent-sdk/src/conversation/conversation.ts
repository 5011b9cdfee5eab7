import type { AgentEvent } from "../events.ts";
import { Gate } from "../gate/gate.ts";
import { NarrowedPolicy } from "../gate/narrowedPolicy.ts";
import { PermissionPolicy } from "../gate/permissionPolicy.ts";
import { RuleKeeper } from "../gate/ruleKeeper.ts";
import type { Decides } from "../gate/seams.ts";
import { AIManager } from "../managers/aiManager.ts";
import { MessageManager } from "../managers/messageManager.ts";
import type { Message } from "../messages/blocks.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { ClaudeTranscript } from "../session/claudeTranscript.ts";
import { conversationRecords } from "../session/conversationRecords.ts";
import { claudeTranscriptOf } from "../session/file/sessionPaths.ts";
import type { HookPipeline } from "../session/hookPipeline.ts";
import type { Session } from "../session/session.ts";
import type { SessionLog } from "../session/sessionLog.ts";
import { SettingsChanges } from "../session/settingsChanges.ts";
import { FileMemory } from "../tools/fileMemory.ts";
import { ShellRegistry } from "../tools/shells.ts";
import type { ToolLookup } from "../tools/sources/registry.ts";
import type { ToolSession } from "../tools/tool.ts";
import type { PermissionRuleSource } from "../workspace/settings/permissions.ts";
import { CompactionManager } from "./compactionManager.ts";
import { WAY_BACK } from "./compactionWords.ts";
import { ContextGauge } from "./contextGauge.ts";
import { PersonShell } from "./personShell.ts";
import { ProjectNotes } from "./projectNotes.ts";
import { PromptManager } from "./promptManager.ts";
import { RewindManager } from "./rewindManager.ts";
import { SteeringQueue } from "./steering.ts";
import { ToolManager } from "./toolManager.ts";

export interface ConversationOptions {
  /** What was said before. */
  messages?: readonly Message[];
  takenAway?: readonly Message[] | undefined;
  /** Where its messages are written. Two conversations never share one. */
  log: SessionLog;
  /** Rules and mode of its own. */
  rules: readonly PermissionRuleSource[];
  mode: PermissionMode;
  /** Where its tools begin to work. */
  cwd: string;
  /** Which tools it has; all of the session when absent. */
  tools?: ToolLookup;
  /** The conversation that it works for: whatever would be held back there is held back here. */
  parent?: Conversation;
  allowSelfConfig?: boolean;
  maxModelCalls?: number | undefined;
  emit?: (event: AgentEvent) => void;
}

/** One transcript: its messages, its turns, what its tools remember, and what it may do. */
export class Conversation {
  readonly messages: MessageManager;
  readonly toolSession: ToolSession;
  /** Rules and mode of its own. */
  readonly ownPolicy: PermissionPolicy;
  /** What decides about its calls: its own policy, narrowed by that of its parent. */
  readonly policy: Decides;
  readonly pipeline: HookPipeline;
  readonly prompts: PromptManager;
  readonly gauge: ContextGauge;
  readonly compaction: CompactionManager;
  readonly steering = new SteeringQueue();
  readonly ai: AIManager;
  readonly shell: PersonShell;
  readonly rewinding: RewindManager;
  readonly settings: SettingsChanges;
  readonly rules: RuleKeeper;
  readonly notes: ProjectNotes;

  constructor(session: Session, options: ConversationOptions) {
    const { workspace, person, model, checkpoints, copies } = session;
    const { projectDir, guard, register, reviewWays } = workspace;
    const { log, parent, emit = session.emit, tools = session.tools } = options;
    this.messages = new MessageManager({
      log,
      messages: options.messages ?? [],
      takenAway: options.takenAway,
      onChange: (change) => emit({ type: "messages_changed", ...change }),
    });
    const { messages } = this;
    log.keepConversation(() => conversationRecords(messages, checkpoints));
    this.toolSession = toolSessionOf(session, options.cwd);
    const { toolSession } = this;
    const cwd = () => toolSession.cwd;

    const ownPolicy = new PermissionPolicy({
      rules: options.rules,
      mode: options.mode,
      session: toolSession,
      protectedFiles: workspace.protectedFiles,
      reviewWays,
      selfConfig: options.allowSelfConfig ? "as-others" : "asks",
    });
    this.ownPolicy = ownPolicy;
    const policy = parent ? new NarrowedPolicy(parent.policy, ownPolicy) : ownPolicy;
    this.policy = policy;
    const mode = () => policy.mode;
    const { id: sessionId, file } = session.opened.handle;
    const transcript = new ClaudeTranscript({
      file: claudeTranscriptOf(file),
      sessionId,
      messages: () => messages.accepted,
      cwd,
      model: () => model.name,
      now: () => new Date(),
      tell: (text) => emit({ type: "notice", level: "error", text }),
    });
    const transcriptFor = () => transcript.upToDate();
    const promptId = () => messages.promptId;
    this.pipeline = session.pipelineIn({ audience: messages, cwd, mode, promptId, transcriptFor });
    const shared = { hooks: this.pipeline, messages, log, emit };
    this.prompts = new PromptManager({ ...shared, person, session: { cwd, mode }, reviewWays });
    const gate = new Gate({
      tools,
      session: toolSession,
      hooks: this.pipeline,
      policy,
      person,
      records: this.pipeline,
    });
    const toolManager = new ToolManager({ ...shared, tools, session: toolSession, gate });

    this.gauge = new ContextGauge(() => model.contextSize, options.messages ?? []);
    const turn = { ...shared, model, cwd, gauge: this.gauge, wayBack: WAY_BACK[session.entrypoint] };
    this.compaction = new CompactionManager({
      ...turn,
      alwaysSent: () => JSON.stringify(toolManager.describe()).length,
    });
    this.ai = new AIManager({
      ...turn,
      prompts: this.prompts,
      tools: toolManager,
      compaction: this.compaction,
      steering: this.steering,
      maxModelCalls: options.maxModelCalls,
    });
    this.shell = new PersonShell({ messages, tools: toolManager });
    const { gauge } = this;
    this.rewinding = new RewindManager({
      ...shared,
      checkpoints,
      copies,
      files: toolSession.files,
      gauge,
      register,
    });

    this.settings = new SettingsChanges({
      guard,
      hooks: this.pipeline,
      taken: (taken) => session.settingsTaken(taken),
      emit,
    });
    session.onSettings(({ rules }) => ownPolicy.readRules(rules));
    const { settingsFiles } = workspace.configuration;
    this.rules = new RuleKeeper({
      policy: ownPolicy,
      log,
      place: { home: workspace.home, projectDir, settingsFiles },
      unapproved: () => guard.unapprovedRules,
      settings: this.settings,
      emit,
    });
    this.notes = new ProjectNotes({ projectDir, approval: guard, ways: reviewWays, register });
  }
}

function toolSessionOf({ workspace, journal }: Session, cwd: string): ToolSession {
  const { projectDir, environment, register, sandbox, configuration } = workspace;
  const { mode } = configuration.settings.sandbox;
  return {
    projectDir,
    cwd,
    env: environment.env,
    files: new FileMemory(),
    journal,
    shells: new ShellRegistry(register),
    register,
    ...(sandbox && {
      sandbox: {
        start: (request, endedByItself) => sandbox.start(mode, request, endedByItself),
        hint: (output) => (mode === "off" ? undefined : sandbox.hint(output)),
      },
    }),
    todos: [],
  };
}
