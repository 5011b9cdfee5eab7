import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The code block behind `<!-- executed: name -->`. */
function example(file: string, name: string): string {
  const text = readFileSync(join(root, file), "utf8");
  const block = text.split(`<!-- executed: ${name} -->`)[1]?.match(/```\w+\n([\s\S]*?)```/)?.[1];
  if (block === undefined) throw new Error(`${file} has no example "${name}"`);
  return block;
}

describe("the docs", () => {
  it("show a first hook that blocks what it says, and nothing else", async () => {
    using folder = tempFolder();
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("README.md", "first hook")),
      scenario: [
        {
          calls: [
            { name: "Bash", arguments: { command: "git push --force" } },
            { name: "Bash", arguments: { command: "echo fine" } },
          ],
        },
        { say: "done" },
      ],
    });
    expect(blocksOf(messages, "tool")).toMatchObject([
      { success: false, result: "Force pushes are not allowed here." },
      { success: true, result: "fine" },
    ]);
    expect([...blocksOf(messages, "error"), ...blocksOf(messages, "warn")]).toEqual([]);
  });

  it("show rules that do what the page says", async () => {
    using folder = tempFolder();
    const command = (text: string) => ({ name: "Bash", arguments: { command: text } });
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("docs/guide/permissions.md", "rules")),
      scenario: [
        {
          calls: [
            command("git status --short"),
            command("git status; rm -rf ."),
            command("git push"),
            command("curl x"),
            { name: "Read", arguments: { file_path: "secrets/a" } },
          ],
        },
        { say: "done" },
      ],
      options: { permissionMode: "default" },
    });
    const results = blocksOf(messages, "tool").map((block) => block.result ?? "");
    expect(results[0]).not.toMatch(/Not run|denies/);
    expect(results[1]).toMatch(/needs a yes from a person/);
    expect(results[2]).toMatch(/needs a yes from a person.*git push/s);
    expect(results[3]).toMatch(/denies/);
    expect(results[4]).toMatch(/denies/);
  });

  it("link only to files that exist", () => {
    const pages = [
      "README.md",
      "AGENTS.md",
      ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md"))
        .map((name) => join("docs", name)),
    ];
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
        .map(([, target]) => join(page, "..", target ?? ""))
        .filter((target) => readdirSafely(target) === undefined)
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });
});

function readdirSafely(path: string): true | undefined {
  try {
    readFileSync(join(root, path));
    return true;
  } catch (error) {
    // A folder is a fine target; only what does not exist is not.
    return (error as NodeJS.ErrnoException).code === "EISDIR" ? true : undefined;
  }
}
