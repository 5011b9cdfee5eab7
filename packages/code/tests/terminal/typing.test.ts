import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { makeProject } from "../support/project.ts";
import { randomFrom } from "../support/random.ts";
import { bash, hooksOf, READY, ScreenSession } from "./support/screenSession.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

const SEED = Number(process.env["WAVE_SEED"]) || Date.now() % 1_000_000;
/** Longer than this machine ever keeps somebody from typing, who makes no such pause. */
const PAUSE = { WAVE_ANSWER_PAUSE: "2500" };
const TRUST = "Do you trust this folder?";

/** Words with every letter that answers something, key by key, until it is over. */
async function typeUntil(wave: TerminalRun, isOver: () => boolean): Promise<string> {
  const random = randomFrom(SEED);
  const letters = Array.from("ynyes no é漢😀 spdc");
  let typed = "x";
  wave.type(typed);
  for (let extra = 0; extra < 15; extra += isOver() ? 1 : 0) {
    await sleep(33 + random(60));
    const letter = letters[random(letters.length)] ?? "y";
    typed += letter;
    wave.type(letter);
  }
  return typed;
}

/** The rows of the prompt as one text. */
const promptOf = (wave: TerminalRun) =>
  wave
    .screen()
    .filter((row) => row.startsWith("│ "))
    .map((row) => row.slice(4, -2).trimEnd())
    .join("");

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

describe(`somebody who types while Wave asks (seed ${SEED})`, () => {
  it("approves no project and switches nothing off by a letter of a word; the word is in the prompt, also after leaving (T37, T71, T72, T166, G24)", async () => {
    using project = makeProject();
    project.hook("PreToolUse", "exit 0", { matcher: "Bash", name: "guard" });
    await using model = await startScriptedModel([]);
    const start = () =>
      startWave({
        cwd: project.folder,
        approved: false,
        env: {
          ...PAUSE,
          WAVE_HOME: project.home,
          WAVE_API_KEY: "key",
          WAVE_BASE_URL: model.baseUrl,
          WAVE_MODEL: "scripted",
        },
      });
    const asks = (wave: TerminalRun) => wave.screen().join("\n").includes(TRUST);
    const approved = () => existsSync(join(project.home, "trust.json"));

    await using first = start();
    const typed = await typeUntil(first, () => asks(first));
    expect(asks(first)).toBe(true);
    expect(approved()).toBe(false);
    // There was no prompt before the question: nobody could take it for one.
    expect(first.output.slice(0, first.output.indexOf(TRUST))).not.toContain(READY);
    // Esc is a key like the others; Ctrl-C waits for nothing.
    await first.press("esc");
    expect(asks(first)).toBe(true);
    await first.press("ctrl-c");
    expect(await first.exit).toEqual({ code: 0, signal: null });

    await using second = start();
    const more = await typeUntil(second, () => asks(second));
    expect([asks(second), approved()]).toEqual([true, false]);
    await second.answer("y");
    await second.waitForText("mode default");
    const whole = withoutBlanks(typed + more);
    await second.waitUntil(() => withoutBlanks(promptOf(second)) === whole, {
      what: `a prompt with ${whole}`,
    });
    expect(approved()).toBe(true);
  });

  it("allows no call, and holding the key of one answer down does not give the next (T70, T71, T72)", async () => {
    await using session = await ScreenSession.open({
      settings: hooksOf(["PreToolUse", "sleep 0.3"]),
      scenario: [{ calls: [bash("touch one").call, bash("touch two").call] }, { say: "Both are done." }],
      env: PAUSE,
    });
    const { wave, project } = session;
    const made = (name: string) => existsSync(join(project.folder, name));
    const asks = (command: string) => wave.screen().some((row) => row.includes(`│ ${command} `));
    await session.say("go");
    await wave.waitForText("Esc stops");
    const typed = await typeUntil(wave, () => asks("touch one"));
    expect([asks("touch one"), made("one")]).toEqual([true, false]);
    await wave.waitForText("draft kept: x");
    await wave.answer("y");
    await wave.waitUntil(() => made("one"), { what: "the first file" });
    let held = "";
    for (let repeats = 0; repeats < 20; repeats += asks("touch two") ? 1 : 0) {
      await sleep(33);
      held += "y";
      wave.type("y");
    }
    expect([asks("touch two"), made("two")]).toEqual([true, false]);
    await wave.answer("y");
    await wave.waitForText("Both are done.");
    await session.idle();
    const whole = withoutBlanks(typed + held);
    await wave.waitUntil(() => withoutBlanks(promptOf(wave)) === whole, { what: `a prompt with ${whole}` });
  });
});
