import { OutputBuffer } from "../process/outputBuffer.ts";
import { type Captured, type ProcessRun, type RunningProcess, startProcess } from "../services/process.ts";
import type { RunRegister } from "../process/runRegister.ts";
import { describeEnd, KEPT_OUTPUT_BYTES } from "./commandOutput.ts";
import { prepareShell, type ShellRequest } from "./shellCommand.ts";
import type { Bounds } from "../permissions/decide.ts";
import type { CommandSandbox, RunInSandbox } from "./commandSandbox.ts";

export type ShellState =
  | { is: "running" }
  /** Ended by KillShell or with the session. */
  | { is: "killed" }
  | { is: "ended"; run: ProcessRun };

/** What runs in the background, or did, as a person sees it. */
export interface BackgroundTask {
  kind: "command" | "agent";
  id: string;
  /** What a person knows it by: the command line, or the task of a sub-agent. */
  title: string;
  /** Milliseconds since the epoch. */
  since: number;
  state: "running" | "killed" | "ended";
  /** Of one that ended by itself: "Exit code 1". */
  end?: string;
  /** What a sub-agent did and answered; of a command all it printed, both streams as they came; the middle of a long text is cut. */
  output: string;
}

/** Background shells of one session. They live until they end, are killed, or the session is over. */
export class ShellRegistry {
  readonly #shells = new Map<string, BackgroundShell>();
  readonly #register: RunRegister | undefined;
  #disposed = false;

  constructor(register?: RunRegister) {
    this.#register = register;
  }

  /** Undefined when the session is over. A command that cannot be started is a state of its shell. */
  start(
    request: Omit<ShellRequest, "atExit" | "register">,
    within?: { sandbox: CommandSandbox } & Pick<RunInSandbox, "bounds" | "hidden">,
  ): BackgroundShell | undefined {
    if (this.#disposed) return undefined;
    const prepared = prepareShell({ ...request, atExit: "wait-for-jobs", register: this.#register });
    const { file, args, env } = prepared;
    const about = {
      id: `bash_${this.#shells.size + 1}`,
      command: request.command,
      bounds: within?.bounds ?? "none",
    } as const;
    const shell = new BackgroundShell(about, (onOutput) => {
      const register = this.#register;
      const process = {
        file,
        args,
        cwd: request.cwd,
        env,
        keepBytes: 0,
        opensOutput: true,
        onOutput,
        register,
      };
      // Nobody knows more than the number here, and of a shell that is no news.
      const how = { endedByItself: () => true, own: prepared.own };
      if (!within) return startProcess(process);
      const { sandbox, bounds, hidden } = within;
      return sandbox.start(process, { ...how, bounds, hidden });
    });
    this.#shells.set(shell.id, shell);
    void shell.ended.then(() => prepared.remove());
    return shell;
  }

  get(id: string): BackgroundShell | undefined {
    return this.#shells.get(id);
  }

  /** How many have not ended. */
  get running(): number {
    return [...this.#shells.values()].filter(({ state }) => state.is === "running").length;
  }

  ids(): string[] {
    return [...this.#shells.keys()];
  }

  /** Ends one with everything it started. False when none of that id runs. */
  async end(id: string): Promise<boolean> {
    const shell = this.#shells.get(id);
    if (shell?.state.is !== "running") return false;
    await shell.kill();
    return true;
  }

  /** In the order in which they were started. */
  list(): BackgroundTask[] {
    return [...this.#shells.values()].map((shell) => shell.described);
  }

  /** Ends all shells with everything they started; resolves when they are gone. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#shells.values()].map((shell) => shell.kill()));
  }
}

export class BackgroundShell {
  readonly id: string;
  readonly command: string;
  readonly bounds: Bounds;
  /** Resolves when the process is over; never rejects. */
  readonly ended: Promise<void>;
  readonly #process: RunningProcess;
  #state: ShellState = { is: "running" };
  readonly #since = Date.now();
  /** For a person, who reads it without taking it from the model. */
  readonly #printed = new OutputBuffer(KEPT_OUTPUT_BYTES);
  #unread = { stdout: new OutputBuffer(KEPT_OUTPUT_BYTES), stderr: new OutputBuffer(KEPT_OUTPUT_BYTES) };

  constructor(
    about: Pick<BackgroundShell, "id" | "command" | "bounds">,
    start: (onOutput: (text: string, stream: "stdout" | "stderr") => void) => RunningProcess,
  ) {
    this.id = about.id;
    this.command = about.command;
    this.bounds = about.bounds;
    this.#process = start((text, stream) => {
      const bytes = Buffer.from(text);
      this.#unread[stream].push(bytes);
      this.#printed.push(bytes);
    });
    this.ended = this.#process.done.then((run) => {
      this.#state = run.end === "aborted" ? { is: "killed" } : { is: "ended", run };
    });
  }

  get state(): ShellState {
    return this.#state;
  }

  get described(): BackgroundTask {
    const { id, command, state } = this;
    const end = state.is === "ended" ? { end: describeEnd(state.run) } : {};
    return {
      kind: "command",
      id,
      title: command,
      since: this.#since,
      state: state.is,
      ...end,
      output: this.#printed.captured().text,
    };
  }

  /** What was printed since the last call. */
  takeUnread(): { stdout: Captured; stderr: Captured } {
    const { stdout, stderr } = this.#unread;
    this.#unread = {
      stdout: new OutputBuffer(KEPT_OUTPUT_BYTES),
      stderr: new OutputBuffer(KEPT_OUTPUT_BYTES),
    };
    return { stdout: stdout.captured(), stderr: stderr.captured() };
  }

  /** Ends the shell with everything it started; resolves when it is gone. Nothing happens to one that has ended. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.ended;
  }
}
