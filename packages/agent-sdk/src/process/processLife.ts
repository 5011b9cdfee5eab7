import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { closeInput, openInput } from "./inputFile.ts";
import { keepInspectorClosed } from "./inspectorSignal.ts";
import { closeWriter, openOutputPipe } from "./outputPipes.ts";
import { drained, OutputStream } from "./outputStream.ts";
import type { Captured, ProcessEnd, ProcessRequest, ProcessRun, RunningProcess } from "./processRun.ts";
import { ProcessTree, RUN_ID_VARIABLE } from "./processTree.ts";
import { passesByItself, startFailure } from "./startFailure.ts";

/** From SIGTERM to SIGKILL. */
const KILL_GRACE_MS = 200;
/** From SIGKILL to the result, should something refuse to die (a process in an uninterruptible system call). */
const GIVE_UP_MS = 500;
/** On a machine so busy that half a second is not enough for it. */
const LEAST_KILLS = 10;
const KILL_AGAIN_MS = 10;
/** Waits between attempts when a start failed for a reason that passes by itself. */
const START_AGAIN_MS = [10, 30, 90, 270];
/** What a wrapper says of itself is a line or two. */
const REPORT_BYTES = 4_000;
/** A longer delay overflows Node's timer, which then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why a process that still ran was ended. */
type Ending = Extract<ProcessEnd, { end: "timed-out" | "aborted" }>;

/** One process from spawn to how it ended. Every path ends in `#finish`, which undoes everything `begin` set up. */
export class ProcessLife implements RunningProcess {
  readonly done: Promise<ProcessRun>;
  readonly #request: ProcessRequest;
  readonly #runId = randomUUID();
  readonly #startedAt = performance.now();
  readonly #resolve: (run: ProcessRun) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #child: ChildProcess | undefined;
  #tree: ProcessTree | undefined;
  #stdout: OutputStream | undefined;
  #stderr: OutputStream | undefined;
  #report: OutputStream | undefined;
  readonly #unsent: string[] = [];
  #ending: Ending | undefined;
  /** The process Wave started is gone; what it started may not be. */
  #exited = false;
  #finished = false;
  readonly #abort = () => this.#terminate({ end: "aborted" });
  readonly #killAtExit = () => this.#tree?.signal("SIGKILL");

