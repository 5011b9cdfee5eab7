import { anthropicMessages } from "./anthropicMessages.ts";
import { chatCompletions } from "./chatCompletions.ts";
import { googleGemini } from "./googleGemini.ts";
import { openaiResponses } from "./openaiResponses.ts";
import type { ScriptedWire } from "./wire.ts";

/** Every wire that the scripted model speaks, told apart by the path of a request. */
export const WIRES: readonly ScriptedWire[] = [
  chatCompletions,
  openaiResponses,
  anthropicMessages,
  googleGemini,
];
