import { describe, expect, it } from "vitest";
import { describeRequest, hiddenIn } from "../../src/asking/describe.ts";
import { arrange } from "../../src/asking/arrange.ts";
import { layOut, wrapLine } from "../../src/asking/layout.ts";
import { visibleText } from "../../src/asking/visibleText.ts";
import stringWidth from "string-width";
import { bash, pending } from "./requests.ts";

const shown = (text: string) =>
  visibleText(text).lines.map((line) => line.map((piece) => piece.text).join(""));

const rows = (request: ReturnType<typeof pending>, width = 76) =>
  arrange(layOut(describeRequest(request), width), Infinity, width).rows.map(({ gutter, pieces }) =>
    (gutter + pieces.map((piece) => piece.text).join("")).trimEnd(),
  );

describe("what a person could not see", () => {
  const table: [string, string, string, number][] = [
    ["an escape sequence", "a\u001b[2Jb", "a\\x1b[2Jb", 1],
    ["a title sequence", "\u001b]0;x\u0007", "\\x1b]0;x\\x07", 2],
    ["a one-byte CSI", "\u009b2J", "\\x9b2J", 1],
    ["a carriage return", "safe\rrm", "safe\\rrm", 1],
    ["a backspace", "ab\b\b", "ab\\x08\\x08", 2],
    ["a direction override", "a\u202eb\u202c", "a\\u202eb\\u202c", 2],
    ["a zero-width space", "r\u200bm", "r\\u200bm", 1],
    ["a zero-width joiner between letters", "r\u200dm", "r\\u200dm", 1],
    ["a byte-order mark", "\ufeffls", "\\ufeffls", 1],
    ["a no-break space", "rm\u00a0-rf", "rm\\xa0-rf", 1],
    ["a Hangul filler", "a\u3164b", "a\\u3164b", 1],
    ["a braille blank", "a\u2800b", "a\\u2800b", 1],
    ["a tag character", "a\u{e0041}b", "a\\u{e0041}b", 1],
    ["half a surrogate pair", "a\ud800b", "a\\ud800b", 1],
    ["a variation selector on a letter", "a\ufe0fb", "a\\ufe0fb", 1],
    ["a pile of accents", "a\u0301\u0301\u0301\u0301", "a\\u0301\\u0301\\u0301\\u0301", 4],
    ["a gap that pushes the rest off the screen", `ls${" ".repeat(60)}; rm`, "ls[60 spaces]; rm", 1],
    ["an emoji of several characters", "👩‍💻 ❤️ 1️⃣", "👩‍💻 ❤️ 1️⃣", 0],
    ["accents as people write them", "Zoë e\u0301", "Zoë e\u0301", 0],
    ["indentation", `${" ".repeat(60)}x`, `${" ".repeat(60)}x`, 0],
    ["a tab", "a\tb", "a→   b", 0],
  ];
  it.each(table)("is made visible: %s (G36)", (_what, text, expected, hidden) => {
    expect([shown(text), visibleText(text).hidden]).toEqual([[expected], hidden]);
  });

  it("behind a screen of empty lines is pointed at (G36)", () => {
    expect(shown(`ls${"\n".repeat(31)}rm`)).toEqual(["ls", "[30 empty lines]", "rm"]);
    expect(visibleText(`ls${"\n".repeat(31)}rm`).hidden).toBe(1);
    expect(visibleText(`ls${"\n".repeat(31)}`).hidden).toBe(0);
  });

  it("counts wherever it is in the input (G36)", () => {
    const edit = { file_path: "/a", edits: [{ old_string: "a", new_string: "b\u200b" }] };
    expect(hiddenIn(pending({ toolName: "MultiEdit", input: edit }))).toBe(1);
    expect(hiddenIn(pending({ toolName: "mcp__a__b", input: { "fie\u200bld": 1 } }))).toBe(1);
    expect(hiddenIn(pending({ toolName: "Write", input: { file_path: "/a", content: "a\r\nb\r\n" } }))).toBe(
      0,
    );
    expect(hiddenIn(pending({ toolName: "Bash", input: { command: "a\r\nb" } }))).toBe(1);
  });
});

