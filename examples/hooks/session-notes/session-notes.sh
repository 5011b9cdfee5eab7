#!/usr/bin/env bash
# SessionStart: what this prints is context for the model, once, before the first prompt.
notes="$WAVE_PROJECT_DIR/.wave/notes.md"

if [ -f "$notes" ]; then
  echo "Notes of this team on the project (.wave/notes.md):"
  cat "$notes"
fi
if commits=$(git log --oneline --max-count=5 2>/dev/null); then
  echo "The latest commits:"
  echo "$commits"
fi
exit 0
