#!/usr/bin/env bash
# PostToolUse, Edit|MultiEdit|Write: brings a file into the project's format as soon as the agent has changed it.
set -euo pipefail

file=$(jq -r '.tool_input.file_path // empty')
# The tool may have failed; then there is nothing to format.
[ -s "$file" ] || exit 0

case $file in
  *.json)
    if ! formatted=$(jq . "$file" 2>&1); then
      echo "$file is not valid JSON, repair it: $formatted" >&2
      exit 2
    fi
    [ "$formatted" = "$(cat "$file")" ] || printf '%s\n' "$formatted" >"$file"
    ;;
  # One line per language of the project, for example:
  # *.ts | *.tsx) npx prettier --write --log-level warn "$file" ;;
  # *.go) gofmt -w "$file" ;;
esac
