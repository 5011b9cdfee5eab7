import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PendingPermission, PermissionAnswer } from "@/permissions/request.ts";
import type { Scenario } from "@/testing/index.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

interface Setup {
  settings?: object;
  /** In mode default, and every question is answered so. */
  answer?: (request: PendingPermission) => PermissionAnswer;
}

/** A project with a file that is read, one that is not, and a folder beside the project. */
async function play(
  calls: { name: string; arguments: Record<string, unknown> }[],
  { settings, answer = () => ({ decision: "allow" }) }: Setup = {},
) {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  mkdirSync(join(project, "sub"), { recursive: true });
  const file = (name: string) => join(project, name);
  writeFileSync(file("read.txt"), "one\ntwo\nthree\n");
  writeFileSync(file("unread.txt"), "secret\n");
  writeFileSync(file("bytes"), "a\0b");
  writeFileSync(join(folder.path, "outside.txt"), "outside\n");
  const read = { name: "Read", arguments: { file_path: "read.txt" } };
  const scenario: Scenario = [...[read, ...calls].map((call) => ({ call })), { say: "done" }];
  const asked: PendingPermission[] = [];
  const played = await playSession(folder.path, {
    ...(settings ? { settings } : {}),
    scenario,
    options: {
      permissionMode: "default",
      onPermissionRequest: (request) => {
        asked.push(request);
        return answer(request);
      },
    },
  });
  const here = (text: string) => text.replaceAll(project, "P").replaceAll(folder.path, "F");
  const results = blocksOf(played.messages, "tool").slice(1);
  return {
    asked,
    results: results.map(({ result = "" }) => here(result)),
    errors: results.map(({ error }) => error),
    events: played.events,
    left: existsSync(file("read.txt")) ? readFileSync(file("read.txt"), "utf8") : undefined,
    made: existsSync(file("new.txt")) ? readFileSync(file("new.txt"), "utf8") : undefined,
    end: played.end.because,
  };
}

const ASK_ALL = { permissions: { ask: ["Read", "KillShell", "BashOutput"] } };

describe("a call that cannot succeed", () => {
  const rows: [what: string, tool: string, input: Record<string, unknown>, told: string][] = [
    [
      "a Write over a file that was not read",
      "Write",
      { file_path: "unread.txt", content: "x" },
      "P/unread.txt exists and has not been read in this session. Read it first.",
    ],
    ["a Write to a folder", "Write", { file_path: "sub", content: "x" }, "P/sub is a folder, not a file."],
    [
      "an Edit of text that is not there",
      "Edit",
      { file_path: "read.txt", old_string: "four", new_string: "4" },
      "P/read.txt was not changed. old_string does not occur in the file. It must match exactly, with all spaces and line breaks.",
    ],
    [
      "a MultiEdit whose second edit finds nothing",
      "MultiEdit",
      {
        file_path: "read.txt",
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "one", new_string: "2" },
        ],
      },
      "P/read.txt was not changed. Edit 2 of 2: old_string does not occur in the file. It must match exactly, with all spaces and line breaks.",
    ],
    [
      "an Edit of a file that is not there, without the names of others",
      "Edit",
      { file_path: "raed.txt", old_string: "a", new_string: "b" },
      "P/raed.txt does not exist.",
    ],
    [
      "a Read of a file that is not there, without the names of others",
      "Read",
      { file_path: "../outsid.txt" },
      "F/outsid.txt does not exist.",
    ],
    ["a Read of a folder", "Read", { file_path: "sub" }, "P/sub is a folder. Use LS to see what is in it."],
    [
      "a Read of bytes",
      "Read",
      { file_path: "bytes" },
      "P/bytes is a binary file (3 bytes), so it cannot be shown as text.",
    ],
    ["a search in a place that is not there", "Grep", { pattern: "x", path: "no" }, "P/no does not exist."],
    ["names in a place that is not there", "Glob", { pattern: "no/*.ts" }, "P/no does not exist."],
    ["a list of a file", "LS", { path: "read.txt" }, "P/read.txt is not a folder. Use Read to see a file."],
    [
      "the output of a shell that was never started",
      "BashOutput",
      { bash_id: "bash_9" },
      "There is no background shell bash_9; none was started in this session.",
    ],
    [
      "the end of a shell that was never started",
      "KillShell",
      { shell_id: "bash_9" },
      "There is no background shell bash_9; none was started in this session.",
    ],
    [
      "arguments that do not fit",
      "Write",
      { file_path: "new.txt" },
      "The input does not fit Write: content is missing",
    ],
  ];

  it("is answered and never asked about, whichever tool it calls (PD-1)", async () => {
    const calls = rows.map(([, name, input]) => ({ name, arguments: input }));
    const { asked, results, errors, end } = await play(calls, { settings: ASK_ALL });
    // The Read before them is the one that can succeed.
    expect(asked.map(({ toolName }) => toolName)).toEqual(["Read"]);
    expect(rows.map(([what], index) => [what, results[index]])).toEqual(
      rows.map(([what, , , told]) => [what, told]),
    );
    expect(new Set(errors)).toEqual(new Set(["the call cannot be run"]));
    expect(end).toBe("done");
  });

  it("is judged by hooks all the same, and a hook's no is the answer (G1)", async () => {
    const hook = { type: "command", name: "no", command: "echo never >&2; exit 2" };
    const settings = { hooks: { PreToolUse: [{ matcher: "Write", hooks: [hook] }] } };
    const { asked, results } = await play(
      [{ name: "Write", arguments: { file_path: "unread.txt", content: "x" } }],
      { settings },
    );
    expect(asked).toEqual([]);
    expect(results).toEqual(["never"]);
  });

  it("says nothing about files where nobody can be asked (PD-3)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      scenario: [
        { call: { name: "Read", arguments: { file_path: join(folder.path, "gone.txt") } } },
        { say: "done" },
      ],
      options: { permissionMode: "default" },
    });
    const [block] = blocksOf(played.messages, "tool");
    expect(block?.result).toContain("this needs approval");
    expect(block?.result).not.toContain("exist");
  });
});

