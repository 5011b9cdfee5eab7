import { join } from "node:path";
import type { AgentEvent, TurnEnd } from "../events.ts";
import type { SubAgentIdentity } from "../messages/subAgent.ts";
import { sumUsage } from "../messages/usage.ts";
import type { LoopEnd } from "./turn.ts";
import { agentsFolderOf } from "../session/file/sessionPaths.ts";
import type { Session } from "../session/session.ts";
import { SessionLog } from "../session/sessionLog.ts";
import { MAX_OUTPUT_CHARACTERS } from "../tools/commandOutput.ts";
import type { ToolLookup } from "../tools/sources/registry.ts";
import type { AgentTask, Tool, ToolOutcome } from "../tools/tool.ts";
import { headAndTailOfCharacters } from "../utils/headAndTail.ts";
import type { AgentDefinition } from "../workspace/agents/definition.ts";
import { Conversation } from "./conversation.ts";

export interface SubAgentRun {
  identity: SubAgentIdentity;
  task: AgentTask;
  definition: AgentDefinition;
  /** Whoever it works for: what is held back there is held back here. */
  parent: Conversation;
  signal: AbortSignal;
  /** Hears what it does, in one line for each call. */
  onDoing: (line: string) => void;
  mayStartOthers: boolean;
  /** Called with its conversation before anything happens in it. */
  prepare: (conversation: Conversation) => void;
}

/** How a sub-agent ended, and what its call is answered with. */
export interface SubAgentEnd {
  turn: TurnEnd;
  outcome: ToolOutcome;
}

/** One sub-agent, from its first hook to its answer: a conversation of its own in the same session. */
export async function runSubAgent(session: Session, run: SubAgentRun): Promise<SubAgentEnd> {
  const { identity, task, definition, parent, signal } = run;
  const started = performance.now();
  const file = join(agentsFolderOf(session.opened.handle.file), `${identity.id}.jsonl`);
  const log = logOf(session, identity, file);
  let calls = 0;
  const emit = (event: AgentEvent) => {
    // What a person has to know is told where they look.
    if (event.type === "notice")
      return session.emit({
        ...event,
        text: `sub-agent ${identity.type} (${identity.description}): ${event.text}`,
      });
    if (event.type === "tool_started") {
      calls++;
      run.onDoing(doing(event.name, event.input));
    }
    if (event.type === "model_retry") run.onDoing(`asks the model again: ${event.why}`);
    session.emit({ type: "subagent_event", agentId: identity.id, event });
  };
  const conversation = new Conversation(session, {
    log,
    parent,
    agent: { identity, role: definition.prompt, file, model: definition.model },
    mode: definition.permissionMode,
    cwd: parent.toolSession.cwd,
    tools: toolsOf(parent.tools, definition, run),
    maxModelCalls: parent.maxModelCalls,
    emit,
  });
  run.prepare(conversation);
  // On disk before it begins: a session that is killed knows where its transcript is.
  parent.messages.updateToolBlock({
    toolId: task.toolUseId,
    agent: { id: identity.id, type: identity.type },
  });
  session.emit({ type: "subagent_started", agent: identity, toolUseId: task.toolUseId });
  const turn = await turns(session, conversation, task.prompt, signal);
  log.append({ type: "ended", reason: turn.because }, { sync: true });
  log.close();
  session.emit({ type: "subagent_ended", agent: identity, toolUseId: task.toolUseId, end: turn });
  return {
    turn,
    outcome: outcomeOf(turn, { identity, task, calls, durationMs: performance.now() - started }),
  };
}

/** It was ended while it waited for others. */
export function notBegun(identity: SubAgentIdentity, task: AgentTask): SubAgentEnd {
  const turn: TurnEnd = { ...NOTHING, because: "aborted", reason: "it had not begun" };
  return { turn, outcome: outcomeOf(turn, { identity, task, calls: 0, durationMs: 0 }) };
}

/** Its transcript has a file of its own; that a command ran is for the session to know, which can go back to before it. */
function logOf(session: Session, { id }: SubAgentIdentity, file: string): SessionLog {
  const { handle } = session.opened;
  const tell = (text: string) => session.emit({ type: "notice", level: "error", text });
  return new SessionLog({ id, file, cwd: handle.cwd, parent: handle.id }, tell, {
    keys: session.workspace.keys,
    onAppend: (record) => {
      if (record.type === "tool_started") session.log.append(record);
    },
  });
}

/** The mode, and what the person wants, are matters between them and the main conversation. */
const NEVER = ["ExitPlanMode", "AskUserQuestion"];

