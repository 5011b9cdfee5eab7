import { cleanup, render } from "ink-testing-library";
import stringWidth from "string-width";
import { afterEach, describe, expect, it } from "vitest";
import type { PendingPermission } from "wave-agent-sdk";
import { asksOf, countOf, emptyQueue, offeredChoices, type Queue } from "../../src/asking/openRequests.ts";
import { updateQueue, type Seen } from "../../src/asking/queue.ts";
import { LONGEST_RULE } from "../../src/asking/rule.ts";
import type { View } from "../../src/asking/shown.ts";
import type { Typed } from "../../src/asking/typed.ts";
import { PermissionDialog } from "../../src/components/PermissionDialog.tsx";
import { HandClock, TestKeys } from "../support/keyboard.tsx";
import { bash, DOWN, key, PAGE_DOWN, pending, PUSH_RULE, view } from "../asking/requests.ts";

afterEach(cleanup);

/** A queue whose first request is on the screen and takes keys. */
function asked(requests: PendingPermission[]): Queue {
  let queue = emptyQueue();
  for (const request of requests) [queue] = updateQueue(queue, { event: "arrived", request, at: 0 });
  return updateQueue(queue, { event: "tick", at: 200 })[0];
}

const press = (queue: Queue, keys: Typed[], rows: Partial<View> = { lastTop: 100 }) =>
  keys.reduce((now, typed) => {
    const { visible } = now;
    const seen = visible && { id: visible.request.id, inputHash: visible.inputHash, ...view(rows) };
    return updateQueue(now, { event: "typed", typed, seen, at: 5_000 })[0];
  }, queue);

interface Screen {
  frame: string;
  typed: { typed: Typed; seen: Seen | undefined }[];
  write: (data: string) => void;
}

function show(queue: Queue, { columns = 80, rows = 24, keys = new TestKeys() } = {}): Screen {
  if (!queue.visible) throw new Error("nothing is visible");
  const typed: Screen["typed"] = [];
  const asks = asksOf(queue) ?? "";
  const { lastFrame, stdin } = render(
    keys.around(
      <PermissionDialog
        visible={queue.visible}
        count={countOf(queue)}
        columns={columns}
        rows={rows}
        asks={asks}
        onTyped={(key, seen) => {
          typed.push({ typed: key, seen });
          return asks;
        }}
        onEarly={() => false}
        onStop={() => {}}
      />,
    ),
  );
  return { frame: lastFrame() ?? "", typed, write: stdin.write };
}

