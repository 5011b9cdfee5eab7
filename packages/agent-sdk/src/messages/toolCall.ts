import type { VendorData } from "./blocks.ts";

/** A tool call as the model sends it (OpenAI's names). */
export interface ToolCallWire {
  id: string;
  type: "function";
  index: number;
  function: { name: string; arguments: string };
  /** What the server wants to see again with it. */
  vendorData?: VendorData;
  /** Not the model's: the answer ended at its output limit, and this was the last thing in it. */
  endedAt?: "output-limit";
}
