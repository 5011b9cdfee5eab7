import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hooksOf, READY, ScreenSession } from "./support/screenSession.ts";
import { startWave } from "./support/terminal.ts";

it("a folder of sessions that cannot be read any more is said by /resume, and neither it nor /clear ends Wave", async () => {
  await using session = await ScreenSession.open({ scenario: [{ say: "Hello." }, { say: "Still here." }] });
  const { wave, project } = session;
  await session.say("hi");
  await wave.waitForText("Hello.");
  await session.idle();
  const sessions = join(project.home, "sessions");
  rmSync(sessions, { recursive: true });
  symlinkSync(sessions, sessions);
  await session.say("/resume");
  await wave.waitForText(/folder of the sessions[^]*cannot be read/);
  await wave.press("esc");
  await wave.waitForText(READY);
  await session.say("/clear");
  await wave.waitForText(/is not being saved/);
  await session.say("there?");
  await wave.waitForText("Still here.");
});

describe("Wave on a terminal that is killed", () => {
  it("gives back a prompt whose hooks still judged it, and what waited behind it, at the next start (T163, T166)", async () => {
    await using session = await ScreenSession.open({
      settings: hooksOf(["UserPromptSubmit", "sleep 60", "slow"]),
      scenario: [{ say: "never" }],
    });
    const { wave, project, env } = session;
    await session.say("judge me");
    await wave.waitForText("slow");
    await session.say("wait for me");
    await wave.waitForText("waiting: wait for me");
    process.kill(wave.pid, "SIGKILL");
    await wave.exit;

    await using again = startWave({ cwd: project.folder, cols: 80, rows: 30, env });
    await again.waitForText(/> judge me\s+│\n│\s+wait for me/);
    expect(again.text()).toContain("2 messages were sent and not processed");
    expect(again.text()).not.toContain(READY);
  });

  it("has nothing on disk of a prompt that was blocked, and does not offer it again (FR-010)", async () => {
    await using session = await ScreenSession.open({
      settings: hooksOf(["UserPromptSubmit", "sleep 0.5; echo no secrets >&2; exit 2", "guard"]),
      scenario: [{ say: "never" }],
    });
    const { wave, project, env } = session;
    await session.say("pass hunter2");
    const onDisk = () =>
      readdirSync(project.home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .filter((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").includes("hunter2"))
        .map(({ name }) => name);
    await wave.waitUntil(() => onDisk().length === 1, { what: "the prompt on disk while it is judged" });
    await wave.waitForText("not sent: your prompt is back in the input");
    expect(onDisk()).toEqual([]);
    process.kill(wave.pid, "SIGKILL");
    await wave.exit;

    await using again = startWave({ cwd: project.folder, cols: 80, rows: 30, env });
    await again.waitForText(READY);
    expect(again.text()).not.toContain("hunter2");
  });
});