const plain = (frame: string) =>
  // oxlint-disable-next-line no-control-regex -- colours are what it takes away
  frame.replaceAll(/\u001b\[[\d;]*m/g, "");

describe("the permission dialog", () => {
  it("shows who asks for what and why, and the keys, at 80 columns (PD-1, PD-2, T70, T73, T80)", () => {
    const { frame } = show(asked([pending(), pending({ id: "r2" }), pending({ id: "r3" })]));
    expect(`\n${plain(frame)}\n`).toBe(`
╭──────────────────────────────────────────────────────────────────────────────╮
│ Main agent wants to run a command in /home/me/project                 1 of 3 │
│ │ git push origin main                                                       │
│ default mode asks before commands                                            │
│ › y  allow once                                                              │
│   s  always allow Bash(git push:*) this session    p  always in this project │
│   n  deny    d  deny, and say what to do instead                             │
│ ↑↓ Enter choose · Esc deny · Esc Esc stop                                    │
╰──────────────────────────────────────────────────────────────────────────────╯
`);
  });

  it("puts the choices side by side at 40 columns and 10 rows: all of it is on the screen (T73, T80)", () => {
    const queue = press(asked([pending(), pending({ id: "r2" })]), [DOWN]);
    expect(`\n${plain(show(queue, { columns: 40, rows: 10 }).frame)}\n`).toBe(`
Main agent wants to run a command 1 of 2
│ git push origin main
default mode asks before commands
in /home/me/project
 y allow once
›s Bash(git push:*) in session
 p in project · n deny · d deny, and say
↑↓ Enter choose · Esc deny
Esc Esc stop
`);
  });

  it("keeps who asks, why and all keys where less fits, and says what is out of sight (T73)", () => {
    const { frame } = show(asked([pending({ callsBehind: 2 })]), { columns: 40, rows: 7 });
    expect(`\n${plain(frame)}\n`).toBe(`
Main agent wants to run a command
default mode asks before commands
│ git push origin main
rows 1–1 of 3, 2 below · ←→ scroll
›y allow once
 s Bash(git push:*) in session
 p in project · n deny · d deny, and say
`);
    const npm = {
      ...PUSH_RULE,
      choices: [{ rules: ["Bash(npm run build)"] }, { rules: ["Bash(npm run build:*)"] }],
    };
    const two = plain(show(asked([bash("npm run build", { rule: npm })]), { columns: 40, rows: 9 }).frame);
    expect(two.split("\n").slice(-4)).toEqual([
      "›y allow once",
      " s Bash(npm run build) in session",
      " p in project · w wider · n deny",
      " d deny, and say",
    ]);
    const wide = plain(show(asked([pending()]), { columns: 80, rows: 5 }).frame).split("\n");
    expect(wide.slice(-2)).toEqual([
      "›y allow once · s Bash(git push:*) in session · p in project · n deny",
      " d deny, and say",
    ]);
  });

  it("is one line where it has no room at all, and takes nothing but a no (PD-2, T73)", () => {
    const small = { columns: 40, rows: 4 };
    const { frame, typed, write } = show(asked([pending()]), small);
    expect(plain(frame)).toBe("make the terminal larger, or press n");
    for (const pressed of ["y", "s", "c", "\r", "\u001b[B", "n"]) write(pressed);
    expect(typed.map(({ seen }) => seen?.id)).toEqual([...Array<undefined>(5), "r1"]);
    expect(plain(show(asked([pending()]), { columns: 80, rows: 3 }).frame)).toBe(
      "Main agent wants to run a command: make the terminal larger, or press n",
    );
    const writing = press(asked([pending()]), [key("d"), key("no")]);
    expect(plain(show(writing, { columns: 40, rows: 6 }).frame)).toContain("deny, tell the main agent: no");
    const hardly = show(writing, small);
    expect(plain(hardly.frame)).toBe("make the terminal larger, or press Esc");
    hardly.write("n");
    expect(hardly.typed.map(({ seen }) => seen)).toEqual([undefined]);
  });

  it("breaks a choice between its words where it can", () => {
    const rule = {
      offered: true,
      choices: [{ rules: ["Edit(./some/notes.txt)"] }],
      file: "/p/.wave/settings.local.json",
    } as const;
    const { frame } = show(asked([bash("a\nb\nc", { rule })]), { columns: 40, rows: 20 });
    expect(plain(frame)).toContain("s  always allow Edit(./some/notes.txt)\n     this session");
  });

  it("scrolls with a key, so that all of it can be read (T73)", () => {
    const queue = asked([pending({ callsBehind: 2 })]);
    const { typed, frame, write } = show(queue, { columns: 40, rows: 7 });
    expect(frame).not.toContain("then 2 more calls");
    write("\u001b[6~");
    const [pressed] = typed;
    expect(pressed?.seen).toMatchObject({ id: "r1", page: 1, lastTop: 2 });
    const scrolled = press(queue, [PAGE_DOWN, PAGE_DOWN], { page: 1, lastTop: 2 });
    const after = show(scrolled, { columns: 40, rows: 7 });
    expect(after.frame).toContain("then 2 more calls, asked one by one");
    expect(after.frame).toContain("rows 3–3 of 3");
  });

  it("keeps who asks, why and where above an input that is longer than the room, in a window of 40x20 (PD-1, T73)", () => {
    const queue = asked([
      bash(Array.from({ length: 46 }, (_, at) => `step ${at + 1}`).join("\n"), {
        askedBy: ["hook guard (.wave/settings.json:3)"],
        reason: "It has many steps, and every one of them should be looked at before it runs.",
      }),
    ]);
    const { frame, typed, write } = show(queue, { columns: 40, rows: 16 });
    expect(`\n${plain(frame)}\n`).toBe(`
Main agent wants to run a command
asked by hook guard
(.wave/settings.json:3)
It has many steps, and every one of th …
in /home/me/project
358 characters
│ step 1
│ step 2
│ step 3
│ step 4
rows 1–5 of 51, 46 below
› y  allow once
  n  deny
  d  deny, and say what to do instead
↑↓ Enter choose · ←→ scroll · Esc deny
Esc Esc stop
`);
    write("y");
    const [pressed] = typed;
    if (!pressed) throw new Error("no key came");
    const [paged] = updateQueue(queue, { event: "typed", ...pressed, at: 5_000 });
    const after = plain(show(paged, { columns: 40, rows: 16 }).frame);
    expect(after).toContain("asked by hook guard");
    expect(after).toContain("unseen: PgDn, or c allows");
    expect(plain(show(paged, { columns: 80, rows: 16 }).frame)).toMatch(
      /! \d+ rows not seen yet: PgDn, or c to allow unseen/,
    );
  });

  it("shows what a hook changed, which hook asked, and why there is no rule (T34, T73)", () => {
    const request = bash("git push", {
      originalInput: { command: "git push --force" },
      askedBy: ["hook no-force-push"],
      reason: "Somebody else may have pushed.",
    });
    const { frame } = show(asked([request]));
    for (const text of [
      "│ git push ",
      "- git push --force",
      "hook no-force-push",
      "hook no-force-push: Somebody else may have pushed",
      "cannot be remembered: a hook asked",
    ])
      expect(plain(frame)).toContain(text);
    expect(frame).not.toMatch(/this session|always/);
  });

  it("opens a line for words, and says where they go (T74)", () => {
    const writing = press(asked([pending()]), [key("d"), key("no"), key(" \u001b[2J")]);
    const { frame } = show(writing, { columns: 40, rows: 10 });
    expect(plain(frame)).toContain("deny: no \\x1b[2J");
    expect(frame).toContain("Goes to the main agent as your message");
    expect(frame).toContain("Enter send · Esc back");
    const long = press(writing, [key("x".repeat(100)), key("END")]);
    expect(plain(show(long, { columns: 40, rows: 10 }).frame)).toMatch(/deny: …x+END/);
  });

  it("asks for a second key when there are hidden characters (G36)", () => {
    const queue = asked([bash("echo a\u202eb")]);
    const { frame } = show(queue);
    expect(plain(frame)).toContain("echo a\\u202eb");
    expect(frame).toContain("! 1 hidden character, spelled out");
    expect(plain(frame)).toMatch(/› ?n +deny/);
    expect(show(press(queue, [key("y")])).frame).toContain("Press c to run it all the same");
  });

  it.each([
    [80, 24, "Typing still goes to your prompt"],
    [40, 24, "Typing still goes to your prompt"],
    // Where there is no room for words: nothing is marked.
    [40, 10, "  y allow once".slice(1)],
  ])("says at %i×%i where keys go as long as they do not answer (T71)", (columns, rows, words) => {
    const keys = new TestKeys({ clock: new HandClock() });
    const { frame, typed, write } = show(asked([pending()]), { columns, rows, keys });
    expect(plain(frame)).toContain(words);
    expect(plain(frame)).not.toMatch(/›|Enter choose/);
    write("y");
    expect(typed).toEqual([]);
  });

  it("hands over every key with what was seen (T70)", () => {
    const queue = asked([pending()]);
    const { typed, write } = show(queue);
    write("y");
    write("\u001b[200~pasted\u001b[201~");
    expect(typed).toMatchObject([
      { typed: { by: "key", input: "y" }, seen: { id: "r1", inputHash: queue.visible?.inputHash } },
      { typed: { by: "paste", text: "pasted" } },
    ]);
  });

  it.each<[string, PendingPermission, Typed[]]>([
    ["choosing", pending(), []],
    [
      "a long rule",
      bash("ls", {
        rule: { ...PUSH_RULE, choices: [{ rules: ["Bash(npm run build --workspace a --watch)"] }] },
      }),
      [],
    ],
    ["confirming", bash("echo a\u202eb"), [key("y")]],
    ["writing", pending(), [key("d")]],
  ])("cuts no key and no word of a choice at 40 columns: %s (T73)", (_what, request, keys) => {
    const queue = press(asked([request]), keys);
    const choices = queue.visible ? offeredChoices(queue.visible) : [];
    for (const columns of [40, 120]) {
      const frame = plain(show(queue, { columns, rows: 20 }).frame);
      const letters = (text: string) => text.replaceAll(/[│╭╮╰╯─·›\s]+/g, "");
      const words = letters(frame);
      expect(words).not.toContain("…");
      if (queue.visible?.dialog.mode.is === "writing") continue;
      for (const { key: letter, label, short } of choices)
        expect(
          [letter + label, letter + short].some((one) => words.includes(letters(one))),
          label,
        ).toBe(true);
    }
  });

  it.each([
    [100, "npm test"],
    [80, "npm test"],
    [40, "npm test"],
  ])("takes at most ten rows for a short command, at %i columns", (columns, command) => {
    const rule = { ...PUSH_RULE, rule: `Bash(${command})`, wider: `Bash(${command}:*)` };
    const lines = plain(show(asked([bash(command, { rule })]), { columns, rows: 40 }).frame).split("\n");
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  it.each([40, 57, 80, 200])("never grows past the room it has, at %i columns (T73)", (columns) => {
    const command = `${"漢字 word ".repeat(500)}\n${"\t".repeat(50)}\n${"x\n".repeat(300)}`;
    for (const rows of [7, 14, 30]) {
      const long = { ...PUSH_RULE, rule: `Bash(${"x".repeat(LONGEST_RULE - 6)})` };
      const two = {
        ...PUSH_RULE,
        choices: [{ rules: [`Bash(${"x ".repeat(22)}x)`] }, { rules: [`Bash(${"x".repeat(22)})`] }],
      };
      const questions = [
        asked([bash(command)]),
        asked([bash("ls", { rule: long })]),
        asked([bash("ls", { rule: two })]),
        press(asked([bash("ls", { rule: two })]), [key("w")]),
        asked([bash(`${command}\u200b`)]),
      ];
      for (const question of questions) {
        const lines = plain(show(question, { columns, rows }).frame).split("\n");
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
      }
    }
  });
});

describe("nothing from a request controls the terminal", () => {
  const hostile = [
    "\u001b[2J\u001b[H",
    "\u001b]0;title\u0007",
    "\u001b]52;c;cm0gLXJm\u001b\\",
    "\u001bP+q\u001b\\",
    "\u001b[?1049h",
    "\u009b31m\u009d0;x\u009c",
    "\u0007\b\b\r\u000b\u000c\u007f\u0000",
    "\u202e\u2066\u200b\u200f\u2028\u2029\ufeff\u{e0041}",
    "\u001b[1A\u001b[2K",
  ];
  const forbidden =
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

  it.each([
    ["the command", (text: string) => bash(text)],
    ["a field", (text: string) => pending({ toolName: "mcp__a__b", input: { [text]: { deep: [text] } } })],
    [
      "a file",
      (text: string) => pending({ toolName: "Write", input: { file_path: `/a${text}`, content: text } }),
    ],
    [
      "edits",
      (text: string) =>
        pending({
          toolName: "MultiEdit",
          input: { file_path: "/a", edits: [{ old_string: text, new_string: text }, text] },
        }),
    ],
    ["what a hook changed", (text: string) => bash("ls", { originalInput: { command: text, [text]: text } })],
    ["the reason", (text: string) => bash("ls", { reason: text })],
    ["who asked", (text: string) => bash("ls", { askedBy: [`hook ${text}`] })],
    ["the folder", (text: string) => bash("ls", { cwd: `/p${text}` })],
    ["the tool's name", (text: string) => pending({ toolName: text })],
  ])("in %s (G36)", (_where, request) => {
    const { frame } = show(asked([request(hostile.join("x"))]), { columns: 60, rows: 60 });
    expect(plain(frame)).not.toMatch(forbidden);
    expect(frame).toContain("\\x1b[2J");
  });
});
