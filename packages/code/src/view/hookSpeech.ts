import type { DecisionRecord, ErrorBlock } from "wave-agent-sdk";
import { errorNote } from "../output/hookNotes.ts";
import type { HookSpeech } from "./items.ts";

const SPEECH: Readonly<Record<string, HookSpeech | undefined>> = {
  "blocked by": "blocked",
  "hook said": "said",
  "hook failed": "failed",
};

/** What an error of a hook means, by the records of its event; undefined while there is none. */
export function hookSpeech(block: ErrorBlock, records: readonly DecisionRecord[]): HookSpeech | undefined {
  const { origin } = block;
  if (!origin) return undefined;
  if (block.failure) return "failed";
  const own = records.filter(
    ({ event, hooks }) =>
      event === origin.hookEvent &&
      hooks.some(({ name, source }) => name === origin.hook && source === origin.source),
  );
  return own.length === 0 ? undefined : SPEECH[errorNote(block, own).kind];
}
