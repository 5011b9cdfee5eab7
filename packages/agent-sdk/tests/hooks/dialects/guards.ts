/** The same guard as somebody would write it for each agent: bash and jq, no to rm -rf, to secrets and to pushes. */
export interface AgentGuard {
  agent: string;
  /** Where its shapes are those of another one. */
  dialect?: string;
  /** Where its hooks are, below the project. */
  file: string;
  settings: (command: string) => object;
  script: string;
}

const TEST = `case "$command" in *"rm -rf"*|*"git push"*) no "not that command";; esac
case "$path" in *.env|*/.ssh/*) no "that file holds secrets";; esac`;

const claude: AgentGuard = {
  agent: "claude-code",
  file: ".claude/settings.json",
  settings: (command) => ({
    hooks: { PreToolUse: [{ matcher: "Bash|Read|Write|Edit", hooks: [{ type: "command", command }] }] },
  }),
  script: `input=$(cat); no() { echo "$1" >&2; exit 2; }
command=$(jq -r '.tool_input.command // ""' <<< "$input"); path=$(jq -r '.tool_input.file_path // ""' <<< "$input")
${TEST}`,
};

const gemini: AgentGuard = {
  agent: "gemini",
  file: ".gemini/settings.json",
  settings: (command) => ({
    hooks: {
      BeforeTool: [
        {
          matcher: "run_shell_command|read_file|write_file|replace",
          hooks: [{ type: "command", command, timeout: 5000 }],
        },
      ],
    },
  }),
  script: `input=$(cat); no() { jq -nc --arg why "$1" '{decision: "deny", reason: $why}'; exit 0; }
[ "$(jq -r .hook_event_name <<< "$input")" = BeforeTool ] || exit 1
command=$(jq -r '.tool_input.command // ""' <<< "$input"); path=$(jq -r '.tool_input.file_path // ""' <<< "$input")
${TEST}`,
};

const codex: AgentGuard = {
  agent: "codex",
  file: ".codex/hooks.json",
  settings: (command) => ({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command, timeoutSec: 5 }] }] },
  }),
  script: `input=$(cat)
no() { jq -nc --arg why "$1" '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: $why}}'; exit 0; }
command=""; path=""
case "$(jq -r .tool_name <<< "$input")" in
  apply_patch) path=$(jq -r .tool_input.command <<< "$input" | sed -n 's/^\\*\\*\\* [A-Z][a-z]* File: //p');;
  Bash) command=$(jq -r .tool_input.command <<< "$input");;
  *) path=$(jq -r '.tool_input.file_path // ""' <<< "$input");;
esac
${TEST}`,
};

const cursor: AgentGuard = {
  agent: "cursor",
  file: ".cursor/hooks.json",
  settings: (command) => ({
    version: 1,
    hooks: {
      beforeShellExecution: [{ command }],
      beforeReadFile: [{ command }],
      preToolUse: [{ command, matcher: "Write" }],
    },
  }),
  script: `input=$(cat); no() { jq -nc --arg why "$1" '{permission: "deny", agent_message: $why, user_message: "blocked"}'; exit 0; }
command=$(jq -r '.command // ""' <<< "$input"); path=$(jq -r '.file_path // .tool_input.file_path // ""' <<< "$input")
${TEST}
echo '{"permission":"allow"}'`,
};

const copilot: AgentGuard = {
  agent: "copilot",
  file: ".github/hooks/guard.json",
  settings: (command) => ({
    version: 1,
    hooks: { preToolUse: [{ type: "command", bash: command, timeoutSec: 10 }] },
  }),
  script: `input=$(cat); no() { jq -nc --arg why "$1" '{permissionDecision: "deny", permissionDecisionReason: $why}'; exit 0; }
args=$(jq -r .toolArgs <<< "$input")
command=$(jq -r '.command // ""' <<< "$args"); path=$(jq -r '.path // ""' <<< "$args")
${TEST}`,
};

const droid: AgentGuard = {
  ...claude,
  agent: "droid",
  dialect: "claude-code",
  file: ".factory/settings.json",
  settings: () => claude.settings('"$DROID_PROJECT_DIR"/guard.sh'),
};

export const AGENT_GUARDS: readonly AgentGuard[] = [claude, droid, gemini, codex, cursor, copilot];

const bash = (command: string): [string, Record<string, unknown>] => ["Bash", { command }];
const read = (file_path: string): [string, Record<string, unknown>] => ["Read", { file_path }];
const write = (file_path: string): [string, Record<string, unknown>] => [
  "Write",
  { file_path, content: "a\nb" },
];
const edit = (file_path: string): [string, Record<string, unknown>] => [
  "Edit",
  { file_path, old_string: "a", new_string: "b\nc" },
];

/** Fifty calls; every third or so is one that the guard refuses. */
export const FIFTY_CALLS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ...[
    "ls",
    "rm -rf /",
    "git push --force",
    "git status",
    'echo "rm -rf x"',
    "npm test",
    "cd a && rm -rf b",
  ].map(bash),
  ...["git log", "git push", "echo ü '\"$`", "cat a\ncat b", "rm -rf 'a b'", "make", "true", "git pushd"].map(
    bash,
  ),
  ...["/p/a.ts", "/p/.env", "/home/a/.ssh/id_rsa", "/p/env", "/p/a b.ts", "/p/ü.env", "/p/.envrc"].map(read),
  ...["/p/sub/.env", "/p/$(x).ts", "/p/'.env", "/p/x.env.ts"].map(read),
  ...["/p/a.ts", "/p/.env", "/p/.ssh/config", "/p/a b/.env", "/p/new.md", "/p/ü.ts", "/p/y.env"].map(write),
  ...["/p/-n", "/p/.env.bak", "/p/c.env", "/p/d.ts", "/p/.ssh/x"].map(write),
  ...["/p/a.ts", "/p/.env", "/p/.ssh/known_hosts", "/p/b.ts", "/p/c d.env", "/p/ü.env"].map(edit),
  ...["/p/.gitignore", "/p/e.ts", "/p/f.env", "/p/g", "/p/h.env", "/p/i.ts"].map(edit),
];

/** Twelve ways in which a guard breaks. None of them is a yes. */
export const BROKEN: Readonly<Record<string, string>> = {
  "exits with 1": "cat > /dev/null; exit 1",
  "exits with 127": "cat > /dev/null; no-such-program",
  "is killed": "cat > /dev/null; kill -9 $$",
  "ends by a signal": "cat > /dev/null; kill -TERM $$",
  "prints half of its answer": `cat > /dev/null; printf '{"permission":"deny","permissionDecision":"deny","decision":"de'`,
  "prints words before its answer": `cat > /dev/null; echo 'checking...'; echo '{"permission":"deny","permissionDecision":"deny","decision":"deny"}'`,
  "misspells its answer": `cat > /dev/null; echo '{"permision":"deny","permissionDecison":"deny","decison":"deny"}'`,
  "says something that is no decision": `cat > /dev/null; echo '{"permission":"nope","permissionDecision":"nope","decision":"nope"}'`,
  "prints a list": `cat > /dev/null; echo '[{"permission":"deny","permissionDecision":"deny","decision":"deny"}]'`,
  "has a mistake in its shell": "cat > /dev/null; if then",
  "is not executable": "",
  "is not there": "",
};
