import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "@/hooks/events.ts";
import { factsOf } from "@/gate/callFacts.ts";
import { DeniedPaths } from "@/gate/deniedPaths.ts";
import { builtInTools } from "@/tools/index.ts";
import { blocksOf, playSession, type PlayedSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

const bash = (command: string): Call => ({ name: "Bash", arguments: { command } });

/** Every input that hooks of both events were given, in order. */
async function inputsOf(
  folder: string,
  calls: Call[],
): Promise<{ played: PlayedSession; inputs: HookInput[] }> {
  const log = [{ hooks: [{ type: "command", command: "cat >> ../inputs" }] }];
  const played = await playSession(folder, {
    settings: { hooks: { PreToolUse: log, PostToolUse: log } },
    scenario: [...calls.map((call) => ({ call })), { say: "done" }],
  });
  const lines = readFileSync(join(folder, "inputs"), "utf8").trim().split("\n");
  return { played, inputs: lines.map((line): HookInput => JSON.parse(line)) };
}

interface HookInput {
  hook_event_name: "PreToolUse" | "PostToolUse";
  affected_paths: { path: string; access: string; real_path?: string; below?: boolean }[];
  analysis: string;
  commands?: string[];
}

describe("hooks are told which files a call touches", () => {
  it("of a shell command: what it reads and writes, in the folder it works in (T85)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(join(project, "src"), { recursive: true });
    writeFileSync(join(project, "src/a.txt"), "a\n");
    const { inputs } = await inputsOf(folder.path, [
      bash("cd src && cat a.txt | tee b.txt > ../c.txt"),
      bash("cp a.txt d.txt && rm -rf old *.tmp"),
      bash("python3 --version; make all.txt"),
    ]);
    const [first, after, second, , third] = inputs;
    expect(first).toMatchObject({
      hook_event_name: "PreToolUse",
      affected_paths: [
        { path: join(project, "src/a.txt"), access: "read" },
        { path: join(project, "c.txt"), access: "write" },
        { path: join(project, "src/b.txt"), access: "write" },
      ],
      analysis: "complete",
      commands: ["cd src", "cat a.txt", "tee b.txt"],
    });
    // The command changed the folder; afterwards the files are still the same.
    expect(after).toMatchObject({ hook_event_name: "PostToolUse", affected_paths: first?.affected_paths });
    expect(second?.affected_paths).toEqual([
      { path: join(project, "src/a.txt"), access: "read" },
      { path: join(project, "src/d.txt"), access: "write" },
      { path: join(project, "src/d.txt/a.txt"), access: "write" },
      { path: join(project, "src/old"), access: "write", below: true },
      { path: join(project, "src"), access: "write", below: true },
    ]);
    expect(third).toMatchObject({
      affected_paths: [{ path: join(project, "src/all.txt"), access: "unknown" }],
      analysis: "incomplete",
    });
    for (const { hook_event_name, ...input } of inputs)
      expect(HOOK_EVENTS[hook_event_name].input().safeParse({ hook_event_name, ...input }).success).toBe(
        true,
      );
  });

  it("of a file tool alike, and where links lead (T85, T86, G29)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(join(project, "src"), { recursive: true });
    mkdirSync(join(folder.path, "elsewhere"));
    symlinkSync("../elsewhere", join(project, "link"));
    const { inputs } = await inputsOf(folder.path, [
      { name: "Write", arguments: { file_path: "link/a.txt", content: "x" } },
      { name: "Grep", arguments: { pattern: "x", path: "src" } },
      { name: "TodoWrite", arguments: { todos: [] } },
      bash("cat link/a.txt"),
    ]);
    const seen = inputs.filter(({ hook_event_name }) => hook_event_name === "PreToolUse");
    const link = { path: join(project, "link/a.txt"), real_path: join(folder.path, "elsewhere/a.txt") };
    expect(seen.map(({ affected_paths, analysis }) => [affected_paths, analysis])).toEqual([
      [[{ ...link, access: "write" }], "complete"],
      [[{ path: join(project, "src"), access: "read", below: true }], "complete"],
      [[], "complete"],
      [[{ ...link, access: "read" }], "complete"],
    ]);
  });

  it("as far as a call can be read at all (T85, T14)", async () => {
    using folder = tempFolder();
    const { inputs } = await inputsOf(folder.path, [
      { name: "NoSuchTool", arguments: { file_path: "a" } },
      { name: "Write", arguments: { file: "a" } },
      bash("cat 'a"),
    ]);
    expect(inputs.map(({ affected_paths, analysis }) => [affected_paths, analysis])).toEqual([
      [[], "incomplete"],
      [[], "incomplete"],
      [[{ path: join(folder.path, "project", "a"), access: "read" }], "incomplete"],
    ]);
  });
});

