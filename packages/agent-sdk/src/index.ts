// The public list. Widening it is a decision: a test compares it with publicList.txt (`npx vitest run publicList --update` writes that).
export { Agent, type EndReason } from "./agent.ts";
export { AgentTurn, type SendOptions, type Subscription, type TurnResult } from "./session/agentTurn.ts";
export type { LimitName, Limits } from "./conversation/turn/limits.ts";
export type {
  AgentOption,
  AgentOptions,
  CommandHookEntry,
  FunctionHookEntry,
  HookEntry,
  HttpHookEntry,
  PromptHookEntry,
  HooksOption,
  TrustOption,
} from "./agentOptions.ts";
export type { SubAgentIdentity } from "./messages/subAgent.ts";
export {
  ClosedError,
  ModelError,
  OptionsError,
  ImageError,
  RuleError,
  SessionError,
  SettingsError,
  WaveError,
  type HeldSession,
  type ModelErrorKind,
  type OptionProblem,
  type TurnFailure,
  type TurnFailureKind,
} from "./errors.ts";
export type {
  AgentEvent,
  AnswerCut,
  CompactionEnd,
  PermissionDenial,
  ShellEnd,
  SteeringEnd,
  TurnEnd,
} from "./events.ts";
export type { NoteAdded } from "./conversation/projectNotes.ts";
export { identityOf, inItsTurn } from "./hooks/definition.ts";
export type {
  HookAction,
  HookDefinition,
  HookFunction,
  HookIdentity,
  HookOff,
  HookSource,
  HookState,
  OnError,
  SettingsScope,
} from "./hooks/definition.ts";
export {
  HOOK_EVENTS,
  HOOK_EVENT_NAMES,
  isHookEvent,
  type HookEvent,
  type HookInput,
  type HookOutput,
} from "./hooks/events.ts";
export type { Entrypoint, PromptSource } from "./hooks/eventFields.ts";
export { countFailedOpen, describeFailedOpen, type FailedOpen } from "./hooks/failedOpen.ts";
export { describeServer, type InProcessServer, type McpServerConfig } from "./hooks/mcpServers.ts";
export { describeLeftOut, hooksNotThere, type LeftOutHook } from "./hooks/leftOut.ts";
export {
  describePolicy,
  FAILURE_KINDS,
  type FailureKind,
  type FailurePolicy,
  type OnErrorSetting,
} from "./hooks/failurePolicy.ts";
export { shadowOf, type HookPlan } from "./hooks/plan.ts";
export { planAhead, type AskedAhead } from "./gate/planAhead.ts";
export type { Reloaded } from "./session/settingsChanges.ts";
export type { ChangedFile, SettingsReview } from "./workspace/trust/settingsReview.ts";
export type { DecisionRecord } from "./hooks/record.ts";
export type { HookExecutionResult } from "./hooks/result.ts";
export type {
  Block,
  ErrorBlock,
  HookBlock,
  ImageBlock,
  Message,
  Origin,
  PersonOrigin,
  ReasoningBlock,
  SummaryBlock,
  TextBlock,
  ToolBlock,
  UnknownBlock,
  Usage,
  WarnBlock,
} from "./messages/blocks.ts";
export { neverBegan } from "./messages/repair.ts";
export { PERMISSION_MODES, type PermissionMode } from "./permissions/modes.ts";
export type { SandboxSettings } from "./permissions/sandbox.ts";
export type { SandboxMode } from "./permissions/sandboxModes.ts";
export type {
  FailedHook,
  FileChange,
  PendingPermission,
  PermissionAnswer,
  PermissionDecision,
  RuleChoice,
  RuleOffer,
  WantedValue,
  RuleScope,
} from "./permissions/request.ts";
export {
  deniedCalls,
  ruleUse,
  type ListedRule,
  type RuleAt,
  type RuleChange,
  type RuleUse,
} from "./permissions/ruleList.ts";
export { RULE_BEHAVIORS, type RuleBehavior } from "./permissions/matchRules.ts";
export { recentDecisions, type RecentDecisions } from "./session/file/recentDecisions.ts";
export { listRules } from "./workspace/trust/listRules.ts";
export { thisProcess, type LockHolder as ProcessIdentity } from "./workspace/files/lockHolder.ts";
export { processName, stateOfNamed, type NamedProcess } from "./process/processName.ts";
export { RunRegister, temporaryName } from "./process/runRegister.ts";
export { findLocalModel, type LocalModel } from "./model/localModels.ts";
export { PRICES_AS_OF } from "./model/pricesAsOf.ts";
export { listModels } from "./model/listModels.ts";
export type { ListedModel } from "./model/call.ts";
export { resolveModel } from "./model/resolveModel.ts";
export { loadSession, type LoadedSession, type TimedDecision } from "./services/session.ts";
export type { RewindPoint, Rewound, RewoundFile } from "./conversation/rewindManager.ts";
export {
  listSessions,
  skippedSessions,
  type SessionSummary,
  type SkippedSession,
} from "./session/file/sessionList.ts";
export { renameSession } from "./session/file/renameSession.ts";
export { searchSessions, type SessionHit } from "./session/file/searchSessions.ts";
export { sessionHolder } from "./session/file/sessionLock.ts";
export { personHome } from "./workspace/personHome.ts";
export { plainFileAt, readPlainFile } from "./workspace/files/plainFile.ts";
export { gitWaitsForApproval } from "./workspace/git/gitFacts.ts";
export { findProjectDir, mayNeedReview } from "./workspace/projectDir.ts";
export { examineSandbox } from "./workspace/sandbox/sandbox.ts";
export { findSession, sessionsDirFor } from "./session/file/sessionPaths.ts";
export { loadSubAgent } from "./session/file/subAgentFile.ts";
export { checkHooks } from "./workspace/settings/checkHooks.ts";
export { describeProblem } from "./workspace/settings/problem.ts";
export { sortProblems } from "./workspace/settings/problemOrder.ts";
export { loadSettings, type Settings, type SettingsPlaces } from "./workspace/settings/settings.ts";
export type { SettingsProblem } from "./workspace/settings/problem.ts";
export {
  approvedSettings,
  approveProject,
  needsReview,
  readProjectTrust,
  revokeTrust,
  whatCounts,
  type ProjectTrust,
  type ReviewedItem,
  type TrustItem,
} from "./workspace/trust/trust.ts";
export { tool } from "./options/tool.ts";
export type {
  OwnTool,
  OwnToolContext,
  OwnToolDefinition,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ToolTouches,
} from "./ownTool.ts";
export { keepPlugin, keptPlugins, removePlugin, type KeptPlugin } from "./workspace/plugins/keptPlugins.ts";
export { withPlugin, type LookedAt } from "./workspace/plugins/lookAtPlugin.ts";
export type { Plugin } from "./workspace/plugins/plugin.ts";
export { changeMcpServer, type McpServerChanged } from "./workspace/settings/changeMcpServer.ts";
export { logInToMcpServer, logOutOfMcpServer, type LoginEnd } from "./tools/sources/mcpLogin.ts";
export { testMcpServers } from "./tools/sources/testMcpServers.ts";
export type { SourceStatus } from "./tools/sources/toolSource.ts";
export { builtInToolNames } from "./tools/index.ts";
export { findPrograms, type Program } from "./tools/programs.ts";
export type { ExpandedCommand, TextCommand, TextCommands } from "./conversation/textCommands.ts";
export type { BackgroundTask } from "./tools/shells.ts";
export { convertMessagesForAPI, type ApiMessage } from "./utils/convertMessagesForAPI.ts";
export { modelKeysOf } from "./utils/environment.ts";
export { maskSecretsIn } from "./utils/maskSecrets.ts";
export { nearestName } from "./utils/nearestName.ts";
export { withinTime } from "./utils/withinTime.ts";
