import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent } from "../../src/agent.ts";
import type { AgentOptions, HooksOption } from "../../src/agentOptions.ts";
import type { AgentEvent, TurnEnd } from "../../src/events.ts";
import { countFailedOpen, type FailedOpen } from "../../src/hooks/failedOpen.ts";
import type { Message } from "../../src/messages/blocks.ts";
import type { PendingPermission } from "../../src/permissions/request.ts";
import type { Scenario as ModelScenario, ScriptedMessage, ScriptedModel } from "../../src/testing/index.ts";
import { memoryFolder } from "../support/tempFolder.ts";
import { EVENTS, PROJECT, SOURCES, type PlannedHook, type Scenario, type Source } from "./generate.ts";
import { relabelled } from "./generateOutput.ts";
import { isObject, printedText, type Event, type Input, type Says } from "./reference.ts";
import type { Setting } from "./referencePolicy.ts";

export const PROMPT = "[the prompt] please write the file";
const SECOND_PROMPT = "[the second prompt] only answer";

/** What came out of one scenario, before anybody judges it. */
export interface Seen {
  end: TurnEnd;
  messages: readonly Message[];
  /** What the model server got during the prompt, without the system prompt. */
  requests: ScriptedMessage[][];
  /** The same for one more prompt with silent hooks, when the turn ended before the model could see everything. */
  laterRequest: ScriptedMessage[] | undefined;
  asked: PendingPermission[];
  toolInputs: Input[];
  failedOpen: FailedOpen[];
  /** Content by name of the files that the tool wrote. */
  files: Record<string, string>;
  /** What each hook got on stdin, one line per run. */
  stdin: Record<string, Input[]>;
  /** How often each hook with a short timeout got as far as to have printed everything. */
  printed: Record<string, number>;
  sessionFile: string;
}

/** One script for all: call the tool once, then say "done". Each agent is a model name of its own. */
export function modelFor(calls: Map<string, Scenario["call"]>): ModelScenario {
  return ({ body }) => {
    const call = calls.get(body.model ?? "");
    const answered = body.messages.some((message) => message.role === "tool");
    const later = body.messages.some((message) => wireText(message).includes(SECOND_PROMPT));
    if (!call || answered || later) return { say: "done" };
    return { call: { name: call.tool, arguments: call.input } };
  };
}

export interface Stage {
  model: ScriptedModel;
  calls: Map<string, Scenario["call"]>;
  /** A named pipe that nobody writes to: bash can wait on it without starting another process. */
  pipe: string;
}

/** Plays a scenario with a real agent, real processes and a model at its wire. */
export async function play(
  drawn: Scenario,
  stage: Stage,
  timeoutSeconds: number,
): Promise<{ seen: Seen; scenario: Scenario }> {
  using folder = memoryFolder();
  const project = folder.path;
  const scenario = relabelled(drawn, PROJECT, project);
  const home = join(project, "..", "home");
  const notes = join(project, "..", "notes");
  for (const path of [home, notes, join(project, ".wave")]) mkdirSync(path);
  const command = (event: Event, hook: PlannedHook): string =>
    hookCommand(event, hook, { notes, pipe: stage.pipe });
  const hooks = declared(scenario, command, timeoutSeconds);
  const { defaults } = scenario;
  writeSettings(join(home, "managed.json"), {}, defaults.managed);
  writeSettings(join(home, "settings.json"), hooks.user, defaults.user);
  writeSettings(join(project, ".wave", "settings.json"), hooks.project, defaults.project);
  writeSettings(join(project, ".wave", "settings.local.json"), hooks.local, defaults.local);

  const id = randomUUID();
  stage.calls.set(id, scenario.call);
  const asked: PendingPermission[] = [];
  const toolInputs: Input[] = [];
  let failedOpen: FailedOpen[] = [];
  const { answer, mode, rules } = scenario.gate;
  const options: AgentOptions = {
    workdir: project,
    trust: "given",
    waveHome: home,
    managedSettingsFile: join(home, "managed.json"),
    apiKey: "none",
    baseUrl: stage.model.baseUrl,
    model: id,
    env: { PATH: process.env["PATH"], HOME: home },
    permissionMode: mode,
    permissions: rules,
    hooks: hooks.sdk,
    onEvent: (event: AgentEvent) => {
      if (event.type === "tool_started") toolInputs.push(event.input);
      if (event.type === "hooks_decided") failedOpen = countFailedOpen(failedOpen, event.record);
    },
  };
  if (answer !== "nobody") {
    options.onPermissionRequest = (request) => {
      asked.push(request);
      if (answer !== "without") return { decision: answer };
      return { decision: "allow", without: (request.failedHooks ?? []).map(({ id }) => id) };
    };
  }
  const agent = await Agent.create(options);
  try {
    const received = (): ScriptedMessage[][] =>
      stage.model.requests
        .filter((request) => request.body.model === id)
        .map((request) => request.body.messages.filter((message) => message.role !== "system"));
    const end = await agent.sendMessage(PROMPT);
    const messages = structuredClone(agent.messages);
    const requests = received();
    const sessionFile = existsSync(agent.sessionFile) ? readFileSync(agent.sessionFile, "utf8") : "";
    const stdin = readNotes(notes);
    const printed = readPrinted(notes);
    const ofPrompt = { asked: [...asked], toolInputs: [...toolInputs], failedOpen };
    if (end.because !== "done") {
      writeFileSync(join(notes, "quiet"), "");
      await agent.sendMessage(SECOND_PROMPT);
    }
    const seen: Seen = {
      end,
      messages,
      requests,
      laterRequest: received()[requests.length],
      ...ofPrompt,
      files: readFiles(project),
      stdin,
      printed,
      sessionFile,
    };
    return { seen, scenario };
  } finally {
    await agent.destroy();
    stage.calls.delete(id);
  }
}

