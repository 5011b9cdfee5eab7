import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import { SessionError } from "@/errors.ts";
import { renameSession } from "@/session/file/renameSession.ts";
import { loadSession } from "@/services/session.ts";
import { sessionFileFor, sessionsDirFor } from "@/session/file/sessionPaths.ts";
import { convertMessagesForAPI } from "@/utils/convertMessagesForAPI.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder, type TempFolder } from "../../support/tempFolder.ts";

const ID = "00000000-0000-4000-8000-000000000001";
const TEXT = { type: "text", content: "known" };
const AUDIO = { type: "audio", seconds: 3 };

interface Line {
  v?: number;
  type: string;
  [field: string]: unknown;
}

const header: Line = { type: "header", version: 1, id: ID, cwd: "/project" };
const added = (message: object): Line => ({ type: "edit", edit: { edit: "add-message", message } });
const first = added({ id: "m1", role: "user", blocks: [TEXT] });
const last = added({ id: "m9", role: "user", blocks: [TEXT] });

function written(sessionsDir: string, lines: readonly Line[]): string {
  mkdirSync(sessionsDir, { recursive: true });
  const file = sessionFileFor(sessionsDir, ID);
  const texts = lines.map((line, index) => JSON.stringify({ v: 1, seq: index + 1, ts: "2026", ...line }));
  writeFileSync(file, `${texts.join("\n")}\n`);
  return file;
}

const inHome = ({ path }: TempFolder, lines: readonly Line[]) => {
  const project = join(path, "project");
  mkdirSync(project, { recursive: true });
  return written(sessionsDirFor(join(path, "home"), project), lines);
};

const v2 = (line: Line): Line => ({ ...line, v: 2 });
const unknown = { type: "unknown", name: "audio", raw: AUDIO };

type Row = [title: string, lines: Line[], newer: string, between: object[]];

/** What stands between two messages that every version knows. */
const rows: Row[] = [
  ["a newer format", [header, first, last].map(v2), "format 2", []],
  ["a header of a newer format", [{ ...header, version: 3 }, first, last], "format 3", []],
  [
    "a record of another kind",
    [header, first, { type: "dreamt", of: "sheep" }, last],
    'record type "dreamt"',
    [],
  ],
  [
    "an edit of another kind",
    [header, first, { type: "edit", edit: { edit: "split", messageId: "m1" } }, last],
    'edit "split"',
    [{ blocks: [{ type: "unknown", name: "split", raw: { edit: "split", messageId: "m1" } }] }],
  ],
  [
    "a block of another kind in a message",
    [header, first, added({ id: "m2", role: "user", blocks: [TEXT, AUDIO, TEXT] }), last],
    'block "audio"',
    [{ id: "m2", blocks: [TEXT, unknown, TEXT] }],
  ],
  [
    "a block of another kind that was added",
    [
      header,
      first,
      added({ id: "m2", role: "assistant", blocks: [TEXT] }),
      { type: "edit", edit: { edit: "add-block", messageId: "m2", block: AUDIO } },
      last,
    ],
    'block "audio"',
    [{ id: "m2", blocks: [TEXT, unknown] }],
  ],
  [
    "a block of another kind in what a rewind brought back",
    [
      header,
      first,
      { type: "edit", edit: { edit: "bring-back", messages: [{ id: "m2", role: "user", blocks: [AUDIO] }] } },
      last,
    ],
    'block "audio"',
    [{ id: "m2", blocks: [unknown] }],
  ],
];

describe("a session that a newer version of Wave wrote", () => {
  it.each(rows)(
    "with %s shows all that is known, and the rest as unknown (G52)",
    async (_title, lines, newer, between) => {
      using folder = tempFolder();
      const loaded = await loadSession(written(folder.path, lines));
      expect(loaded).toMatchObject({ newer, messages: [{ id: "m1" }, ...between, { id: "m9" }] });
      expect(loaded?.problems).toEqual([expect.stringContaining(`newer version of Wave (${newer})`)]);
      expect(loaded?.problems[0]).not.toContain("damaged");
    },
  );

  it.each(rows)(
    "with %s is not written into, and goes on in a copy",
    async (_title, lines, newer, between) => {
      using folder = tempFolder();
      const file = inHome(folder, lines);
      const before = readFileSync(file);
      const options = { workdir: join(folder.path, "project"), waveHome: join(folder.path, "home") };
      const refused = await Agent.create({ ...options, resume: ID }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(SessionError);
      expect(refused).toMatchObject({
        kind: "newer",
        copyOf: ID,
        message: expect.stringMatching(/upgrade Wave, or go on in a copy/),
      });
      expect(String(refused)).toContain(newer);
      await expect(renameSession(file, "a name")).rejects.toThrow(/newer version of Wave.*upgrade/);

      await using live = await liveAgent(folder.path, [{ say: "on" }], {
        options: { resume: ID, fork: true },
      });
      await live.agent.sendMessage("go on");
      expect(live.agent.messages).toMatchObject([{ id: "m1" }, ...between, { id: "m9" }, {}, {}]);
      await live.agent.destroy();
      const copy = await loadSession(live.agent.sessionFile);
      expect(copy).toMatchObject({ problems: [], messages: live.agent.messages });
      expect(copy).not.toHaveProperty("newer");
      expect(readFileSync(file)).toEqual(before);
    },
  );
});

it("what an older version kept without knowing it is read by one that knows it", async () => {
  using folder = tempFolder();
  const kept = { type: "unknown", name: "text", raw: TEXT };
  const loaded = await loadSession(
    written(folder.path, [header, added({ id: "m1", role: "user", blocks: [kept, unknown] })]),
  );
  expect(loaded).toMatchObject({ problems: [], messages: [{ blocks: [TEXT, unknown] }] });
});

it("fields that this version does not know stay with their message", async () => {
  using folder = tempFolder();
  const message = { id: "m1", role: "user", blocks: [{ ...TEXT, language: "de" }], mood: "good" };
  const loaded = await loadSession(written(folder.path, [header, added(message)]));
  expect(loaded?.messages).toEqual([message]);
});

it("a block that does not fit its type does not cost its message, and does not count as newer (G52)", async () => {
  using folder = tempFolder();
  const damaged = { type: "text", content: 7 };
  const loaded = await loadSession(
    written(folder.path, [header, added({ id: "m1", role: "user", blocks: [TEXT, damaged] })]),
  );
  expect(loaded?.messages).toEqual([
    { id: "m1", role: "user", blocks: [TEXT, { type: "unknown", name: "text", raw: damaged }] },
  ]);
  expect(loaded?.problems).toEqual([expect.stringMatching(/^Line 2 has a block that does not fit its type/)]);
  expect(loaded).not.toHaveProperty("newer");
});

it("the model is told where something of the person's is left out that Wave does not know", () => {
  const block = { type: "unknown", name: "audio", raw: AUDIO } as const;
  const text = { type: "text", content: "listen" } as const;
  expect(
    convertMessagesForAPI([
      { id: "m1", role: "user", blocks: [text, block] },
      { id: "m2", role: "assistant", blocks: [{ type: "text", content: "yes" }, block] },
    ]),
  ).toEqual([
    {
      role: "user",
      content: "listen\n\n[left out: something that this version of Wave does not know (audio)]",
    },
    { role: "assistant", content: "yes" },
  ]);
});
