import { z } from "zod";
import type { AgentEvent } from "@/events.ts";
import { factsOf, type CallFacts } from "@/gate/callFacts.ts";
import type { Entered } from "@/gate/entered.ts";
import { Gate } from "@/gate/gate.ts";
import { NarrowedPolicy } from "@/gate/narrowedPolicy.ts";
import type { Decides } from "@/gate/seams.ts";
import type { HookDefinition } from "@/hooks/definition.ts";
import type { HookOutput } from "@/hooks/events.ts";
import type { DecisionRecord } from "@/hooks/record.ts";
import { HookManager } from "@/managers/hookManager.ts";
import { decidePermission } from "@/permissions/decide.ts";
import type { ToolEffect } from "@/permissions/effect.ts";
import type { RuleMatches } from "@/permissions/matchRules.ts";
import type { PermissionMode } from "@/permissions/modes.ts";
import type { CallOrigin } from "@/permissions/origin.ts";
import type { PendingPermission, PermissionAnswer } from "@/permissions/request.ts";
import { HookPipeline } from "@/session/hookPipeline.ts";
import { PermissionManager } from "@/session/permissionManager.ts";
import { Person } from "@/session/person.ts";
import { FileMemory } from "@/tools/fileMemory.ts";
import { GatePass } from "@/tools/gatePass.ts";
import { ShellRegistry } from "@/tools/shells.ts";
import { defineTool, type ToolSession } from "@/tools/tool.ts";
import { HookRunners } from "@/hooks/kinds/runners.ts";
import { functionAction } from "./actions.ts";
import { hookOf } from "./runHooks.ts";
import { noJournal } from "./toolBench.ts";

/** What the one tool of the bench is called with. */
export interface Note {
  text: string;
}

export interface GateRun {
  mode?: PermissionMode;
  effect?: ToolEffect;
  /** Of which input a rule speaks is for the test to say. */
  rules?: (text: string) => Partial<RuleMatches>;
  /** Whoever it works for, the main conversation first: each has a mode and rules of its own, and both count. */
  worksFor?: readonly Pick<GateRun, "mode" | "rules">[];
  /** Protected files that the call would write. */
  protectedFiles?: readonly string[];
  hooks?: readonly HookDefinition[];
  unreviewed?: readonly HookDefinition[];
  /** Absent: nobody can be asked. */
  answer?: (request: PendingPermission, asked: number) => PermissionAnswer;
  origin?: CallOrigin;
  input?: string;
  signal?: AbortSignal;
}

export interface GateEnd {
  entered: Entered;
  /** The texts that the tool was run with. */
  ran: string[];
  asked: PendingPermission[];
  records: DecisionRecord[];
  /** The inputs that were looked at, one for each look. */
  seen: string[];
  told: { errors: string[]; warnings: string[] };
  events: AgentEvent[];
}

/** Hooks that are functions, so that no process is started. What they say is read, combined and recorded as always. */
export const says = (
  name: string,
  act: (input: { tool_input: Note; pass: number }) => object | undefined | Promise<undefined>,
  more: Partial<HookDefinition> = {},
): HookDefinition =>
  hookOf(
    functionAction((input) => act(input as never) as HookOutput<"PreToolUse"> | undefined),
    { name, source: { scope: "user", file: "settings.json", line: 1, path: name }, ...more },
  );

export const decision = (permissionDecision: string, reason?: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    ...(reason === undefined ? {} : { permissionDecisionReason: reason }),
  },
});

export const rewrites = (text: string, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { text }, ...more },
});