describe("a question about a file", () => {
  const write = (content: string, name = "read.txt") => ({
    name: "Write",
    arguments: { file_path: name, content },
  });

  it("has what is there and what would be there instead (T73)", async () => {
    const edit = {
      name: "Edit",
      arguments: { file_path: "read.txt", old_string: "1", new_string: "uno", replace_all: true },
    };
    const { asked, left } = await play([write("1\ntwo\n"), edit, write("new\n", "sub/new.txt")]);
    expect(asked.map(({ change }) => change && { ...change, path: "" })).toEqual([
      { path: "", before: "one\ntwo\nthree\n", after: "1\ntwo\n" },
      { path: "", before: "1\ntwo\n", after: "uno\ntwo\n" },
      { path: "", before: undefined, after: "new\n" },
    ]);
    expect(left).toBe("uno\ntwo\n");
  });

  it.each<[string, string, (path: string) => void, RegExp, { left?: string; made?: string }]>([
    [
      "a file that somebody changes",
      "read.txt",
      (path) => writeFileSync(path, "theirs\n"),
      /has changed since it was read/,
      { left: "theirs\n" },
    ],
    [
      "a file that somebody makes",
      "new.txt",
      (path) => writeFileSync(path, "theirs\n"),
      /has not been read/,
      { left: "one\ntwo\nthree\n", made: "theirs\n" },
    ],
    [
      "a file that somebody removes",
      "read.txt",
      (path) => rmSync(path),
      /is not what it was when this change was allowed: it is gone\. Nothing was written/,
      {},
    ],
  ])(
    "counts for the change that was shown: %s meanwhile stays as it is (PD-2)",
    async (_what, name, meddle, told, there) => {
      const { asked, results, left, made } = await play([write("mine\n", name)], {
        answer: (request) => {
          meddle(request.change?.path ?? "");
          return { decision: "allow" };
        },
      });
      expect(asked).toHaveLength(1);
      expect(results).toEqual([expect.stringMatching(told)]);
      expect({ left, made }).toEqual({ left: undefined, made: undefined, ...there });
    },
  );
});
