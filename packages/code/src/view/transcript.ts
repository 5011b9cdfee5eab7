import type { AgentEvent, Block, DecisionRecord, Message } from "wave-agent-sdk";
import { hookSpeech } from "./hookSpeech.ts";
import {
  isFinished,
  isSpaced,
  isVisible,
  itemOf,
  type HookSpeech,
  type Item,
  type MarkBlock,
  type NoticeBlock,
  type Running,
} from "./items.ts";
import { GrowingText } from "./growingText.ts";
import { appendOutput, NO_OUTPUT } from "./liveOutput.ts";
import { beginsUnsent, UNSENT } from "./unsent.ts";
import type { WelcomeFacts } from "./welcome.ts";

/** What a screen does about an event: print these, once, and draw those in the place of what was live before. */
export interface TranscriptChange {
  finished: readonly Item[];
  live: readonly Item[];
}

/** A block or notice that has not been printed. */
type Waiting =
  | {
      is: "block";
      message: Message;
      index: number;
      block: Block;
      speech: HookSpeech | "unknown" | undefined;
      /** Of an answer that streams in. */
      growing?: GrowingText;
    }
  | { is: "notice"; item: Item };

/** Whose record an error of a hook may belong to; older ones are not asked for any more. */
const RECORDS_KEPT = 64;

/**
 * The conversation as a screen needs it: things wait in the order in which they arrived, and leave from the front when
 * they cannot change any more. The work for an event depends on what waits, not on the length of the session.
 */
export class Transcript {
  readonly #waiting: Waiting[] = [];
  /** How many blocks of a message have been printed. */
  readonly #printed = new Map<string, number>();
  readonly #running = new Map<string, Running>();
  #records: DecisionRecord[] = [];
  #lastPrinted: Item | undefined;
  #notices = 0;
  #modelAnswers = false;
  #turnIsOver = false;
  #streamingId: string | undefined;
  #prompt: { is: "none" } | { is: "expected" } | { is: "judged"; id: string } = { is: "none" };
  readonly #columns: (() => number) | undefined;

  /** `columns`: of the window, so that rows of an answer can be printed while it streams in. Without it, it is printed whole. */
  constructor(columns?: () => number) {
    this.#columns = columns;
  }

  /** `now` is only used to say since when a call runs. Undefined: the event changes nothing here. */
  handle(event: AgentEvent, now: number): TranscriptChange | undefined {
    switch (event.type) {
      case "turn_started":
        this.#turnIsOver = false;
        this.#prompt = { is: "expected" };
        return undefined;
      case "shell_started":
        this.#turnIsOver = false;
        return undefined;
      case "prompt_steered":
        this.#prompt = { is: "expected" };
        return undefined;
      case "model_started":
        this.#modelAnswers = true;
        this.#streamingId = undefined;
        this.#prompt = { is: "none" };
        return this.#change({ speech: "settle" });
      case "model_ended":
        this.#modelAnswers = false;
        return undefined;
      case "shell_ended":
      case "turn_ended":
        // Whatever has not ended by now never will: it must not keep what follows from being printed.
        this.#turnIsOver = true;
        this.#modelAnswers = false;
        this.#streamingId = undefined;
        this.#prompt = { is: "none" };
        this.#running.clear();
        return this.#change({ speech: "settle" });
      case "messages_changed":
        if (event.message) this.#take(event.message);
        else if (event.removedId !== undefined) this.#drop(event.removedId);
        return this.#change({ speech: "wait" });
      case "hooks_decided":
        this.#records = [...this.#records, event.record].slice(-RECORDS_KEPT);
        if (event.record.event === "UserPromptSubmit") this.#prompt = { is: "none" };
        return this.#change({ speech: "settle" });
      case "tool_started":
        this.#running.set(event.toolUseId, { since: now, output: NO_OUTPUT });
        return this.#change({ speech: "wait" });
      case "tool_output": {
        const { since, output } = this.#running.get(event.toolUseId) ?? { since: now, output: NO_OUTPUT };
        this.#running.set(event.toolUseId, { since, output: appendOutput(output, event.text) });
        return this.#change({ speech: "wait" });
      }
      case "tool_ended":
        this.#running.delete(event.toolUseId);
        return undefined;
      case "model_retry":
        // What was read of the answer is gone from the screen: that it comes again has to stay on it.
        if (!event.restarts) return undefined;
        this.#add({ type: "notice", level: "info", content: `${event.why}; the answer starts again` });
        return this.#change({ speech: "wait" });
      case "notice":
        this.#add({ type: "notice", level: event.level, content: event.text });
        return this.#change({ speech: "wait" });
      default:
        return undefined;
    }
  }

