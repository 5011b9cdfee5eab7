import { constants } from "node:os";
import { spawn, type IPty } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import type { IBufferLine, Terminal as Screen } from "@xterm/headless";
import { HINTS } from "../../../src/keyboard/covers.ts";
import { approve } from "../../support/approve.ts";
import { COMPILED } from "../../support/compiled.ts";
import { WAVE } from "../../support/runWave.ts";
import { sequenceOf, type KeyName } from "./keys.ts";

export interface TerminalOptions {
  args?: readonly string[];
  /** Added to PATH, TMPDIR and a HOME that is the working folder: nothing of the person's own settings or keys. */
  env?: Record<string, string>;
  cwd: string;
  /** Whether a person has approved the project as it is when Wave starts. Default: yes. */
  approved?: boolean;
  cols?: number;
  rows?: number;
  /** For Node itself, before Wave's own. */
  nodeArgs?: readonly string[];
}

export interface ProgramEnd {
  /** Null when a signal ended it. */
  code: number | null;
  signal: string | null;
}

/** Starts the real program on a terminal of its own. */
export function startWave({
  args = [],
  nodeArgs = [],
  approved = true,
  ...options
}: TerminalOptions): TerminalRun {
  const home = options.env?.["WAVE_HOME"];
  if (approved && home !== undefined) approve({ folder: options.cwd, home });
  return startOnTerminal(process.execPath, { ...options, args: [...nodeArgs, WAVE, ...args] });
}

export function startOnTerminal(program: string, options: TerminalOptions): TerminalRun {
  const { args = [], cwd, cols = 80, rows = 24 } = options;
  const env = {
    PATH: process.env["PATH"] ?? "",
    TMPDIR: process.env["TMPDIR"] ?? "/tmp",
    HOME: cwd,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    // As somebody may set it who answers quickly: the guard is the same, and a thousand answers do not wait ten minutes.
    WAVE_ANSWER_PAUSE: "100",
    ...COMPILED,
    ...options.env,
  };
  const pty = spawn(program, [...args], { cols, rows, cwd, env, name: env.TERM });
  const screen = new xterm.Terminal({ cols, rows, scrollback: SCROLLBACK, allowProposedApi: true });
  return new TerminalRun(pty, screen);
}

const SCROLLBACK = 100_000;
/** Only there so that a test that waits for what never comes ends with the screen in its message. */
const WAIT_MS = 30_000;
/** Programs take a lone Esc for the beginning of something longer until so much time has passed. */
const ESC_PAUSE_MS = 80;
const END_GRACE_MS = 5_000;

/** In the foot of a panel. */
const ESC_KEY = /(?<=^| )Esc(?:, \S+)? [a-z]/;

/** Its types do not tell, but a pseudo-terminal can be closed. */
type ClosablePty = IPty & { destroy?: () => void };

