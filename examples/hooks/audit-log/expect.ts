import type { HookExample } from "../../support/hookExample.ts";

const read = (name: string) => ({ name: "Read", arguments: { file_path: `${name}.txt` } });

export const example: HookExample = {
  needs: [],
  scenes: [
    {
      title: "every call is in the log, before and after it ran, also those that run at the same time",
      project: { "a.txt": "alpha\n", "b.txt": "beta\n" },
      model: [
        { calls: [read("a"), read("b")] },
        { call: { id: "gamma", name: "Bash", arguments: { command: "echo gamma" } } },
        { call: { name: "Write", arguments: { file_path: "long.txt", content: "x".repeat(2_000) } } },
        { call: { name: "Bash", arguments: { command: "grep -c PreToolUse .wave/audit.jsonl" } } },
        { call: { name: "Bash", arguments: { command: "grep -c '[(]2000 characters' .wave/audit.jsonl" } } },
        { say: "All of it is written down." },
      ],
      expect: {
        calls: [
          { ran: true },
          { ran: true },
          { ran: true },
          { ran: true },
          { ran: true, result: "5" },
          { ran: true, result: "2" },
        ],
        files: {
          ".wave/audit.jsonl":
            '"event":"PostToolUse","call":"gamma","tool":"Bash","input":{"command":"echo gamma"}',
        },
      },
    },
  ],
};
