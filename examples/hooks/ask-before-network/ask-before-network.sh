#!/usr/bin/env bash
# PreToolUse, Bash: a person decides before a command leaves this machine.
set -euo pipefail

command=$(jq -r '.tool_input.command // empty')

start='(^|[;&|(`]|[[:space:]])'
programs='curl|wget|ssh|scp|sftp|rsync|nc|git[[:space:]]+(clone|fetch|pull|push)'
packages='(npm|pnpm|yarn|pip|pip3|cargo|gem)[[:space:]]+(install|add|publish)'
[[ $command =~ $start($programs|$packages)($|[[:space:];&|]) ]] || exit 0

jq -n --arg what "${BASH_REMATCH[2]}" '{
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "\($what) uses the network."
  }
}'