/** A program on a pseudo-terminal, with the screen a person would look at. */
export class TerminalRun {
  /** The screen itself, for pictures and for what is not text: colours, cursor, modes. */
  readonly terminal: Screen;
  readonly pid: number;
  /** Resolves when the program has ended and everything it wrote is on the screen. */
  readonly exit: Promise<ProgramEnd>;
  /** Everything the program wrote, escape sequences and all. */
  output = "";
  readonly #pty: ClosablePty;
  #ended: ProgramEnd | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(pty: ClosablePty, terminal: Screen) {
    this.#pty = pty;
    this.terminal = terminal;
    this.pid = pty.pid;
    pty.onData((text) => {
      this.output += text;
      terminal.write(text, () => this.#look());
    });
    // Answers to the questions that programs ask a terminal, such as where the cursor is.
    terminal.onData((answer) => this.#send(answer));
    this.exit = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) =>
        terminal.write("", () => {
          this.#ended = endOf(exitCode, signal);
          resolve(this.#ended);
          this.#look();
        }),
      );
    });
  }

  get bytesWritten(): number {
    return Buffer.byteLength(this.output);
  }

  /** The visible rows, without the blanks at their ends. */
  screen(): string[] {
    const { baseY } = this.terminal.buffer.active;
    return this.#rows(baseY, baseY + this.terminal.rows);
  }

  /** What has scrolled off the top, oldest first. */
  scrollback(): string[] {
    return this.#rows(0, this.terminal.buffer.active.baseY);
  }

  /** Scrollback and screen as one text, with lines that only the terminal wrapped joined again. */
  text(): string {
    const buffer = this.terminal.buffer.active;
    const lines: string[] = [];
    for (let index = 0; index < buffer.length; index++) {
      const line = buffer.getLine(index);
      const text = line?.translateToString(!isWrapped(buffer.getLine(index + 1))) ?? "";
      if (isWrapped(line)) lines.push((lines.pop() ?? "") + text);
      else lines.push(text);
    }
    return lines.join("\n").trimEnd();
  }

  cursor(): { column: number; row: number } {
    const { cursorX, cursorY } = this.terminal.buffer.active;
    return { column: cursorX, row: cursorY };
  }

  type(text: string): void {
    this.#send(text);
  }

  /** As a terminal sends what was pasted, to a program that asked for the marks around it. */
  paste(text: string): void {
    const lines = text.replaceAll(/\r?\n/g, "\r");
    this.#send(this.terminal.modes.bracketedPasteMode ? `\u001b[200~${lines}\u001b[201~` : lines);
  }

  /**
   * One key after the other. After Esc there is a pause, or the next key would be read as one pressed with Alt; a busy
   * program can need longer, so wait for what Esc does before you press on.
   */
  async press(...keys: KeyName[]): Promise<void> {
    for (const key of keys) {
      this.#send(sequenceOf(key));
      if (key === "esc") await pause(ESC_PAUSE_MS);
    }
  }

  resize(cols: number, rows: number): void {
    this.terminal.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  /** A signal to the program alone, as from `kill`. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  /** Closes the window: the program gets SIGHUP, and nothing it writes from now on can be written. */
  hangUp(): void {
    if (!this.#ended) this.#pty.destroy?.();
  }

  /** Resolves with the screen that has the text; rejects with the screen that has it not. */
  async waitForText(wanted: string | RegExp, options: { timeoutMs?: number } = {}): Promise<string[]> {
    const has = (screen: string) =>
      typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen);
    await this.waitUntil(() => has(this.screen().join("\n")), {
      what: `${String(wanted)} on the screen`,
      ...options,
    });
    return this.screen();
  }

  /**
   * Resolves when keys answer what covers the prompt. Before that it says where typing goes and its own keys are dim, or its last
   * line, where they stand, is not drawn yet.
   */
  async takesKeys(): Promise<void> {
    const listens = () =>
      !Object.values(HINTS).some((hint) => this.#screenHas(hint)) &&
      (this.#screenHas("waiting for your answer") || this.#isBright(ESC_KEY));
    await this.waitUntil(listens, { what: "something that takes keys" });
  }

  /** Types what answers it. */
  async answer(text: string): Promise<void> {
    await this.takesKeys();
    this.type(text);
  }

  async answerKey(key: KeyName): Promise<void> {
    await this.takesKeys();
    await this.press(key);
  }

  /** Looks again whenever the program has written something, and now and then: what is waited for may be in a file. */
  async waitUntil(holds: () => boolean, options: { what: string; timeoutMs?: number }): Promise<void> {
    const { what, timeoutMs = WAIT_MS } = options;
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const stop = (settle: () => void) => {
        clearTimeout(timer);
        clearInterval(nowAndThen);
        this.#watchers.delete(look);
        settle();
      };
      const look = () => {
        const ended = this.#ended;
        if (holds()) stop(resolve);
        else if (ended) stop(() => reject(this.#failure(`the program ended (${describe(ended)})`, what)));
      };
      const timer = setTimeout(
        () => stop(() => reject(this.#failure(`${timeoutMs} ms passed`, what))),
        timeoutMs,
      );
      const nowAndThen = setInterval(() => look(), 250);
      this.#watchers.add(look);
      look();
    });
  }

  /** Asks the program to end, so that it can end what it started; then by force. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#ended) {
      this.#pty.kill("SIGHUP");
      const force = setTimeout(() => killGroup(this.pid), END_GRACE_MS);
      await this.exit;
      clearTimeout(force);
    }
    this.terminal.dispose();
  }

  #send(text: string): void {
    // A key that is pressed when the program has just ended reaches nobody.
    if (!this.#ended) this.#pty.write(text);
  }

  #look(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #rows(from: number, to: number): string[] {
    const buffer = this.terminal.buffer.active;
    return Array.from({ length: to - from }, (_, index) =>
      (buffer.getLine(from + index)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  #screenHas(text: string): boolean {
    return this.screen().some((row) => row.includes(text));
  }

  /** Whether it is on the screen, and its last place there is not drawn dim. */
  #isBright(wanted: RegExp): boolean {
    const rows = this.screen();
    const row = rows.findLastIndex((text) => wanted.test(text));
    const column = rows[row]?.search(wanted) ?? -1;
    const line = this.terminal.buffer.active.getLine(this.terminal.buffer.active.baseY + row);
    return row >= 0 && line?.getCell(column)?.isDim() === 0;
  }

  #failure(why: string, what: string): Error {
    const screen = this.screen().map((row) => `  | ${row}`);
    return new Error(`${why} before there was ${what}. The screen:\n${screen.join("\n")}`);
  }
}

function endOf(code: number, signal: number | undefined): ProgramEnd {
  if (!signal) return { code, signal: null };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { code: null, signal: name ?? String(signal) };
}

const describe = ({ code, signal }: ProgramEnd): string => (signal === null ? `exit code ${code}` : signal);

const isWrapped = (line: IBufferLine | undefined): boolean => line?.isWrapped === true;

/** The program leads a session and a group of its own. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // ESRCH: everything in the group is already gone.
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
