import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import { FileMemory } from "@/tools/fileMemory.ts";
import type { GatePass } from "@/tools/gatePass.ts";
import { builtInTools } from "@/tools/index.ts";
import { ShellRegistry } from "@/tools/shells.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { noJournal } from "../support/toolBench.ts";

const deny = {
  hooks: { PreToolUse: [{ hooks: [{ type: "command", name: "deny all", command: "echo no >&2; exit 2" }] }] },
};

describe("no tool runs except through the gate", () => {
  it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
    "%s refuses a pass that the gate did not make (T16, G12)",
    async (_name, tool) => {
      using folder = tempFolder();
      const session = {
        projectDir: folder.path,
        cwd: folder.path,
        env: {},
        files: new FileMemory(),
        journal: noJournal,
        shells: new ShellRegistry(),
        todos: [],
      };
      const marker = join(folder.path, "marker");
      const input = {
        command: `touch '${marker}'`,
        file_path: marker,
        content: "x",
        path: folder.path,
        pattern: "*",
        todos: [],
        bash_id: "bash_1",
        shell_id: "bash_1",
        edits: [],
        old_string: "",
        new_string: "x",
      };
      const forged = { input, toolUseId: "forged" } as object as GatePass<Record<string, unknown>>;
      const { signal } = new AbortController();
      const context = {
        session,
        signal,
        onOutput: () => {},
        bounds: "none" as const,
        hidden: () => [],
        searchFilter: undefined,
      };
      await expect((async () => tool.run(forged, context))()).rejects.toThrow(TypeError);
      expect(existsSync(marker)).toBe(false);
    },
  );

  const calls = (project: string) => [
    { name: "Bash", arguments: { command: "touch marker" } },
    { name: "Bash", arguments: { command: "touch marker", run_in_background: true } },
    { name: "BashOutput", arguments: { bash_id: "bash_1" } },
    { name: "KillShell", arguments: { shell_id: "bash_1" } },
    { name: "Read", arguments: { file_path: join(project, "secret") } },
    { name: "Write", arguments: { file_path: join(project, "marker"), content: "x" } },
    { name: "Edit", arguments: { file_path: join(project, "secret"), old_string: "a", new_string: "b" } },
    {
      name: "MultiEdit",
      arguments: { file_path: join(project, "secret"), edits: [{ old_string: "a", new_string: "b" }] },
    },
    { name: "Glob", arguments: { pattern: "*" } },
    { name: "Grep", arguments: { pattern: "x" } },
    { name: "LS", arguments: { path: project } },
    { name: "TodoWrite", arguments: { todos: [] } },
    { name: "Agent", arguments: { description: "d", prompt: "touch marker" } },
    { name: "WebFetch", arguments: { url: "http://127.0.0.1:9/" } },
    { name: "ExitPlanMode", arguments: { plan: "touch marker" } },
    { name: "NoSuchTool", arguments: {} },
  ];

  it("has a call for every tool there is (T13)", () => {
    const names = new Set(calls("/").map((call) => call.name));
    expect(builtInTools().filter((tool) => !names.has(tool.name))).toEqual([]);
  });

  it.each(PERMISSION_MODES)(
    "a hook that denies everything stops every tool in mode %s, also those that rules allow (T13, T15, T20, G1)",
    async (permissionMode) => {
      using folder = tempFolder();
      const project = join(folder.path, "project");
      const played = await playSession(folder.path, {
        settings: { ...deny, permissions: { allow: ["Bash", "Read", "Edit"] } },
        scenario: [{ calls: calls(project) }, { say: "done" }],
        options: { permissionMode },
      });
      expect(played.events.filter((event) => event.type === "tool_started")).toEqual([]);
      expect(blocksOf(played.messages, "tool").map((block) => block.result)).toEqual(
        calls(project).map(() => "no"),
      );
      expect(existsSync(join(project, "marker"))).toBe(false);
    },
  );

  it("every call that ran has exactly one decision before it, with the hash of what ran (G12, G61)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      scenario: [
        {
          calls: [
            { name: "LS", arguments: { path: "." } },
            { name: "Bash", arguments: { command: "true" } },
            { name: "TodoWrite", arguments: { todos: [] } },
          ],
        },
        { say: "done" },
      ],
    });
    const ran = played.events.flatMap((event) => (event.type === "tool_started" ? [event.toolUseId] : []));
    const decided = played.file.split("\n").flatMap((line) => {
      const record = line.includes('"type":"decision"') ? JSON.parse(line).record : undefined;
      return record?.event === "PreToolUse" ? [record] : [];
    });
    expect(ran).toHaveLength(3);
    expect(decided.map((record) => [record.toolUseId, record.decision])).toEqual(
      ran.map((id) => [id, "allow"]),
    );
    for (const record of decided) expect(played.file).toContain(`"inputHash":"${record.finalInputHash}"`);
  });
});

