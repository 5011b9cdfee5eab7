import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { identityOf, type HookDefinition } from "@/hooks/definition.ts";
import { planHooks } from "@/hooks/plan.ts";
import { stricter, type Decision } from "@/hooks/readObject.ts";
import { readVerdict, type Verdict } from "@/hooks/verdict.ts";
import { executeHooks } from "@/services/hook.ts";
import { loadSettings, type Settings } from "@/workspace/settings/settings.ts";
import { FACTS, hookContext } from "../../support/runHooks.ts";
import { memoryFolder, tempFolder, type TempFolder } from "../../support/tempFolder.ts";
import { AGENT_GUARDS, BROKEN, FIFTY_CALLS, type AgentGuard } from "./guards.ts";

const TOOLS = ["Bash", "Read", "Write", "Edit", "Grep", "mcp__db__query"];

function settingsIn(folder: TempFolder, files: Record<string, unknown>): Settings {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    if (path.endsWith(".sh")) chmodSync(file, 0o755);
  }
  const home = join(folder.path, "..", "home");
  return loadSettings({
    projectDir: folder.path,
    home,
    managedFile: join(home, "none"),
    personHome: home,
    plugins: [],
  });
}

const guardIn = (folder: TempFolder, { file, settings, script }: AgentGuard, broken?: string): Settings =>
  settingsIn(folder, {
    [file]: settings("./guard.sh"),
    "guard.sh": `#!/usr/bin/env bash\n${broken ?? script}\n`,
  });

/** What the hooks of an event say of its facts. */
async function judge(
  folder: TempFolder,
  hooks: readonly HookDefinition[],
  event: HookDefinition["event"],
  facts: Record<string, unknown>,
): Promise<Verdict[]> {
  const value = typeof facts["tool_name"] === "string" ? facts["tool_name"] : undefined;
  const { run } = planHooks(event, value, hooks, { knownTools: TOOLS, facts });
  const context = hookContext(folder.path);
  const { tool_name: _tool, tool_input: _input, ...common } = context.input;
  const results = await executeHooks(event, { ...context, input: { ...common, ...facts } }, run);
  return results.map((result, at) => readVerdict(event, result, judged(run[at])));
}

function judged(hook: HookDefinition | undefined) {
  if (!hook) throw new Error("a result without a hook");
  const { onError, action } = hook;
  return { ...identityOf(hook), onError, action };
}

const decisionOf = (verdicts: readonly Verdict[]): Decision =>
  verdicts.map(({ decision }) => decision).reduce(stricter, "none");

const call = (tool_name: string, tool_input: Record<string, unknown>) => ({
  ...FACTS.PreToolUse,
  tool_name,
  tool_input,
});

describe("the same guard, written for each agent", () => {
  const refused = ([tool, input]: (typeof FIFTY_CALLS)[number]) =>
    tool === "Bash"
      ? /rm -rf|git push/.test(String(input["command"]))
      : /\.env$|\/\.ssh\//.test(String(input["file_path"]));

  it("is tried with fifty calls, of which it refuses some", () => {
    expect(FIFTY_CALLS).toHaveLength(50);
    expect(FIFTY_CALLS.filter(refused).length).toBeGreaterThan(15);
  });

  it.each(AGENT_GUARDS)("decides the same on fifty calls: $agent (T1, G1)", async (guard) => {
    using folder = tempFolder();
    const { hooks, problems } = guardIn(folder, guard);
    expect(problems).toEqual([]);
    expect(
      hooks.every(
        ({ dialect, source }) => dialect === (guard.dialect ?? guard.agent) && source.scope === "project",
      ),
    ).toBe(true);
    const decided = await Promise.all(
      FIFTY_CALLS.map(async ([tool, input]) =>
        decisionOf(await judge(folder, hooks, "PreToolUse", call(tool, input))),
      ),
    );
    const wrong = FIFTY_CALLS.filter((one, at) => (decided[at] === "deny") !== refused(one));
    expect(wrong).toEqual([]);
  });

  it.each(AGENT_GUARDS)(
    "never lets a call pass without a word when it is broken: $agent (T2, G3)",
    async (guard) => {
      const silent: string[] = [];
      for (const [how, script] of Object.entries(BROKEN)) {
        using folder = tempFolder();
        const { hooks } = guardIn(folder, guard, script);
        if (how === "is not executable") chmodSync(join(folder.path, "guard.sh"), 0o644);
        if (how === "is not there") rmSync(join(folder.path, "guard.sh"));
        const verdicts = await judge(folder, hooks, "PreToolUse", call("Bash", { command: "ls" }));
        const isSilent = verdicts.every(
          ({ decision, errors, warnings }) =>
            decision !== "deny" && decision !== "ask" && errors.length + warnings.length === 0,
        );
        if (verdicts.length === 0 || isSilent) silent.push(how);
      }
      expect(silent).toEqual([]);
    },
  );
});