/** One call on its way through a real gate, with scripted rules: hooks, pipeline and questions are the real ones. */
export async function enterGate(run: GateRun): Promise<GateEnd> {
  const ran: string[] = [];
  const tool = defineTool({
    name: "Note",
    description: "",
    input: z.strictObject({ text: z.string() }),
    parallel: false,
    pathFields: [],
    effect: () => run.effect ?? { does: "unknown", touches: [] },
    run: async (pass) => {
      ran.push(GatePass.open(pass).text);
      return { success: true, result: "noted", response: {} };
    },
  });
  const session: ToolSession = {
    projectDir: "/project",
    cwd: "/project",
    env: {},
    files: new FileMemory(),
    journal: noJournal,
    shells: new ShellRegistry(),
    todos: [],
  };
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent) => void events.push(event);
  const asked: PendingPermission[] = [];
  const { answer, hooks = [], unreviewed = [] } = run;
  const inForce = {
    hooks: [...hooks, ...unreviewed],
    off: () => undefined,
    unreviewed: new Set(unreviewed.map(({ source }) => `${source.file}#${source.path}`)),
    contextLimits: {},
    ways: "the review",
  };
  const manager = new HookManager({
    settings: { inForce },
    session: {
      id: "session",
      file: "session.jsonl",
      projectDir: "/project",
      interactive: answer !== undefined,
      entrypoint: "sdk",
      worktree: undefined,
    },
    environment: { env: {}, withheld: {}, runners: new HookRunners() },
    knownTools: () => [tool.name],
    emit,
  });
  const told: GateEnd["told"] = { errors: [], warnings: [] };
  const own = policyOf(run, session);
  const above = (run.worksFor ?? []).map((one): Decides => policyOf({ ...run, ...one }, session));
  const policy = [...above, own].reduce((parent, next) => new NarrowedPolicy(parent, next));
  const pipeline = new HookPipeline({
    hooks: manager,
    guard: { noticeChanges: () => [], reviewCommand: undefined },
    log: { append: () => {} },
    place: {
      audience: {
        addUserMessage: () => {},
        addHookBlock: () => {},
        addErrorBlock: (text) => void told.errors.push(text),
        addWarnBlock: (text) => void told.warnings.push(text),
        removeLastUserMessage: () => {},
      },
      cwd: () => session.cwd,
      mode: () => policy.mode,
    },
    emit,
  });
  const permissions = new PermissionManager({
    ask:
      answer &&
      ((request) => {
        asked.push(request);
        return answer(request, asked.length);
      }),
    emit,
  });
  const gate = new Gate({
    tools: new Map([[tool.name, tool]]),
    session,
    hooks: pipeline,
    policy,
    person: new Person({ permissions, hooks: manager, events: pipeline }),
    records: pipeline,
  });
  const { signal = new AbortController().signal, origin = "model", input = "as asked" } = run;
  const entered = await gate.enter(
    {
      id: "call_1",
      type: "function",
      index: 0,
      function: { name: tool.name, arguments: JSON.stringify({ text: input }) },
    },
    { origin, signal },
  );
  if (entered.entered) await entered.run({ signal, onOutput: () => {} });
  const records = events.flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []));
  return { entered, ran, asked, records, seen: own.seen, told, events };
}

const NO_RULES: RuleMatches = { managedDeny: [], deny: [], ask: [], allow: [], doubtful: [] };

/** Deny and ask rules speak about both inputs; an allow rule only about what would run. */
function policyOf(run: GateRun, session: ToolSession): Decides & { seen: string[] } {
  const rulesFor = ({ input }: { input: Record<string, unknown> }) => ({
    ...NO_RULES,
    ...run.rules?.(String(input["text"])),
  });
  const seen: string[] = [];
  return {
    seen,
    mode: run.mode ?? "default",
    absolutePath: (path) => path,
    see: (tool, input): CallFacts => {
      seen.push(String(input["text"]));
      return factsOf(tool, input, session);
    },
    lookAhead: async () => ({ brought: () => undefined, lookAgain: async () => [] }),
    decide({ final, original, origin }, { hook, unreviewed }) {
      const now = rulesFor(final);
      const then = original ? rulesFor(original) : NO_RULES;
      const rules = {
        ...now,
        managedDeny: [...now.managedDeny, ...then.managedDeny],
        deny: [...now.deny, ...then.deny],
        ask: [...now.ask, ...then.ask],
      };
      const outcome = decidePermission({
        hook,
        rules,
        mode: run.mode ?? "default",
        origin,
        unreviewed,
        reviewWays: "the review",
        effect: final.view.counts,
        insideProject: final.view.insideProject,
        protectedHits: (run.protectedFiles ?? []).map((path) => ({ path, why: "it says what runs" })),
      });
      return {
        ...outcome,
        askedBy: "askedBy" in outcome ? outcome.askedBy : [],
        bounds: "bounds" in outcome ? outcome.bounds : "none",
        rules: (["managedDeny", "deny", "ask", "allow"] as const).flatMap((behavior) =>
          rules[behavior].map(({ rule, source }) => ({ rule, behavior, source })),
        ),
        offer: () => ({ offered: false, why: "no rule" }),
        searchFilter: undefined,
        hidden: () => [],
        judgedFiles: [],
        namedHost: false,
      };
    },
  };
}
