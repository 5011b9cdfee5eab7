import type { AgentEvent, Block, Message, Origin, TurnEnd } from "wave-agent-sdk";

/** Says what an agent says, in its order, for choices somebody makes: at each place the next number decides. */
export class ScriptedConversation {
  readonly #choices: number[];
  readonly #emit: (event: AgentEvent) => void;
  #messages: Message[] = [];
  #ids = 0;

  constructor(choices: readonly number[], emit: (event: AgentEvent) => void) {
    this.#choices = [...choices];
    this.#emit = emit;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  play(): void {
    while (this.#choices.length > 0) this.#turn();
  }

  #turn(): void {
    this.#emit({ type: "turn_started", prompt: "go" });
    const prompt = this.#add("user", [{ type: "text", content: "go" }]);
    if (this.#choose(5) === 0) {
      this.#remove(prompt.id);
      this.#tellUser();
      this.#decided("UserPromptSubmit");
    } else {
      if (this.#choose(3) === 0) this.#add("user", [{ type: "text", content: "context" }], ORIGIN);
      this.#decided("UserPromptSubmit");
      for (let calls = this.#choose(3) + 1; calls > 0; calls--) this.#answer();
    }
    this.#emit({ type: "turn_ended", end: END });
  }

  #answer(): void {
    this.#emit({ type: "model_started", call: 1 });
    const id = this.#nextId();
    const live: Block[] = [];
    for (let deltas = this.#choose(4); deltas > 0; deltas--) {
      const type = this.#choose(2) === 0 ? "reasoning" : "text";
      const at = live.findIndex((block) => block.type === type);
      const before = live[at];
      const content = `${before && "content" in before ? before.content : ""}word ${deltas} `;
      // Reasoning stands first, also when it comes late.
      if (at >= 0) live[at] = { type, content };
      else if (type === "reasoning") live.unshift({ type, content });
      else live.push({ type, content });
      this.#emit({ type: "messages_changed", message: { id, role: "assistant", blocks: [...live] } });
      if (this.#choose(6) === 0) this.#emit({ type: "notice", level: "info", text: "by the way" });
    }
    this.#emit({ type: "model_ended", usage: undefined, finishReason: "stop" });
    const calls = Array.from({ length: this.#choose(4) }, () => this.#nextId());
    const tools = calls.map((call): Block => ({
      type: "tool",
      id: call,
      name: "Bash",
      parameters: '{"command":"ls"}',
      stage: "pending",
    }));
    const blocks = [...live, ...tools];
    if (blocks.length === 0) return;
    this.#put({ id, role: "assistant", blocks });
    this.#runAll(calls);
  }

  /** All at once: they start, speak and end in any order. */
  #runAll(calls: readonly string[]): void {
    const open = [...calls];
    while (open.length > 0) {
      const at = this.#choose(open.length);
      const call = open[at] ?? "";
      const step = this.#choose(4);
      if (step === 0) this.#update(call, { stage: "running" });
      else if (step === 1) this.#emit({ type: "tool_output", toolUseId: call, text: "line\n" });
      else if (step === 2) this.#tellUser();
      else {
        this.#update(call, { stage: "ended", success: true, result: "done" });
        open.splice(at, 1);
      }
    }
  }

  #tellUser(): void {
    const block: Block =
      this.#choose(2) === 0
        ? { type: "error", content: "no", origin: ORIGIN }
        : { type: "warn", content: "careful" };
    const last = this.#messages.at(-1);
    if (last?.role === "assistant") this.#put({ ...last, blocks: [...last.blocks, block] });
    else this.#add("assistant", [block]);
  }

  #update(toolId: string, changes: Partial<Extract<Block, { type: "tool" }>>): void {
    const message = this.#messages.findLast(({ blocks }) =>
      blocks.some((block) => block.type === "tool" && block.id === toolId),
    );
    if (!message) return;
    const blocks = message.blocks.map((block) =>
      block.type === "tool" && block.id === toolId ? { ...block, ...changes } : block,
    );
    this.#put({ ...message, blocks });
  }

  #add(role: Message["role"], blocks: Block[], origin?: Origin): Message {
    return this.#put({ id: this.#nextId(), role, blocks, ...(origin ? { origin } : {}) });
  }

  #put(message: Message): Message {
    const at = this.#messages.findIndex(({ id }) => id === message.id);
    this.#messages = at < 0 ? [...this.#messages, message] : this.#messages.with(at, message);
    this.#emit({ type: "messages_changed", message });
    return message;
  }

  #remove(id: string): void {
    this.#messages = this.#messages.filter((message) => message.id !== id);
    this.#emit({ type: "messages_changed", message: undefined, removedId: id });
  }

  #decided(event: string): void {
    this.#emit({
      type: "hooks_decided",
      record: {
        event,
        mode: "default",
        hooks: [],
        skipped: [],
        durationMs: 0,
        decision: "pass",
        decidedBy: "nobody",
      },
    });
  }

  #choose(below: number): number {
    // Out of choices: the last option ends every loop.
    return (this.#choices.shift() ?? below - 1) % below;
  }

  #nextId(): string {
    this.#ids++;
    return `id${this.#ids}`;
  }
}

const ORIGIN: Origin = { hookEvent: "PostToolUse", hook: "lint", source: ".wave/settings.json" };

const END: TurnEnd = {
  because: "done",
  answer: "",
  modelCalls: 1,
  usage: { inputTokens: 0, outputTokens: 0 },
  denials: [],
  unanswered: false,
};
