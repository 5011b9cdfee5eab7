import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import { withNote } from "@/conversation/projectNotes.ts";
import { startScriptedModel } from "@/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";

describe("a note in AGENTS.md", () => {
  it.each([
    ["a file that does not exist or is empty", "", "- use tabs\n"],
    ["a file with a newline at its end", "# Rules\n", "# Rules\n- use tabs\n"],
    ["a file without a newline at its end", "# Rules", "# Rules\n- use tabs"],
    ["a file with CRLF", "# Rules\r\n- a\r\n", "# Rules\r\n- a\r\n- use tabs\r\n"],
    ["a CRLF file without a newline at its end", "# Rules\r\n- a", "# Rules\r\n- a\r\n- use tabs"],
  ])("is the last line of %s", (_title, before, after) => {
    expect(withNote(before, "  use tabs ")).toBe(after);
  });
});

/** A session in a project, and nothing else in the folder around it. */
async function inProject(
  use: (project: string, open: (baseUrl?: string) => Promise<Agent>) => Promise<void>,
  trust: "given" | "store" = "given",
): Promise<void> {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  mkdirSync(join(project, ".wave"), { recursive: true });
  writeFileSync(join(project, ".wave", "settings.json"), "{}");
  const agents: Agent[] = [];
  try {
    await use(project, async (baseUrl = "http://127.0.0.1:9/v1") => {
      const agent = await Agent.create({
        workdir: project,
        trust,
        waveHome: join(folder.path, "home"),
        baseUrl,
        apiKey: "key",
        model: "scripted",
      });
      agents.push(agent);
      return agent;
    });
  } finally {
    for (const agent of agents) await agent.destroy();
  }
}

describe("addNote", () => {
  it("creates AGENTS.md, and the model reads the note from its next request on, in the same session", async () => {
    await inProject(async (project, open) => {
      await using model = await startScriptedModel([{ say: "one" }, { say: "two" }, { say: "three" }]);
      const agent = await open(model.baseUrl);
      await agent.sendMessage("first");
      const file = join(project, "AGENTS.md");
      expect(await agent.addNote("use tabs")).toEqual({ added: true, file, created: true });
      expect(readFileSync(file, "utf8")).toBe("- use tabs\n");
      await agent.sendMessage("second");
      await agent.sendMessage("third");
      const prompts = model.requests.map(({ text }) => JSON.parse(text).messages[0].content);
      expect(prompts.map((prompt) => prompt.includes("- use tabs"))).toEqual([false, true, true]);
      // Only that changed: the rest is what the server has in its cache.
      expect(prompts[1].startsWith(prompts[0])).toBe(true);
      expect(prompts[2]).toBe(prompts[1]);
    });
  });

  it("keeps the mode of the file and leaves nothing beside it; notes at the same time are all there", async () => {
    await inProject(async (project, open) => {
      const file = join(project, "AGENTS.md");
      writeFileSync(file, "\uFEFF# Rules\r\n", { mode: 0o640 });
      const agent = await open();
      await Promise.all(["a", "b", "c"].map((note) => agent.addNote(note)));
      expect(readFileSync(file, "utf8")).toBe("\uFEFF# Rules\r\n- a\r\n- b\r\n- c\r\n");
      expect(statSync(file).mode & 0o777).toBe(0o640);
      expect(readdirSync(project).toSorted()).toEqual([".wave", "AGENTS.md"]);
    });
  });

  it("follows a link inside the project and refuses one that leads out of it, also to nothing (T167)", async () => {
    await inProject(async (project, open) => {
      const outside = join(project, "..", "elsewhere.md");
      const link = join(project, "AGENTS.md");
      symlinkSync(outside, link);
      const agent = await open();
      const refused = { added: false, problem: expect.stringContaining("outside this project") };
      expect(await agent.addNote("x")).toEqual(refused);
      writeFileSync(outside, "untouched");
      expect(await agent.addNote("x")).toEqual(refused);
      expect(readFileSync(outside, "utf8")).toBe("untouched");
    });
    await inProject(async (project, open) => {
      writeFileSync(join(project, "CLAUDE.md"), "# Rules\n");
      symlinkSync("CLAUDE.md", join(project, "AGENTS.md"));
      const agent = await open();
      expect(await agent.addNote("x")).toMatchObject({ added: true, created: false });
      expect(readFileSync(join(project, "CLAUDE.md"), "utf8")).toBe("# Rules\n- x\n");
    });
  });

  it("says what stands in the way: a folder of that name, and bytes that are no text", async () => {
    await inProject(async (project, open) => {
      mkdirSync(join(project, "AGENTS.md"));
      const agent = await open();
      expect(await agent.addNote("x")).toMatchObject({
        added: false,
        problem: expect.stringContaining("is a folder"),
      });
      await expect(agent.addNote(" ")).rejects.toThrow("addNote.note: must be a text that is not empty");
    });
  });

  it("says when the model will not read it: behind what is read of the file, or beside what nobody approved", async () => {
    await inProject(async (project, open) => {
      writeFileSync(join(project, "AGENTS.md"), "x".repeat(40_000));
      const agent = await open();
      expect(await agent.addNote("x")).toMatchObject({ added: true, unread: expect.stringMatching(/32 KB/) });
    });
    await inProject(async (project, open) => {
      writeFileSync(join(project, "AGENTS.md"), "a\n");
      const agent = await open();
      expect(await agent.addNote("x")).toMatchObject({
        added: true,
        unread: expect.stringContaining("wave hooks trust shows and approves it"),
      });
    }, "store");
  });
});
