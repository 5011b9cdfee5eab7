import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_ALLOWED, bash } from "./support/screenSession.ts";
import { shareSession } from "./support/sharedSession.ts";

describe("blocks of a conversation", () => {
  const shared = shareSession({
    args: ALL_ALLOWED,
    rows: 20,
    prepare: (project) => project.write("a.txt", "one\ntwo\nthree\n"),
    scenario: [
      bash("seq -f 'first %g' 40; until [ -e go-on ]; do sleep 0.05; done; seq -f 'then %g' 40"),
      bash("seq -f 'other %g' 3"),
      { say: "That is all." },
      { call: { name: "Read", arguments: { file_path: "a.txt" } } },
      { call: { name: "Write", arguments: { file_path: "a.txt", content: "one\n2\nthree\n" } } },
      { say: "It is written." },
      {
        call: {
          name: "Bash",
          arguments: { command: "until [ -e done ]; do sleep 0.05; done", run_in_background: true },
        },
      },
      { say: "It waits." },
    ],
  });
  const isBack = () => shared().wave.terminal.buffer.active.type === "normal";
  const back = () => shared().wave.waitUntil(isBack, { what: "the conversation" });

  it("that are folded are opened by Ctrl-O, one that runs with what it has printed so far", async () => {
    const { wave, project, say, idle } = bound(shared());
    await wave.press("ctrl-o");
    await wave.waitForText("nothing is folded: all of it is on the screen");
    await say("go");
    await wave.waitForText(/… \d+ lines above \(Ctrl-O\)/);
    await wave.press("ctrl-o");
    await wave.waitForText(/In full ─+ 1 of 1 ─/);
    await wave.waitForText("│ first 40");
    await wave.press("home");
    await wave.waitForText("│ first 1");
    await wave.press("end");
    writeFileSync(join(project.folder, "go-on"), "");
    await wave.waitForText(/In full ─+ 1 of 2 ─/);
    await wave.press("end");
    await wave.waitForText("│ then 40");
    await wave.press("right");
    await wave.waitForText("│ other 3");
    expect(wave.screen().join("\n")).toMatch(/← the folded block before {2}Esc, Ctrl-O close/);
    await wave.press("left");
    await wave.waitForText("│ first 1");
    await wave.press("esc");
    await back();
    await wave.waitForText("That is all.");
    await idle();
  });

  it("that replace a file show what was replaced by what", async () => {
    const { wave, say, idle } = bound(shared());
    await say("write it");
    await wave.waitForText("It is written.");
    await idle();
    expect(wave.text()).toMatch(
      /✓ Write a\.txt — replaced, \+1 -1\n +1 {3}one\n +2 - two\n +2 \+ 2\n +3 {3}three/,
    );
  });

  it("are below a status line that tells where commands run, and how many in the background", async () => {
    const { wave, project, say, idle } = bound(shared());
    await say("wait for it");
    await wave.waitForText("It waits.");
    await idle();
    await wave.waitForText("1 task in the background");
    wave.type("!mkdir -p src && cd src");
    await wave.waitForText("mkdir -p src && cd src");
    await wave.press("enter");
    await wave.waitForText(/mode.* · [^ ]*src · /);
    writeFileSync(join(project.folder, "done"), "");
    await wave.waitUntil(() => !wave.screen().join("\n").includes("1 task in the background"), {
      what: "a status line without it",
    });
  });
});

const bound = (session: ReturnType<ReturnType<typeof shareSession>>) => ({
  wave: session.wave,
  project: session.project,
  say: (text: string) => session.say(text),
  idle: () => session.idle(),
});
