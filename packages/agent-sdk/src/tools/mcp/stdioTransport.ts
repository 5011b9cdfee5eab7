import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { startProcess, type ProcessRequest, type RunningProcess } from "../../services/process.ts";
import { onOneLine, quoted, shortened } from "../../utils/quoted.ts";
import type { CommandSandbox } from "../commandSandbox.ts";
import { describeEnd } from "../commandOutput.ts";

/** One message. Results of tools are cut to far less; whatever is longer is no answer. */
const LONGEST_LINE = 16 * 1024 * 1024;
/** Printed without an answer in between: a server that says more than this talks to nobody. */
const MOST_UNASKED = 64 * 1024 * 1024;

/** A server that is a process of Wave's: noted, ended with all that it started, in the sandbox where there is one. */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Why it ended by itself, in words. */
  ended: string | undefined;
  readonly #request: ProcessRequest;
  readonly #sandbox: CommandSandbox | undefined;
  readonly #onNoise: (text: string) => void;
  #process: RunningProcess | undefined;
  #pieces: string[] = [];
  #pending = 0;
  #unasked = 0;
  #noise = 0;

  constructor(
    command: Pick<ProcessRequest, "file" | "args" | "cwd" | "env" | "register">,
    sandbox: CommandSandbox | undefined,
    onNoise: (text: string) => void,
  ) {
    this.#onNoise = onNoise;
    const onOutput = (text: string, stream: "stdout" | "stderr") => {
      if (stream === "stdout") this.#read(text);
    };
    this.#request = { ...command, keepBytes: 4_000, keepsInputOpen: true, onOutput };
    this.#sandbox = sandbox;
  }

  async start(): Promise<void> {
    // A server that runs is one that somebody has approved.
    const own = { read: [], write: [] };
    const how = { bounds: "none", hidden: () => [], endedByItself: () => false, own } as const;
    const running = this.#sandbox?.start(this.#request, how) ?? startProcess(this.#request);
    this.#process = running;
    void running.done.then((run) => {
      const last = shortened(onOneLine(run.stderr.text.slice(-300)), 200);
      this.ended ??= `${describeEnd(run).replace(/^\w/, (first) => first.toLowerCase())}${last === "" ? "" : ` (${last})`}`;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#process?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.ended ??= "Wave ended it";
    this.#process?.kill();
    await this.#process?.done;
  }

  #read(text: string): void {
    this.#unasked += text.length;
    this.#pending += text.length;
    const lines = text.split("\n");
    const rest = lines.pop() ?? "";
    if (lines.length > 0) {
      lines[0] = [...this.#pieces, lines[0] ?? ""].join("");
      this.#pieces = [];
      this.#pending = rest.length;
      for (const line of lines) this.#line(line);
    }
    this.#pieces.push(rest);
    if (this.#pending > LONGEST_LINE) this.#giveUp("it printed a line of more than 16 MB");
    else if (this.#unasked > MOST_UNASKED) this.#giveUp("it printed more than 64 MB that nobody asked for");
  }

  #line(line: string): void {
    if (line.trim() === "" || this.ended !== undefined) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Some servers print a banner or a log where only messages belong.
      if (this.#noise++ === 0) this.#onNoise(`it prints other text on stdout: ${quoted(line)}`);
      return;
    }
    if (typeof message !== "object" || message === null || !("jsonrpc" in message)) return;
    if ("result" in message || "error" in message) this.#unasked = 0;
    this.onmessage?.(message as JSONRPCMessage);
  }

  #giveUp(why: string): void {
    this.ended ??= why;
    this.#pieces = [];
    this.#process?.kill();
  }
}
