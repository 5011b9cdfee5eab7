import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScreenSession } from "./support/screenSession.ts";
import { startWave } from "./support/terminal.ts";

const todos = (...statuses: string[]) => ({
  call: {
    name: "TodoWrite",
    arguments: { todos: statuses.map((status, index) => ({ content: `Step ${index + 1}`, status })) },
  },
});

describe("what one sees at a glance", () => {
  it("has the steps of the work, as they are now, also in a resumed session, until all are done", async () => {
    await using session = await ScreenSession.open({
      scenario: [
        todos("in_progress", "pending"),
        todos("completed", "in_progress"),
        { say: "Shall I go on?" },
        todos("completed", "completed"),
        { say: "That is all." },
      ],
    });
    const { wave, project, env } = session;
    await session.say("work");
    await wave.waitForText("Shall I go on?");
    await session.idle();
    await wave.waitForText("1 of 2 steps done; now: Step 2");
    await wave.press("ctrl-d");
    await wave.exit;

    await using again = startWave({ cwd: project.folder, cols: 40, rows: 30, args: ["--continue"], env });
    await again.waitForText("1 of 2 steps done; now: Step 2");
    again.type("yes");
    await again.waitForText("> yes");
    await again.press("enter");
    await again.waitForText("That is all.");
    await again.waitUntil(() => !again.screen().join("\n").includes("now: Step 2"), { what: "no steps" });
    expect(again.text()).toContain("TodoWrite 2 of 2 steps done");
  });

  it("has the branch that is checked out, whoever changes it", async () => {
    const head = (folder: string, branch: string) =>
      writeFileSync(join(folder, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
    await using session = await ScreenSession.open({
      scenario: [],
      prepare: ({ folder }) => {
        mkdirSync(join(folder, ".git"), { recursive: true });
        head(folder, "main");
      },
    });
    await session.wave.waitForText("on main");
    head(session.project.folder, "fix-login");
    const screen = await session.wave.waitForText("on fix-login");
    expect(screen.join("\n")).not.toContain("on main");
  });
});
