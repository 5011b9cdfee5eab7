/** The throw-away project: a script with a spelling mistake, and seven hooks that watch over it. */

export const PROMPT = "Fix the spelling in greet.sh, check it and publish it.";

const command = (script: string, name: string) => ({
  type: "command",
  command: `.wave/hooks/${script}`,
  name,
  timeout: 20,
});

const SETTINGS = {
  hooks: {
    UserPromptSubmit: [{ hooks: [command("ticket.sh", "ticket")] }],
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          command("no-rm-rf.sh", "no-rm-rf"),
          command("as-in-ci.sh", "as-in-ci"),
          command("ask-to-publish.sh", "ask-to-publish"),
        ],
      },
      { matcher: "Read", hooks: [command("shared-file.sh", "shared-file")] },
    ],
    PostToolUse: [{ matcher: "Edit|Write", hooks: [command("syntax.sh", "syntax")] }],
    Stop: [{ hooks: [command("changelog.sh", "changelog")] }],
  },
};

const TICKET = `#!/usr/bin/env bash
# UserPromptSubmit: what this prints goes to the model, right behind the prompt.
echo 'Ticket 12: the greeting is spelled "Hello". CHANGELOG.md gets a line about it.'
`;

const NO_RM_RF = `#!/usr/bin/env bash
# PreToolUse: exit 2 keeps the command from running; stderr tells the model why.
case "$(cat)" in
  *'"command":"rm -rf '*)
    echo 'rm -rf is not allowed in this project: leave build/ alone.' >&2
    exit 2 ;;
esac
`;

const AS_IN_CI = `#!/usr/bin/env bash
# PreToolUse: updatedInput changes what will run.
case "$(cat)" in
  *'"command":"./check.sh"'*)
    cat <<'JSON'
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
  "updatedInput": {"command": "CI=1 ./check.sh"}}}
JSON
esac
`;

const ASK_TO_PUBLISH = `#!/usr/bin/env bash
# PreToolUse: "ask" pauses the agent until a person has answered.
case "$(cat)" in
  *'"command":"./publish.sh"'*)
    cat <<'JSON'
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask",
  "permissionDecisionReason": "publish.sh sends files out of this machine"}}
JSON
esac
`;

const SHARED_FILE = `#!/usr/bin/env bash
# PreToolUse: systemMessage is a warning for the person, not for the model.
case "$(cat)" in
  *greet.sh*) echo '{"systemMessage": "greet.sh is used by other teams, too: tell them when it changes."}' ;;
esac
`;

const SYNTAX = `#!/usr/bin/env bash
# PostToolUse: exit 2 tells the model at once what is wrong with its edit.
if ! LC_ALL=C bash -n greet.sh 2>/dev/null; then
  echo 'greet.sh is no longer valid bash (a quote is missing): repair it before you go on.' >&2
  exit 2
fi
`;

const CHANGELOG = `#!/usr/bin/env bash
# Stop: exit 2 keeps the agent going.
if ! grep -q 'greeting' CHANGELOG.md 2>/dev/null; then
  echo 'Not finished: CHANGELOG.md has no line about the greeting.' >&2
  exit 2
fi
`;

export interface DemoFile {
  path: string;
  text: string;
  executable?: true;
}

const script = (path: string, text: string): DemoFile => ({ path, text, executable: true });

export const DEMO_FILES: readonly DemoFile[] = [
  script("greet.sh", '#!/usr/bin/env bash\nname="${1:-world}"\necho "Helo, $name"\n'),
  script(
    "check.sh",
    '#!/usr/bin/env bash\n./greet.sh you | grep -q "^Hello, you" && echo "greeting: ok" || echo "greeting: wrong (CI=${CI:-0})"\n',
  ),
  script("publish.sh", '#!/usr/bin/env bash\necho "published greet.sh (this demo only says so)"\n'),
  { path: "build/greet.txt", text: "Helo, world\n" },
  { path: ".wave/settings.json", text: `${JSON.stringify(SETTINGS, null, 2)}\n` },
  script(".wave/hooks/ticket.sh", TICKET),
  script(".wave/hooks/no-rm-rf.sh", NO_RM_RF),
  script(".wave/hooks/as-in-ci.sh", AS_IN_CI),
  script(".wave/hooks/ask-to-publish.sh", ASK_TO_PUBLISH),
  script(".wave/hooks/shared-file.sh", SHARED_FILE),
  script(".wave/hooks/syntax.sh", SYNTAX),
  script(".wave/hooks/changelog.sh", CHANGELOG),
];
