import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { settingsSchema } from "@/workspace/settings/schema.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { whyNoBubblewrap } from "../support/sandboxBench.ts";
import { settingsOf } from "../support/settingsFiles.ts";
import { tempFolder } from "../support/tempFolder.ts";

function example(page: string, name: string): string {
  const text = readFileSync(
    fileURLToPath(new URL(`../../../../docs/guide/${page}`, import.meta.url)),
    "utf8",
  );
  const block = text.split(`<!-- executed: ${name} -->`)[1]?.match(/```json\n([\s\S]*?)```/)?.[1];
  if (block === undefined) throw new Error(`${page} has no example "${name}"`);
  return block;
}

describe("the pages on the sandbox and on secrets", () => {
  it("show settings that load without a word, and fit the schema", () => {
    for (const text of [example("sandbox.md", "sandbox"), example("secrets.md", "passEnv")]) {
      expect(settingsOf(text).problems).toEqual([]);
      expect(settingsSchema().safeParse(JSON.parse(text)).error).toBeUndefined();
    }
  });

  it.skipIf(whyNoBubblewrap() !== undefined)(
    "show a sandbox that opens what it names, and nothing else",
    async () => {
      using folder = tempFolder();
      const before = process.env["TMPDIR"];
      process.env["TMPDIR"] = join(folder.path, "tmp");
      for (const name of ["home/.npm", "project", "other-project", "third", "tmp"])
        mkdirSync(join(folder.path, name), { recursive: true });
      writeFileSync(join(folder.path, "home", "settings.json"), example("sandbox.md", "sandbox"));
      // In a script, where no rule sees what is coming.
      const script =
        "for f in a ../other-project/a ~/.npm/a ../third/a; do (echo x > $f); done; cat < /dev/tcp/127.0.0.1/1";
      writeFileSync(join(folder.path, "project", "try.sh"), script);
      const { messages } = await playSession(folder.path, {
        scenario: [{ calls: [{ name: "Bash", arguments: { command: "bash try.sh" } }] }, { say: "done" }],
        options: { env: { ...process.env, HOME: join(folder.path, "home") } },
      }).finally(() => {
        if (before === undefined) delete process.env["TMPDIR"];
        else process.env["TMPDIR"] = before;
      });
      const [{ result } = { result: "" }] = blocksOf(messages, "tool");
      expect(result).toMatch(/third\/a: Read-only file system/);
      expect(result?.match(/Read-only file system/g)).toHaveLength(1);
      expect(readdirSync(join(folder.path, "third"))).toEqual([]);
      for (const name of ["project", "other-project", "home/.npm"])
        expect(readdirSync(join(folder.path, name))).toContain("a");
    },
  );

  it("show a hook that gets the key it lists", async () => {
    using folder = tempFolder();
    const script = join(folder.path, "project", "ask-another-model.sh");
    mkdirSync(join(folder.path, "project"));
    writeFileSync(script, '#!/bin/sh\necho "the key is $WAVE_API_KEY"\n');
    chmodSync(script, 0o755);
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("secrets.md", "passEnv")),
      scenario: [{ say: "done" }],
      options: { env: { ...process.env, WAVE_API_KEY: "of-the-model" } },
    });
    expect(blocksOf(messages, "hook").map(({ content }) => content)).toEqual(["the key is of-the-model"]);
  });
});
