#!/usr/bin/env bash
# Stop: the agent may finish when the tests pass. settings.json names the command that runs them.
if output=$("$@" 2>&1); then exit 0; fi

{
  echo "The tests fail ($*). Repair what is broken before you finish. Their last lines:"
  tail -n 60 <<<"$output"
} >&2
exit 2
