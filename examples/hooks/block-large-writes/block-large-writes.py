#!/usr/bin/env python3
"""PreToolUse, Write|Edit|MultiEdit: a file that nobody can review is not written in one go."""

import json
import sys

MAX_LINES = 400
MAX_BYTES = 64 * 1024

event = json.load(sys.stdin)
asked = event["tool_input"]

texts = [asked.get("content", ""), asked.get("new_string", "")]
texts += [edit.get("new_string", "") for edit in asked.get("edits", [])]
lines = sum(len(text.splitlines()) for text in texts)
size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)

if lines > MAX_LINES or size > MAX_BYTES:
    print(
        f"{asked.get('file_path')}: {lines} lines and {size} bytes in one go are too much to review "
        f"(at most {MAX_LINES} lines and {MAX_BYTES} bytes). Split the file by concern, or write it in steps.",
        file=sys.stderr,
    )
    sys.exit(2)
