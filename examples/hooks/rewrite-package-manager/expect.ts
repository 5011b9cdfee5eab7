import type { HookExample } from "../../support/hookExample.ts";

const programs = { npm: '#!/bin/sh\necho "npm $*"\n', pnpm: '#!/bin/sh\necho "pnpm $*"\n' };
const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

export const example: HookExample = {
  needs: ["python3"],
  scenes: [
    {
      title: "npm commands run as pnpm commands, and the model is told",
      programs,
      model: [
        bash("npm install left-pad"),
        bash("npm ci && npm test"),
        bash("npm i --save-dev vitest"),
        { say: "Installed with pnpm." },
      ],
      expect: {
        calls: [
          { ran: true, command: "pnpm add left-pad", result: "pnpm add left-pad" },
          {
            ran: true,
            command: "pnpm install --frozen-lockfile && pnpm test",
            result: "pnpm install --frozen-lockfile\npnpm test",
          },
          { ran: true, command: "pnpm install --save-dev vitest" },
        ],
        toModel: ["Instead of `npm install left-pad` this ran: `pnpm add left-pad`"],
      },
    },
    {
      title: "everything else runs as it is",
      programs,
      model: [bash("echo use npm install here"), bash("npm --version"), { say: "Done." }],
      expect: {
        calls: [
          { ran: true, command: "echo use npm install here" },
          { ran: true, command: "npm --version", result: "npm --version" },
        ],
        notToModel: ["This project uses pnpm"],
      },
    },
  ],
};
