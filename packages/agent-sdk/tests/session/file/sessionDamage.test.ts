import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Message } from "@/messages/blocks.ts";
import { applyEdit } from "@/messages/edits.ts";
import type { SessionRecord } from "@/messages/sessionLines.ts";
import { loadSession, saveSession } from "@/services/session.ts";
import {
  added,
  answered,
  callMessage,
  sessionIn,
  started,
  userMessage,
} from "../../support/sessionRecords.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const RECORDS: SessionRecord[] = [
  added(userMessage("m1")),
  added(callMessage("m2", "t1")),
  started("t1"),
  answered("t1", "ok"),
  added(userMessage("m3", "the last one, with an emoji 🌊 and é")),
];

/** The bytes of a session with these records. */
function sample(sessionsDir: string): Buffer {
  const handle = sessionIn(sessionsDir, "sample");
  saveSession(handle, RECORDS);
  handle.close?.();
  return readFileSync(handle.file);
}

function messagesOf(records: readonly SessionRecord[]): Message[] {
  return records
    .flatMap((record) => (record.type === "edit" ? [record.edit] : []))
    .reduce<Message[]>(applyEdit, []);
}

describe("a session file that was cut off", () => {
  it("loads up to the cut, says so, and goes on on a line of its own, for a cut at every byte (G51, G60)", async () => {
    using folder = tempFolder();
    const whole = sample(folder.path);
    const lastLine = whole.subarray(0, -1).lastIndexOf("\n") + 1;
    const early = messagesOf(RECORDS.slice(0, -1));
    for (let cut = lastLine; cut < whole.length; cut++) {
      const handle = sessionIn(folder.path, `cut-${cut}`);
      const prefix = whole.subarray(0, cut);
      writeFileSync(handle.file, prefix);
      // Without its newline the last record is complete all the same; without anything of it nothing is missing.
      const torn = cut > lastLine && cut < whole.length - 1;
      const kept = cut === whole.length - 1 ? messagesOf(RECORDS) : early;
      const loaded = await loadSession(handle.file);
      expect(loaded?.messages).toEqual(kept);
      expect(loaded?.problems.map((problem) => problem.slice(0, 24))).toEqual(
        torn ? ["Line 6 is half a record,"] : [],
      );

      const next = added(userMessage("next"));
      expect(saveSession(handle, [next])).toEqual({ saved: true });
      handle.close?.();
      const after = readFileSync(handle.file);
      expect(after.subarray(0, cut).equals(prefix)).toBe(true);
      const again = await loadSession(handle.file);
      expect(again?.messages).toEqual([...kept, userMessage("next")]);
      // The half line was reported once and is explained by the record after it.
      expect(again?.problems).toEqual([]);
      const types = after
        .subarray(cut)
        .toString()
        .match(/"type":"(recovered","bytes":\d+|edit")/g);
      const recovered = cut > lastLine ? [`"type":"recovered","bytes":${cut - lastLine}`] : [];
      expect(types).toEqual([...recovered, '"type":"edit"']);
    }
  });

  it("to nothing says that it is empty", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    for (const text of ["", "\n\n"]) {
      writeFileSync(handle.file, text);
      expect((await loadSession(handle.file))?.problems).toEqual([
        "The file is empty: nothing of an earlier session is left in it.",
      ]);
    }
  });

  it("gets a header after all when not even that was finished (G51)", async () => {
    using folder = tempFolder();
    const whole = sample(folder.path);
    for (const cut of [0, 1, 40, whole.indexOf("\n") - 1]) {
      const handle = sessionIn(folder.path, `cut-${cut}`);
      writeFileSync(handle.file, whole.subarray(0, cut));
      expect(await loadSession(handle.file)).toMatchObject({ id: handle.id, messages: [] });
      saveSession(handle, [added(userMessage("m1"))]);
      handle.close?.();
      expect(await loadSession(handle.file)).toMatchObject({
        cwd: "/project",
        messages: [{ id: "m1" }],
        problems: [],
      });
    }
  });
});

