import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sessionsDirFor } from "wave-agent-sdk";
import type { KeyName } from "./support/keys.ts";
import { foreignBytes, marked, PAYLOADS } from "./support/inkBytes.ts";
import { ALL_ALLOWED, hooksOf, READY, ScreenSession } from "./support/screenSession.ts";

const CORPUS = marked();
const LINES = CORPUS.join("\n");
/** Short enough that nothing of it is folded away. */
const WORDS = CORPUS.join(" ");

/** Waits until the last of the corpus is there, and finds every one of them. */
async function expectShown({ wave }: ScreenSession, last = `{${PAYLOADS.length - 1}:`): Promise<void> {
  await wave.waitUntil(() => wave.text().includes(last), { what: last });
}

/** What is foreign stays; half of a sequence of Ink's own is whole a moment later. */
async function expectOnlyInk({ wave }: ScreenSession): Promise<void> {
  await expect.poll(() => foreignBytes(wave.output), { timeout: 30_000 }).toEqual([]);
}

describe("nothing but Wave draws on the terminal (G36, G46)", () => {
  it("finds what it looks for", () => {
    const missed = PAYLOADS.filter(
      (payload) => /\p{Cc}/u.test(payload) && foreignBytes(`a${payload}b`).length === 0,
    );
    expect(missed).toEqual([]);
    expect(foreignBytes("\u001b[?2026h\u001b[2K\u001b[1A\u001b[36mfine\u001b[39m\r\n\u001b[?2026l")).toEqual(
      [],
    );
  });

  it("whatever the model says, in text, thoughts, code, tables and links, however it is cut into pieces", async () => {
    const cells = CORPUS.map((one) => `| ${one.replaceAll(/[\r\n|]/g, " ")} | x |`).join("\n");
    const markdown = [
      `# ${CORPUS[3]}`,
      LINES,
      `\`\`\`ts\n${LINES}\n\`\`\``,
      `| a | b |\n|---|---|\n${cells}`,
      CORPUS.map((one) => `[${one}](http://x/${one})`).join("\n"),
      "The end.",
    ].join("\n\n");
    const sizes = [1, 3, 100_000];
    await using session = await ScreenSession.open({
      rows: 40,
      scenario: sizes.map((chunkSize) => ({
        think: LINES,
        say: `size ${chunkSize}\n\n${markdown}`,
        chunkSize,
      })),
    });
    for (const size of sizes) {
      await session.say(`say ${size}`);
      await session.wave.waitUntil(() => session.wave.text().includes(`size ${size}`), {
        what: "the answer",
      });
      await session.wave.waitForText("The end.");
      await session.idle();
    }
    await expectShown(session);
    await expectOnlyInk(session);
  });

  it("whatever a command prints, while it runs and when it has ended, and whatever its name and arguments are", async () => {
    const byName = marked(PAYLOADS.map((payload) => payload.toWellFormed())).map((name) => ({
      name,
      arguments: { [name]: name },
    }));
    await using session = await ScreenSession.open({
      args: ALL_ALLOWED,
      prepare: (project) => {
        project.write("corpus.txt", LINES);
        // In single bytes, so that sequences are cut in the middle.
        project.script(
          "drip.sh",
          `while IFS= read -r -n 1 -d '' c; do printf '%s' "$c"; done <corpus.txt; sleep 0.5`,
        );
      },
      scenario: [
        { call: { name: "Bash", arguments: { command: "cat corpus.txt; sleep 0.5; echo; ./drip.sh" } } },
        { call: { name: "Read", arguments: { file_path: "corpus.txt" } } },
        { call: { name: "Write", arguments: { file_path: `${CORPUS[4]}.txt`, content: LINES } } },
        { calls: byName },
        { say: "done at last" },
      ],
      model: { strict: false },
    });
    await session.say("go");
    await session.wave.waitForText("done at last");
    await session.idle();
    await expectShown(session);
    await expectOnlyInk(session);
    await session.wave.press("ctrl-o");
    await expectOnlyInk(session);
  });

  it("whatever a question is about, and who asks it", async () => {
    const asks = (reason: string) =>
      JSON.stringify({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: reason,
        },
      });
    await using session = await ScreenSession.open({
      rows: 40,
      prepare: (project) => project.write("ask.json", asks(LINES)),
      // Wave's own bell would not be told from one in a question.
      settings: { ...hooksOf(["PreToolUse", "cat ask.json", LINES]), notifications: "off" },
      scenario: [
        // No question can be about a NUL: no command can hold one, so the call is refused, with the sentence that says so.
        { call: { name: "Bash", arguments: { command: LINES } } },
        { call: { name: "Bash", arguments: { command: LINES.replaceAll("\0", "") } } },
        { say: "done at last" },
      ],
    });
    const { wave } = session;
    await session.say("go");
    await wave.waitUntil(
      () =>
        wave
          .text()
          .replaceAll(/\s+│? */g, " ")
          .includes("the input has a NUL character"),
      {
        what: "the refusal of the NUL",
      },
    );
    await wave.waitForText("allow once");
    await wave.waitForText(/choose/);
    // To the end of it, page by page.
    for (let seen = ""; seen !== wave.screen().join("\n");) {
      seen = wave.screen().join("\n");
      const before = wave.output.length;
      await wave.press("pagedown");
      await wave.waitUntil(() => wave.output.length > before || !seen.includes("below"), {
        what: "the next page",
      });
      await sleep(50);
    }
    await expectOnlyInk(session);
    await wave.press("esc");
    await wave.waitForText("> go");
    await expectOnlyInk(session);
  });

  it("whatever hooks print, on both outputs, in JSON, as reasons, and whatever they are called", async () => {
    const json = (fields: object) => JSON.stringify(fields);
    await using session = await ScreenSession.open({
      args: ALL_ALLOWED,
      prepare: (project) => {
        project.write("corpus.txt", WORDS);
        project.write("message.json", json({ systemMessage: WORDS }));
        project.write("after.json", json({ decision: "block", reason: WORDS }));
        project.write("halt.json", json({ continue: false, stopReason: WORDS }));
      },
      settings: hooksOf(
        ["SessionStart", "cat corpus.txt", `start ${WORDS}`],
        ["UserPromptSubmit", "cat corpus.txt; cat corpus.txt >&2", `prompt ${WORDS}`],
        ["UserPromptSubmit", "cat corpus.txt >&2; exit 1", `failing ${WORDS}`],
        [
          "UserPromptSubmit",
          "grep -q secret && { cat corpus.txt >&2; exit 2; }; exit 0",
          `blocking ${WORDS}`,
        ],
        ["PreToolUse", "grep -q forbidden && { cat corpus.txt >&2; exit 2; }; cat message.json"],
        ["PostToolUse", "cat after.json"],
        ["Stop", "grep -q '\"stop_hook_active\":true' && cat halt.json || { cat corpus.txt >&2; exit 2; }"],
      ),
      scenario: [
        {
          calls: [
            { name: "Bash", arguments: { command: "echo forbidden" } },
            { name: "Bash", arguments: { command: "echo fine" } },
          ],
        },
        { say: "once" },
        { say: "twice" },
      ],
    });
    const { wave } = session;
    await session.say("secret");
    await wave.waitForText("> secret");
    await session.idle();
    await wave.waitForText("not sent:");
    await wave.press("ctrl-u");
    await session.say("work");
    // What the Stop hook says is longer than the screen, so the answer may have scrolled away already.
    await wave.waitUntil(() => wave.text().includes("twice"), { what: "the second answer" });
    await session.idle();
    await expectShown(session);
    await wave.waitForText(READY);
    await session.say("/hooks");
    await wave.waitForText("Space on/off");
    await pressAndLook(session, "enter");
    await pressAndLook(session, "esc");
    await wave.press("esc");
    await wave.waitForText(READY);
    await session.say("/hooks why");
    await wave.waitForText("Why the last call");
    await pressAndLook(session, "end");
    await expectOnlyInk(session);
  });

  it("whatever files, sessions, earlier prompts, drafts, branches, models and answers of the server are called", async () => {
    // A file name cannot hold these two, nor half a character.
    const names = marked(PAYLOADS.filter((payload) => payload.isWellFormed() && !/[\0/]/.test(payload)));
    await using session = await ScreenSession.open({
      env: { WAVE_MODEL: `model ${PAYLOADS[1]}` },
      prepare: (project) => {
        for (const name of names) writeFileSync(join(project.folder, `file${name}`), "");
        project.write(".git/HEAD", `ref: refs/heads/${CORPUS[2]}`);
        writeFileSync(
          join(project.home, "history.jsonl"),
          CORPUS.map((text) => `${JSON.stringify({ at: "", text })}\n`).join(""),
        );
        writeEarlierSessions(project, CORPUS);
      },
      scenario: CORPUS.slice(0, 3).map((message) => ({
        status: 400,
        body: { error: { message: `${message} ${LINES}` } },
      })),
      model: { strict: false },
    });
    const { wave } = session;
    const clear = async () => {
      await wave.press("esc");
      await wave.waitUntil(() => !wave.screen().join("\n").includes("Tab takes"), { what: "no list" });
      await wave.press("ctrl-u");
      await wave.waitForText(READY);
    };
    for (const number of [0, 5, 17, 30]) {
      wave.type(`@file{${number}`);
      await wave.waitForText(`file{${number}:`);
      await clear();
    }
    await wave.press("ctrl-r");
    await wave.waitForText("Tab takes");
    await clear();
    await wave.press("up");
    await wave.waitForText(`> ${CORPUS.at(-1)?.slice(0, 4)}`);
    await clear();
    await session.say("/resume");
    await wave.waitForText("letters search");
    await pressAndLook(session, "end");
    await wave.press("esc");
    await wave.waitForText(READY);
    await session.say("and now?");
    await wave.waitForText("(status 400)");
    await session.idle();
    wave.paste(LINES);
    await wave.waitForText("pasted text");
    await wave.press("alt-o");
    await wave.waitForText("more rows above");
    await expectOnlyInk(session);
  });
});

/** Something else is on the screen afterwards. A panel is drawn a moment before it listens, so the first press may be lost. */
async function pressAndLook({ wave }: ScreenSession, key: KeyName): Promise<void> {
  const before = wave.screen().join("\n");
  await expect
    .poll(
      async () => {
        await wave.press(key);
        await sleep(200);
        return wave.screen().join("\n");
      },
      { timeout: 30_000 },
    )
    .not.toBe(before);
}

function writeEarlierSessions(project: { home: string; folder: string }, prompts: readonly string[]): void {
  const folder = sessionsDirFor(project.home, project.folder);
  mkdirSync(folder, { recursive: true });
  const ts = "2026-01-01T00:00:00.000Z";
  for (const [index, content] of prompts.entries()) {
    const id = `01900000-0000-7000-8000-${String(index).padStart(12, "0")}`;
    const message = { id: `${id}`, role: "user", blocks: [{ type: "text", content }] };
    const lines = [
      { v: 1, seq: 1, ts, type: "header", version: 1, id, cwd: project.folder },
      { v: 1, seq: 2, ts, type: "edit", edit: { edit: "add-message", message } },
    ];
    writeFileSync(join(folder, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}
