import type { ProcessRequest, ProcessRun } from "../../../services/process.ts";
import { firstLine } from "../../failures.ts";
import type { HookExecutionResult } from "../../result.ts";
import { startIn } from "../../../workspace/sandbox/sandbox.ts";
import { didNotRun, type HookCall } from "../call.ts";
import { commandRequest, resultOf, startPlace, type StartedCommand } from "../commandProcess.ts";
import type { HookRunner } from "../kind.ts";
import { readAnswer, requestLine } from "./protocol.ts";
import { WarmProcess, type WarmEnd } from "./warmProcess.ts";

/** Before a process that failed is started again; twice as long after each failure without an answer in between. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;

/** Scripts that can do both know by it that they are to stay. */
const STAYS = { WAVE_HOOK_WARM: "1" };

/**
 * A command that stays between calls. While it may not be started again after a failure, each call has a process of its own, which reads
 * one line and the end of its input.
 */
export class WarmHook implements HookRunner {
  readonly #command: StartedCommand;
  /** All that still live. */
  readonly #processes = new Set<WarmProcess>();
  #current: { process: WarmProcess; startedIn: string } | undefined;
  #lastId = 0;
  #failures = 0;
  #notBefore = 0;

  constructor(command: StartedCommand) {
    this.#command = command;
  }

  async run(call: HookCall): Promise<HookExecutionResult> {
    const startedAt = performance.now();
    const end = await this.#ask(call);
    return { ...resultOfEnd(end, call), duration: performance.now() - startedAt };
  }

  async close(): Promise<void> {
    this.#current = undefined;
    await Promise.all([...this.#processes].map((process) => process.close()));
  }

  async #ask(call: HookCall): Promise<WarmEnd> {
    const place = startPlace(call, this.#command);
    const startedIn = JSON.stringify(place);
    // What it was started in counts no more: another folder, or another variable.
    if (this.#current && this.#current.startedIn !== startedIn) {
      this.#current.process.letGo();
      this.#current = undefined;
    }
    const id = ++this.#lastId;
    const line = requestLine(id, call.line);
    if (!this.#current) {
      // What scripts read as $1 differs from call to call.
      const planned = commandRequest(call, this.#command, place, () => []);
      if ("why" in planned) return { is: "not-started", why: planned.why };
      const request = { ...planned.request, env: { ...planned.request.env, ...STAYS } };
      if (performance.now() < this.#notBefore) return runAlone(call, request, { id, line });
      this.#current = { process: this.#start(call, request), startedIn };
    }
    const { signal } = call.context;
    const limits = { timeoutMs: call.timeoutMs, ...(signal && { signal }) };
    const end = await this.#current.process.ask(id, line, limits);
    if (end.is === "answered") this.#failures = 0;
    return end;
  }

  #start(call: HookCall, request: WarmRequest): WarmProcess {
    const process: WarmProcess = new WarmProcess(startFor(call), request, () => this.#failed(process));
    this.#processes.add(process);
    void process.done.then(() => this.#processes.delete(process));
    return process;
  }

  #failed(process: WarmProcess): void {
    if (this.#current?.process === process) this.#current = undefined;
    this.#notBefore =
      performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(this.#failures, 20), LONGEST_PAUSE_MS);
    this.#failures += 1;
  }
}

type WarmRequest = Omit<ProcessRequest, "stdin" | "timeoutMs" | "signal" | "keepBytes">;

const startFor =
  ({ context, hook }: HookCall) =>
  (request: ProcessRequest) =>
    startIn(context.sandbox, hook.sandbox ?? "off", request);

async function runAlone(
  call: HookCall,
  request: WarmRequest,
  { id, line }: { id: number; line: string },
): Promise<WarmEnd> {
  const { timeoutMs, context } = call;
  const started = startFor(call)({
    ...request,
    stdin: line,
    timeoutMs,
    keepBytes: 2 * 1024 * 1024,
    ...(context.signal && { signal: context.signal }),
  });
  const run = await started.done;
  if (run.end === "timed-out") return { is: "timed-out" };
  if (run.end === "aborted") return { is: "aborted" };
  const lines = run.stdout.text.split("\n").filter((one) => one.trim() !== "");
  const [only, more] = lines;
  if (only === undefined) return { is: "gone", run };
  if (more !== undefined) return { is: "confused", why: `more than one line: ${more}` };
  const read = readAnswer(only);
  if ("problem" in read) return { is: "confused", why: `${read.problem}: ${only}` };
  if (read.id !== id)
    return { is: "confused", why: `an answer with the id ${read.id}, for which nobody waits` };
  // A decision is one, however the process that printed it ended.
  return { is: "answered", answer: read.answer };
}

function resultOfEnd(end: WarmEnd, { timeoutMs }: HookCall): HookExecutionResult {
  const nothing = { success: false, duration: 0, timedOut: false };
  switch (end.is) {
    case "answered":
      return { ...nothing, ...end.answer, success: end.answer.exitCode === 0 };
    case "timed-out":
      return { ...nothing, timedOut: true, duration: timeoutMs };
    case "aborted":
      return { ...nothing, aborted: true };
    case "not-started":
      return didNotRun("not-started", `was not started: ${end.why}`);
    case "confused":
      return didNotRun("broken-output", `printed ${firstLine(end.why)}`);
    case "gone":
      return resultOfGone(end.run);
    default:
      return end satisfies never;
  }
}

/** One that ends well has not agreed to anything: it did not say so. */
function resultOfGone(run: ProcessRun): HookExecutionResult {
  if (run.end === "exited" && run.code === 0)
    return didNotRun("no-answer", "ended without an answer to this call");
  // Whoever asked it to end did so for another reason than this call.
  if (run.end === "aborted") return didNotRun("no-answer", "was ended before it had answered");
  return { ...resultOf(run), stdout: "" };
}
