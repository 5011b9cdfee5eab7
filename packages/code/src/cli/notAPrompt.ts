import { nearestName } from "wave-agent-sdk";
import { COMMAND_NAMES } from "./flags.ts";

/** What people type who know another program of this kind, and what Wave has for it. */
const COMMANDS_OF_OTHERS: Readonly<Record<string, string>> = {
  ...same(
    ["login", "logout", "auth", "setup", "setup-token", "whoami"],
    "Wave has no accounts: set the key of your model (wave --help, Environment).",
  ),
  ...same(
    ["config", "settings", "configure"],
    "Wave is configured in ~/.wave/settings.json and .wave/settings.json; wave doctor says which files it reads.",
  ),
  ...same(["extensions"], "Did you mean wave plugin?"),
  ...same(["agents", "skills"], "They are files: .wave/agents/NAME.md and .wave/skills/NAME/SKILL.md."),
  ...same(["update", "upgrade", "install", "uninstall"], "Wave is updated with npm, as it was installed."),
  ...same(["resume", "continue"], "Use wave --continue, or wave --resume <id>."),
  ...same(["status", "stats", "cost", "usage"], "Open wave and type /cost."),
  ...same(["models", "model"], "Open wave and type /model, or use --model <name>."),
  ...same(["run", "exec", "chat", "ask", "prompt"], 'Use wave "your prompt", or wave -p "your prompt".'),
  ...same(["serve", "server", "web", "app"], "Not supported yet."),
};

/** Longer than a command of any such program, so it was meant as a sentence. */
const MOST_WORDS = 3;

/**
 * Why what stands on the command line is no prompt: one word, or the command of another program. A prompt has several words, or
 * stands in quotes, or behind -p or --. Undefined: it may be sent to a model.
 */
export function whyNoPrompt(words: readonly string[], { isPiped }: { isPiped: boolean }): string | undefined {
  const [first, ...rest] = words;
  if (first === undefined || !/^[a-z][\w-]*$/i.test(first)) return undefined;
  const isKnown = Object.hasOwn(COMMANDS_OF_OTHERS, first);
  const near = rest.length === 0 && !isKnown ? nearestName(first, COMMAND_NAMES) : undefined;
  if (near) return `There is no command ${JSON.stringify(first)}. Did you mean wave ${near}?`;
  // "git diff | wave review" is a prompt: the rest of it is piped.
  if (isPiped) return undefined;
  const isPlain = words.length <= MOST_WORDS && rest.every((word) => !/\s/.test(word));
  const instead = isPlain && isKnown ? COMMANDS_OF_OTHERS[first] : undefined;
  if (instead === undefined && rest.length > 0) return undefined;
  const there = instead ?? `There are: ${COMMAND_NAMES.join(", ")}.`;
  return `There is no command ${JSON.stringify(first)}. ${there} To send it as a prompt: wave -- ${words.join(" ")}`;
}

function same(names: readonly string[], instead: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, instead]));
}
