import { join } from "node:path";
import type { SpokenReply } from "wave-agent-sdk/testing";

/** What stands above the n-th call to the model; a call without one goes on with the step before it. */
export const HEADINGS: Readonly<Record<number, string>> = {
  1: "2. A command that is blocked",
  2: "3. A command that is rewritten",
  3: "4. A warning for you",
  4: "5. Feedback after an edit",
  6: "6. A stop that is blocked",
  8: "7. A question for you",
};

export const FIRST_HEADING = "1. A prompt with context";

/** Said once per hook, after its first decision. */
export const WHY: Readonly<Record<string, string>> = {
  ticket:
    "Exit code 0 from a UserPromptSubmit hook: what it printed follows the prompt as a message of its own. The model works with the ticket, and nobody had to paste it.",
  "no-rm-rf":
    "Exit code 2 from a PreToolUse hook: the tool does not run, whatever the permission mode. The model reads the reason as the result of its call.",
  "as-in-ci":
    "The hook printed JSON with updatedInput. All hooks then judged the new command once more, and exactly that one ran.",
  "shared-file": "systemMessage is for you: the model never sees it, and the call goes on.",
  syntax:
    "Exit code 2 from a PostToolUse hook: the edit stays, and the model is told at once what is wrong with it.",
  changelog: "Exit code 2 from a Stop hook: the agent may not finish yet, and hears why.",
  "ask-to-publish":
    "The hook asked, so the agent waited for an answer. Where nobody can answer, as in wave -p, the call is refused and the exit status is 4: an ask never turns into a yes.",
};

/** What the scripted model answers, one entry per call. */
export function modelScript(folder: string): SpokenReply[] {
  const greet = join(folder, "greet.sh");
  const wrong = 'echo "Helo, $name"';
  const broken = 'echo "Hello, $name';
  const right = 'echo "Hello, $name"';
  return [
    { say: "I clear the old build first.", call: { name: "Bash", arguments: { command: "rm -rf build" } } },
    {
      say: "Then build/ stays. What does the check say?",
      call: { name: "Bash", arguments: { command: "./check.sh" } },
    },
    { say: "I look at the script.", call: { name: "Read", arguments: { file_path: greet } } },
    {
      say: "One letter is missing.",
      call: { name: "Edit", arguments: { file_path: greet, old_string: wrong, new_string: broken } },
    },
    {
      say: "I lost a quote on the way.",
      call: { name: "Edit", arguments: { file_path: greet, old_string: broken, new_string: right } },
    },
    { say: "greet.sh says Hello now." },
    {
      say: "Right, the changelog.",
      call: {
        name: "Write",
        arguments: {
          file_path: join(folder, "CHANGELOG.md"),
          content: "- The greeting is spelled Hello (ticket 12).\n",
        },
      },
    },
    { say: "Now I publish it.", call: { name: "Bash", arguments: { command: "./publish.sh" } } },
    { say: "Done: greet.sh says Hello, the changelog knows it, and it is published." },
  ];
}