describe("the body of the dialog", () => {
  it("says what will run, which hook changed what, who asks, why, and where (T73, T95)", () => {
    const request = bash("git push", {
      originalInput: { command: "git push --force", timeout: 5 },
      changedBy: {
        command: "hook no-force-push (/home/me/project/.wave/settings.json:3)",
        timeout: "hook patience (/etc/wave/settings.json:7)",
      },
      askedBy: ["hook no-force-push (/home/me/project/.wave/settings.json:3)"],
      reason: "It was forced.\nNow it is not.",
    });
    expect(rows(request)).toEqual([
      "│ git push",
      "command, changed by hook no-force-push (.wave/settings.json:3); before",
      "- git push --force",
      "timeout, taken away by hook patience (/etc/wave/settings.json:7)",
      "- 5",
      "asked by hook no-force-push (.wave/settings.json:3)",
      "It was forced.",
      "Now it is not.",
      "in /home/me/project",
    ]);
  });

  it.each([
    [
      "a mode",
      ["mode default"],
      "Mode default asks before running a command.",
      ["default mode asks before commands"],
    ],
    ["a hook", ["hook guard (/p/s.json:3)"], "Sure?", ["hook guard (/p/s.json:3): Sure?"]],
    [
      "a rule",
      ["rule Bash(git push:*)"],
      "Rule Bash(git push:*) in /s.json asks before this call: git push.",
      ["Rule Bash(git push:*) in /s.json asks before this call: git push"],
    ],
    [
      "a protected file",
      ["protected path /p/.git/config"],
      "This would write /p/.git/config: it runs programs.",
      ["This would write /p/.git/config: it runs programs"],
    ],
    [
      "two",
      ["hook guard", "rule Bash(ls)"],
      "Sure?\nRule Bash(ls) in /s asks.",
      ["asked by hook guard", "Sure?", "Rule Bash(ls) in /s asks."],
    ],
  ])("names whoever asks once: %s (T73)", (_what, askedBy, reason, expected) => {
    expect(rows(bash("ls", { askedBy, reason })).slice(1, -1)).toEqual(expected);
  });

  it.each([
    ["letters of every width", "Diese Zeile geht über den Rand", ["Diese Zeile geht", "über den Rand"]],
    [
      "a sign that something was cut",
      "it runs aaaaaaa…zzz and more of it",
      ["it runs", "aaaaaaa…zzz and", "more of it"],
    ],
    ["hidden characters", "this is the \u202ereason", ["this is the", "\\u202ereason"]],
  ])("breaks a reason between its words: %s", (_what, reason, expected) => {
    const body = layOut(describeRequest(bash("ls", { reason, askedBy: [] })), 18);
    const texts = body.because.map(({ pieces }) =>
      pieces
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    );
    expect(texts).toEqual(expected);
  });

  it("shows a command whole, and its length when one look does not do (G36)", () => {
    const command = `echo ${"x".repeat(200)}\nls`;
    const body = rows(bash(command), 40);
    expect(body[0]).toBe("208 characters");
    const lines = body.filter((row) => /^[│┊]/.test(row));
    expect(lines.map((row) => (row.startsWith("│") ? "│" : "┊"))).toEqual([
      "│",
      "┊",
      "┊",
      "┊",
      "┊",
      "┊",
      "│",
    ]);
    expect(lines.map((row) => row.slice(2)).join("")).toBe(command.replace("\n", ""));
  });

  it("shows an edit with its path and sizes, then its texts", () => {
    const input = { file_path: "/p/a.ts", old_string: "one", new_string: "two\nthree\n" };
    expect(rows(pending({ toolName: "Edit", input })).slice(0, 6)).toEqual([
      "│ /p/a.ts",
      "replaces 1 line, 3 characters",
      "- one",
      "with 2 lines, 10 characters",
      "+ two",
      "+ three",
    ]);
  });

  it("can show the input as the tool gets it", () => {
    const { input } = describeRequest(bash("ls"), { shows: "json" });
    expect(input.flatMap((part) => part.lines.flat()).map((piece) => piece.text)).toEqual([
      "{",
      '  "command": "ls"',
      "}",
    ]);
  });

  it("cuts wide letters to the width and loses none", () => {
    const text = "漢字かな交じり👩‍💻文e\u0301".repeat(20);
    const cut = wrapLine([{ text, hidden: false }], 17).map((row) => row.map((piece) => piece.text).join(""));
    expect(cut.join("")).toBe(text);
    expect(Math.max(...cut.map((row) => stringWidth(row)))).toBeLessThanOrEqual(17);
  });

  it("takes a megabyte without a noticeable wait", () => {
    const content = "some text of a file 漢\n".repeat(50_000);
    const started = performance.now();
    expect(rows(pending({ toolName: "Write", input: { file_path: "/a", content } })).length).toBeGreaterThan(
      50_000,
    );
    // A hang bound, not a measurement.
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

it("tells how many calls of the same answer are judged only after this one (T70)", () => {
  expect(rows(bash("ls", { callsBehind: 2 }))).toContain("then 2 more calls, asked one by one");
  expect(rows(bash("ls")).join("\n")).not.toContain("then");
});

describe("a command that the person typed", () => {
  const typed = (changes: Parameters<typeof pending>[0]) =>
    pending({ origin: "person", input: { command: "touch a", timeout: 600_000 }, ...changes });

  it("is called that, and has no time limit that nobody typed (T23, T73)", () => {
    expect(describeRequest(typed({})).title).toBe("You typed this with !");
    expect(rows(typed({})).join("\n")).not.toMatch(/timeout|600/);
    expect(describeRequest(pending()).title).toBe("Main agent wants to run a command");
    expect(rows(bash("ls", { input: { command: "ls", timeout: 5 } }))).toContain("│ 5");
  });

  it("shows the time limit that a hook has set (PD-2)", () => {
    const originalInput = { command: "touch a", timeout: 600_000 };
    const changed = typed({ input: { command: "touch a", timeout: 5 }, originalInput });
    expect(rows(changed)).toEqual(expect.arrayContaining(["timeout", "│ 5", "- 600000"]));
  });
});

describe("who asks", () => {
  it("stands first, with what a sub-agent was started for, and nothing in it that a terminal acts on (acceptance 7, G36)", () => {
    const agent = { id: "agent_1", type: "explore", description: "look\u001b[2J around" };
    expect(describeRequest(pending()).title).toBe("Main agent wants to run a command");
    expect(describeRequest(pending({ agent })).title).toBe(
      "Sub-agent explore (look\\x1b[2J around) wants to run a command",
    );
  });
});
