import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { Agent } from "@/agent.ts";
import type { AgentOptions } from "@/agentOptions.ts";
import { runHook } from "@/hookKit/index.ts";
import { HookRunners } from "@/hooks/kinds/runners.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { isOfSubAgent } from "../support/playSubAgent.ts";
import { askWarm, warmHook } from "../support/warmHooks.ts";
import { tempFolder } from "../support/tempFolder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The code block behind `<!-- executed: name -->`. */
function example(file: string, name: string): string {
  const text = readFileSync(join(root, file), "utf8");
  const block = text.split(`<!-- executed: ${name} -->`)[1]?.match(/```\w+\n([\s\S]*?)```/)?.[1];
  if (block === undefined) throw new Error(`${file} has no example "${name}"`);
  return block;
}

describe("the docs", () => {
  it("show a first hook that blocks what it says, and nothing else", async () => {
    using folder = tempFolder();
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("README.md", "first hook")),
      scenario: [
        {
          calls: [
            { name: "Bash", arguments: { command: "git push --force" } },
            { name: "Bash", arguments: { command: "echo fine" } },
          ],
        },
        { say: "done" },
      ],
    });
    expect(blocksOf(messages, "tool")).toMatchObject([
      { success: false, result: "Force pushes are not allowed here." },
      { success: true, result: "fine" },
    ]);
    expect([...blocksOf(messages, "error"), ...blocksOf(messages, "warn")]).toEqual([]);
  });

  it.each(["python", "bash", "node"])("show a hook that stays in %s (T7)", async (language) => {
    using folder = tempFolder();
    const script = join(folder.path, language === "node" ? "guard.mjs" : "guard");
    writeFileSync(script, example("docs/reference/hooks.md", `warm ${language}`), { mode: 0o755 });
    mkdirSync(join(folder.path, "node_modules"));
    symlinkSync(join(root, "packages/agent-sdk"), join(folder.path, "node_modules/wave-agent-sdk"));
    const hook = warmHook(script, { env: { NODE_OPTIONS: "--conditions=@wave/source" } });
    const runners = new HookRunners();
    const commands = ["git push", "git push --force", "ls"];
    const asked = await Promise.all(commands.map((command) => askWarm(hook, runners, command)));
    await runners.close();
    expect(asked.map(({ decision, way }) => way ?? decision)).toEqual(["none", "deny", "none"]);
  });

  it("show the test of a hook, and what the kit does", async () => {
    using folder = tempFolder();
    const { event, matcher, hook, tests } = parse(example("docs/reference/hooks.md", "hook test")) as {
      event: "PreToolUse";
      matcher: string;
      hook: string;
      tests: { input: Record<string, unknown> }[];
    };
    mkdirSync(join(folder.path, ".wave/hooks"), { recursive: true });
    const script = "#!/bin/bash\ngrep -q force && { echo not allowed >&2; exit 2; }\nexit 0\n";
    writeFileSync(join(folder.path, hook), script, { mode: 0o755 });
    const run = (at: number) =>
      runHook({ event, matcher, hook, projectDir: folder.path }, tests[at]?.input ?? {});
    expect(await run(0)).toMatchObject({ decision: "deny", reason: "not allowed" });
    expect(await run(1)).toMatchObject({ ran: false });

    mkdirSync(join(folder.path, "node_modules"));
    symlinkSync(join(root, "packages/agent-sdk"), join(folder.path, "node_modules/wave-agent-sdk"));
    writeFileSync(join(folder.path, "guard.mts"), example("docs/reference/hooks.md", "hook kit"));
    const shown = execFileSync(process.execPath, ["--conditions=@wave/source", "guard.mts"], {
      cwd: folder.path,
      encoding: "utf8",
    });
    expect(shown).toContain("No passwords in prompts.");
    expect(shown.trim()).toMatch(/deny$/);
  });

  it("show an MCP server whose tools the model can call", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    copyFileSync(
      join(root, "packages/agent-sdk/tests/fixtures/mcp/server.mjs"),
      join(folder.path, "project/notes-server.mjs"),
    );
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("docs/guide/mcp.md", "mcp")),
      scenario: [{ call: { name: "mcp__notes__echo", arguments: { text: "hello" } } }, { say: "done" }],
    });
    expect(blocksOf(messages, "tool")).toMatchObject([{ success: true, result: "hello" }]);
  });

  it("show a hook that keeps an MCP server from asking", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    const server = join(root, "packages/agent-sdk/tests/fixtures/mcp/server.mjs");
    const question = { message: "Your name?", requestedSchema: { type: "object", properties: {} } };
    const { messages } = await playSession(folder.path, {
      settings: {
        ...(JSON.parse(example("docs/guide/mcp.md", "elicitation")) as object),
        mcpServers: { notes: { command: "node", args: [server, "asks"] } },
      },
      scenario: [
        { call: { name: "mcp__notes__echo", arguments: { text: JSON.stringify(question) } } },
        { say: "done" },
      ],
    });
    expect(blocksOf(messages, "tool")).toMatchObject([{ result: '{"action":"decline"}' }]);
    expect(JSON.stringify(messages)).toContain("This server asks nothing.");
  });

  it("show a sub-agent of one's own, a hook for the end of one, and one of a program", async () => {
    using folder = tempFolder();
    const page = "docs/guide/subagents.md";
    mkdirSync(join(folder.path, "home/agents"), { recursive: true });
    mkdirSync(join(folder.path, "project"));
    writeFileSync(join(folder.path, "home/agents/reviewer.md"), example(page, "reviewer"));
    writeFileSync(
      join(folder.path, "project/package.json"),
      `{"scripts": {"test": "echo RED; test -e fixed"}}`,
    );
    const program = example(page, "program").replace(/^.*Agent\.create\(/, "export const options = (");
    const url = `data:text/javascript,${encodeURIComponent(program)}`;
    const { options }: { options: AgentOptions } = await import(url);
    const start = (subagent_type: string) => ({
      name: "Agent",
      arguments: { description: "d", prompt: `as ${subagent_type}`, subagent_type },
    });
    const played = await playSession(folder.path, {
      settings: JSON.parse(example(page, "hook")),
      options: { agents: options.agents },
      scenario: (request) => {
        if (!isOfSubAgent(request))
          return request.text.includes("tool_call_id")
            ? { say: "done" }
            : { calls: ["reviewer", "counter", "general"].map(start) };
        return request.text.includes("RED") && !request.text.includes("touch fixed")
          ? { call: { name: "Bash", arguments: { command: "touch fixed" } } }
          : { say: "done" };
      },
    });
    const firstOf = (type: string) => played.requests.find(({ text }) => text.includes(`"as ${type}"`));
    const toolsOf = (type: string) => firstOf(type)?.body.tools?.map((tool) => tool.function.name);
    expect([toolsOf("reviewer"), toolsOf("counter")]).toEqual([
      ["Read", "Glob", "Grep"],
      ["Glob", "Grep"],
    ]);
    expect(firstOf("reviewer")?.text).toContain("the worst first");
    expect(blocksOf(played.messages, "tool").map(({ success }) => success)).toEqual([true, true, true]);
    // The hook sent only the general one back to work, until the tests passed.
    expect(played.requests.filter(({ text }) => text.includes("RED"))).toHaveLength(2);
  });

  it("show rules that do what the page says", async () => {
    using folder = tempFolder();
    const command = (text: string) => ({ name: "Bash", arguments: { command: text } });
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("docs/guide/permissions.md", "rules")),
      scenario: [
        {
          calls: [
            command("git status --short"),
            command("git status; rm -rf ."),
            command("git push"),
            command("curl x"),
            { name: "Read", arguments: { file_path: "secrets/a" } },
          ],
        },
        { say: "done" },
      ],
      options: { permissionMode: "default" },
    });
    const results = blocksOf(messages, "tool").map((block) => block.result ?? "");
    expect(results[0]).not.toMatch(/Not run|denies/);
    expect(results[1]).toMatch(/needs approval/);
    expect(results[2]).toMatch(/needs approval.*git push/s);
    expect(results[3]).toMatch(/denies/);
    expect(results[4]).toMatch(/denies/);
  });

  it("show what is in the file when a rule is kept (T80)", async () => {
    using folder = tempFolder();
    const agent = await Agent.create({ workdir: folder.path, waveHome: join(folder.path, "home") });
    await agent.allowRule("Bash(git status:*)", "project");
    await agent.destroy();
    const written = readFileSync(join(folder.path, ".wave", "settings.local.json"), "utf8");
    expect(JSON.parse(written)).toEqual(JSON.parse(example("docs/guide/permissions.md", "kept rule")));
  });

  it("show how to say what the model takes, and Wave sums up when that is nearly used", async () => {
    using folder = tempFolder();
    const usage = { input: 30_000, output: 1 };
    const call = { name: "Bash", arguments: { command: "echo fine" } };
    await using live = await liveAgent(
      folder.path,
      [{ call, usage }, { say: "the summary" }, { say: "done" }],
      {
        settings: JSON.parse(example("docs/guide/sessions.md", "context size")),
        named: "elsewhere",
      },
    );
    await live.agent.sendMessage("go");
    expect(live.model.requests.map(({ body }) => body.model)).toEqual(["my-model", "my-model", "my-model"]);
    expect(blocksOf(live.agent.messages, "summary")).toMatchObject([
      { content: "the summary", askedBy: "wave" },
    ]);
  });

  it("show an `if` that guards a folder over all tools (T86)", async () => {
    using folder = tempFolder();
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("docs/reference/hooks.md", "if")),
      scenario: [
        {
          calls: [
            { name: "Write", arguments: { file_path: "generated/a.ts", content: "x" } },
            { name: "Bash", arguments: { command: "mkdir -p generated && cd generated && touch a.ts" } },
            { name: "Bash", arguments: { command: "touch b.ts" } },
          ],
        },
        { say: "done" },
      ],
    });
    expect(blocksOf(messages, "tool").map(({ result }) => result)).toEqual([
      "generated files are not edited by hand",
      "generated files are not edited by hand",
      "(no output)",
    ]);
  });

  it("show a program with args and variables of its own, and the script that args name is protected (T82, T136, T147)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    const script = `process.stderr.write(JSON.stringify([...process.argv.slice(2), process.env.POLICY])); process.exitCode = 2;`;
    writeFileSync(join(folder.path, "project", "check.mjs"), script);
    const { messages } = await playSession(folder.path, {
      settings: JSON.parse(example("docs/reference/hooks.md", "args")),
      scenario: [
        {
          calls: [
            { name: "Bash", arguments: { command: "true" } },
            { name: "Write", arguments: { file_path: "check.mjs", content: "" } },
          ],
        },
        { say: "done" },
      ],
    });
    const [checked, written] = blocksOf(messages, "tool").map(({ result }) => result);
    expect(checked).toBe('["--level","strict; really","no-push"]');
    expect(written).toMatch(/needs approval.*check\.mjs/s);
  });

  it("link only to files that exist", () => {
    const pages = [
      "README.md",
      "AGENTS.md",
      ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md"))
        .map((name) => join("docs", name)),
    ];
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
        .map(([, target]) => join(page, "..", target ?? ""))
        .filter((target) => readdirSafely(target) === undefined)
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });
});

function readdirSafely(path: string): true | undefined {
  try {
    readFileSync(join(root, path));
    return true;
  } catch (error) {
    // A folder is a fine target; only what does not exist is not.
    return (error as NodeJS.ErrnoException).code === "EISDIR" ? true : undefined;
  }
}
