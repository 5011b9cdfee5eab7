import { cleanup, render } from "ink-testing-library";
import { afterEach, describe, expect, it } from "vitest";
import { Keyboard } from "../../src/keyboard/Keyboard.tsx";
import { KeyRouter } from "../../src/keyboard/keyRouter.ts";
import { PromptBox, type PromptBoxProps } from "../../src/components/PromptBox.tsx";
import type { ListedFiles } from "../../src/input/completion.ts";

/** The limit is only there so that a test that hangs ends. */
const PATIENT = { timeout: 20_000 };

afterEach(() => cleanup());

function show(props: Partial<PromptBoxProps> = {}) {
  const calls: string[] = [];
  const all: PromptBoxProps = {
    isActive: true,
    width: 60,
    queued: [],
    history: ["first", "second"],
    commands: [
      { name: "help", description: "keys and commands" },
      { name: "hooks", description: "every hook" },
    ],
    listFiles: () => Promise.resolve({ names: ["src/index.ts", "README.md"] }),
    onSubmit: (text) => calls.push(`submit ${JSON.stringify(text)}`),
    onChange: (text) => calls.push(`change ${JSON.stringify(text)}`),
    onAction: (action) => calls.push(`action ${action}`),
    ...props,
  };
  const router = new KeyRouter();
  const around = (changed: Partial<PromptBoxProps> = {}) => (
    <Keyboard router={router}>
      <PromptBox {...all} {...changed} />
    </Keyboard>
  );
  const screen = render(around());
  return {
    calls,
    frame: () => screen.lastFrame() ?? "",
    /** The rows of the text, without frame and mark. */
    text: () =>
      (screen.lastFrame() ?? "")
        .split("\n")
        .filter((line) => line.startsWith("│"))
        .map((line) => line.slice(4, -2).trimEnd()),
    press: (keys: string) => screen.stdin.write(keys),
    update: (changed: Partial<PromptBoxProps>) => screen.rerender(around(changed)),
    router,
  };
}

const ENTER = "\r";
const UP = "\u001b[A";
const DOWN = "\u001b[B";
const ESC = "\u001b";
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

