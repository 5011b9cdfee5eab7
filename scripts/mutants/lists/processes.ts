import type { Mutant } from "../mutant.ts";

const PROCESS = ["packages/agent-sdk/tests/services/process"];
const REGISTER = ["packages/agent-sdk/tests/process/"];

/** One process, from its start to its end. */
export const PROCESS_MUTANTS: readonly Mutant[] = [
  {
    in: "process/processLife.ts",
    from: 'if (signal?.aborted) return this.#finish({ end: "aborted" });',
    to: "",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: 'setImmediate(() => this.#terminate({ end: "timed-out", afterMs: timeoutMs })),',
    to: 'this.#terminate({ end: "timed-out", afterMs: timeoutMs }),',
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: 'code === null ? { end: "signalled", signal: signal ?? "unknown signal" } : { end: "exited", code };',
    to: '{ end: "exited", code: code ?? 0 };',
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: 'child.stdin?.on("error", () => {});',
    to: "",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: "if (wait !== undefined && passesByItself(error)) {",
    to: "if (wait !== undefined && Number.isNaN(attempt)) {",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: "listenForExit(this.#killAtExit);",
    to: "",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: "    await drained(this.#streams());\n",
    to: "",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: "if (this.#ending || this.#exited || this.#finished) return;",
    to: "if (this.#ending || this.#finished) return;",
    tests: PROCESS,
    survives:
      "clock and abort are off before the last words are read; only kill() in that moment could come here, and how it ended stands",
  },
  {
    in: "process/processLife.ts",
    from: "Math.min(ms, LONGEST_TIMER_MS)",
    to: "ms",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: "outer === undefined ? this.#runId : `${outer}:${this.#runId}`",
    to: "this.#runId",
    tests: PROCESS,
  },
  {
    in: "process/processLife.ts",
    from: "this.#request.register?.ended(this.#runId);",
    to: "",
    tests: REGISTER,
  },
  {
    in: "process/processTree.ts",
    from: "if (related.has(entry) || carriesRunId(entry.pid, this.#runId)) add(entry);",
    to: "if (related.has(entry)) add(entry);",
    tests: PROCESS,
  },
  {
    in: "process/processTree.ts",
    from: 'if (state === "Z" || state === "X") return [];',
    to: "",
    tests: REGISTER,
  },
  {
    in: "process/processTree.ts",
    from: "entry.group === this.#leader || this.#seen.get(entry.pid) === entry.startedAt",
    to: "entry.group === this.#leader || this.#seen.has(entry.pid)",
    tests: PROCESS,
    survives:
      "a pid must be used again between two looks that are milliseconds apart; that of a note, which lasts, is tested in leftovers",
  },
  {
    in: "process/processTree.ts",
    from: "this.#visit(() => {}) === 0 && this.#visit(() => {}) === 0",
    to: "this.#visit(() => {}) === 0",
    tests: PROCESS,
    survives:
      "a process must be replaced by its child just between two looks at /proc: no test can make that happen at will",
  },
];
