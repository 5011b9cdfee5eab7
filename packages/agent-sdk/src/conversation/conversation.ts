import type { AgentEvent } from "../events.ts";
import { Gate } from "../gate/gate.ts";
import { NarrowedPolicy } from "../gate/narrowedPolicy.ts";
import { PermissionPolicy } from "../gate/permissionPolicy.ts";
import { RuleKeeper } from "../gate/ruleKeeper.ts";
import type { Decides } from "../gate/seams.ts";
import type { HookAudience } from "../hooks/run/carryOut.ts";
import { AIManager } from "../managers/aiManager.ts";
import { MessageManager } from "../managers/messageManager.ts";
import type { Message } from "../messages/blocks.ts";
import { Checkpoints } from "../messages/checkpoints.ts";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import { ClaudeTranscript } from "../session/claudeTranscript.ts";
import { SessionSandbox } from "../session/commandSandbox.ts";
import { conversationRecords } from "../session/conversationRecords.ts";
import { claudeTranscriptOf } from "../session/file/sessionPaths.ts";
import type { EventPlace, HookPipeline } from "../session/hookPipeline.ts";
import { Elicitations } from "./elicitation.ts";
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
import { attachNamed } from "./namedResources.ts";
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
  /** Rules and mode of its own. Absent: those of its parent, whatever becomes of them. */
  rules?: readonly PermissionRuleSource[];
  mode?: PermissionMode | undefined;
  /** Where its tools begin to work. */
  cwd: string;
  /** Which tools it has; all of the session when absent. */
  tools?: ToolLookup;
  /** The conversation that it works for: whatever would be held back there is held back here. */
  parent?: Conversation;
  /** The sub-agent whose conversation it is, what it is told besides, and its file. Absent: the main conversation. */
  agent?: { identity: SubAgentIdentity; role: string; file: string; model?: string | undefined };
  allowSelfConfig?: boolean;
  maxModelCalls?: number | undefined;
  emit?: (event: AgentEvent) => void;
}

/** One transcript: its messages, its turns, what its tools remember, and what it may do. */
export class Conversation {
  /** The sub-agent whose conversation it is. */
  readonly agent: SubAgentIdentity | undefined;
  readonly tools: ToolLookup;
  readonly maxModelCalls: number | undefined;
  readonly messages: MessageManager;
  /** Whoever hears what hooks say. */
  readonly audience: HookAudience;
  readonly toolSession: ToolSession;
  /** Rules and mode of its own. */
  readonly ownPolicy: PermissionPolicy;
  /** What decides about its calls: its own policy, narrowed by that of its parent. */
  readonly policy: Decides;
  /** The newest prompt of a person; undefined before the first of this process. */
  readonly promptId: () => string | undefined;
  /** The conversation as hooks of another agent read it: brings the file up to date. */
  readonly transcriptFor: NonNullable<EventPlace["transcriptFor"]>;
  readonly pipeline: HookPipeline;
  /** Questions of MCP servers. */
  readonly elicitations: Elicitations;
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
    const { workspace, copies } = session;
    const model = session.model.as(options.agent?.model);
    const { projectDir, guard, register, reviewWays } = workspace;
    const { log, parent, agent, emit = session.emit, tools = session.tools } = options;
    this.agent = agent?.identity;
    this.tools = tools;
    this.maxModelCalls = options.maxModelCalls;
    // Going back is for the main conversation, and takes back whatever was done for it.
    const checkpoints = parent ? new Checkpoints() : session.checkpoints;
    this.messages = new MessageManager({
      log,
      messages: options.messages ?? [],
      takenAway: options.takenAway,
      onChange: (change) => emit({ type: "messages_changed", ...change }),
    });
    const { messages } = this;
    log.keepConversation(() => conversationRecords(messages, checkpoints));
    this.toolSession = toolSessionOf(session, options);
    const { toolSession } = this;
    const cwd = () => toolSession.cwd;

