#!/usr/bin/env bash
# UserPromptSubmit: what this prints follows the prompt, so the model knows where the work stands now.
branch=$(git symbolic-ref --quiet --short HEAD 2>/dev/null) || exit 0

echo "Current git branch: $branch"
changed=$(git status --short)
if [ -n "$changed" ]; then
  count=$(wc -l <<<"$changed")
  echo "Changed files ($((count)), the first 20):"
  head -n 20 <<<"$changed"
fi
