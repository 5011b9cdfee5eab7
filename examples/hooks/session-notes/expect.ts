import type { HookExample } from "../../support/hookExample.ts";

const commit =
  "git init -q . && git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false commit -q --allow-empty -m 'Spell the greeting right'";

export const example: HookExample = {
  needs: ["bash", "git"],
  scenes: [
    {
      title: "the session begins with what the team wants to be known",
      project: { ".wave/notes.md": "- The port is 8081, not 8080.\n" },
      setUp: commit,
      model: [{ say: "I know about the port." }],
      expect: {
        toModel: [
          '<wave-hook event="SessionStart" name="session-notes"',
          "- The port is 8081, not 8080.",
          "Spell the greeting right",
        ],
      },
    },
    {
      title: "without notes and commits nothing is added",
      model: [{ say: "Hello." }],
      expect: { notToModel: ["wave-hook"] },
    },
  ],
};
