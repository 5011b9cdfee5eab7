import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentEvent, TurnEnd } from "@/events.ts";
import type { HookEvent } from "@/hooks/events.ts";
import { WAYS_TO_FAIL } from "@/hooks/failures.ts";
import { countFailedOpen, type FailedOpen } from "@/hooks/failedOpen.ts";
import { actingOnError, ON_ERROR, type FailureKind, type OnError } from "@/hooks/failurePolicy.ts";
import { readVerdict } from "@/hooks/verdict.ts";
import { executeHooks } from "@/services/hook.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { blocksOf } from "../support/playSession.ts";
import { endProcesses, processesWith } from "../support/processes.ts";
import { PLAYED_EVENTS } from "../support/playedEvents.ts";
import { commandHook, FACTS, hookContext } from "../support/runHooks.ts";
import {
  ENDS_BADLY,
  HANGS,
  LEAVES_A_CHILD,
  MISTREATS_INPUT,
  MISTREATS_OUTPUT,
  zooProject,
  type Animal,
} from "./animals.ts";

/** Everything the zoo starts has it in its environment, so that nothing is left behind. */
const MARK = `wave-zoo-${randomUUID()}`;
const ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/", WAVE_TEST_MARK: MARK };
/** A hook that hangs is out of time whenever that comes; one that ends by itself gets all the time there is. */
const HANGING_SECONDS = 0.2;
const GENEROUS_SECONDS = 60;

const ALL = { ...HANGS, ...LEAVES_A_CHILD, ...MISTREATS_INPUT, ...MISTREATS_OUTPUT, ...ENDS_BADLY };

type Outcome = FailureKind | "passes" | "blocks";

/** How it ends when it is asked about this tool, or about none. */
function outcomeOf(name: string, { result }: Animal, tool: string | undefined): Outcome {
  // It reads its first argument, and blocks Bash alone.
  if (name === "no-first-line.sh" && tool !== "Bash") return "crash";
  if (result.timedOut === true) return "timeout";
  if (result.error !== undefined) return "missing";
  if (result.exitCode === undefined) return "crash";
  return result.exitCode === 0 ? "passes" : result.exitCode === 2 ? "blocks" : "crash";
}

const secondsOf = (outcome: Outcome) => (outcome === "timeout" ? HANGING_SECONDS : GENEROUS_SECONDS);
const REMEDIES = Object.values(WAYS_TO_FAIL);

/** Hook, kind and remedy, and what was done about it. */
function expectMessage(message: string | undefined, name: string, kind: FailureKind, did: OnError): void {
  expect(message).toMatch(/^hook failed: /);
  expect(message).toContain(`hook failed: ${name} (`);
  expect(message).toContain(`; onError for ${kind} says ${did}: `);
  const remedies = REMEDIES.filter((row) => row.kind === kind).map(({ remedy }) => remedy);
  expect(remedies.some((remedy) => message?.includes(remedy))).toBe(true);
}

afterAll(() => endProcesses(processesWith(MARK)));

describe.concurrent("every hook of the zoo, as a real process", () => {
  it.each(Object.entries(ALL))(
    "%s decides at every event what it says, or what each onError says where it fails; the message names hook, kind and remedy (T4, T5, T6, T124, G5)",
    async (name, animal) => {
      // Tens of megabytes once are enough: how much a hook printed is no matter of the event.
      const events: HookEvent[] = animal.result.truncated ? ["PreToolUse"] : [...PLAYED_EVENTS];
      expect(await Promise.all(events.map((event) => judge(name, animal, event)))).toEqual(events);
    },
  );
});

