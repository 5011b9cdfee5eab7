import { randomUUID } from "node:crypto";
import type { ShellEnd } from "../events.ts";
import type { ToolCallWire } from "../messages/toolCall.ts";
import type { CallOrigin } from "../permissions/origin.ts";
import { MAX_TIMEOUT_MS } from "../tools/bash.ts";
import { tellModel } from "../hooks/run/carryOut.ts";
import type { MessageManager } from "../managers/messageManager.ts";
import type { CallEnd, ToolManager } from "./toolManager.ts";

/**
 * Commands that a person types. They are calls of the Bash tool like the model's own, through the same gate; only who
 * made them differs, and that no model is asked.
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
    const wire = callOf(command);
    const { name, arguments: parameters } = wire.function;
    this.#messages.addUserMessage([{ type: "tool", id: wire.id, name, parameters, stage: "pending" }], {
      origin: { ranBy: "person" },
    });
    const end = await this.#tools.call(wire, { origin, signal });
    // Of a command that was kept from running the model hears nothing, not even what other hooks would have added.
    if (!end.refusal) for (const effect of end.after) tellModel(effect, this.#messages);
    return shellEnd(end, signal);
  }
}

/** A person watches and has Esc: the longest time there is. */
function callOf(command: string): ToolCallWire {
  const parameters = JSON.stringify({ command, timeout: MAX_TIMEOUT_MS });
  return {
    id: `shell_${randomUUID()}`,
    type: "function",
    index: 0,
    function: { name: "Bash", arguments: parameters },
  };
}

function shellEnd({ refusal, success, result, ending }: CallEnd, signal: AbortSignal): ShellEnd {
  if (!refusal) return { ran: true, success, result };
  const words = refusal.ending?.words;
  const because = signal.aborted ? "interrupted" : ending?.because === "halted" ? "halted" : "denied";
  return { ran: false, because, reason: result, ...(words === undefined ? {} : { words }) };
}
