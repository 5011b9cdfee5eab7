import type { HookExample } from "../../support/hookExample.ts";

const project = { ".env": "TOKEN=hunter2\n", ".env.example": "TOKEN=\n", "src/env.ts": "export {};\n" };

export const example: HookExample = {
  needs: ["bash", "jq"],
  scenes: [
    {
      title: "no tool gets to see a file with secrets",
      project,
      setUp: "ln -s .env settings.txt",
      model: [
        { call: { name: "Read", arguments: { file_path: ".env" } } },
        { call: { name: "Read", arguments: { file_path: "settings.txt" } } },
        { call: { name: "Grep", arguments: { pattern: "TOKEN", path: ".env", output_mode: "content" } } },
        { call: { name: "Grep", arguments: { pattern: "TOKEN", glob: "**/.env" } } },
        { call: { name: "Bash", arguments: { command: "cat ./.env | head" } } },
        { call: { name: "Write", arguments: { file_path: "deploy/.env.production", content: "TOKEN=x" } } },
        { say: "Which token should I use?" },
      ],
      expect: {
        calls: [
          { ran: false, result: ".env holds secrets" },
          { ran: false, result: ".env holds secrets" },
          { ran: false, result: ".env holds secrets" },
          { ran: false, result: ".env holds secrets" },
          { ran: false, result: ".env holds secrets" },
          { ran: false, result: ".env.production holds secrets" },
        ],
        notToModel: ["hunter2"],
      },
    },
    {
      title: "files that only look like it are read",
      project,
      model: [
        { call: { name: "Read", arguments: { file_path: ".env.example" } } },
        { call: { name: "Bash", arguments: { command: "cat src/env.ts" } } },
        { say: "Read." },
      ],
      expect: {
        calls: [
          { ran: true, result: "TOKEN=" },
          { ran: true, result: "export" },
        ],
      },
    },
  ],
};