export function wireText(message: ScriptedMessage): string {
  if (typeof message.content === "string") return message.content;
  return (message.content ?? []).map((part) => part.text ?? "").join("\n");
}

/** Every hook in the file it belongs to; repeated ones in two. */
function declared(
  scenario: Scenario,
  command: (event: Event, hook: PlannedHook) => string,
  timeoutSeconds: number,
): Record<Source, HooksOption> {
  const all: Record<Source, HooksOption> = { user: {}, project: {}, local: {}, sdk: {} };
  for (const event of EVENTS) {
    for (const source of SOURCES) {
      const groups = scenario.hooks[event].flatMap((hook) => {
        const declaredHere = hook.entries.find((one) => one.in === source);
        if (!declaredHere) return [];
        const { onError } = declaredHere;
        const entry = {
          type: "command" as const,
          command: command(event, hook),
          name: hook.name,
          ...(onError === undefined ? {} : { onError }),
          ...(mayTimeOut(hook) ? { timeout: timeoutSeconds } : {}),
        };
        return [hook.matcher === undefined ? { hooks: [entry] } : { matcher: hook.matcher, hooks: [entry] }];
      });
      if (groups.length > 0) all[source][event] = groups;
    }
  }
  return all;
}

function writeSettings(file: string, hooks: HooksOption, onError: Setting | undefined): void {
  if (Object.keys(hooks).length === 0 && onError === undefined) return;
  const hookDefaults = onError === undefined ? {} : { hookDefaults: { onError } };
  writeFileSync(file, JSON.stringify({ hooks, ...hookDefaults }, undefined, 2));
}

/** A hook that starts nothing but the one bash it runs in: it notes its stdin, waits, prints and ends. */
function hookCommand(event: Event, hook: PlannedHook, at: { notes: string; pipe: string }): string {
  if (hook.says.end === "missing") return `./missing-${hook.name}`;
  const note = join(at.notes, hook.name);
  const pipe = quoted(at.pipe);
  const mark = mayTimeOut(hook) ? [`printf x >>${quoted(note + PRINTED)}`] : [];
  const endings = { signal: "kill -KILL $$", timeout: `read -rt 50 <>${pipe}`, missing: "exit 127" };
  const act = (says: Says): string =>
    [
      `printf %s ${quoted(rendered(says, hook.style))}`,
      `printf %s ${quoted(says.stderr)} >&2`,
      ...mark,
      typeof says.end === "number" ? `exit ${says.end}` : endings[says.end],
    ].join("; ");
  const laterStop = `case $input in *'"stop_hook_active":true'*) ${[...mark, "exit 0"].join("; ")};; esac`;
  return [
    "read -r input",
    `[ -e ${quoted(join(at.notes, "quiet"))} ] && exit 0`,
    `printf '%s\\n' "$input" >>${quoted(note)}`,
    ...(event === "Stop" && !hook.stubborn ? [laterStop] : []),
    ...(hook.delayMs > 0 ? [`read -rt ${hook.delayMs / 1000} <>${pipe}`] : []),
    event === "PreToolUse"
      ? `case $input in *'"pass":2'*) ${act(hook.saysAgain)};; *) ${act(hook.says)};; esac`
      : act(hook.says),
  ].join("\n");
}

const PRINTED = ".printed";
export const mayTimeOut = (hook: Pick<PlannedHook, "says" | "saysAgain">): boolean =>
  hook.says.end === "timeout" || hook.saysAgain.end === "timeout";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Only where there is an object may a byte-order mark, line endings and layout vary: plain text is passed on as it is. */
function rendered(says: Says, style: PlannedHook["style"]): string {
  const hasObject = says.stdout.some(
    (piece) => !("text" in piece) && !("object" in piece && "colour" in piece.object),
  );
  const indent = hasObject && style.pretty ? 2 : undefined;
  const whole = says.stdout.map((piece) => printedText(piece, indent)).join("\n");
  if (!hasObject) return whole;
  return (style.bom ? "\uFEFF" : "") + (style.crlf ? `${whole}\n`.replaceAll("\n", "\r\n") : whole);
}

function readNotes(notes: string): Record<string, Input[]> {
  const names = readdirSync(notes).filter((name) => !name.includes(".") && name !== "quiet");
  return Object.fromEntries(
    names.map((name) => {
      const lines = readFileSync(join(notes, name), "utf8").split("\n").slice(0, -1);
      return [name, lines.map((line): Input => parsedObject(line))];
    }),
  );
}

function parsedObject(line: string): Input {
  const value: unknown = JSON.parse(line);
  return isObject(value) ? value : { notAnObject: value };
}

function readPrinted(notes: string): Record<string, number> {
  const files = readdirSync(notes).filter((name) => name.endsWith(PRINTED));
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -PRINTED.length), readFileSync(join(notes, name), "utf8").length]),
  );
}

function readFiles(project: string): Record<string, string> {
  const names = readdirSync(project).filter((name) => name.endsWith(".txt"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(project, name), "utf8")]));
}
