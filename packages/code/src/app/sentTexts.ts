import type { AgentEvent, Message } from "wave-agent-sdk";

/** Where a text is kept from the moment it is sent until it is somewhere else. `DraftKeeper` is one. */
export interface SentKeeper {
  send(text: string): string;
  judging(id: string, messageId: string): void;
  settle(id: string): void;
  cameBack(ids: readonly string[]): void;
}

interface Sent {
  id: string;
  text: string;
  is: "waiting" | "judged";
  /** As the conversation shows it while its hooks judge it. */
  messageId?: string;
}

/**
 * Follows what a person sent: until its hooks let it pass it is in no session, and a kill must not lose it. A text that they refuse
 * is erased at once; one that nobody judged is kept until the input, where it is again, is changed.
 */
export class SentTexts {
  readonly #keeper: SentKeeper;
  /** In the order in which they were sent. */
  #open: Sent[] = [];
  /** On their way back into the input. */
  #returning: string[] = [];

  constructor(keeper: SentKeeper) {
    this.#keeper = keeper;
  }

  /** On disk when this returns. */
  add(text: string): string {
    const id = this.#keeper.send(text);
    this.#open.push({ id, text, is: "waiting" });
    return id;
  }

  /** It is part of the session, was refused, or has been done. */
  done(id: string): void {
    if (this.#close(id)) this.#keeper.settle(id);
  }

  /** It goes back into the input, and nobody has refused it. */
  returns(id: string): void {
    if (this.#close(id)) this.#returning.push(id);
  }

  /** The input has taken what was on its way. */
  cameBack(): void {
    if (this.#returning.length > 0) this.#keeper.cameBack(this.#returning.splice(0));
  }

  hear(event: AgentEvent): void {
    switch (event.type) {
      case "turn_started":
      case "prompt_steered":
        // Whatever was judged before it has passed or was refused.
        this.#judgedEnd("done");
        this.#begin(event.prompt);
        break;
      case "messages_changed":
        if (event.message) this.#show(event.message);
        break;
      case "model_started":
        this.#judgedEnd("done");
        break;
      case "turn_ended":
        this.#judgedEnd(event.end.because === "aborted" ? "returns" : "done");
        break;
      default:
        break;
    }
  }

  /** Words that were typed with a no are sent by the agent itself. */
  #begin(prompt: string): void {
    const sent = this.#open.find(({ is, text }) => is === "waiting" && readable(text) === prompt);
    const id = sent?.id ?? this.add(prompt);
    this.#open = this.#open.map((one) => (one.id === id ? { ...one, is: "judged" } : one));
  }

  #show(message: Message): void {
    if (message.role !== "user") return;
    const text = textOf(message);
    const isShown = ({ is, messageId, text: sent }: Sent) =>
      is === "judged" && messageId === undefined && !message.origin && readable(sent) === text;
    const judged = this.#open.find(isShown);
    if (judged) {
      judged.messageId = message.id;
      this.#keeper.judging(judged.id, message.id);
    }
    // A command is in the session from here on, whether it may run or not.
    const command = message.origin && "ranBy" in message.origin ? `!${commandOf(message)}` : undefined;
    const ran = this.#open.find(({ is, text: sent }) => is === "waiting" && readable(sent) === command);
    if (ran) this.done(ran.id);
  }

  #judgedEnd(how: "done" | "returns"): void {
    for (const { id } of this.#open.filter(({ is }) => is === "judged")) this[how](id);
  }

  #close(id: string): boolean {
    const before = this.#open.length;
    this.#open = this.#open.filter((one) => one.id !== id);
    return this.#open.length < before;
  }
}

/** As the agent tells it: half characters and NULs are replaced before anybody reads a text. */
const readable = (text: string) => text.toWellFormed().replaceAll("\0", "\u{FFFD}");

const textOf = ({ blocks }: Message) =>
  blocks.flatMap((block) => (block.type === "text" ? [block.content] : [])).join("\n");

function commandOf({ blocks }: Message): string {
  const call = blocks.find((block) => block.type === "tool");
  try {
    const input: unknown = JSON.parse(call?.parameters ?? "");
    return typeof input === "object" && input !== null && "command" in input ? String(input.command) : "";
  } catch {
    return "";
  }
}

/** Keeps nothing: where nobody types, nothing that was typed can be lost. */
export const NO_KEEPER: SentKeeper = {
  send: () => "",
  judging: () => {},
  settle: () => {},
  cameBack: () => {},
};
