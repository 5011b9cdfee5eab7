import { maskSecretsIn, type AgentEvent } from "wave-agent-sdk";

/**
 * What `--debug` shows of an event: no keys. Of text that comes in pieces only its length, because a key in two pieces looks
 * like none; the whole text follows with the message or the result it belongs to.
 */
export function debugEvent(event: AgentEvent, keys: readonly string[]): unknown {
  switch (event.type) {
    case "text_delta":
    case "reasoning_delta":
    case "compaction_delta":
    case "tool_output": {
      const { text, ...rest } = event;
      return { ...rest, characters: text.length };
    }
    case "subagent_event":
      return { ...event, event: debugEvent(event.event, keys) };
    default:
      return maskSecretsIn(event, keys);
  }
}
