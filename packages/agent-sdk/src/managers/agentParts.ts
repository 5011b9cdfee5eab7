import type { AgentOptions } from "../agentOptions.ts";
import type { AgentEvent } from "../events.ts";
import { FileMemory } from "../tools/fileMemory.ts";
import { ShellRegistry } from "../tools/shells.ts";
import type { Tool, ToolSession } from "../tools/tool.ts";
import { childEnvironment } from "../utils/environment.ts";
import { AIManager } from "./aiManager.ts";
import type { Configuration } from "./configuration.ts";
import { Gate } from "./gate.ts";
import { HookManager } from "./hookManager.ts";
import { MessageManager } from "./messageManager.ts";
import type { OpenedSession } from "./openSession.ts";
import { PermissionManager } from "./permissionManager.ts";
import { PermissionPolicy } from "./permissionPolicy.ts";
import { PromptManager } from "./promptManager.ts";
import { SessionLog } from "./sessionLog.ts";
import { ToolManager } from "./toolManager.ts";

/** What an agent is made of, wired together. */
export interface AgentParts {
  log: SessionLog;
  messages: MessageManager;
  policy: PermissionPolicy;
  permissions: PermissionManager;
  hooks: HookManager;
  prompts: PromptManager;
  ai: AIManager;
  session: ToolSession;
}

export function assembleParts(given: {
  options: AgentOptions;
  configuration: Configuration;
  opened: OpenedSession;
  tools: ReadonlyMap<string, Tool>;
  emit: (event: AgentEvent) => void;
}): AgentParts {
  const { options, configuration, opened, tools, emit } = given;
  const { projectDir, settings } = configuration;
  const environment = childEnvironment({ ...configuration.env, ...settings.env });
  const session: ToolSession = {
    projectDir,
    cwd: configuration.workdir,
    env: environment.env,
    files: new FileMemory(),
    shells: new ShellRegistry(),
    todos: [],
  };
  const cwd = () => session.cwd;
  const log = new SessionLog(opened.handle, (text) => emit({ type: "notice", level: "error", text }));
  const messages = new MessageManager({
    log,
    messages: opened.messages,
    onChange: (change) => emit({ type: "messages_changed", ...change }),
  });
  const policy = new PermissionPolicy({ rules: configuration.rules, mode: configuration.mode, session });
  const mode = () => policy.mode;
  const permissions = new PermissionManager({ ask: options.onPermissionRequest, emit });
  const hooks = new HookManager({
    hooks: configuration.hooks,
    off: configuration.off,
    session: { id: opened.handle.id, file: opened.handle.file, projectDir, cwd, mode },
    environment,
    knownTools: [...tools.keys()],
    emit,
  });
  const shared = { hooks, messages, log, emit };
  const gate = new Gate({
    tools,
    session,
    hooks,
    policy,
    permissions,
    onDecided: (record) => log.append({ type: "decision", record }),
    emit,
  });
  const prompts = new PromptManager({ ...shared, permissions, session: { cwd, mode } });
  const ai = new AIManager({
    ...shared,
    tools: new ToolManager({ ...shared, tools, session, gate, mode }),
    model: {
      ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
      ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
      ...(options.model === undefined ? {} : { model: options.model }),
      settings: { model: settings.model, baseUrl: settings.baseUrl },
      env: configuration.env,
    },
    place: { projectDir, cwd },
    mode,
    maxModelCalls: options.maxTurns,
  });
  return { log, messages, policy, permissions, hooks, prompts, ai, session };
}