const echo = "#!/usr/bin/env bash\ncat > read.json\ncat answer.json 2> /dev/null\n";

describe("what a hook for another agent reads and prints", () => {
  it.each<
    [
      string,
      string,
      object,
      HookDefinition["event"],
      Record<string, unknown>,
      object,
      object,
      Partial<Verdict>,
    ]
  >([
    [
      "a rewrite for Gemini CLI is merged into the call",
      ".gemini/settings.json",
      {
        hooks: { BeforeTool: [{ matcher: "write_.*", hooks: [{ type: "command", command: "./hook.sh" }] }] },
      },
      "PreToolUse",
      call("Write", { file_path: "/p/a", content: "x" }),
      {
        hook_event_name: "BeforeTool",
        tool_name: "write_file",
        tool_input: { file_path: "/p/a", content: "x" },
      },
      { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { content: "y" } } },
      { rewrite: { to: { file_path: "/p/a", content: "y" } } },
    ],
    [
      "the end of a turn for Gemini CLI can be refused",
      ".gemini/settings.json",
      { hooks: { AfterAgent: [{ hooks: [{ type: "command", command: "./hook.sh" }] }] } },
      "Stop",
      FACTS.Stop,
      { hook_event_name: "AfterAgent", prompt_response: "done", stop_hook_active: false },
      { decision: "deny", reason: "tests fail" },
      { decision: "deny", reason: { text: "tests fail", from: "json" } },
    ],
    [
      "Copilot CLI's arguments are a text, and its changes of them count",
      ".github/hooks/a.json",
      { version: 1, hooks: { preToolUse: [{ type: "command", bash: "./hook.sh" }] } },
      "PreToolUse",
      call("Edit", { file_path: "/p/a", old_string: "a", new_string: "b" }),
      { toolName: "edit", toolArgs: JSON.stringify({ path: "/p/a", old_str: "a", new_str: "b" }) },
      { modifiedArgs: { new_str: "c" } },
      { rewrite: { to: { file_path: "/p/a", old_string: "a", new_string: "c" } } },
    ],
    [
      "Copilot CLI's events with a capital letter read snake_case and Claude's names",
      ".github/hooks/a.json",
      { version: 1, hooks: { PostToolUse: [{ type: "command", bash: "./hook.sh" }] } },
      "PostToolUse",
      FACTS.PostToolUse,
      {
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_result: { result_type: "success", text_result_for_llm: "a" },
      },
      { additionalContext: "more" },
      { context: { text: "more", as: "hook-block" } },
    ],
    [
      "Codex reads a change of a file as a patch",
      ".codex/hooks.json",
      {
        hooks: {
          PreToolUse: [{ matcher: "apply_patch", hooks: [{ type: "command", command: "./hook.sh" }] }],
        },
      },
      "PreToolUse",
      call("Edit", { file_path: "/p/a", old_string: "a", new_string: "b" }),
      {
        tool_name: "apply_patch",
        tool_input: { command: "*** Begin Patch\n*** Update File: /p/a\n@@\n-a\n+b\n*** End Patch" },
      },
      { systemMessage: "seen" },
      { warnings: ["seen"] },
    ],
    [
      "Cursor's shell event has the command at the top, and asks",
      ".cursor/hooks.json",
      { version: 1, hooks: { beforeShellExecution: [{ command: "./hook.sh" }] } },
      "PreToolUse",
      call("Bash", { command: "ls" }),
      { hook_event_name: "beforeShellExecution", command: "ls", conversation_id: "session-1" },
      { permission: "ask", user_message: "sure?" },
      { decision: "ask" },
    ],
    [
      "Cursor's prompt event can refuse a prompt",
      ".cursor/hooks.json",
      { version: 1, hooks: { beforeSubmitPrompt: [{ command: "./hook.sh" }] } },
      "UserPromptSubmit",
      FACTS.UserPromptSubmit,
      { hook_event_name: "beforeSubmitPrompt", prompt: "do it", attachments: [] },
      { continue: false, user_message: "not today" },
      { decision: "deny", halt: undefined, reason: { text: "not today", from: "json" } },
    ],
    [
      "Cursor's follow-up is what the agent goes on with",
      ".cursor/hooks.json",
      { version: 1, hooks: { stop: [{ command: "./hook.sh" }] } },
      "Stop",
      FACTS.Stop,
      { hook_event_name: "stop", status: "completed", loop_count: 0 },
      { followup_message: "run the tests" },
      { decision: "deny", reason: { text: "run the tests", from: "json" } },
    ],
  ])("%s", async (_what, file, settings, event, facts, reads, prints, says) => {
    using folder = memoryFolder();
    const { hooks, problems } = settingsIn(folder, {
      [file]: settings,
      "hook.sh": echo,
      "answer.json": prints,
    });
    expect(problems).toEqual([]);
    const verdicts = await judge(folder, hooks, event, facts);
    expect(JSON.parse(readFileSync(join(folder.path, "read.json"), "utf8"))).toMatchObject(reads);
    expect(verdicts).toMatchObject([says]);
  });

  it("Cursor's event before a file is read has what is in it", async () => {
    using folder = memoryFolder();
    const { hooks } = settingsIn(folder, {
      ".cursor/hooks.json": {
        version: 1,
        hooks: { beforeReadFile: [{ command: "grep -q SECRET && exit 2; exit 0" }] },
      },
      "notes.txt": "a SECRET",
    });
    const file_path = join(folder.path, "notes.txt");
    expect(decisionOf(await judge(folder, hooks, "PreToolUse", call("Read", { file_path })))).toBe("deny");
  });

  it("Gemini CLI takes every exit code from 2 on for a no, and plain text for a message", async () => {
    using folder = memoryFolder();
    const group = (command: string) => ({ hooks: [{ type: "command", command }] });
    const { hooks } = settingsIn(folder, {
      ".gemini/settings.json": { hooks: { BeforeTool: [group("echo no >&2; exit 3"), group("echo hello")] } },
    });
    const verdicts = await judge(folder, hooks, "PreToolUse", call("Bash", { command: "ls" }));
    expect(verdicts).toMatchObject([{ decision: "deny" }, { decision: "none", warnings: ["hello"] }]);
  });
});

