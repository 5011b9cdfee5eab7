#!/usr/bin/env bash
# PreToolUse, file tools and Bash: files that hold secrets are neither read nor changed.
# -e, so that a missing jq ends this with an error (settings.json then blocks) instead of looking like consent.
set -efuo pipefail
shopt -s nocasematch

input=$(cat)
path=$(jq -r '.tool_input | .file_path // .path // empty' <<<"$input")
text=$(jq -r '.tool_input | [.command, .glob] | map(strings) | join(" ")' <<<"$input")

# A link with a harmless name is judged by what it leads to.
target=$(readlink -f "$path" || true)
# Of a command or a glob, everything that could be the name of a file.
words=${text//[!A-Za-z0-9_.\/-]/ }

for name in "${path##*/}" "${target##*/}" $words; do
  case ${name##*/} in
    .env.example | .env.sample | .env.template) ;;
    .env | .env.* | *.pem | *.p12 | id_rsa | id_ed25519 | credentials.json)
      echo "${name##*/} holds secrets: it is neither read nor changed here. Ask the person for what you need from it." >&2
      exit 2
      ;;
  esac
done
