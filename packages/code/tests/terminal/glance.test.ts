import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_ALLOWED, ScreenSession } from "./support/screenSession.ts";
import { processesWith } from "./support/processes.ts";
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

  it("/tasks lists commands in the background, follows what they print, and ends them", async () => {
    const command = "echo started; while sleep 0.1; do echo again; done";
    await using session = await ScreenSession.open({
      args: ALL_ALLOWED,
      scenario: [
        { call: { name: "Bash", arguments: { command, run_in_background: true } } },
        { say: "It runs." },
      ],
    });
    const { wave } = session;
    await session.say("start it");
    await wave.waitForText(/1 task in the background: \/tasks/);
    await session.say("/tasks");
    await wave.waitForText(/Background tasks .* 1 task running/);
    await wave.press("enter");
    await wave.waitForText("again");
    await wave.answer("x");
    await wave.waitForText("ended by Wave");
    await wave.press("esc");
    await wave.waitForText("0 tasks running");
    await wave.press("esc");
    await wave.waitUntil(() => !wave.screen().join("\n").includes("1 task in the background"), {
      what: "nothing in the background",
    });
    const shells = () => processesWith(session.mark).filter((line) => line.includes("started"));
    await expect.poll(shells).toEqual([]);
  });
});
