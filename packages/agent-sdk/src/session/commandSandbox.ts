import { readingHint } from "../permissions/readingHint.ts";
import { modeForApproved, type HookSandboxMode, type SandboxMode } from "../permissions/sandboxModes.ts";
import type { ProcessRequest, RunningProcess } from "../services/process.ts";
import type { CommandSandbox, RanInSandbox, RunInSandbox } from "../tools/commandSandbox.ts";
import type { ReadOnlySandbox } from "../workspace/sandbox/readOnly.ts";
import { withoutNotes } from "../utils/environment.ts";
import { startIn, type Sandbox } from "../workspace/sandbox/sandbox.ts";

/** What the commands of a session run in: one sandbox for those that somebody allowed, one for those that only read. */
export class SessionSandbox implements CommandSandbox {
  readonly #mode: HookSandboxMode;
  readonly #forAll: Sandbox | undefined;
  readonly #forReading: ReadOnlySandbox | undefined;

  readonly #refused = new Set<string>();

  constructor(of: {
    mode: SandboxMode;
    sandbox: Sandbox | undefined;
    readOnly: ReadOnlySandbox | undefined;
  }) {
    this.#mode = modeForApproved(of.mode);
    this.#forAll = of.sandbox;
    this.#forReading = of.readOnly;
  }

  async look(): Promise<void> {
    await this.#forReading?.look();
  }

  get boundsReading(): boolean {
    return this.#forReading?.availability.is === "there";
  }

  get advice(): string | undefined {
    const availability = this.#forReading?.availability;
    return availability?.is === "missing"
      ? `With a sandbox it would run without a question, where it can only read: ${availability.why}.`
      : undefined;
  }

  start(request: ProcessRequest, { bounds, hidden, endedByItself, own }: RunInSandbox): RunningProcess {
    if (bounds === "read-only" && this.#forReading && this.boundsReading)
      return this.#forReading.start(request, { own, hidden: hidden(), endedByItself });
    const env = bounds === "read-only" ? withoutNotes(request.env) : request.env;
    return startIn(this.#forAll, this.#mode, { ...request, env }, { hidden, endedByItself });
  }

  hint(ran: RanInSandbox): string | undefined {
    if (ran.bounds === "none" || !this.boundsReading)
      return this.#mode === "off" ? undefined : this.#forAll?.hint(`${ran.stdout}\n${ran.stderr}`);
    const hint = readingHint(ran, (path) => this.#forReading?.hides(path) === true);
    if (hint !== undefined) this.#refused.add(ran.command);
    return hint;
  }

  wasRefused(command: string): boolean {
    return this.#refused.has(command);
  }
}
