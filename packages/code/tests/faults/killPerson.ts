import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalRun } from "../terminal/support/terminal.ts";
import { TOKEN, wishOf } from "./killStage.ts";

/** What can be seen of a Wave. */
export interface Sight {
  /** In prompts above the input, as said. */
  said: string[];
  /** Texts that wait, or are being told. */
  waiting: string[];
  /** In the input, as far as it is drawn. */
  input: string[];
  /** The input has more rows than can be seen. */
  hasMore: boolean;
  /** The last word of each answer that streamed in. */
  words: Map<string, number>;
  question: boolean;
  /** What a person would say that it is doing. */
  doing: string;
}

export function look(wave: TerminalRun): Sight {
  const rows = wave.text().split("\n");
  const top = rows.findLastIndex((row) => row.startsWith("╭"));
  const isBox = rows.slice(top).some((row) => row.startsWith("╰"));
  const box = isBox
    ? rows.slice(
        top,
        rows.findLastIndex((row) => row.startsWith("╰")),
      )
    : [];
  const question = wave.screen().some((row) => row.includes("waiting for your answer"));
  const above = isBox && !question ? rows.slice(0, top) : rows;
  const words = new Map<string, number>();
  for (const [, token = "", number] of above.join("\n").matchAll(/(q\d+q)\.(\d+)/g))
    words.set(token, Math.max(words.get(token) ?? 0, Number(number)));
  return {
    said: promptsIn(above).flatMap(tokensIn),
    waiting: above.filter((row) => /^\s+(?:waiting|telling it): /.test(row)).flatMap(tokensIn),
    input: question ? [] : box.flatMap(tokensIn),
    hasMore: box.some((row) => row.includes("more row")),
    words,
    question,
    doing: doing(wave.screen().join("\n"), question),
  };
}

/** A prompt begins with its sign; what follows it is indented. */
function promptsIn(rows: readonly string[]): string[] {
  return rows.flatMap((row, at) => {
    if (!row.startsWith("> ")) return [];
    const after = rows.slice(at + 1);
    const length = after.findIndex((one) => !/^ {2}\S|^$/.test(one));
    const more = after.slice(0, length === -1 ? undefined : length).map((one) => one.slice(2));
    return [[row.slice(2), ...more].join("\n").trimEnd()];
  });
}

const tokensIn = (row: string): string[] => row.match(TOKEN) ?? [];

function doing(screen: string, question: boolean): string {
  if (question) return "asking";
  if (/hook judge/.test(screen)) return "judging a prompt";
  if (/hook (?:guard|after)/.test(screen)) return "in a tool's hook";
  if (/writing/.test(screen)) return "streaming";
  if (/running (?:Bash|Write)/.test(screen)) return "in a tool";
  if (/thinking|getting ready/.test(screen)) return "waiting for the model";
  return "idle";
}

/** Types, answers, interrupts and waits at random, like somebody who looks at the screen. */
export class Person {
  readonly #wave: TerminalRun;
  readonly #random: () => number;
  readonly #newToken: () => string;

  constructor(wave: TerminalRun, random: () => number, newToken: () => string) {
    this.#wave = wave;
    this.#random = random;
    this.#newToken = newToken;
  }

  /** Until `isOver`. */
  async act(isOver: () => boolean): Promise<void> {
    await this.#say();
    while (!isOver()) {
      const sight = look(this.#wave);
      const dice = this.#random();
      if (sight.question) await this.#answer();
      else if (sight.input.length > 0 && dice < 0.5) await this.#press("enter");
      else if (dice < (sight.doing === "idle" ? 0.8 : 0.25)) await this.#say();
      else if (dice < 0.32) this.#type(`${this.#newToken()} draft`);
      else if (dice < 0.4 && sight.input.length === 0) await this.#press("enter");
      else if (dice < 0.44 && sight.input.length === 0) await this.#press("up");
      else if (dice < 0.47) await this.#press("esc");
      else await sleep(this.#random() * 400);
    }
  }

  async #say(): Promise<void> {
    const token = this.#newToken();
    this.#type(`${token} ${wishOf(this.#random())}`);
    // Whoever types sees what they typed before they press Enter; a busy machine may need a moment.
    for (let looks = 0; looks < 20 && !look(this.#wave).input.includes(token); looks++) await sleep(15);
    await this.#press("enter");
    await sleep(this.#random() * 250);
  }

  async #answer(): Promise<void> {
    await sleep(this.#random() * 600);
    try {
      await this.#wave.answer(this.#random() < 0.8 ? "y" : "n");
    } catch {
      // It was killed before it took a key.
    }
    await sleep(100);
  }

  async #press(key: "enter" | "up" | "esc"): Promise<void> {
    await this.#wave.press(key);
  }

  #type(text: string): void {
    this.#wave.type(text);
  }
}
