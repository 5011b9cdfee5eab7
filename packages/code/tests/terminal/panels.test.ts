import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { ScriptedReply, ScriptedRequest } from "wave-agent-sdk/testing";
import { askedIn } from "./support/asked.ts";
import { writeSession } from "./support/longSession.ts";
import { bash, hooksOf, READY } from "./support/screenSession.ts";
import { shareSession } from "./support/sharedSession.ts";
import type { KeyName } from "./support/keys.ts";
import type { TerminalRun } from "./support/terminal.ts";

/** What was typed last, whoever typed it. */
const asked = ({ body }: ScriptedRequest) => askedIn({ body });
/** The first and the last row of /help. */
const [HELP_BEGINS, HELP_ENDS] = ["/hooks    ", "q, Ctrl-C, Ctrl-D"];
const isAnswered = ({ body }: ScriptedRequest) => body.messages.at(-1)?.role === "tool";

/** A panel is drawn a moment before it listens. */
async function pressUntil(wave: TerminalRun, key: KeyName, sign: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await wave.press(key);
        await sleep(100);
        return wave.screen().join("\n");
      },
      { timeout: 10_000 },
    )
    .toContain(sign);
}

describe("panels", () => {
  const shared = shareSession({
    prepare: (project) => {
      writeSession(project, 8);
      project.write("src/engine.ts", "");
      project.write("src/wheel.ts", "");
    },
    settings: hooksOf(
      ["PreToolUse", "echo not here >&2; exit 2", "keeper"],
      [
        "UserPromptSubmit",
        `read -r line; case "$line" in *later*) until [ -e go-on ]; do sleep 0.05; done; esac`,
      ],
    ),
    scenario: (request) => {
      if (asked(request) === "later") return { say: "Said meanwhile." };
      return isAnswered(request) ? { say: "So be it." } : bash("touch never");
    },
  });
  beforeAll(async () => {
    await shared().say("try it");
    await shared().wave.waitForText("So be it.");
    await shared().idle();
  });

  /** The conversation has its screen back. */
  const back = () => {
    const { wave } = shared();
    const isBack = () =>
      wave.terminal.buffer.active.type === "normal" && wave.screen().join("\n").includes(READY);
    return wave.waitUntil(isBack, { what: "the conversation" });
  };
  const closed = async () => {
    await shared().wave.press("esc");
    await back();
  };

  it("/help lists the commands, then the keys, and scrolls", async () => {
    const { wave } = shared();
    await shared().say("/help");
    await wave.waitForText(/─ Help[^\n]*\n\s*Commands\n\s*\/help/);
    await pressUntil(wave, "end", "Ctrl-D");
    await closed();
  });

  it("/hooks has a page for each hook, a history, and a record that says why", async () => {
    const { wave } = shared();
    await shared().say("/hooks");
    await wave.waitForText("─ Hooks");
    await wave.press("enter");
    await wave.waitForText("echo not here >&2; exit 2");
    await wave.press("esc");
    await wave.waitForText("Space on/off");
    await wave.answer("h");
    await wave.waitForText("Hook history");
    await wave.press("enter");
    await wave.waitForText("Record");
    await wave.press("esc");
    await wave.waitForText("Hook history");
    await wave.press("esc");
    await wave.waitForText("Space on/off");
    await closed();
    await shared().say("/hooks why");
    await wave.waitForText("─ Why the last call");
    await closed();
  });

  it("completes files, commands and earlier prompts", async () => {
    const { wave } = shared();
    wave.type("look at @whe");
    await wave.waitForText("› src/wheel.ts");
    await wave.press("tab");
    await wave.waitForText("> look at @src/wheel.ts");
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
    wave.type("/cos");
    await wave.waitForText("› /cost");
    await wave.press("tab");
    await wave.waitForText("> /cost");
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
    await wave.press("ctrl-r");
    await wave.waitForText("› try it");
    await wave.press("enter");
    // In the input: the conversation has the same words.
    await wave.waitForText("│ > try it");
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
  });

  it.each([
    ["Esc", "\u001b"],
    ["q", "q"],
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s closes a panel, and Wave goes on", async (_name, key) => {
    const { wave } = shared();
    await shared().say("/help");
    await wave.waitForText(HELP_BEGINS);
    await pressUntil(wave, "end", HELP_ENDS);
    await wave.answer(key);
    await back();
    expect(wave.screen().join("\n")).not.toContain("again to leave");
  });

  it.each([
    [40, 20],
    [80, 24],
    [100, 30],
    [200, 50],
    [80, 30],
  ])("on %i columns and %i rows the conversation is where it was when a panel closes", async (cols, rows) => {
    const { wave } = shared();
    wave.resize(cols, rows);
    await wave.waitForText(`╭${"─".repeat(cols - 2)}╮`);
    for (const [command, title] of [
      ["/help", "─ Help"],
      ["/hooks", "─ Hooks"],
      ["/rewind", "─ Rewind"],
      ["/model", "─ Model"],
    ] as const) {
      await shared().say(command);
      await wave.waitForText(title);
      wave.type("\u0003");
      await back();
      expect(wave.screen().join("\n")).toContain("So be it.");
      expect(wave.text()).not.toContain(title);
    }
  });

  it("what is said while a panel is open is there, once, when it closes", async () => {
    const { wave, project, model } = shared();
    await shared().say("later");
    await wave.waitForText("Esc stops");
    await shared().say("/help");
    await wave.waitForText(HELP_BEGINS);
    project.write("go-on", "");
    await expect.poll(() => model.requests.some((request) => asked(request) === "later")).toBe(true);
    await pressUntil(wave, "end", HELP_ENDS);
    expect(wave.screen().join("\n")).not.toContain("Said meanwhile.");
    await wave.answer("q");
    await wave.waitForText("Said meanwhile.");
    await shared().idle();
    expect(wave.text().split("Said meanwhile.")).toHaveLength(2);
  });

  it("/resume finds an earlier session by what was said and goes on with it, in no looser mode", async () => {
    const { wave } = shared();
    await shared().say("/mode plan");
    await wave.waitForText("mode plan ·");
    await shared().say("/resume");
    // The one that is open here is not in the list.
    await wave.waitForText("1 session ");
    await wave.answer("question 1");
    await wave.waitForText("Search: question 1");
    await wave.takesKeys();
    await wave.press("enter");
    await wave.waitForText(/answer 8[^]*── another session, still with mode plan ──[^]*mode plan · scripted/);
    await wave.waitForText(READY);
  });

  it("/clear begins a session with the same mode and model, says which hooks are on again, and leaves no dead prompt", async () => {
    const { wave } = shared();
    await shared().say("/model other");
    await wave.waitForText("the model is now other");
    await shared().say("/hooks");
    await wave.waitForText(/─ Hooks ─.* 2 on ─/);
    await wave.answer(" ");
    await wave.waitForText(" 1 on");
    await closed();
    await shared().say("/clear");
    await wave.waitForText("── new session, still with mode plan, model other ──");
    await wave.waitForText("on again: keeper");
    await wave.waitForText(/Ask, or[^]*mode plan · other/);
    // Above it, windows became narrower.
    const drawn = wave.text().split("Said meanwhile.").at(-1)?.split("\n") ?? [];
    expect(drawn.filter((row) => row.startsWith("╭"))).toHaveLength(1);
    expect(drawn.filter((row) => row.startsWith("mode "))).toHaveLength(1);
  });

  it("a signal while a panel is open gives the terminal back, with the conversation on it (G45)", async () => {
    const { wave } = shared();
    await shared().say("/help");
    await wave.waitForText(HELP_BEGINS);
    wave.signal("SIGTERM");
    await wave.exit;
    expect(wave.terminal.buffer.active.type).toBe("normal");
    expect(wave.screen().join("\n")).toContain("answer 8");
  });
});