  /** The first thing of a session. What was printed before it is asked for stands below it all the same. */
  welcome(facts: WelcomeFacts): Item {
    const item: Item = { id: "welcome", role: "assistant", block: { type: "welcome", facts }, spaced: false };
    this.#lastPrinted ??= item;
    return item;
  }

  /** A line across the screen, at this place. */
  mark(content: string): TranscriptChange {
    this.#add({ type: "mark", content });
    return this.#change({ speech: "wait" });
  }

  /** Messages of an earlier session: nothing about them changes any more. */
  restore(messages: readonly Message[]): TranscriptChange {
    const wasOver = this.#turnIsOver;
    this.#turnIsOver = true;
    // One by one: whatever waits is looked through for every message.
    const finished = messages.flatMap((message, at) => {
      this.#take(message);
      this.#markUnsent(messages[at - 1]);
      return this.#change({ speech: "settle" }).finished;
    });
    this.#turnIsOver = wasOver;
    return { finished, live: this.#live() };
  }

  #take(message: Message): void {
    const printed = this.#printed.get(message.id) ?? 0;
    if (this.#prompt.is === "expected" && message.role === "user" && !message.origin)
      this.#prompt = { is: "judged", id: message.id };
    if (this.#isStreaming(message, printed)) this.#streamingId = message.id;
    else if (this.#streamingId === message.id) this.#streamingId = undefined;

    // While an answer streams in, blocks come, change their place and go.
    this.#keep(
      (one) => one.is === "notice" || one.message.id !== message.id || one.index < message.blocks.length,
    );
    const known = new Map(
      this.#waiting.flatMap((one) =>
        one.is === "block" && one.message.id === message.id ? [[one.index, one]] : [],
      ),
    );
    for (const [index, block] of message.blocks.entries()) {
      if (index < printed) continue;
      const one = known.get(index);
      if (one) Object.assign(one, { message, block });
      else {
        const speech = block.type === "error" && block.origin ? "unknown" : undefined;
        this.#waiting.push({ is: "block", message, index, block, speech });
      }
    }
  }

  /** Errors and calls are never part of an answer that streams: they are added when it is whole. */
  #isStreaming(message: Message, printed: number): boolean {
    if (!this.#modelAnswers || message.role !== "assistant" || printed > 0) return false;
    return message.blocks.every(({ type }) => type === "text" || type === "reasoning");
  }

  #drop(messageId: string): void {
    this.#keep((one) => one.is === "notice" || one.message.id !== messageId);
    if (this.#streamingId === messageId) this.#streamingId = undefined;
  }

  #add(block: NoticeBlock | MarkBlock): void {
    this.#waiting.push(this.#noticeOf(block));
  }

