import type { Message, Origin } from "wave-agent-sdk";

/** The hook that wrote a message; undefined for what a person wrote or ran. */
export function hookOrigin({ origin }: Message): Origin | undefined {
  return origin && "hook" in origin ? origin : undefined;
}