/** Returns the event when everything was as it should be. */
async function judge(name: string, animal: Animal, event: HookEvent): Promise<HookEvent> {
  using project = zooProject(name);
  const facts: Record<string, unknown> = FACTS[event];
  const tool = facts["tool_name"];
  const outcome = outcomeOf(name, animal, typeof tool === "string" ? tool : undefined);
  const context = hookContext(project.path, { env: ENV });
  const hook = commandHook(`./${name}`, { event, name, timeoutMs: secondsOf(outcome) * 1_000 });
  const input = { ...context.input, ...facts };
  const [result] = await executeHooks(event, { ...context, input }, [hook]);
  if (!result) throw new Error("no result");
  for (const onError of ON_ERROR) {
    const verdict = readVerdict(event, result, { name, source: "settings.json:3", onError });
    const did = actingOnError(event, onError);
    if (outcome === "passes" || outcome === "blocks") {
      const decision = outcome === "blocks" ? "deny" : "none";
      expect(verdict, event).toMatchObject({ decision, decidedBy: "hook", failure: undefined });
      continue;
    }
    expect(verdict, event).toMatchObject({
      decision: { continue: "none", ask: "ask", block: "deny" }[did],
      failure: { kind: outcome, did },
    });
    const [error] = verdict.errors;
    expectMessage(did === "continue" ? error?.failure?.message : verdict.reason?.text, name, outcome, did);
  }
  return event;
}

/** One agent lives through all events: a hook that has held something back is switched off, and the next event is reached. */
async function live(name: string, outcome: Outcome, onError: OnError) {
  using project = zooProject(name);
  const holding: HookEvent[] = ["UserPromptSubmit", "PreToolUse"];
  const others: HookEvent[] = ["SessionStart", "PostToolUse", "Stop", "SessionEnd"];
  const events = outcome === "blocks" ? holding : [...holding, ...others];
  const home = join(project.path, "..", "home");
  mkdirSync(join(project.path, ".wave"));
  const hooks = Object.fromEntries(
    events.map((event) => {
      const command = {
        type: "command",
        command: `./${name}`,
        name: `${event} ${name}`,
        timeout: secondsOf(outcome),
      };
      return [event, [{ hooks: [{ ...command, onError }] }]];
    }),
  );
  writeFileSync(join(project.path, ".wave", "settings.json"), JSON.stringify({ hooks }));
  await using model = await startScriptedModel(({ body }) =>
    body.messages.at(-1)?.role === "user" && JSON.stringify(body.messages.at(-1)).includes("PROMPT")
      ? { call: { name: "Write", arguments: { file_path: "ran", content: "x" } } }
      : { say: "done" },
  );
  const heard: AgentEvent[] = [];
  const agent = await Agent.create({
    workdir: project.path,
    waveHome: home,
    managedSettingsFile: join(home, "none.json"),
    trust: "given",
    baseUrl: model.baseUrl,
    apiKey: "key",
    model: "scripted",
    permissionMode: "bypassPermissions",
    env: ENV,
    onEvent: (event) => void heard.push(event),
  });
  const switchOff = (event: HookEvent) => {
    for (const { id, hook } of agent.hooks)
      if (hook.event === event) expect(agent.switchHook(id, false)).toBe(true);
  };
  const ends: TurnEnd[] = [await agent.sendMessage("PROMPT 1")];
  const sent = () => model.requests.length > 0;
  const first = { sent: sent(), ran: ranTool(heard) };
  if (!first.sent) {
    switchOff("UserPromptSubmit");
    ends.push(await agent.sendMessage("PROMPT 2"));
  }
  const second = { ran: ranTool(heard) };
  if (!second.ran) {
    switchOff("PreToolUse");
    ends.push(await agent.sendMessage("PROMPT 3"));
  }
  await agent.destroy();
  return { first, second, ends, heard, messages: agent.messages };
}

const ranTool = (heard: readonly AgentEvent[]) => heard.some(({ type }) => type === "tool_started");

/** One or more for each way to end; that all of their kind end alike is shown above. */
const SAMPLE = [
  "sleeps.sh",
  "pretends-success-at-term.sh",
  "floods-stdout.sh",
  "kills-itself.sh",
  "exits-255.sh",
  "no-first-line.sh",
  "not-executable.sh",
  "no-interpreter.sh",
  "closes-stdout.sh",
  "syntax-error.sh",
] as const satisfies (keyof typeof ALL)[];

