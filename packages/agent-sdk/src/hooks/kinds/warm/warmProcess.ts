import type { ProcessRequest, ProcessRun, RunningProcess } from "../../../services/process.ts";
import { readAnswer, type WarmAnswer } from "./protocol.ts";

/** More is no answer. */
const LONGEST_LINE = 1024 * 1024;
/** Of what it logs, for the message about its failure. */
const KEEP_BYTES = 16 * 1024;

/** How a call to a process that stays has ended. */
export type WarmEnd =
  | { is: "answered"; answer: WarmAnswer }
  | { is: "timed-out" }
  | { is: "aborted" }
  /** What it printed cannot be an answer to this call, or not only. */
  | { is: "confused"; why: string }
  /** There is nothing to start. */
  | { is: "not-started"; why: string }
  /** It ended before it had answered. */
  | { is: "gone"; run: ProcessRun };

interface Waiting {
  end: (end: WarmEnd) => void;
  timer: NodeJS.Timeout;
}

/**
 * One process that stays and is asked again and again. After the first thing that goes wrong nobody asks it any more: the calls that
 * it still works on may end, and then it is ended.
 */
export class WarmProcess {
  readonly done: Promise<ProcessRun>;
  readonly #process: RunningProcess;
  /** An aborted call stays here, because its answer may still come. */
  readonly #waiting = new Map<number, Waiting>();
  readonly #onRetired: () => void;
  #pieces: string[] = [];
  #pending = 0;
  #retired = false;

  /** `onRetired` is told once, when it must not be asked any more. */
  constructor(
    start: (request: ProcessRequest) => RunningProcess,
    request: Omit<ProcessRequest, "keepBytes">,
    onRetired: () => void,
  ) {
    this.#onRetired = onRetired;
    this.#process = start({
      ...request,
      keepBytes: KEEP_BYTES,
      keepsInputOpen: true,
      onOutput: (text, stream) => {
        if (stream === "stdout") this.#read(text);
      },
    });
    this.done = this.#process.done.then((run) => {
      this.#retire();
      this.#endAll({ is: "gone", run });
      return run;
    });
  }

  ask(id: number, line: string, limits: { timeoutMs: number; signal?: AbortSignal }): Promise<WarmEnd> {
    const { promise, resolve } = Promise.withResolvers<WarmEnd>();
    const { timeoutMs, signal } = limits;
    const abort = () => resolve({ is: "aborted" });
    const end = (ended: WarmEnd) => {
      signal?.removeEventListener("abort", abort);
      resolve(ended);
    };
    // Not at once: a Wave that was busy hears of the clock before it reads an answer that came in time.
    const late = () => setImmediate(() => this.#timedOut(id));
    const timer = setTimeout(late, Math.min(timeoutMs, 2 ** 31 - 1));
    this.#waiting.set(id, { end, timer });
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    this.#process.write(line);
    return promise;
  }

  /** Nothing went wrong; it is only not asked any more. */
  letGo(): void {
    this.#retired = true;
    if (this.#waiting.size === 0) this.#process.kill();
  }

  async close(): Promise<void> {
    this.#retired = true;
    this.#process.kill();
    await this.done;
  }

  #timedOut(id: number): void {
    if (!this.#waiting.has(id)) return;
    this.#end(id, { is: "timed-out" });
    this.#retire();
  }

  #read(text: string): void {
    const lines = text.split("\n");
    const rest = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = [...this.#pieces, lines[0] ?? ""].join("");
      this.#pieces = [];
      this.#pending = 0;
      for (const line of lines) this.#line(line);
    }
    this.#pieces.push(rest);
    this.#pending += rest.length;
    if (this.#pending > LONGEST_LINE) this.#confused(`more than ${LONGEST_LINE} bytes in one line`);
  }

  #line(line: string): void {
    if (line.trim() === "") return;
    const read = readAnswer(line);
    if ("problem" in read) return this.#confused(`${read.problem}: ${line}`);
    if (!this.#waiting.has(read.id))
      return this.#confused(`an answer with the id ${read.id}, for which nobody waits`);
    this.#end(read.id, { is: "answered", answer: read.answer });
  }

  /** It is not known which call was meant, so none of them has an answer. */
  #confused(why: string): void {
    this.#pieces = [];
    this.#pending = 0;
    this.#retire();
    this.#endAll({ is: "confused", why });
  }

  #endAll(end: WarmEnd): void {
    for (const id of this.#waiting.keys()) this.#end(id, end);
  }

  #end(id: number, end: WarmEnd): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.end(end);
    if (this.#retired && this.#waiting.size === 0) this.#process.kill();
  }

  #retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#onRetired();
    if (this.#waiting.size === 0) this.#process.kill();
  }
}
