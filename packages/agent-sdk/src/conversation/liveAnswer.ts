import type { AgentEvent } from "../events.ts";
import type { Block } from "../messages/blocks.ts";
import type { ModelRequest } from "../services/aiService.ts";
import { readableText, ReadablePieces } from "../utils/readable.ts";

/** An answer while it streams in: collected for the conversation, announced as it comes. */
export class LiveAnswer {
  #text = "";
  #reasoning = "";
  #textPieces = new ReadablePieces();
  #reasoningPieces = new ReadablePieces();
  /** What there was of an earlier attempt that broke off, the newest that had a word to say. */
  #broken: Block[] = [];
  readonly #show: (blocks: Block[]) => void;
  readonly #emit: (event: AgentEvent) => void;

  constructor(show: (blocks: Block[]) => void, emit: (event: AgentEvent) => void) {
    this.#show = show;
    this.#emit = emit;
  }

  get text(): string {
    return this.blocks.flatMap((block) => (block.type === "text" ? [block.content] : [])).join("");
  }

  /** What a person has read last of an answer that never became whole, in whichever attempt. */
  get blocks(): Block[] {
    return this.#text === "" && this.#broken.length > 0 ? this.#broken : this.#streaming;
  }

  get #streaming(): Block[] {
    const blocks: Block[] = [];
    if (this.#reasoning) blocks.push({ type: "reasoning", content: this.#reasoning });
    if (this.#text) blocks.push({ type: "text", content: this.#text });
    return blocks;
  }

  readonly callbacks: Pick<ModelRequest, "onText" | "onReasoning" | "onToolCall" | "onRetry" | "onNotice"> = {
    onText: (piece) => this.#addText(this.#textPieces.push(piece)),
    onReasoning: (piece) => this.#addReasoning(this.#reasoningPieces.push(piece)),
    onToolCall: (name) => this.#emit({ type: "tool_call_streaming", name: readableText(name) }),
    onRetry: (notice) => {
      if (notice.restarts) this.#beginAgain();
      this.#emit({ type: "model_retry", ...notice });
    },
    onNotice: (text) => this.#emit({ type: "notice", level: "info", text }),
  };

  /** Nothing more comes: what streamed is now, to the last character, what the answer says. */
  end(): void {
    this.#addReasoning(this.#reasoningPieces.end());
    this.#addText(this.#textPieces.end());
  }

  #beginAgain(): void {
    this.end();
    this.#broken = this.blocks;
    this.#text = "";
    this.#reasoning = "";
    this.#textPieces = new ReadablePieces();
    this.#reasoningPieces = new ReadablePieces();
    this.#show([]);
  }

  #addText(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#show(this.#streaming);
    this.#emit({ type: "text_delta", text });
  }

  #addReasoning(text: string): void {
    if (text === "") return;
    this.#reasoning += text;
    this.#show(this.#streaming);
    this.#emit({ type: "reasoning_delta", text });
  }
}