describe("files of other agents", () => {
  it("name what Wave has nothing for, and never drop it (T48)", () => {
    using folder = memoryFolder();
    const entry = { hooks: [{ type: "command", command: "true" }] };
    const { problems, hooks } = settingsIn(folder, {
      ".gemini/settings.json": { theme: "dark", hooks: { BeforeModel: [entry], BeforeTool: [entry] } },
      ".cursor/hooks.json": {
        version: 1,
        hooks: { beforeTabFileRead: [{ command: "true" }], made: [{ command: "x" }] },
      },
    });
    expect(hooks).toHaveLength(1);
    expect(problems.map(({ message }) => message.replace(/ \(.*/, ""))).toEqual([
      "Wave has nothing for the event beforeTabFileRead of Cursor",
      "Wave has nothing for the event made of Cursor, so its hooks do not run",
      "Wave has nothing for the event BeforeModel of Gemini CLI",
    ]);
  });

  it("keep the place of each hook, the timeout in seconds, and what the agent does when it fails", () => {
    using folder = memoryFolder();
    const { hooks } = settingsIn(folder, {
      ".gemini/settings.json": {
        hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "a", timeout: 2500 }] }] },
      },
      ".github/hooks/b.json": { version: 1, hooks: { preToolUse: [{ type: "command", bash: "b" }] } },
      ".cursor/hooks.json": { version: 1, hooks: { preToolUse: [{ command: "c", failClosed: true }] } },
    });
    expect(
      hooks.map(({ action, timeoutMs, ownOnError, source }) => [
        action.shown,
        timeoutMs,
        ownOnError,
        source.path,
      ]),
    ).toEqual([
      ["c", 600_000, expect.anything(), "hooks.preToolUse[0]"],
      ["a", 2_500, {}, "hooks.BeforeTool[0].hooks[0]"],
      ["b", 30_000, expect.anything(), "hooks.preToolUse[0]"],
    ]);
  });

  it("in the person's home run only when they are wanted, and one line says how many there are", () => {
    using folder = memoryFolder();
    const hooks = { preToolUse: [{ command: "a" }, { command: "b" }] };
    const { hooks: found, problems } = settingsIn(folder, {
      "../home/.cursor/hooks.json": { version: 1, hooks },
    });
    expect(found).toEqual([]);
    expect(problems.map(({ message }) => message).join()).toContain("does not run the 2 hooks for Cursor");
  });
});
