#!/usr/bin/env python3
"""PreToolUse, Bash: this project uses pnpm, so npm commands become pnpm commands."""

import json
import re
import sys

# Where a command begins: at the start of a line or after ; & | and (.
BEGIN = r"(?m)(^|[;&|(])(\s*)"
RULES = [
    (r"npm ci\b", "pnpm install --frozen-lockfile"),
    (r"npm (?:install|i|add)(?= +[^\s;&|-])", "pnpm add"),
    (r"npm (?:install|i)\b", "pnpm install"),
    (r"npm (run|test|start|exec|remove|uninstall|outdated|publish)\b", r"pnpm \3"),
]

event = json.load(sys.stdin)
wanted = event["tool_input"].get("command", "")

command = wanted
for pattern, replacement in RULES:
    command = re.sub(BEGIN + pattern, r"\1\2" + replacement, command)

# Nothing printed is nothing said: also when Wave asks once more, about the rewritten command.
if command != wanted:
    answer = {
        "hookEventName": "PreToolUse",
        "updatedInput": {**event["tool_input"], "command": command},
        "additionalContext": f"This project uses pnpm. Instead of `{wanted}` this ran: `{command}`",
    }
    print(json.dumps({"hookSpecificOutput": answer}))