describe("calls of one answer", () => {
  it("each have their own hooks, and one deny stops only its own call (T17)", async () => {
    using folder = tempFolder();
    const command = `in=$(cat); case "$in" in *three*) echo "not three" >&2; exit 2;; esac; echo "$in" >> seen`;
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ matcher: "LS", hooks: [{ type: "command", command }] }] } },
      scenario: [
        { calls: ["one", "two", "three", "four"].map((path) => ({ name: "LS", arguments: { path } })) },
        { say: "done" },
      ],
    });
    const results = blocksOf(played.messages, "tool").map((block) => block.result);
    expect(results[2]).toBe("not three");
    expect(results.filter((result) => result === "not three")).toHaveLength(1);
    const ids = new Set(blocksOf(played.messages, "tool").map((block) => block.id));
    expect(ids.size).toBe(4);
  });

  it("are followed by the feedback of all their hooks, once each and in order (T18)", async () => {
    using folder = tempFolder();
    const command = `n=$(sed 's/.*"path":"[^"]*\\/\\([a-z]*\\)".*/\\1/'); echo "{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PostToolUse\\",\\"additionalContext\\":\\"about $n\\"}}"`;
    const played = await playSession(folder.path, {
      settings: { hooks: { PostToolUse: [{ hooks: [{ type: "command", command }] }] } },
      scenario: [
        { calls: ["a", "b", "c"].map((path) => ({ name: "LS", arguments: { path } })) },
        { say: "done" },
      ],
    });
    expect(blocksOf(played.messages, "hook").map((block) => block.content)).toEqual([
      "about a",
      "about b",
      "about c",
    ]);
    expect(played.requests[1]?.body.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
      "user",
      "user",
      "user",
    ]);
  });

  it("do not start after one of them ended the turn, and all are answered (T19, T149)", async () => {
    using folder = tempFolder();
    const command = `grep -q '"command":"touch first"' && echo '{"continue": false, "stopReason": "enough"}'; exit 0`;
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } },
      scenario: [
        {
          calls: ["first", "second"].map((name) => ({
            name: "Bash",
            arguments: { command: `touch ${name}` },
          })),
        },
        { say: "never" },
      ],
    });
    expect(played.end).toMatchObject({ because: "halted", reason: "enough", modelCalls: 1 });
    expect(existsSync(join(folder.path, "project", "second"))).toBe(false);
    expect(blocksOf(played.messages, "tool").map((block) => [block.stage, block.success])).toEqual([
      ["ended", false],
      ["ended", false],
    ]);
  });
});

describe("an input", () => {
  it("has absolute paths before hooks see it", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "cat >&2; exit 2" }] }] } },
      scenario: [{ call: { name: "Read", arguments: { file_path: "sub/../file.txt" } } }, { say: "done" }],
    });
    expect(blocksOf(played.messages, "tool")[0]?.result).toContain(
      `"file_path":"${join(folder.path, "project", "file.txt")}"`,
    );
  });

  it("of broken JSON is answered to the model, after its hooks had their say", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "cat > seen.json" }] }] } },
      scenario: [{ call: { name: "Bash", arguments: '{"command": "ls' } }, { say: "done" }],
    });
    expect(blocksOf(played.messages, "tool")[0]?.result).toMatch(
      /arguments could not be read.*\{"command": "ls/s,
    );
    expect(existsSync(join(folder.path, "project", "seen.json"))).toBe(true);
    expect(played.requests.flatMap((request) => request.problems)).toEqual([]);
  });

  it("that was cut at the output limit is answered with that, and the call before it runs", async () => {
    using folder = tempFolder();
    const write = (path: string) => `{"file_path": "${path}", "content": "text`;
    const played = await playSession(folder.path, {
      scenario: [
        {
          calls: [
            { name: "Write", arguments: `${write("whole.txt")}"}` },
            { name: "Write", arguments: write("cut.txt") },
          ],
          finish: "length",
        },
        { say: "done" },
      ],
    });
    expect(blocksOf(played.messages, "tool").map(({ result }) => result)).toEqual([
      expect.stringContaining("whole.txt"),
      expect.stringMatching(
        /^The arguments could not be read: your answer reached its output limit .* smaller/,
      ),
    ]);
    expect(existsSync(join(folder.path, "project", "cut.txt"))).toBe(false);
  });

  it("that a formatter hook changes on disk after an edit does not make the next edit fail (T186)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "project", "a.txt");
    const played = await playSession(folder.path, {
      settings: {
        hooks: {
          PostToolUse: [
            { matcher: "Edit|Write", hooks: [{ type: "command", command: "echo formatted >> a.txt" }] },
          ],
        },
      },
      scenario: [
        { call: { name: "Write", arguments: { file_path: file, content: "one\n" } } },
        { call: { name: "Edit", arguments: { file_path: file, old_string: "one", new_string: "two" } } },
        { say: "done" },
      ],
    });
    expect(blocksOf(played.messages, "tool").map((block) => block.success)).toEqual([true, true]);
    expect(played.requests[1]?.text).toContain("was changed after your edit");
  });
});

it("a request with all tools stays far below what other agents send", async () => {
  using folder = tempFolder();
  writeFileSync(join(folder.path, "note"), "");
  const played = await playSession(folder.path, { scenario: [{ say: "hi" }] });
  expect(played.requests[0]?.bytes).toBeLessThan(12 * 1024);
});
