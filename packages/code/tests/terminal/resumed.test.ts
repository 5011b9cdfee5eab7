import { describe, expect, it } from "vitest";
import { askedIn } from "./support/asked.ts";
import { bash, hooksOf, READY, ScreenSession } from "./support/screenSession.ts";
import { runWave } from "../support/runWave.ts";
import { startWave } from "./support/terminal.ts";

describe("a session that is resumed", () => {
  it("shows calls that waited for an answer when Wave was killed below the prompt that led to them, and what is not decided (T193)", async () => {
    await using session = await ScreenSession.open({ scenario: [bash("touch one")] });
    const { wave, project, env } = session;
    await session.say("try it");
    await wave.waitForText(/touch one[\s\S]*\by\b/);
    process.kill(wave.pid, "SIGKILL");
    await wave.exit;

    const explained = await runWave(["hooks", "explain"], { project });
    expect(explained.stderr).toMatch(/no decisions yet.*Bash was not decided when Wave last wrote/s);

    await using again = startWave({ cwd: project.folder, cols: 80, rows: 30, args: ["--continue"], env });
    await again.waitForText("not started");
    await again.waitForText(READY);
    expect(again.text()).toMatch(/> try it[\s\S]*Bash touch one — not started/);
  });

  it("still shows where it was interrupted, why a call did not run, and what it cost", async () => {
    await using session = await ScreenSession.open({
      settings: hooksOf(["PreToolUse", "echo not here >&2; exit 2", "keeper"]),
      scenario: ({ body }) => {
        if (askedIn({ body }) === "talk") return { say: "it all began long ago and", hang: true };
        return body.messages.at(-1)?.role === "tool" ? { say: "So be it." } : bash("touch never");
      },
    });
    const { wave, project, env } = session;
    await session.say("try it");
    await wave.waitForText("So be it.");
    await session.idle();
    await session.say("talk");
    await wave.waitForText("long ago and");
    await wave.press("esc");
    await session.idle();
    const interrupted = /it all began long ago and\s+! warning: interrupted\n/;
    await wave.waitForText(interrupted);
    await wave.press("ctrl-d");
    await wave.exit;

    await using again = startWave({ cwd: project.folder, cols: 80, rows: 30, args: ["--continue"], env });
    await again.waitForText(interrupted);
    again.type("/hooks why");
    await again.waitForText("> /hooks why");
    await again.press("enter");
    await again.waitForText("it said no: not here");
    await again.press("esc");
    await again.waitForText(READY);
    again.type("/cost");
    await again.waitForText("> /cost");
    await again.press("enter");
    await again.waitForText(/before it was resumed: [\d,]+ input/);
    expect(again.text()).not.toContain("Nothing has been decided");
  });
});
