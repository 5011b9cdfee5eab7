import type { AgentEvent } from "../events.ts";
import type { Block } from "../messages/blocks.ts";
import type { ModelRequest } from "../services/aiService.ts";

/** An answer while it streams in: collected for the conversation, announced as it comes. */
export class LiveAnswer {
  #text = "";
  #reasoning = "";
  readonly #show: (blocks: Block[]) => void;
  readonly #emit: (event: AgentEvent) => void;

  constructor(show: (blocks: Block[]) => void, emit: (event: AgentEvent) => void) {
    this.#show = show;
    this.#emit = emit;
  }

  get text(): string {
    return this.#text;
  }

  get blocks(): Block[] {
    const blocks: Block[] = [];
    if (this.#reasoning) blocks.push({ type: "reasoning", content: this.#reasoning });
    if (this.#text) blocks.push({ type: "text", content: this.#text });
    return blocks;
  }

  readonly callbacks: Pick<ModelRequest, "onText" | "onReasoning" | "onToolCall" | "onRetry" | "onNotice"> = {
    onText: (text) => {
      this.#text += text;
      this.#show(this.blocks);
      this.#emit({ type: "text_delta", text });
    },
    onReasoning: (text) => {
      this.#reasoning += text;
      this.#show(this.blocks);
      this.#emit({ type: "reasoning_delta", text });
    },
    onToolCall: (name) => this.#emit({ type: "tool_call_streaming", name }),
    onRetry: (notice) => this.#emit({ type: "model_retry", ...notice }),
    onNotice: (text) => this.#emit({ type: "notice", level: "info", text }),
  };
}
