import type { AgentEvent, TurnEnd } from "../events.ts";
import type { StandardSchema } from "../ownTool.ts";
import type { PromptOptions } from "./sessionRun.ts";

/** What may come with a prompt: pictures, a signal, limits, and the schema of the answer. */
export interface SendOptions<Output = undefined> extends PromptOptions {
  /** Any Standard Schema: the model answers with JSON that fits it, and `output` of the result is what the schema makes of it. */
  output?: StandardSchema<Output> | undefined;
  /** The JSON Schema of `output`, for a schema library that cannot describe itself. */
  outputJsonSchema?: Record<string, unknown> | undefined;
}

/** What `subscribe` gives. It also ends with the block in which it was declared with `using`. */
export interface Subscription extends Disposable {
  end(): void;
}

/** How a turn ended, with the data that its schema made of the answer. */
export type TurnResult<Output = undefined> = TurnEnd &
  ({ because: "done"; output: Output } | { because: Exclude<TurnEnd["because"], "done"> });

/**
 * A turn that was sent. Await it for its end, iterate it for what happens in it, or both. It runs either way, and leaving
 * the loop does not end it: give it a signal for that.
 */
export class AgentTurn<Output = undefined>
  implements PromiseLike<TurnResult<Output>>, AsyncIterable<AgentEvent>
{
  readonly #end: Promise<TurnResult<Output>>;
  /** What nobody has read so far. A message that is still coming in is kept once, as it is now. */
  #unread: AgentEvent[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();

  /** `start` begins the turn; it calls `begin` when its turn has come, and what is heard from then on belongs to it. */
  constructor(
    start: (begin: () => void) => Promise<TurnEnd>,
    subscribe: (listener: (event: AgentEvent) => void) => () => void,
  ) {
    let stop = () => {};
    const begin = () => {
      stop = subscribe((event) => this.#hear(event));
    };
    this.#end = start(begin).finally(() => {
      stop();
      this.#ended = true;
      this.#wake.resolve();
    }) as Promise<TurnResult<Output>>;
    // Whoever only iterates hears of it there.
    this.#end.catch(() => {});
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it can be awaited: that is what it is for
  then<Done = TurnResult<Output>, Failed = never>(
    onDone?: ((end: TurnResult<Output>) => Done | PromiseLike<Done>) | null,
    onFailed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#end.then(onDone, onFailed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, undefined> {
    for (;;) {
      const event = this.#unread.shift();
      if (event) yield event;
      else if (this.#ended) return void (await this.#end);
      else await this.#wake.promise;
    }
  }

  #hear(event: AgentEvent): void {
    if (event.type === "messages_changed" && event.message) {
      const { id } = event.message;
      const older = this.#unread.findLastIndex(
        (one) => one.type === "messages_changed" && one.message?.id === id,
      );
      // Only of the message that streams in: what was said in between stays in its order.
      if (older >= 0 && older >= this.#unread.length - 3) this.#unread.splice(older, 1);
    }
    this.#unread.push(event);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
