/** A tool call as the model sends it (OpenAI's names). */
export interface ToolCallWire {
  id: string;
  type: "function";
  index: number;
  function: { name: string; arguments: string };
}