describe.concurrent("in a session in which nobody can answer", () => {
  it.each(SAMPLE)(
    "%s lets through what its onError lets through, and nothing else; it is told, and counted where it failed open (T4, T5, T6, T124, G5)",
    async (name) => {
      const animal = ALL[name];
      if (!animal) throw new Error(`${name} is not in the zoo`);
      const outcome = outcomeOf(name, animal, "Write");
      await Promise.all(
        ON_ERROR.map(async (onError) => {
          const lived = await live(name, outcome, onError);
          const goesOn = outcome !== "blocks" && onError === "continue";
          expect(lived.first, `${onError}: the first prompt`).toEqual({ sent: goesOn, ran: goesOn });
          expect(lived.second.ran, `${onError}: the call`).toBe(goesOn);
          expect(lived.ends.length).toBe(goesOn ? 1 : 3);
          if (outcome !== "blocks" && outcome !== "passes") checkMessages(lived, name, outcome, onError);
        }),
      );
    },
  );
});

type Lived = Awaited<ReturnType<typeof live>>;

function checkMessages(lived: Lived, name: string, kind: FailureKind, onError: OnError): void {
  const errors = blocksOf(lived.messages, "error");
  const at = (event: HookEvent) =>
    errors
      .filter(({ origin }) => origin?.hookEvent === event)
      .map(({ failure, content }) => failure?.message ?? content);
  const check = (event: HookEvent, message: string | undefined) =>
    expectMessage(message, `${event} ${name}`, kind, actingOnError(event, onError));
  // Where nothing can be held back, the failure is told and everything goes on.
  for (const event of ["SessionStart", "Stop", "SessionEnd"] as const) {
    expect(at(event).length).toBeGreaterThan(0);
    for (const message of at(event)) check(event, message);
  }
  const tools = blocksOf(lived.messages, "tool").map(({ result = "" }) => result);
  const counted = lived.heard.reduce<FailedOpen[]>(
    (counts, event) => (event.type === "hooks_decided" ? countFailedOpen(counts, event.record) : counts),
    [],
  );
  const open = counted.map(({ event, kind: counts }) => `${event} ${counts}`);
  for (const event of ["SessionStart", "Stop", "SessionEnd"] as const)
    expect(open).toContain(`${event} ${kind}`);
  if (onError === "continue") {
    for (const event of ["UserPromptSubmit", "PreToolUse", "PostToolUse"] as const) {
      check(event, at(event)[0]);
      expect(open).toContain(`${event} ${kind}`);
    }
    return;
  }
  const asked = onError === "ask";
  const prompt = at("UserPromptSubmit")[0];
  check("UserPromptSubmit", asked ? behind(prompt) : prompt);
  // The model is told what failed, the user also what helps.
  const advice = (event: HookEvent) =>
    blocksOf(lived.messages, "warn").find(({ origin }) => origin?.hookEvent === event)?.content;
  check("PreToolUse", `${asked ? behind(tools[0]) : tools[0]}; ${advice("PreToolUse")}`);
  expect(open.some((one) => /^(UserPromptSubmit|PreToolUse) /.test(one))).toBe(false);
  if (asked) return check("PostToolUse", at("PostToolUse")[0]);
  const told = lived.messages.flatMap(({ origin, blocks }) =>
    origin && "hookEvent" in origin && origin.hookEvent === "PostToolUse"
      ? blocks.flatMap((block) => (block.type === "text" ? [block.content] : []))
      : [],
  );
  check("PostToolUse", `${told[0]}; ${advice("PostToolUse")}`);
}

/** "… needs approval, and nobody can be asked here…: hook failed: …" */
const behind = (text: string | undefined) => text?.slice(Math.max(0, text.indexOf("hook failed: ")));