it.each([
  ["random bytes", Buffer.from(Array.from({ length: 300 }, (_, index) => 128 + ((index * 37) % 128)))],
  ["the beginning of a record", Buffer.from('{"v":1,"seq":1,"ts":"2026')],
])(
  "a file with nothing but %s is not said to be a session with an end missing (G52)",
  async (_what, bytes) => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    writeFileSync(handle.file, bytes);
    expect((await loadSession(handle.file))?.problems).toEqual([
      "Its only line is no record of a session, so nothing of it could be read: the file is damaged or is something else.",
    ]);
  },
);

describe("a damaged line", () => {
  const damages: [string, (line: string) => Buffer | string, RegExp][] = [
    ["that is not JSON", (line) => line.slice(1), /is not valid JSON/],
    ["with a NUL byte", (line) => line.replace("type", "ty\0pe"), /is not valid JSON/],
    ["that is all NUL bytes", (line) => "\0".repeat(line.length), /is not valid JSON/],
    [
      "with bytes that are no UTF-8",
      (line) => Buffer.concat([Buffer.from(line.slice(0, -2)), Buffer.of(0xff), Buffer.from('"}')]),
      /not UTF-8/,
    ],
    ["that is another JSON value", () => "[1, 2]", /is not a session record/],
    ["without its number", (line) => line.replace(/"seq":\d+,/, ""), /is not a session record/],
    ["that lost a field", (line) => line.replace(/("type":"\w+").*/, "$1}"), /does not fit its type/],
  ];

  it.each(damages)(
    "%s costs that line and is reported with its number (G52)",
    async (_what, damage, problem) => {
      using folder = tempFolder();
      const lines = sample(folder.path).toString().split("\n").slice(0, -1);
      for (const [index, line] of lines.entries()) {
        const handle = sessionIn(folder.path, `line-${index}`);
        const bytes = Buffer.concat(
          lines.flatMap((other, at) => [Buffer.from(at === index ? damage(line) : other), Buffer.from("\n")]),
        );
        writeFileSync(handle.file, bytes);
        const left = messagesOf(RECORDS.filter((_record, at) => at !== index - 1));
        const loaded = await loadSession(handle.file);
        expect(loaded).toMatchObject({ id: index === 0 ? handle.id : "sample", messages: left });
        expect(loaded?.problems).toEqual([expect.stringMatching(problem)]);
        expect(loaded?.problems[0]).toContain(`Line ${index + 1} `);

        saveSession(handle, [added(userMessage("next"))]);
        handle.close?.();
        expect(readFileSync(handle.file).subarray(0, bytes.length).equals(bytes)).toBe(true);
        expect((await loadSession(handle.file))?.messages).toEqual([...left, userMessage("next")]);
      }
    },
  );

  it("is no line that an editor gave a byte order mark, Windows line ends or a blank neighbour (G52)", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    const text = sample(folder.path).toString().replaceAll("\n", "\r\n\n");
    writeFileSync(handle.file, `\u{FEFF}${text}`);
    expect(await loadSession(handle.file)).toMatchObject({
      id: "sample",
      messages: messagesOf(RECORDS),
      problems: [],
    });
  });

  it("is not the only loss: a file without its first line says that it is gone (G52)", async () => {
    using folder = tempFolder();
    const whole = sample(folder.path);
    const handle = sessionIn(folder.path, "headless");
    writeFileSync(handle.file, whole.subarray(whole.indexOf("\n") + 1));
    const loaded = await loadSession(handle.file);
    expect(loaded?.messages).toEqual(messagesOf(RECORDS));
    expect(loaded?.problems).toEqual([
      "The first line, which says when and where the session began, is missing, and more may be: what is left was read.",
    ]);
  });

  it("among thousands is counted, not listed (G52)", async () => {
    using folder = tempFolder();
    const handle = sessionIn(folder.path);
    const bad = "not a record\n".repeat(5_000);
    writeFileSync(handle.file, `${sample(folder.path).toString()}${bad}`);
    const problems = (await loadSession(handle.file))?.problems ?? [];
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe("4980 more lines could not be read and were skipped.");
    writeFileSync(handle.file, bad);
    expect((await loadSession(handle.file))?.problems).toEqual([
      "None of its 5000 lines is a record of a session, so nothing of it could be read: the file is damaged or is something else.",
    ]);
  });
});
