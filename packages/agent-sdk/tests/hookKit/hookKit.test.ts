import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, it } from "vitest";
import { defineHook, hookInput, runHook, type HookInput } from "@/hookKit/index.ts";
import { tempFolder } from "../support/tempFolder.ts";

const SDK = fileURLToPath(new URL("../..", import.meta.url));

const call = (command: string) => ({
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: "call",
  affected_paths: [],
  analysis: "complete" as const,
  pass: 1 as const,
});

describe("a hook that is written with the kit", () => {
  const guard = defineHook("PreToolUse", ({ tool_name, tool_input }) => {
    expectTypeOf(tool_input).toEqualTypeOf<HookInput<"PreToolUse">["tool_input"]>();
    if (tool_name === "Bash" && String(tool_input["command"]).includes("--force"))
      return { decision: "block", reason: "no force" };
    return undefined;
  });

  it("is a function of its input where nobody runs it as a hook", async () => {
    expect(await guard(hookInput("PreToolUse", call("git push --force")))).toMatchObject({
      decision: "block",
    });
    expect(await guard(hookInput("PreToolUse", call("git push")))).toBeUndefined();
  });

  it.each([false, true])("decides as a process, warm: %s, and what it logs is no answer", async (warm) => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "node_modules"));
    symlinkSync(SDK, join(folder.path, "node_modules/wave-agent-sdk"));
    writeFileSync(
      join(folder.path, "guard.mjs"),
      `import { defineHook } from "wave-agent-sdk/hooks";
       defineHook("PreToolUse", ({ tool_input }) => {
         console.log("looking at", tool_input.command);
         if (tool_input.command === "throw") throw new Error("broken inside");
         if (tool_input.command.includes("--force")) return { decision: "block", reason: "no force" };
       });`,
    );
    const command = `'${process.execPath}' --conditions=@wave/source '${folder.path}/guard.mjs'`;
    const run = (event: "PreToolUse" | "Stop", text: string) =>
      runHook(
        { event, hook: { type: "command", command, warm, onError: "block" }, projectDir: folder.path },
        { tool_name: "Bash", tool_input: { command: text } },
      );
    const [denied, passed, broken, elsewhere] = await Promise.all([
      run("PreToolUse", "git push --force"),
      run("PreToolUse", "git push"),
      run("PreToolUse", "throw"),
      run("Stop", "git push"),
    ]);
    expect(denied).toMatchObject({ ran: true, decision: "deny", reason: "no force", failure: undefined });
    expect(passed).toMatchObject({ ran: true, decision: "none", failure: undefined });
    expect(broken).toMatchObject({ decision: "deny", stderr: expect.stringContaining("broken inside") });
    expect(elsewhere?.stderr).toContain("this hook is for PreToolUse");
    expect([broken?.failure, elsewhere?.failure]).not.toContain(undefined);
  });
});

describe("runHook", () => {
  it("says what a rewrite, context and a matcher come to", async () => {
    const rewrite = {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "ls" },
      },
    };
    const hook = `echo '${JSON.stringify(rewrite)}'`;
    expect(await runHook({ event: "PreToolUse", hook, matcher: "Bash" }, call("rm x"))).toMatchObject({
      decision: "allow",
      updatedInput: { command: "ls" },
    });
    expect(await runHook({ event: "PreToolUse", hook, matcher: "Read" }, call("rm x"))).toMatchObject({
      ran: false,
    });
    expect(await runHook({ event: "UserPromptSubmit", hook: "echo hi" }, { prompt: "p" })).toMatchObject({
      context: "hi",
    });
  });

  it("rejects with a sentence for an entry that cannot be read", async () => {
    await expect(runHook({ event: "Stop", hook: { type: "command" } }, {})).rejects.toThrow(/no "command"/);
  });
});
