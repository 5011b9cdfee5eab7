#!/usr/bin/env bash
# PreToolUse, Bash: history that others have pulled is not rewritten.
# Reads the JSON with bash alone, for machines without jq.
input=$(cat)

field='"command":"(([^"\]|\\.)*)"'
[[ $input =~ $field ]] || exit 0
command=${BASH_REMATCH[1]}

# -f also among other short flags, --force but not --force-with-lease, and the + of a refspec.
force='git[^;&|]*[[:space:]]push[^;&|]*[[:space:]](-[a-zA-Z]*f[a-zA-Z]*|--force|--mirror|\+[^[:space:]]+)($|[[:space:];&|\])'
if [[ $command =~ $force ]]; then
  echo 'A force push is not allowed here: it would take commits away from others. Pull and merge, or use --force-with-lease on a branch of your own.' >&2
  exit 2
fi