    const ownPolicy = new PermissionPolicy({
      rules: options.rules,
      mode: options.mode,
      like: parent?.ownPolicy,
      session: toolSession,
      protectedFiles: workspace.protectedFiles,
      reviewWays,
      selfConfig: options.allowSelfConfig ? "as-others" : "asks",
    });
    this.ownPolicy = ownPolicy;
    const policy = parent ? new NarrowedPolicy(parent.policy, ownPolicy) : ownPolicy;
    this.policy = policy;
    const mode = () => policy.mode;
    if (!parent) toolSession.leavePlan = () => leavePlan(ownPolicy, emit);
    // Hooks are told of the person's prompt, and read the main conversation.
    this.promptId = parent?.promptId ?? (() => messages.promptId);
    const transcript = claudeTranscript(session, { messages, cwd, emit, agent: agent?.identity });
    this.transcriptFor = (dialect, whose) =>
      parent && whose === "session" ? parent.transcriptFor(dialect, whose) : transcript();
    const { promptId, transcriptFor } = this;
    this.audience = agent && parent ? alsoTelling(parent.audience, messages, agent.identity) : messages;
    this.pipeline = session.pipelineIn({
      audience: this.audience,
      cwd,
      mode,
      promptId,
      transcriptFor,
      variables: session.variables,
      aside: (work) => session.workspace.environment.runners.inBackground(work),
      agent: agent?.identity,
    });
    const person = session.personFor(this.pipeline, agent?.identity);
    const shared = { hooks: this.pipeline, messages, log, emit };
    this.elicitations = new Elicitations({ hooks: this.pipeline, person, emit, cwd });
    const gate = new Gate({
      tools,
      session: toolSession,
      hooks: this.pipeline,
      policy,
      person,
      records: this.pipeline,
    });
    const toolManager = new ToolManager({ ...shared, tools, session: toolSession, gate });
    this.shell = new PersonShell({ messages, tools: toolManager });
    // What a sub-agent is told comes from a model.
    const attach = parent ? undefined : attachNamed(session.tools, this.shell, messages);
    this.prompts = new PromptManager({ ...shared, person, session: { cwd, mode }, reviewWays, attach });

    this.gauge = new ContextGauge(() => model.contextSize, options.messages ?? []);
    const turn = {
      ...shared,
      model,
      cwd,
      gauge: this.gauge,
      wayBack: WAY_BACK[session.entrypoint],
      role: agent?.role,
      isPlanning: () => mode() === "plan",
    };
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
      budget: session.budget,
      agentFile: agent?.file,
    });
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
    if (!parent) session.onSettings(({ rules }) => ownPolicy.readRules(rules));
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

function claudeTranscript(
  { opened, model }: Session,
  about: {
    messages: MessageManager;
    cwd: () => string;
    emit: (event: AgentEvent) => void;
    agent: SubAgentIdentity | undefined;
  },
): () => string {
  const { messages, cwd, emit } = about;
  const { id: sessionId, file } = opened.handle;
  const transcript = new ClaudeTranscript({
    file: claudeTranscriptOf(file, about.agent?.id),
    sessionId,
    messages: () => messages.accepted,
    cwd,
    model: () => model.name,
    now: () => new Date(),
    tell: (text) => emit({ type: "notice", level: "error", text }),
  });
  return () => transcript.upToDate();
}

/** A person reads the main conversation: what hooks have to tell them about a sub-agent is said there, too. */
function alsoTelling(
  parent: HookAudience,
  own: HookAudience,
  { type, description }: SubAgentIdentity,
): HookAudience {
  const whose = (content: string) => `sub-agent ${type} (${description}): ${content}`;
  return {
    addUserMessage: (...said) => own.addUserMessage(...said),
    addHookBlock: (...said) => own.addHookBlock(...said),
    removeLastUserMessage: () => own.removeLastUserMessage(),
    addErrorBlock: (content, ...rest) => {
      own.addErrorBlock(content, ...rest);
      parent.addErrorBlock(whose(content), ...rest);
    },
    addWarnBlock: (content, ...rest) => {
      own.addWarnBlock(content, ...rest);
      parent.addWarnBlock(whose(content), ...rest);
    },
  };
}

function toolSessionOf(
  { workspace, journal, variables }: Session,
  { cwd, parent }: Pick<ConversationOptions, "cwd" | "parent">,
): ToolSession {
  const { projectDir, register, sandbox, readOnly, configuration } = workspace;
  const { mode } = configuration.settings.sandbox;
  return {
    projectDir,
    cwd,
    get env() {
      return variables.env;
    },
    files: new FileMemory(),
    journal,
    // What runs in the background belongs to the session: whoever started it may have ended.
    shells: parent?.toolSession.shells ?? new ShellRegistry(register),
    register,
    sandbox: new SessionSandbox({ mode, sandbox, readOnly }),
    todos: [],
  };
}

/** The person may have chosen another mode together with their yes. */
function leavePlan(
  policy: PermissionPolicy,
  emit: (event: AgentEvent) => void,
): PermissionMode | "was-not-planning" {
  if (policy.mode !== "plan") return policy.mode === "acceptEdits" ? policy.mode : "was-not-planning";
  policy.mode = "default";
  emit({ type: "mode_changed", mode: policy.mode });
  return policy.mode;
}