/** What whoever starts it has, as far as the definition wants it. Asked anew each time: servers bring tools later. */
function toolsOf(
  all: ToolLookup,
  { tools, disallowedTools = [] }: AgentDefinition,
  { mayStartOthers }: SubAgentRun,
): ToolLookup {
  const never = [...NEVER, ...(mayStartOthers ? [] : ["Agent"]), ...disallowedTools];
  // `mcp__github` stands for every tool of that server.
  const names = (name: string) => [name, /^mcp__.+?(?=__)/.exec(name)?.[0] ?? name];
  const has = (name: string) =>
    !names(name).some((one) => never.includes(one)) &&
    (tools === undefined || names(name).some((one) => tools.includes(one)));
  const those = () =>
    new Map(
      [...all.values()].filter(({ name }) => has(name)).map((tool): [string, Tool] => [tool.name, tool]),
    );
  return {
    get: (name) => (has(name) ? all.get(name) : undefined),
    keys: () => those().keys(),
    values: () => those().values(),
  };
}

/** The task, and after a no with words those words as the next prompt (PD-2). */
async function turns(
  session: Session,
  conversation: Conversation,
  prompt: string,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const start = await conversation.pipeline.perform("SubagentStart", {}, { signal });
  conversation.messages.addUserMessage(prompt);
  if (start.ended !== undefined) return { ...NOTHING, because: "halted", reason: start.ended };
  let { words, ...end }: LoopEnd = await conversation.ai.sendAIMessage(signal);
  while (words !== undefined && !signal.aborted) {
    const source = session.entrypoint === "terminal" ? "typed" : session.entrypoint;
    const told = await conversation.prompts.submit({ text: words, images: [], source: source }, signal);
    if (!told.accepted) {
      const { because, reason } = told;
      return { ...end, because, reason, unanswered: end.unanswered || told.unanswered } as TurnEnd;
    }
    const next = await conversation.ai.sendAIMessage(signal);
    words = next.words;
    const { words: _, ...rest } = next;
    end = {
      ...rest,
      usage: sumUsage(end.usage, rest.usage),
      modelCalls: end.modelCalls + rest.modelCalls,
      denials: [...end.denials, ...rest.denials],
      unanswered: end.unanswered || rest.unanswered,
    };
  }
  return end;
}

const NOTHING = {
  answer: "",
  modelCalls: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  denials: [],
  unanswered: false,
};

function outcomeOf(
  end: TurnEnd,
  about: { identity: SubAgentIdentity; task: AgentTask; calls: number; durationMs: number },
): ToolOutcome {
  const { identity, task, calls, durationMs } = about;
  const success = end.because === "done" && end.answer.trim() !== "";
  const result = headAndTailOfCharacters(resultOf(end), MAX_OUTPUT_CHARACTERS).text;
  const { usage, denials, unanswered } = end;
  return {
    success,
    result,
    response: {
      status: success ? "completed" : end.because,
      agentId: identity.id,
      agentType: identity.type,
      prompt: task.prompt,
      content: [{ type: "text", text: result }],
      totalToolUseCount: calls,
      totalDurationMs: Math.round(durationMs),
      totalTokens: usage.inputTokens + usage.outputTokens,
      usage,
    },
    work: {
      usage,
      denials,
      unanswered,
      ...(end.because === "halted" ? { halted: end.reason ?? "a hook ended the turn" } : {}),
    },
  };
}

function resultOf({ because, reason, answer }: TurnEnd): string {
  if (because === "done") return answer.trim() === "" ? "The sub-agent ended without an answer." : answer;
  const said = answer.trim() === "" ? "" : `\nIts last words:\n${answer}`;
  return `${WHY[because]}${reason === undefined ? "" : `: ${reason}`}${said}`;
}

const WHY: Record<Exclude<TurnEnd["because"], "done">, string> = {
  "stop-cap": "The sub-agent ended although a hook wanted it to go on",
  aborted: "The sub-agent was stopped before it was done; effects may exist",
  halted: "A hook ended the sub-agent and the turn",
  denied: "The user said no to a call of the sub-agent, and it ended with that",
  "max-turns": "The sub-agent is not done",
  limit: "The sub-agent is not done",
  "output-misfit": "The sub-agent did not answer as it was asked to",
  "model-error": "The model of the sub-agent failed",
  "context-full": "The context of the sub-agent is full",
  "prompt-blocked": "A hook refused what the user told the sub-agent",
};

/** One line for whoever watches: the tool, and what it is about. */
function doing(name: string, input: Readonly<Record<string, unknown>>): string {
  const about = Object.values(input).find((value) => typeof value === "string");
  const line = typeof about === "string" ? about.split("\n", 1)[0] : "";
  return `${name} ${line ?? ""}`.trimEnd().slice(0, 200);
}
