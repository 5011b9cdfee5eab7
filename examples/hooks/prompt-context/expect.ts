import type { HookExample } from "../../support/hookExample.ts";

export const example: HookExample = {
  needs: ["bash", "git"],
  scenes: [
    {
      title: "the model knows the branch and what has changed",
      project: { "src/login.ts": "export {};\n" },
      setUp: "git init -q . && git symbolic-ref HEAD refs/heads/feature/login && git add src",
      prompt: "Go on with it.",
      model: [{ say: "I go on with the login." }],
      expect: { toModel: ["Go on with it.", "Current git branch: feature/login", "A  src/login.ts"] },
    },
    {
      title: "outside of a repository it says nothing",
      model: [{ say: "Fine." }],
      expect: { notToModel: ["git branch"] },
    },
  ],
};
