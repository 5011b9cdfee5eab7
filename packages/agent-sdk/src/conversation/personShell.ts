import { randomUUID } from "node:crypto";
import type { ShellEnd } from "../events.ts";
import type { PersonOrigin } from "../messages/blocks.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { MAX_TIMEOUT_MS } from "../tools/bash.ts";
import { tellModel } from "../hooks/run/carryOut.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { Caller } from "../gate/caller.ts";
import type { CallEnd, ToolManager } from "./toolManager.ts";

/**
 * Commands that a person types, and what their prompts name. They are calls of tools like the model's own, through the same gate;
 * only who made them differs, and that no model is asked.
 */
export class PersonShell {
  readonly #messages: MessageManager;
  readonly #tools: ToolManager;

  constructor(options: { messages: MessageManager; tools: ToolManager }) {
    this.#messages = options.messages;
    this.#tools = options.tools;
  }

  /** `origin`: a line that a file brings along has nobody's yes. */
  async perform(command: string, origin: CallOrigin, signal: AbortSignal): Promise<ShellEnd> {
    // A person watches and has Esc: the longest time there is.
    const wire = callOf("shell", "Bash", { command, timeout: MAX_TIMEOUT_MS });
    return shellEnd(await this.#call(wire, { ranBy: "person" }, { origin, signal }), signal);
  }

  /** What a prompt names, read for the model. How the turn ends because of it; undefined when it goes on. */
  async attach(
    tool: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallEnd["ending"]> {
    const wire = callOf("attach", tool, input);
    const { ending, images } = await this.#call(
      wire,
      { ranBy: "person", for: "prompt" },
      { origin: "person", signal },
    );
    if (images.length > 0) this.#messages.addUserMessage([...images]);
    return ending;
  }

  async #call(wire: ToolCallWire, from: PersonOrigin, caller: Caller): Promise<CallEnd> {
    const { name, arguments: parameters } = wire.function;
    this.#messages.addUserMessage([{ type: "tool", id: wire.id, name, parameters, stage: "pending" }], {
      origin: from,
    });
    const end = await this.#tools.call(wire, caller);
    // Of a call that was kept from running the model hears nothing, not even what other hooks would have added.
    if (!end.refusal) for (const effect of end.after) tellModel(effect, this.#messages);
    return end;
  }
}

const callOf = (what: string, name: string, input: Record<string, unknown>): ToolCallWire => ({
  id: `${what}_${randomUUID()}`,
  type: "function",
  index: 0,
  function: { name, arguments: JSON.stringify(input) },
});

function shellEnd({ refusal, success, result, ending }: CallEnd, signal: AbortSignal): ShellEnd {
  if (!refusal) return { ran: true, success, result };
  const words = refusal.ending?.words;
  const because = signal.aborted ? "interrupted" : ending?.because === "halted" ? "halted" : "denied";
  return { ran: false, because, reason: result, ...(words === undefined ? {} : { words }) };
}
