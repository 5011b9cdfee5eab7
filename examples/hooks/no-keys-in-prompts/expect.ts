import type { HookExample } from "../../support/hookExample.ts";

/** Put together here, so that nothing that looks for keys finds one in this file. */
const key = `sk-${"a1b2c3d4".repeat(4)}`;

export const example: HookExample = {
  needs: [],
  scenes: [
    {
      title: "a prompt with a key is not sent",
      prompt: `Call the service with ${key}.`,
      model: [],
      expect: {
        end: "prompt-blocked",
        toUser: ["The prompt seems to hold an API key."],
        notInSession: [key],
      },
    },
    {
      title: "a prompt without one is",
      prompt: "Call the service with the key from $SERVICE_KEY.",
      model: [{ say: "Done." }],
      expect: { toModel: ["$SERVICE_KEY"] },
    },
  ],
};