describe("the prompt", () => {
  it("shows its frame, a placeholder and the keys", () => {
    const { frame } = show({ placeholder: "Ask Wave" });
    expect(frame()).toBe(
      [
        `╭${"─".repeat(58)}╮`,
        `│ > Ask Wave${" ".repeat(47)}│`,
        `╰${"─".repeat(58)}╯`,
        ` Enter sends · Shift+Enter new line · @ files · / commands`,
      ].join("\n"),
    );
  });

  it("takes what is typed and sends it with Enter", async () => {
    const { press, text, calls } = show();
    press("hi");
    press(" 日本");
    await expect.poll(text, PATIENT).toEqual(["hi 日本"]);
    press(ENTER);
    await expect.poll(text, PATIENT).toEqual([""]);
    expect(calls).toEqual(['change "hi"', 'change "hi 日本"', 'submit "hi 日本"']);
  });

  it("takes text and Enter that arrive together, each once", () => {
    const { press, calls } = show();
    press(`one${ENTER}`);
    press(`two${ENTER}`);
    expect(calls.filter((call) => call.startsWith("submit"))).toEqual(['submit "one"', 'submit "two"']);
  });

  it.each([
    ["Alt+Enter", "\u001b\r"],
    ["Shift+Enter", "\u001b[13;2u"],
    ["Ctrl-J", "\n"],
    ["a backslash and Enter", "\\\r"],
  ])("begins a new line with %s", async (_name, keys) => {
    const { press, text } = show();
    press("one");
    press(keys);
    press("two");
    await expect.poll(text, PATIENT).toEqual(["one", "two"]);
  });

  it("takes a paste as one piece and folds a large one", async () => {
    const { press, text, calls } = show();
    press("see ");
    press(paste("a\r\nb"));
    await expect.poll(text, PATIENT).toEqual(["see a", "b"]);
    const large = "x\r".repeat(1_024);
    press(paste(large));
    await expect.poll(text, PATIENT).toEqual(["see a", "b[pasted text, 1,024 lines]"]);
    press(ENTER);
    await expect.poll(text, PATIENT).toEqual([""]);
    expect(calls.at(-1)).toBe(`submit ${JSON.stringify(`see a\nb${"x\n".repeat(1_024)}`)}`);
  });

  it("takes a paste of a megabyte and stays quick", async () => {
    const { press, text, calls } = show();
    const megabyte = "日本語 and words\n".repeat(60_000);
    const began = performance.now();
    press(paste(megabyte));
    await expect.poll(text, PATIENT).toEqual(["[pasted text, 60,000 lines]"]);
    for (const letter of "abc") press(letter);
    await expect.poll(text, PATIENT).toEqual(["[pasted text, 60,000 lines]abc"]);
    // About half a second; the limit only catches work that grows with the text at every key.
    expect(performance.now() - began).toBeLessThan(20_000);
    press(ENTER);
    expect(calls.at(-1)?.length).toBe(`submit ${JSON.stringify(`${megabyte}abc`)}`.length);
  });

  it("draws no control character of a paste", async () => {
    const { press, text } = show();
    press(paste("a\u001b[31mb\u0007\u202e"));
    await expect.poll(text, PATIENT).toEqual(["a\\x1b[31mb\\x07\\u202e"]);
  });

  it("goes through earlier prompts and back to the draft", async () => {
    const { press, text } = show();
    press("draft");
    press(UP);
    await expect.poll(text, PATIENT).toEqual(["second"]);
    press(UP);
    press(UP);
    await expect.poll(text, PATIENT).toEqual(["first"]);
    press(DOWN);
    press(DOWN);
    await expect.poll(text, PATIENT).toEqual(["draft"]);
  });

  it("completes commands", async () => {
    const { press, text, frame } = show();
    press("/h");
    await expect.poll(frame, PATIENT).toContain("› /help   keys and commands\n  /hooks  every hook");
    press(DOWN);
    press("\t");
    await expect.poll(text, PATIENT).toEqual(["/hooks"]);
    expect(frame()).not.toContain("every hook");
  });

  it("completes files, and says that it is looking for them", async () => {
    const { promise, resolve } = Promise.withResolvers<ListedFiles>();
    const { press, text, frame } = show({ listFiles: () => promise });
    press("see @ind");
    await expect.poll(frame, PATIENT).toContain("looking for files …");
    resolve({ names: ["src/index.ts", "README.md"] });
    await expect.poll(frame, PATIENT).toContain("› src/index.ts");
    press("\t");
    await expect.poll(text, PATIENT).toEqual(["see @src/index.ts"]);
  });

  it("says when the files cannot be listed", async () => {
    const { press, frame } = show({ listFiles: () => Promise.reject(new Error("no git here")) });
    press("@x");
    await expect.poll(frame, PATIENT).toContain("the files here cannot be listed: no git here");
  });

  it("says when the list of files is not all of them, with matches and without", async () => {
    const lacks = "only the first 2 files are searched";
    const names = ["src/index.ts", "README.md"];
    const { press, frame } = show({ listFiles: () => Promise.resolve({ names, lacks }) });
    press("@ind");
    await expect.poll(frame, PATIENT).toContain(lacks);
    expect(frame()).toContain("› src/index.ts");
    press("igo");
    await expect.poll(frame, PATIENT).toContain(`no match; ${lacks}`);
    press(" ");
    await expect.poll(frame, PATIENT).not.toContain(lacks);
  });

  it("stops looking for files when nobody asks for one any more", async () => {
    let signal: AbortSignal | undefined;
    const { press } = show({
      listFiles: (given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    press("@ind");
    await expect.poll(() => signal?.aborted, PATIENT).toBe(false);
    press(" ");
    await expect.poll(() => signal?.aborted, PATIENT).toBe(true);
  });

  it("puts a text back when it is given a new one, and only then (T162)", async () => {
    const { press, text, update, calls } = show();
    const back = (whole: string) => ({ text: whole, beforeDraft: whole, byItself: false });
    update({ restore: { id: 1, ...back("blocked\nprompt") } });
    await expect.poll(text, PATIENT).toEqual(["blocked", "prompt"]);
    expect(calls).toEqual([]);
    press("!");
    update({ restore: { id: 1, ...back("blocked\nprompt") } });
    await expect.poll(text, PATIENT).toEqual(["blocked", "prompt!"]);
    update({ restore: { id: 2, ...back("again") } });
    await expect.poll(text, PATIENT).toEqual(["again", "", "blocked", "prompt!"]);
  });

  it("types the keys that a dialog gives back, without sending, and hears nothing of those it takes (T71, T72)", async () => {
    const { press, text, calls, router } = show();
    press("so ");
    await expect.poll(text, PATIENT).toEqual(["so"]);
    const place = {};
    router.cover(place, { asks: "x", came: "opened", onKey: () => "x" });
    press("taken");
    for (const typed of [
      { by: "key", input: "y", key: {} },
      { by: "key", input: "", key: { return: true } },
      { by: "paste", text: "pasted" },
    ] as const)
      router.toDraft(typed);
    await expect.poll(text, PATIENT).toEqual(["so y", "pasted"]);
    expect(calls.filter((call) => !call.startsWith("change"))).toEqual([]);
    router.uncover(place);
    press("!");
    await expect.poll(text, PATIENT).toEqual(["so y", "pasted!"]);
  });

  it("begins with the text it is given", () => {
    expect(show({ initialText: "a draft" }).text()).toEqual(["a draft"]);
  });

  it.each([
    ["Shift+Tab", "\u001b[Z", "cycle-mode"],
    ["Ctrl-C twice", "\u0003\u0003", "exit"],
    ["Ctrl-D", "\u0004", "exit"],
    ["Ctrl-O", "\u000f", "expand"],
    ["Ctrl-L", "\u000c", "redraw"],
    ["Esc Esc", "\u001b\u001b", "back"],
    ["Esc", ESC, "interrupt"],
  ])("tells the app about %s", async (_name, keys, action) => {
    const { press, calls } = show();
    press(keys);
    await expect.poll(() => calls, PATIENT).toEqual([`action ${action}`]);
  });

  it("shows what is queued, and how much more there is", () => {
    const { frame } = show({ queued: ["one\ntwo", "\u001b[2Jthree", "x".repeat(200), "four", "five"] });
    expect(frame().split("\n").slice(0, 4)).toEqual([
      "  waiting: one\\ntwo",
      "  waiting: \\x1b[2Jthree",
      `  waiting: ${"x".repeat(48)}…`,
      "  and 2 more",
    ]);
  });

  it("shows which of it is being told, and the keys for what waits", () => {
    const { frame } = show({ width: 70, telling: ["now"], queued: ["later"], waiting: "prompt" });
    expect(frame().split("\n").slice(0, 2)).toEqual(["  telling it: now", "  waiting: later"]);
    expect(frame()).toContain("Enter again: tell it now · Up takes back what waits");
    expect(show({ queued: ["!ls"], waiting: "something" }).frame()).not.toContain("tell it now");
  });

  it("shows a window of a long text", async () => {
    const { text } = show({
      initialText: Array.from({ length: 30 }, (_, n) => `row ${n}`).join("\n"),
      maxRows: 3,
    });
    expect(text()).toEqual(["↑ 27 more rows above", "row 27", "row 28", "row 29"]);
  });

  it("says how many more names there are than it shows, above and below", async () => {
    const commands = Array.from({ length: 14 }, (_, number) => ({ name: `c${number}`, description: "" }));
    const { press, frame } = show({ commands });
    press("/");
    await expect.poll(frame, PATIENT).toContain("↓ 8 more");
    expect(frame()).not.toContain("↑ 8");
    press("\u001b[A");
    await expect.poll(frame, PATIENT).toContain("› /c13");
    expect(frame()).toContain("↑ 8 more");
    expect(frame()).not.toContain("↓ 8");
  });

  it("says what ! and # will do", async () => {
    const { press, frame } = show();
    press("!");
    await expect.poll(frame, PATIENT).toContain("Enter runs it in your shell");
    press("\u007f");
    press("#n");
    await expect.poll(frame, PATIENT).toContain("Enter adds it to AGENTS.md");
  });

  it.each([40, 60, 100])("fits into %i columns", async (width) => {
    const { press, frame } = show({ width, queued: ["q".repeat(300)] });
    press("/");
    press("\u007f");
    press(`@${"long words ".repeat(30)}`);
    await expect.poll(frame, PATIENT).toContain("words");
    for (const line of frame().split("\n")) expect(line.length).toBeLessThanOrEqual(width);
  });
});
