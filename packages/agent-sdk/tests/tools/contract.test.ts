import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GatePass } from "@/tools/gatePass.ts";
import { builtInTools } from "@/tools/index.ts";
import { toolBench } from "../support/toolBench.ts";

const valid: Record<string, Record<string, unknown>> = {
  Bash: { command: "true", description: "x", timeout: 1000, run_in_background: false },
  BashOutput: { bash_id: "bash_1", filter: "x" },
  KillShell: { shell_id: "bash_1" },
  Read: { file_path: "a.txt", offset: 1, limit: 2 },
  Write: { file_path: "a.txt", content: "" },
  Edit: { file_path: "a.txt", old_string: "a", new_string: "b", replace_all: true },
  MultiEdit: { file_path: "a.txt", edits: [{ old_string: "a", new_string: "b", replace_all: true }] },
  Glob: { pattern: "*.ts", path: "src" },
  Grep: {
    pattern: "a",
    path: "src",
    glob: "*.ts",
    type: "ts",
    output_mode: "content",
    "-i": true,
    "-n": true,
    "-A": 1,
    "-B": 1,
    "-C": 1,
    multiline: true,
    head_limit: 5,
  },
  LS: { path: "src", ignore: ["*.log"] },
  WebFetch: { url: "https://example.com/", prompt: "what it says" },
  TodoWrite: { todos: [{ content: "Test", status: "pending", activeForm: "Testing" }] },
  ExitPlanMode: { plan: "1. Do it" },
  Agent: {
    description: "Look for a word",
    prompt: "Look for it.",
    subagent_type: "explore",
    run_in_background: true,
  },
};

describe("the built-in tools", () => {
  it("are those of the list, each once", () => {
    expect(builtInTools().map((tool) => tool.name)).toEqual(Object.keys(valid));
  });

  it("cost less than 8 KB of every request, all together", () => {
    const described = builtInTools().map(({ name, description, input }) => {
      const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: "input" });
      return { name, description, parameters };
    });
    expect(Buffer.byteLength(JSON.stringify(described))).toBeLessThan(8 * 1024);
  });

  it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
    "%s takes the fields hook scripts know and refuses others by name",
    (name, tool) => {
      expect(tool.input.safeParse(valid[name]).success).toBe(true);
      const wrong = tool.input.safeParse({ ...valid[name], surprise: 1 });
      expect(wrong.success).toBe(false);
      expect(wrong.error?.issues[0]?.message).toContain('"surprise"');
    },
  );

  it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
    "%s changes nothing in the input that was judged",
    (name, tool) => {
      expect(tool.input.parse(valid[name])).toEqual(valid[name]);
    },
  );

  it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
    "%s does not run with a forged pass (G12)",
    async (_name, tool) => {
      await using bench = toolBench();
      const context = {
        session: bench.session,
        signal: new AbortController().signal,
        onOutput: () => {},
        bounds: "none" as const,
        hidden: () => [],
        searchFilter: undefined,
      };
      const forged = Object.assign(Object.create(GatePass.prototype), { toolUseId: "call_1" });
      await expect(tool.run(forged, context)).rejects.toThrow(TypeError);
    },
  );
});

describe("what a call touches", () => {
  const rows: [string, Record<string, unknown>, (dir: string) => unknown][] = [
    ["Bash", { command: "ls" }, () => ({ does: "run", command: "ls" })],
    ["BashOutput", { bash_id: "bash_1" }, () => ({ does: "nothing" })],
    ["KillShell", { shell_id: "bash_1" }, () => ({ does: "nothing" })],
    ["WebFetch", { url: "HTTPS://Example.com./x" }, () => ({ does: "reach", hosts: ["example.com"] })],
    ["ExitPlanMode", { plan: "x" }, () => ({ does: "leave-plan" })],
    ["WebFetch", { url: "x" }, () => ({ does: "reach", hosts: [] })],
    ["Read", { file_path: "a" }, (dir) => ({ does: "read", paths: [`${dir}/a`] })],
    ["Read", { file_path: "~/a" }, (dir) => ({ does: "read", paths: [`${dir}/a`] })],
    ["Read", { file_path: "/x/../y" }, () => ({ does: "read", paths: ["/y"] })],
    ["Write", { file_path: "b", content: "" }, (dir) => ({ does: "edit", paths: [`${dir}/b`] })],
    [
      "Edit",
      { file_path: "b", old_string: "a", new_string: "b" },
      (dir) => ({ does: "edit", paths: [`${dir}/b`] }),
    ],
    ["MultiEdit", { file_path: "b", edits: [] }, (dir) => ({ does: "edit", paths: [`${dir}/b`] })],
    ["Glob", { pattern: "*.ts" }, (dir) => ({ does: "read", paths: [dir], below: true })],
    [
      "Glob",
      { pattern: "*.ts", path: "src" },
      (dir) => ({ does: "read", paths: [`${dir}/src`], below: true }),
    ],
    [
      "Glob",
      { pattern: "src/lib/**/*.ts" },
      (dir) => ({ does: "read", paths: [`${dir}/src/lib`], below: true }),
    ],
    ["Glob", { pattern: "/etc/*.conf" }, () => ({ does: "read", paths: ["/etc"], below: true })],
    ["Glob", { pattern: "/etc/passwd" }, () => ({ does: "read", paths: ["/etc"], below: true })],
    [
      "Glob",
      { pattern: "../../../../../../../etc/*", path: "src" },
      () => ({ does: "read", paths: ["/etc"], below: true }),
    ],
    ["Grep", { pattern: "a" }, (dir) => ({ does: "read", paths: [dir], below: true })],
    ["Grep", { pattern: "a", path: "/etc" }, () => ({ does: "read", paths: ["/etc"], below: true })],
    ["LS", { path: "." }, (dir) => ({ does: "read", paths: [dir] })],
    ["TodoWrite", { todos: [] }, () => ({ does: "nothing" })],
    ["Agent", { description: "Look", prompt: "Look." }, () => ({ does: "nothing" })],
  ];

  it.each(rows)("%s %j is named for rules and modes", async (name, input, expected) => {
    await using bench = toolBench();
    const tool = builtInTools().find((candidate) => candidate.name === name);
    expect(tool?.effect(input, bench.session)).toEqual(expected(bench.dir));
  });

  it("has a row for every tool", () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(Object.keys(valid)));
  });
});

describe("TodoWrite", () => {
  it("replaces the session's list and says how far it is", async () => {
    await using bench = toolBench();
    const todos = [
      { content: "Build", status: "completed" },
      { content: "Test", status: "in_progress", activeForm: "Testing" },
    ];
    const outcome = await bench.call("TodoWrite", { todos });
    expect(outcome).toEqual({
      success: true,
      result: "The list has 2 steps: 1 completed, 1 in progress, 0 pending.",
      response: { oldTodos: [], newTodos: todos },
    });
    expect(bench.session.todos).toEqual(todos);
  });
});