  constructor(request: ProcessRequest) {
    const { promise, resolve } = Promise.withResolvers<ProcessRun>();
    this.#request = request;
    this.done = promise;
    this.#resolve = resolve;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  begin(): void {
    keepInspectorClosed();
    const { signal, timeoutMs } = this.#request;
    if (signal?.aborted) return this.#finish({ end: "aborted" });
    signal?.addEventListener("abort", this.#abort, { once: true });
    listenForExit(this.#killAtExit);
    // Before the spawn and before anything is written to stdin: a process that never reads must not escape its limit.
    if (timeoutMs !== undefined) {
      // Not at once: a Wave that was stopped or busy hears of the clock before it hears of an exit that came in time.
      this.#later(timeoutMs, () =>
        setImmediate(() => this.#terminate({ end: "timed-out", afterMs: timeoutMs })),
      );
    }
    this.#spawn(0);
  }

  write(text: string): void {
    // A start that failed for a reason that passes by itself is tried again.
    if (!this.#child && !this.#finished) this.#unsent.push(text);
    const input = this.#child?.stdin;
    if (input?.writable === true) input.write(text);
  }

  kill(): void {
    this.#terminate({ end: "aborted" });
  }

  #spawn(attempt: number): void {
    const { file, args, cwd, env, stdin, keepBytes, onOutput, isWrapper = false, register } = this.#request;
    const { keepsInputOpen = false, wrapperInput, opensOutput = false } = this.#request;
    let child: ChildProcess;
    register?.starting(this.#runId);
    const input = stdin === undefined || keepsInputOpen ? undefined : openInput(stdin);
    const more = wrapperInput && openInput(wrapperInput);
    const out = opensOutput ? openOutputPipe(this.#request.register) : undefined;
    const err = opensOutput ? openOutputPipe(this.#request.register) : undefined;
    try {
      child = spawn(file, args, {
        cwd,
        env: { ...env, [RUN_ID_VARIABLE]: this.#lineage() },
        detached: true,
        stdio: [
          input ?? (stdin === undefined && !keepsInputOpen ? "ignore" : "pipe"),
          out?.writer ?? "pipe",
          err?.writer ?? "pipe",
          ...(isWrapper ? ["pipe" as const] : []),
          ...(more === undefined ? [] : [more]),
        ],
        windowsHide: true,
      });
    } catch (error) {
      // Some failures are thrown (E2BIG, ETXTBSY, a NUL in an argument), others come as an event (ENOENT, EACCES).
      for (const pipe of [out, err]) pipe?.reader.destroy();
      return this.#startFailed(error, attempt);
    } finally {
      closeInput(input);
      closeInput(more);
      closeWriter(out);
      closeWriter(err);
    }
    // Later errors of a process that did start are failed signals, which `#finish` does not depend on.
    child.on("error", (error) => child.pid === undefined && this.#startFailed(error, attempt));
    const stdout = out?.reader ?? child.stdout;
    const stderr = err?.reader ?? child.stderr;
    if (child.pid === undefined || stdout === null || stderr === null) {
      for (const pipe of [out, err]) pipe?.reader.destroy();
      return;
    }

    this.#child = child;
    register?.started(this.#runId, child.pid);
    this.#tree = new ProcessTree(child.pid, this.#runId, { sparesLeader: isWrapper });
    this.#stdout = new OutputStream(stdout, keepBytes, onOutput && ((text) => onOutput(text, "stdout")));
    this.#stderr = new OutputStream(stderr, keepBytes, onOutput && ((text) => onOutput(text, "stderr")));
    const report = child.stdio[3];
    if (report instanceof Readable) this.#report = new OutputStream(report, REPORT_BYTES, undefined);
    child.once("exit", (code, signal) => this.#onExit(code, signal));
    // EPIPE: a process may close or ignore its input. Without a listener the error would end Wave.
    child.stdin?.on("error", () => {});
    if (!keepsInputOpen) child.stdin?.end(stdin);
    for (const text of this.#unsent.splice(0)) child.stdin?.write(text);
  }

  /** A Wave that was itself started by a Wave keeps the outer run's id, so that the outer one can end everything. */
  #lineage(): string {
    const outer = this.#request.env[RUN_ID_VARIABLE];
    return outer === undefined ? this.#runId : `${outer}:${this.#runId}`;
  }

  #startFailed(error: unknown, attempt: number): void {
    const wait = START_AGAIN_MS[attempt];
    if (wait !== undefined && passesByItself(error)) {
      return this.#later(wait, () => this.#spawn(attempt + 1));
    }
    this.#finish({ end: "not-started", ...startFailure(error, this.#request) });
  }

  /** Not "close": that would wait for every background child that inherited the pipes. */
  #onExit(code: number | null, signal: string | null): void {
    this.#exited = true;
    if (!this.#ending) {
      const ended: ProcessEnd =
        code === null ? { end: "signalled", signal: signal ?? "unknown signal" } : { end: "exited", code };
      void this.#finishDrained(ended);
    } else if (this.#isAllGone()) {
      void this.#finishDrained(this.#ending);
    }
  }

  #terminate(ending: Ending): void {
    if (this.#ending || this.#exited || this.#finished) return;
    this.#stopWatching();
    this.#ending = ending;
    if (this.#tree === undefined) return this.#finish(ending);
    this.#tree.signal("SIGTERM");
    // Not guarded by child.killed: Node sets that when a signal is sent, so the guard would skip every SIGKILL.
    this.#later(KILL_GRACE_MS, () =>
      this.#killUntilGone(ending, { giveUpAt: performance.now() + GIVE_UP_MS, kills: 0 }),
    );
  }

  /** More than once, because a process can fork while the list of processes is being read. */
  #killUntilGone(ending: Ending, { giveUpAt, kills }: { giveUpAt: number; kills: number }): void {
    if (performance.now() > giveUpAt && kills >= LEAST_KILLS) return this.#finish(ending);
    this.#tree?.signal("SIGKILL");
    this.#later(KILL_AGAIN_MS, () => {
      if (!this.#isAllGone()) return this.#killUntilGone(ending, { giveUpAt, kills: kills + 1 });
      void this.#finishDrained(ending);
    });
  }

  #isAllGone(): boolean {
    return this.#exited && this.#tree?.isGone() === true;
  }

  async #finishDrained(end: ProcessEnd): Promise<void> {
    // Nothing can change the outcome any more: neither the clock nor an abort, while the last words are read.
    this.#stopWatching();
    await drained(this.#streams());
    this.#finish(end);
  }

  #finish(end: ProcessEnd): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#stopWatching();
    stopListeningForExit(this.#killAtExit);
    this.#request.register?.ended(this.#runId);
    this.#child?.stdin?.destroy();
    for (const stream of this.#streams()) {
      if (this.#ending) stream.close();
      else stream.letGo();
    }
    this.#resolve({
      ...end,
      stdout: this.#stdout?.captured() ?? NOTHING,
      stderr: this.#stderr?.captured() ?? NOTHING,
      durationMs: performance.now() - this.#startedAt,
      ...(this.#report && { report: this.#report.captured().text }),
    });
  }

  #stopWatching(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#request.signal?.removeEventListener("abort", this.#abort);
  }

  #later(ms: number, action: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        action();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    this.#timers.add(timer);
  }

  #streams(): OutputStream[] {
    return [this.#stdout, this.#stderr, this.#report].filter((stream) => stream !== undefined);
  }
}

const NOTHING: Captured = { text: "", bytes: 0, cut: 0 };

/**
 * A Wave that exits, also by an uncaught exception, takes what it still runs with it. One listener for each running
 * process, and room for it: otherwise Node warns of a leak at the eleventh.
 */
function listenForExit(listener: () => void): void {
  if (process.getMaxListeners() > 0) process.setMaxListeners(process.getMaxListeners() + 1);
  process.on("exit", listener);
}

function stopListeningForExit(listener: () => void): void {
  if (!process.listeners("exit").includes(listener)) return;
  process.off("exit", listener);
  if (process.getMaxListeners() > 1) process.setMaxListeners(process.getMaxListeners() - 1);
}
