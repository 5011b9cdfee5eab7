import { nearestName } from "wave-agent-sdk";
import { COMMAND_NAMES } from "./flags.ts";

export interface WithoutPrint {
  /** Words on the command line. */
  prompt: string | undefined;
  onTerminal: boolean;
  piped: string | undefined;
  hasModel: boolean;
}

export type RunChoice = { run: "print" } | { run: "demo" } | { run: "wrong-usage"; problem: string };

/** What `wave` without -p does. Pure. */
export function chooseRun({ prompt, onTerminal, piped, hasModel }: WithoutPrint): RunChoice {
  const hasPrompt = prompt !== undefined && prompt.trim() !== "";
  const isPiped = piped !== undefined && piped.trim() !== "";
  // Before anything is sent: a mistyped command is no prompt. With -p it would be.
  if (hasPrompt && !prompt.includes(" ")) {
    const near = nearestName(prompt, COMMAND_NAMES);
    // The very name of one is here only because it stood behind --.
    if (near && near !== prompt) {
      return {
        run: "wrong-usage",
        problem: `There is no command ${JSON.stringify(prompt)}. Did you mean wave ${near}?`,
      };
    }
  }
  // The same on a terminal and in a pipe: whoever gave a prompt gets it done.
  if (hasPrompt || isPiped) return { run: "print" };
  if (!hasModel) return { run: "demo" };
  if (!onTerminal) return { run: "wrong-usage", problem: "There is no prompt: give one, or pipe one in." };
  return {
    run: "wrong-usage",
    problem: 'The terminal UI comes with a later version; until then: wave -p "your prompt", or wave demo.',
  };
}
