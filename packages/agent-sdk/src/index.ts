// The public list. Widening it is a visible change: a test compares it with what is checked in.
export { Agent, type EndReason } from "./agent.ts";
export type { AgentOptions, HookEntry, HooksOption } from "./agentOptions.ts";
export { ModelError, SessionError, SettingsError, WaveError, type ModelErrorKind } from "./errors.ts";
export type { AgentEvent, PermissionDenial, TurnEnd } from "./events.ts";
export { identityOf } from "./hooks/definition.ts";
export type {
  HookAction,
  HookDefinition,
  HookFunction,
  HookIdentity,
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
export { offByScope, planHooks, type HookPlan } from "./hooks/plan.ts";
export type { DecisionRecord } from "./hooks/record.ts";
export type { HookExecutionResult } from "./hooks/result.ts";
export type {
  Block,
  ErrorBlock,
  HookBlock,
  ImageBlock,
  Message,
  Origin,
  ReasoningBlock,
  TextBlock,
  ToolBlock,
  Usage,
  WarnBlock,
} from "./messages/blocks.ts";
export { PERMISSION_MODES, type PermissionMode } from "./permissions/modes.ts";
export type { PendingPermission, PermissionAnswer, PermissionDecision } from "./permissions/request.ts";
export { findLocalModel, type LocalModel } from "./services/model/localModels.ts";
export { resolveModel } from "./services/model/resolveModel.ts";
export { loadSession, type LoadedSession, type TimedDecision } from "./services/session.ts";
export { listSessions, type SessionSummary } from "./services/sessionList.ts";
export { findProjectDir } from "./services/projectDir.ts";
export { findSession, sessionsDirFor } from "./services/sessionPaths.ts";
export { checkHooks } from "./services/settings/checkHooks.ts";
export { describeProblem } from "./services/settings/problem.ts";
export { loadSettings, type Settings, type SettingsProblem } from "./services/settings.ts";
export { builtInToolNames } from "./tools/index.ts";
export { convertMessagesForAPI, type ApiMessage } from "./utils/convertMessagesForAPI.ts";
export { nearestName } from "./utils/nearestName.ts";
