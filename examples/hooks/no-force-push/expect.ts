import type { HookExample } from "../../support/hookExample.ts";

/** Stands for git, which would want a repository and a remote. */
const programs = { git: '#!/bin/sh\necho "git $*"\n' };
const push = (command: string) => ({ call: { name: "Bash", arguments: { command } } });

export const example: HookExample = {
  needs: ["bash"],
  scenes: [
    {
      title: "a force push is refused in every spelling",
      programs,
      model: [
        push("git push --force origin main"),
        push("git add . && git push -uf origin main"),
        push("git -C . push origin +main"),
        push('git commit -m "say \\"hi\\"" ; git push --force'),
        { say: "Then I merge." },
      ],
      expect: {
        calls: [
          { ran: false, result: "A force push is not allowed here" },
          { ran: false, result: "A force push is not allowed here" },
          { ran: false, result: "A force push is not allowed here" },
          { ran: false, result: "A force push is not allowed here" },
        ],
      },
    },
    {
      title: "other pushes go through",
      programs,
      model: [
        push("git push --force-with-lease"),
        push("git push --follow-tags origin main"),
        push("git push; rm -f old.log"),
        { say: "Pushed." },
      ],
      expect: {
        calls: [
          { ran: true, result: "git push --force-with-lease" },
          { ran: true, result: "git push --follow-tags origin main" },
          { ran: true, result: "git push" },
        ],
      },
    },
  ],
};
