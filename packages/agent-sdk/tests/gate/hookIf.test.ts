import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { whyNotIf } from "@/hooks/condition.ts";
import { viewCall } from "@/gate/callView.ts";
import { hookView } from "@/gate/callView.ts";
import { builtInTools } from "@/tools/index.ts";
import { playSession } from "../support/playSession.ts";
import { policyBench } from "../support/policyBench.ts";
import { tempFolder } from "../support/tempFolder.ts";

const bash = (command: string) => ({ tool: "Bash", input: { command } });
const fetch = (url: string) => ({ tool: "WebFetch", input: { url } });
const write = (file_path: string) => ({ tool: "Write", input: { file_path, content: "" } });

describe("the `if` of a hook", () => {
  const rows: [rule: string, call: { tool: string; input: Record<string, unknown> }, runs: boolean][] = [
    ["Bash(git push:*)", bash("git push"), true],
    ["Bash(git push:*)", bash("git -C x push --force"), true],
    ["Bash(git push:*)", bash("npm test && git push"), true],
    ["Bash(git push:*)", bash("echo $(git push)"), true],
    ["Bash(git push:*)", bash("bash -c 'git push'"), true],
    ["Bash(git push:*)", bash("sudo env A=b git push"), true],
    ["Bash(git push:*)", bash("X=1 git push"), true],
    ["Bash(git push:*)", bash("git $X"), true],
    ["Bash(git push:*)", bash("$X push"), true],
    ["Bash(git push:*)", bash('eval "$X"'), true],
    ["Bash(git push:*)", bash("echo 'x"), true],
    ["Bash(git push:*)", bash("git pull"), false],
    ["Bash(git push:*)", bash("echo git push"), false],
    ["Bash(git push:*)", bash("cat a > b"), false],
    ["Bash(git push:*)", write("a"), false],
    ["Bash", bash("ls"), true],
    ["Bash", write("a"), false],
    ["Edit(src/**)", write("src/a.ts"), true],
    ["Edit(src/**)", write("docs/a.md"), false],
    ["Edit(src/**)", bash("echo x > src/a.ts"), true],
    ["Edit(src/**)", bash("cd src && touch a.ts"), true],
    ["Edit(src/**)", bash("sed -i s/a/b/ src/*.ts"), true],
    ["Edit(src/**)", bash("rm -rf src"), true],
    ["Edit(src/**)", bash("rm -rf ."), true],
    ["Edit(src/**)", bash("cat src/a.ts"), false],
    ["Edit(src/**)", bash("echo x > docs/a.md"), false],
    ["Edit(src/**)", bash("make"), true],
    ["Edit(*.md)", bash("touch docs/a.md"), true],
    ["Edit(*.md)", bash("touch src/a.ts"), false],
    ["Read(./secrets/**)", bash("cat secrets/key"), true],
    ["Read(./secrets/**)", bash("grep -r x ."), true],
    ["Read(./secrets/**)", { tool: "Grep", input: { pattern: "x" } }, true],
    ["Read(./secrets/**)", { tool: "Read", input: { file_path: "secrets/key" } }, true],
    ["Read(./secrets/**)", { tool: "Read", input: { file_path: "src/a.ts" } }, false],
    ["Read", { tool: "LS", input: { path: "." } }, true],
    ["mcp__a", bash("ls"), false],
    ["WebFetch(domain:example.com)", fetch("https://docs.example.com/x"), true],
    ["WebFetch(domain:example.com)", fetch("https://example.org/x"), false],
    ["WebFetch(domain:example.com)", fetch("no address"), true],
    ["WebFetch(domain:example.com)", bash("ls"), false],
    ["not a rule at all", bash("ls"), true],
  ];
  it.each(rows)("%s before %j: %s (T85, T86, G13)", (rule, call, runs) => {
    using bench = policyBench();
    const tool = builtInTools().find(({ name }) => name === call.tool);
    if (!tool) throw new Error(call.tool);
    const input = {
      tool_name: tool.name,
      tool_input: call.input,
      ...hookView(viewCall(tool, call.input, bench.session), "model"),
    };
    expect(whyNotIf(rule, input, { base: bench.project, home: "/home/ada" }) === undefined).toBe(runs);
  });

  it("runs the hook for a call that cannot be read (G13)", () => {
    const input = {
      tool_name: "Bash",
      tool_input: {},
      tool_input_error: "not JSON",
      affected_paths: [],
      analysis: "incomplete",
    };
    expect(whyNotIf("Bash(git push:*)", input, { base: "/p", home: "/h" })).toBeUndefined();
  });

  it("guards one folder over all tools, and says why it stayed out (T86, T50)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(join(project, "generated"), { recursive: true });
    const hook = {
      type: "command",
      name: "generated",
      if: "Edit(generated/**)",
      command: "echo 'generated files are made' >&2; exit 2",
    };
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ hooks: [hook] }] } },
      scenario: [
        { call: { name: "Write", arguments: { file_path: "generated/a.ts", content: "x" } } },
        { call: { name: "Bash", arguments: { command: "cd generated && echo x > b.ts" } } },
        { call: { name: "Bash", arguments: { command: "echo x > c.ts" } } },
        { say: "done" },
      ],
    });
    expect([
      existsSync(join(project, "generated/a.ts")),
      existsSync(join(project, "generated/b.ts")),
    ]).toEqual([false, false]);
    expect(readFileSync(join(project, "c.ts"), "utf8")).toBe("x\n");
    const skipped = played.events.flatMap((event) =>
      event.type === "hooks_decided" && event.record.event === "PreToolUse"
        ? [event.record.skipped.map(({ why }) => why)]
        : [],
    );
    expect(skipped).toEqual([[], [], ['its if "Edit(generated/**)" is not about this call']]);
  });

  const normaliser = {
    type: "command",
    name: "normaliser",
    command: `read -r in; [[ $in == *'"command":"clean f"'* ]] || exit 0
printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"rm f"}}}'`,
  };
  const noRm = { type: "command", name: "no rm", if: "Bash(rm:*)", command: "exit 2", onError: "block" };

  it.each([
    ["beside the hook that rewrites", [{ hooks: [noRm] }, { hooks: [normaliser] }], 2],
    ["behind it in a sequential group", [{ sequential: true, hooks: [normaliser, noRm] }], 1],
  ])("judges what hooks made of the call, %s (T86, G8)", async (_where, groups, pass) => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"), { recursive: true });
    const kept = join(folder.path, "project", "f");
    writeFileSync(kept, "");
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: groups } },
      scenario: [{ call: { name: "Bash", arguments: { command: "clean f" } } }, { say: "done" }],
    });
    expect(existsSync(kept)).toBe(true);
    const record = played.events
      .flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []))
      .find(({ event }) => event === "PreToolUse");
    expect(record).toMatchObject({ decision: "deny", decidedBy: "hook no rm", skipped: [] });
    expect(record?.hooks).toContainEqual(expect.objectContaining({ name: "no rm", pass, verdict: "deny" }));
  });

  it("is looked at in a sequential group when its turn comes, and says why it stayed out (T86, T98)", async () => {
    using folder = tempFolder();
    const played = await playSession(folder.path, {
      settings: { hooks: { PreToolUse: [{ sequential: true, hooks: [normaliser, noRm] }] } },
      scenario: [{ call: { name: "Bash", arguments: { command: "echo hi" } } }, { say: "done" }],
    });
    const records = played.events.flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []));
    expect(records.find(({ event }) => event === "PreToolUse")).toMatchObject({
      decision: "allow",
      hooks: [{ name: "normaliser" }],
      skipped: [{ name: "no rm", why: 'its if "Bash(rm:*)" is not about this call' }],
    });
  });
});