  #noticeOf(block: NoticeBlock | MarkBlock): Waiting {
    this.#notices++;
    return {
      is: "notice",
      item: { id: `notice:${this.#notices}`, role: "assistant", block, spaced: false },
    };
  }

  /** Before what hooks said about a prompt that they held back. */
  #markUnsent(previous: Message | undefined): void {
    const marked = this.#waiting.flatMap((one) => {
      if (one.is === "notice" || !beginsUnsent(one.message, one.index, previous)) return [one];
      return [this.#noticeOf({ type: "mark", content: UNSENT }), one];
    });
    this.#waiting.splice(0, this.#waiting.length, ...marked);
  }

  #keep(wanted: (one: Waiting) => boolean): void {
    const kept = this.#waiting.filter(wanted);
    if (kept.length < this.#waiting.length) this.#waiting.splice(0, this.#waiting.length, ...kept);
  }

  #change({ speech }: { speech: "wait" | "settle" }): TranscriptChange {
    for (const one of this.#waiting) {
      if (one.is === "block" && one.speech === "unknown") one.speech = this.#speechOf(one.block, speech);
    }
    const finished: Item[] = [];
    let count = 0;
    for (const one of this.#waiting) {
      if (!this.#isFinished(one)) {
        finished.push(...this.#finishedRows(one));
        break;
      }
      count++;
      if (one.is === "block") this.#printed.set(one.message.id, one.index + 1);
      const item = this.#itemOf(one, this.#lastPrinted);
      if (!item) continue;
      finished.push(item);
      this.#lastPrinted = item;
    }
    this.#waiting.splice(0, count);
    return { finished, live: this.#live() };
  }

  /** Of an answer that streams in: what of it cannot change any more. */
  #finishedRows(one: Waiting): Item[] {
    if (one.is === "notice" || this.#columns === undefined) return [];
    const { message, index, block } = one;
    if (message.id !== this.#streamingId || block.type !== "text") return [];
    one.growing ??= new GrowingText();
    return one.growing.grow(block.content, this.#columns()).map(({ text, number, gap }) => {
      const whole = itemOf(message, index, { ...block, content: text }, this.#lastPrinted);
      this.#lastPrinted = { ...whole, id: `${whole.id}+${number}`, spaced: gap ?? whole.spaced };
      return this.#lastPrinted;
    });
  }

  /**
   * Whether a hook blocked or broke is in the record of its event. Of a call it has come before the error; of everything
   * else it comes right after it, and an older one would be about something else.
   */
  #speechOf(block: Block, when: "wait" | "settle"): HookSpeech | "unknown" | undefined {
    if (block.type !== "error") return undefined;
    const recorded = when === "settle" || block.origin?.hookEvent === "PreToolUse";
    const speech = recorded ? hookSpeech(block, this.#records) : undefined;
    return speech ?? (when === "settle" ? undefined : "unknown");
  }

  #isFinished(one: Waiting): boolean {
    if (one.is === "notice") return true;
    if (one.speech === "unknown") return false;
    if (this.#turnIsOver) return true;
    const heldId = this.#prompt.is === "judged" ? this.#prompt.id : undefined;
    return isFinished(one.message.id, one.block, { streamingId: this.#streamingId, heldId });
  }

  /** No word of the answer came for a while: what there is of it is shown, whole rows or not. Undefined: all of it is. */
  stuck(): TranscriptChange | undefined {
    const hidden = this.#waiting.find((one) => one.is === "block" && one.growing?.isToCome);
    if (hidden?.is !== "block") return undefined;
    hidden.growing?.stuck();
    return { finished: [], live: this.#live() };
  }

  #live(): Item[] {
    const live: Item[] = [];
    for (const one of this.#waiting) {
      const item = this.#itemOf(one, live.at(-1) ?? this.#lastPrinted);
      if (item && !(one.is === "block" && one.growing?.isToCome)) live.push(item);
    }
    return live;
  }

  #itemOf(one: Waiting, previous: Item | undefined): Item | undefined {
    if (one.is === "notice") return { ...one.item, spaced: isSpaced(previous, one.item.block) };
    const { message, index, speech, growing } = one;
    const rest = one.block.type === "text" ? growing?.rest(one.block.content) : undefined;
    const block = one.block.type === "text" && rest ? { ...one.block, content: rest.text } : one.block;
    if (!isVisible(block)) return undefined;
    const whole = itemOf(message, index, block, previous);
    const item = { ...whole, spaced: rest?.gap ?? whole.spaced };
    const runs = block.type === "tool" && block.stage === "running";
    const running = runs ? this.#running.get(block.id) : undefined;
    return { ...item, ...(speech && speech !== "unknown" ? { speech } : {}), ...(running && { running }) };
  }
}
