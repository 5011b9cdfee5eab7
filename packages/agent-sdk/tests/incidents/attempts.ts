import type { AgentOptions } from "@/agentOptions.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";

export type Call = [tool: string, input: Record<string, unknown>];

export const bash = (command: string): Call => ["Bash", { command }];

/** What came of one call that the model made. */
export interface Attempt {
  result: string;
  /** Whether it passed the gate. */
  ran: boolean;
}

export interface Attempts {
  /** By the call, as it was given. */
  of(call: Call): Attempt;
  played: PlayedSession;
}

/** One session in which the model tries everything at once: rows of a test then look at what came of their own calls. */
export async function attempt(
  folder: string,
  calls: readonly Call[],
  given: { settings?: object; options?: AgentOptions } = {},
): Promise<Attempts> {
  const played = await playSession(folder, {
    ...given,
    scenario: [
      { calls: calls.map(([name, input], at) => ({ name, arguments: input, id: `try_${at}` })) },
      { say: "done" },
    ],
  });
  const started = new Set(
    played.events.flatMap((event) => (event.type === "tool_started" ? [event.toolUseId] : [])),
  );
  const blocks = blocksOf(played.messages, "tool");
  return {
    played,
    of(call) {
      const at = calls.indexOf(call);
      const block = blocks[at];
      if (!block) throw new Error(`the model did not make the call ${JSON.stringify(call)}`);
      return { result: block.result ?? "", ran: started.has(`try_${at}`) };
    },
  };
}
