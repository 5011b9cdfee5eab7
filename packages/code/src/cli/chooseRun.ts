import { blankInput } from "../modes/readStdin.ts";
import { whyNoPrompt } from "./notAPrompt.ts";

export interface WithoutPrint {
  /** All words on the command line. */
  prompt: string | undefined;
  /** Those that do not stand behind --. */
  words: readonly string[];
  /** Somebody types, and somebody sees what is written. */
  onTerminal: boolean;
  piped: string | undefined;
  /** Whether there is a model to talk to: none is set up, or what is set up cannot work. */
  model: "configured" | "no-key" | "unusable";
}

export type RunChoice =
  | { run: "screen"; prompt: string | undefined }
  /** The same, once there is a model. */
  | { run: "first-start"; prompt: string | undefined }
  | { run: "print" }
  | { run: "demo" }
  | { run: "wrong-usage"; problem: string };

/** What `wave` without -p does. Pure. */
export function chooseRun({ prompt, words, onTerminal, piped, model }: WithoutPrint): RunChoice {
  const hasPrompt = prompt !== undefined && prompt.trim() !== "";
  const isPiped = piped !== undefined && piped.trim() !== "";
  // Before anything is sent: a command that is mistyped, or another program's, is no prompt. With -p it would be.
  const problem = whyNoPrompt(words, { isPiped });
  if (problem !== undefined) return { run: "wrong-usage", problem };
  if (!onTerminal && (hasPrompt || isPiped)) return { run: "print" };
  if (onTerminal) {
    const run = model === "configured" ? "screen" : "first-start";
    return { run, prompt: hasPrompt ? prompt : undefined };
  }
  if (model === "no-key") return { run: "demo" };
  return { run: "wrong-usage", problem: `There is no prompt${blankInput(piped)}: give one, or pipe one in.` };
}