/** Reading is done at the same time, and outside the project it is asked about. */
const OUTSIDE = ["first.txt", "second.txt", "third.txt"];

describe("questions", () => {
  const WISHES: Record<string, ScriptedReply> = {
    three: { calls: OUTSIDE.map((file) => ({ name: "Read", arguments: { file_path: `../${file}` } })) },
    refuse: bash("touch refused"),
    wait: bash("touch after-a-while"),
    instead: bash("touch instead"),
    hidden: bash("touch hid\u200bden"),
    long: bash(`touch ${Array.from({ length: 300 }, (_, number) => `file${number}`).join(" ")} the-end`),
  };
  const shared = shareSession({
    settings: hooksOf(["PreToolUse", `read -r line; case "$line" in *after-a-while*) sleep 0.5;; esac`]),
    prepare: ({ folder }) => OUTSIDE.forEach((file) => writeFileSync(join(folder, "..", file), "text\n")),
    scenario: (request) => {
      const reply = WISHES[asked(request)];
      return reply && !isAnswered(request) ? reply : { say: `Heard: ${asked(request)}.` };
    },
  });

  const made = (name: string) => existsSync(join(shared().project.folder, name));
  /** A question with all of this is up and takes keys. */
  const question = async (...signs: string[]) => {
    const { wave } = shared();
    const isUp = () => [...signs, "Enter choose"].every((sign) => wave.screen().join("\n").includes(sign));
    await wave.waitUntil(isUp, { what: `a question with ${signs.join(" and ")}` });
  };

  it("come one after the other and are counted (PD-1, T70)", async () => {
    const { wave } = shared();
    await shared().say("three");
    for (const index of OUTSIDE.keys()) {
      await question(`${index + 1} of 3`);
      await wave.answer("y");
    }
    await wave.waitForText("Heard: three.");
    await shared().idle();
  });

  it("answered with n end the turn, and the prompt is back (PD-2)", async () => {
    const { wave } = shared();
    await shared().say("refuse");
    await question("touch refused");
    await wave.answer("n");
    await wave.waitForText("> refuse");
    await wave.waitForText("you said no: the turn has ended; your prompt is back in the input");
    await shared().idle();
    expect(made("refused")).toBe(false);
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
  });

  it("answered with n leave a draft as it is, and a line says where the prompt went (PD-2, T72)", async () => {
    const { wave } = shared();
    await shared().say("refuse");
    await question("touch refused");
    wave.type("x draft ");
    await wave.waitForText("draft kept: x draft");
    await wave.waitForText("Esc deny");
    await wave.answer("n");
    await wave.waitForText("your prompt is in the history (↑)");
    await wave.waitForText("> x draft");
    await shared().idle();
    await wave.press("up");
    await wave.waitForText("> refuse");
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
  });

  it("answered with words give them to the model as the next message (PD-2, T74)", async () => {
    const { wave } = shared();
    await shared().say("instead");
    await question("touch instead");
    await wave.answer("d");
    await wave.waitForText("Goes to the main agent as your message");
    wave.type("use another name");
    await wave.waitForText("deny: use another name");
    await wave.press("enter");
    await wave.waitForText("Heard: use another name.");
    await shared().idle();
    expect(made("instead")).toBe(false);
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
  });

  it("about hidden characters want more than one key (G36)", async () => {
    const { wave } = shared();
    await shared().say("hidden");
    await question("hidden character");
    await wave.answer("y");
    await wave.waitForText("to run it all the same");
    await wave.answer("y");
    await sleep(300);
    expect(made("hid\u200bden")).toBe(false);
    await wave.answer("c");
    await wave.waitForText("Heard: hidden.");
    await shared().idle();
    expect(made("hid\u200bden")).toBe(true);
  });

  it("show all of a long input, page by page (G36)", async () => {
    const { wave } = shared();
    await shared().say("long");
    await question("below");
    await wave.press("end");
    await wave.waitForText("the-end");
    await wave.press("esc");
    await wave.waitForText("> long");
    expect(made("the-end")).toBe(false);
  });

  it("leave a long paste whole that is on its way when they appear (T71, T72)", async () => {
    const session = shared();
    const { wave, model } = session;
    await wave.press("ctrl-u");
    await wave.waitForText(READY);
    await session.say("wait");
    await wave.waitForText("Esc stops");
    const lines = Array.from({ length: 2_000 }, (_, line) => `y ${line} ${"é".repeat(20)}`);
    wave.type("\u001b[200~");
    for (const line of lines.slice(0, 1_000)) wave.type(`${line}\r`);
    await question("after-a-while");
    wave.type(`${lines.slice(1_000).join("\r")}\u001b[201~`);
    // What says where typing goes is there for a moment only; what was pasted stays.
    await wave.waitForText("draft kept: y 0");
    await question("after-a-while");
    await wave.answerKey("esc");
    await wave.waitForText(/\[pasted text, 2,00[01] lines\]/);
    await session.idle();
    await wave.press("enter");
    await wave.waitForText(`${lines.at(-1)}.`);
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toBe(lines.join("\n"));
    expect(made("after-a-while")).toBe(false);
  });
});