describe("after a deny", () => {
  it("another way to the same file carries the deny, and the transcript shows it (T87)", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "project", "a.txt");
    const guard = `in=$(cat); echo "$in" >> ../inputs; case "$in" in *'"Write"'*) echo "not this file" >&2; exit 2;; esac`;
    const { messages } = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", name: "guard", command: guard }] }] } },
      scenario: [
        { call: { name: "Write", arguments: { file_path: "a.txt", content: "x" } } },
        { call: bash("echo x > other.txt") },
        { call: bash("echo x | tee a.txt") },
        { say: "done" },
      ],
    });
    const inputs = readFileSync(join(folder.path, "inputs"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(inputs.map((input) => input.previous_denials)).toEqual([
      undefined,
      undefined,
      [
        {
          path: file,
          tool_name: "Write",
          tool_use_id: expect.any(String),
          by: "hook guard",
          reason: "not this file",
        },
      ],
    ]);
    expect(blocksOf(messages, "warn").map(({ content }) => content)).toEqual([
      `Bash touches ${file}, for which Write was denied earlier in this turn: hook guard`,
    ]);
  });

  const search = (path?: string): Call => ({
    name: "Grep",
    arguments: { pattern: "x", ...(path && { path }) },
  });
  const again: [denied: string, then: Call, about: string[]][] = [
    // The project as a whole is read by everything; what was named is what counts.
    ["git status; touch pwn", bash("git status"), []],
    ["git status; touch pwn", search(), []],
    ["git status; touch pwn", bash("git status; ls .."), []],
    ["git status; touch pwn", bash("cat pwn"), ["pwn"]],
    ["git status; touch pwn", bash("echo x > ./pwn"), ["pwn"]],
    ["cat src/a.txt", search("src"), []],
    ["ls -R src", search("src"), ["src"]],
    // A write that covers it.
    ["touch src/a.txt", bash("rm -rf src"), ["src/a.txt"]],
    ["touch src/a.txt", bash("rm -rf ."), ["src/a.txt"]],
    ["touch src/a.txt", bash("rm -rf src2"), []],
    ["touch src/a.txt", bash("git pull"), []],
    // To change all of it was denied: to read it is no other way to that, to change it is.
    ["rm -rf .", bash("git status"), []],
    ["rm -rf .", bash('rm -r "$PWD"'), ["."]],
  ];

  it.each(again)("of %j, then %j is about %j (T87)", (denied, then, about) => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, ".git"));
    mkdirSync(join(folder.path, "src"));
    const place = { projectDir: folder.path, cwd: folder.path, env: { PATH: "/usr/bin" } };
    const touched = (call: Call) => {
      const tool = builtInTools().find(({ name }) => name === call.name);
      return factsOf(tool, call.arguments, place).seen.touched;
    };
    const turn = new AbortController().signal;
    const denials = new DeniedPaths(place);
    denials.note(turn, { tool_name: "Bash", tool_use_id: "1", by: "", reason: "" }, touched(bash(denied)));
    const found = denials.about(turn, touched(then)).map(({ path }) => relative(folder.path, path) || ".");
    expect([...new Set(found)]).toEqual(about);
  });
});
