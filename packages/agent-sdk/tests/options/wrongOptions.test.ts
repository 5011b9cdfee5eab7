import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import { Agent } from "@/agent.ts";
import type {
  AgentOptions,
  CommandHookEntry,
  FunctionHookEntry,
  HooksOption,
  HttpHookEntry,
  PromptHookEntry,
} from "@/agentOptions.ts";
import { OptionsError } from "@/errors.ts";
import type { commandHookSchema } from "@/hooks/kinds/command.ts";
import type { promptHookSchema } from "@/hooks/kinds/prompt.ts";
import type { httpHookSchema } from "@/hooks/kinds/http.ts";
import type { functionHookSchema } from "@/hooks/kinds/function.ts";
import { checkOptions } from "@/options/checkOptions.ts";
import { ARGUMENTS } from "@/options/methodArguments.ts";
import { OPTIONS } from "@/options/optionSchemas.ts";
import { builtInToolNames } from "@/tools/index.ts";
import { inFolder } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { sampleOf, slipsOf, wrongValues, type Wrong } from "../support/wrongOptions.ts";

const TOOLS = builtInToolNames();
const schemas = Object.entries(OPTIONS).map(([name, schema]) => ({ name, schema: schema(TOOLS) }));

/** The OptionsError that options, or a call, are refused with. */
async function refusal(what: () => unknown): Promise<OptionsError | "taken"> {
  try {
    await what();
    return "taken";
  } catch (error) {
    if (error instanceof OptionsError) return error;
    throw error;
  }
}

const create = (options: unknown) => refusal(() => Agent.create(options as AgentOptions));
const pathsOf = (error: OptionsError | "taken") =>
  error === "taken" ? ["taken"] : error.problems.map(({ path }) => path);

/** Whether one of the paths is the place that is wrong, or lies in it. */
const tells = (paths: readonly string[], { path, missing }: Wrong) =>
  paths.some(
    (told) =>
      told === path || told === missing || (/^[.[]/.test(told.replace(path, "")) && told.startsWith(path)),
  );

describe("Agent.create refuses, with its path and before anything runs,", () => {
  it.each(schemas)("every way to mistype $name and what is in it", async ({ name, schema }) => {
    // What one event says about its hooks, they all say.
    const wrong = wrongValues(schema, name).filter(({ path }) => !/^hooks\.(?!PreToolUse)\w+\[/.test(path));
    expect(wrong.length).toBeGreaterThan(3);
    const silent: string[] = [];
    for (const one of wrong) {
      const paths = pathsOf(await create({ [name]: one.value }));
      if (!tells(paths, one)) silent.push(`${one.how}: ${paths.join(", ")}`);
    }
    expect(silent).toEqual([]);
  });

  it.each(schemas)("every misspelling of $name, and names it", async ({ name, schema }) => {
    for (const slip of slipsOf(name)) {
      const error = await create({ [slip]: sampleOf(schema) });
      expect(pathsOf(error)).toEqual([slip]);
      if (error !== "taken") expect(error.nearest).toBe(name);
    }
  });

  it("more than sixty of them, made from the schema", () => {
    const wrong = schemas.flatMap(({ name, schema }) => [...slipsOf(name), ...wrongValues(schema, name)]);
    expect(wrong.length).toBeGreaterThan(1000);
  });

  const run = () => undefined;
  const hooks = (group: object) => ({ hooks: { PreToolUse: [group] } });
  const entry = { type: "function", run };
  it.each<[title: string, options: unknown, path: string, nearest: string | undefined, says: RegExp]>([
    [
      "a regular expression as a matcher",
      hooks({ matcher: /Bash/, hooks: [entry] }),
      "hooks.PreToolUse[0].matcher",
      undefined,
      /not the regular expression "\/Bash\/"; write it as text: "Bash"/,
    ],
    [
      "a misspelt event",
      { hooks: { PreToolUes: [] } },
      "hooks.PreToolUes",
      "PreToolUse",
      /did you mean "PreToolUse"/,
    ],
    [
      "a bare function",
      hooks({ hooks: [run] }),
      "hooks.PreToolUse[0].hooks[0]",
      undefined,
      /such as { type: "function"/,
    ],
    [
      "a group with no hooks, which would guard nothing",
      hooks({ matcher: "Bash", hooks: [] }),
      "hooks.PreToolUse[0].hooks",
      undefined,
      /must not be empty/,
    ],
    [
      "a misspelt tool",
      hooks({ matcher: "Bsh", hooks: [entry] }),
      "hooks.PreToolUse[0].matcher",
      "Bash",
      /matches no tool/,
    ],
    [
      "one misspelt tool of several",
      hooks({ matcher: "Bash|Edti", hooks: [entry] }),
      "hooks.PreToolUse[0].matcher",
      "Edit",
      /"Edti" matches no tool/,
    ],
    [
      "a rule in the place of a matcher",
      hooks({ matcher: "Bash(git push:*)", hooks: [entry] }),
      "hooks.PreToolUse[0].matcher",
      "Bash",
      /belongs in `if`/,
    ],
    [
      "a matcher that cannot be compiled",
      hooks({ matcher: "Bash(", hooks: [entry] }),
      "hooks.PreToolUse[0].matcher",
      undefined,
      /not a valid regular expression/,
    ],
    [
      "a condition about a misspelt tool, which would never be met",
      hooks({ hooks: [{ ...entry, if: "Bsh(git push:*)" }] }),
      "hooks.PreToolUse[0].hooks[0].if",
      "Bash(git push:*)",
      /names no tool/,
    ],
    ["hook for hooks", { hook: {} }, "hook", "hooks", /not an option of Agent\.create/],
    ["hooks that nobody waited for", { hooks: Promise.resolve({}) }, "hooks", undefined, /not a Promise/],
    ["dney for deny", { permissions: { dney: ["Bash"] } }, "permissions.dney", "deny", /did you mean "deny"/],
    [
      "a list of permissions",
      { permissions: ["Bash"] },
      "permissions",
      undefined,
      /must be an object, not a list/,
    ],
    [
      "the mode of settings",
      { permissions: { defaultMode: "plan" } },
      "permissions.defaultMode",
      "permissionMode",
      /is the option permissionMode/,
    ],
    [
      "a misspelt rule",
      { permissions: { deny: ["Bash(rm:*)", "Bsh(rm:*)"] } },
      "permissions.deny[1]",
      "Bash(rm:*)",
      /names no tool/,
    ],
    [
      "a rule that is a command",
      { permissions: { deny: ["rm -rf"] } },
      "permissions.deny[0]",
      undefined,
      /Bash\(rm:\*\)/,
    ],
    [
      "a broken rule",
      { permissions: { allow: ["Bash(ls"] } },
      "permissions.allow[0]",
      undefined,
      /is not a tool name/,
    ],
    [
      "a number of turns in words",
      { maxTurns: "three" },
      "maxTurns",
      undefined,
      /whole number above 0, not "three"/,
    ],
    [
      "a mode that does not exist",
      { permissionMode: "yolo" },
      "permissionMode",
      undefined,
      /must be one of default/,
    ],
    [
      "a variable that Wave sets",
      hooks({ hooks: [{ type: "command", command: "true", env: { WAVE_SESSION_ID: "x" } }] }),
      "hooks.PreToolUse[0].hooks[0].env",
      undefined,
      /Wave sets it itself/,
    ],
    [
      "a variable that is no text",
      { env: { HOME: "/h", LEVEL: 5 } },
      "env.LEVEL",
      undefined,
      /must be a text, not 5/,
    ],
    ["options that are no object", "x", "options", undefined, /must be an object/],
    [
      "options of a class, whose fields may be anywhere",
      new (class Mine {})(),
      "options",
      undefined,
      /not a Mine/,
    ],
  ])("%s", async (_title, options, path, nearest, says) => {
    const error = await create(options);
    expect(error).toMatchObject({ code: "OPTIONS", path, nearest, message: expect.stringMatching(says) });
  });

  it("an object that contains itself", async () => {
    const loop: Record<string, unknown> = { ...entry };
    loop["name"] = loop;
    expect(pathsOf(await create(hooks({ hooks: [loop] })))).toContain("hooks.PreToolUse[0].hooks[0].name");
  });

  it("a program that is not there", async () => {
    using folder = tempFolder();
    const error = await create({
      workdir: folder.path,
      ...hooks({ hooks: [{ type: "command", command: "./chekc.sh" }] }),
    });
    expect(error).toMatchObject({
      path: "hooks.PreToolUse[0].hooks[0]",
      problem: expect.stringContaining("no such file: ./chekc.sh"),
    });
  });

  it("all that is wrong, at once", async () => {
    const error = await create({
      hook: {},
      maxTurns: "three",
      permissions: { dney: [], deny: ["Bsh"] },
      hooks: { PreToolUse: [{ matcher: "Bsh", hooks: [run] }] },
    });
    expect(pathsOf(error)).toEqual([
      "hook",
      "maxTurns",
      "permissions.deny[0]",
      "permissions.dney",
      "hooks.PreToolUse[0].matcher",
      "hooks.PreToolUse[0].hooks[0]",
    ]);
  });

  it.each([
    ["empty", () => ""],
    ["missing", (folder: string) => join(folder, "nowhere")],
    ["a file", (folder: string) => join(folder, "file")],
    ["below a file", (folder: string) => join(folder, "file", "x")],
    ["no possible name", () => "x\0y"],
    ["too long", () => `/${"x".repeat(5000)}`],
  ])("a workdir that is %s", async (_title, workdir) => {
    using folder = tempFolder();
    writeFileSync(join(folder.path, "file"), "");
    const error = await create({ workdir: workdir(folder.path) });
    expect(error).toMatchObject({ code: "OPTIONS", path: "workdir" });
  });
});

describe("the options of Agent.create", () => {
  it("are all taken with a value that fits", () => {
    const all = Object.fromEntries(schemas.map(({ name, schema }) => [name, sampleOf(schema)]));
    expect(checkOptions(all, TOOLS)).toEqual(all);
    expect(
      checkOptions(Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, undefined])), TOOLS),
    ).toBeDefined();
    expect(checkOptions({ env: process.env }, TOOLS).env).toEqual({ ...process.env });
  });

  it("are what their types say", () => {
    type Given<K extends keyof typeof OPTIONS> = z.input<ReturnType<(typeof OPTIONS)[K]>>;
    type Typed<K extends keyof AgentOptions> = NonNullable<AgentOptions[K]>;
    type Plain =
      | "workdir"
      | "maxTurns"
      | "permissionMode"
      | "entrypoint"
      | "source"
      | "hookScope"
      | "trust"
      | "sandbox"
      | "fork";
    expectTypeOf<{ [K in Plain]: Given<K> }>().toEqualTypeOf<{ [K in Plain]: Typed<K> }>();
    type CommandFields = z.input<ReturnType<typeof commandHookSchema>>;
    expectTypeOf<CommandFields>().toExtend<CommandHookEntry>();
    expectTypeOf<Required<CommandHookEntry>>().toExtend<Required<CommandFields>>();
    expectTypeOf<z.input<ReturnType<typeof httpHookSchema>>>().toExtend<HttpHookEntry>();
    expectTypeOf<z.input<ReturnType<typeof promptHookSchema>>>().toExtend<PromptHookEntry>();
    type FunctionFields = keyof z.input<ReturnType<typeof functionHookSchema>>;
    expectTypeOf<FunctionFields>().toEqualTypeOf<keyof FunctionHookEntry<"Stop">>();
  });

  it("are copied: what a program does to its own objects later takes no guard away", async () => {
    const deny = ["Bash(touch:*)"];
    const groups: NonNullable<HooksOption["PreToolUse"]> = [
      {
        matcher: "Bash",
        hooks: [{ type: "function", run: () => ({ decision: "block", reason: "by the hook" }) }],
      },
    ];
    const given = { permissions: { deny }, hooks: { PreToolUse: groups } };
    const both = { reason: expect.stringMatching(/^by the hook\nRule Bash\(touch:\*\) /) };
    const call = { call: { name: "Bash", arguments: { command: "touch x" } } };
    await using live = await inFolder([call, { say: "ok" }, call, { say: "ok" }], { options: given });
    deny.length = 0;
    groups.length = 0;
    given.hooks.PreToolUse = [];
    expect((await live.agent.sendMessage("go")).denials).toMatchObject([both]);
    // Read again from the options, too.
    mkdirSync(join(live.agent.cwd, ".wave"), { recursive: true });
    await live.agent.reloadSettings();
    expect((await live.agent.sendMessage("go")).denials).toMatchObject([both]);
  });
});

describe("every method and every property refuses, with its path,", () => {
  const calls: Record<keyof typeof ARGUMENTS, (agent: Agent, args: Record<string, never>) => unknown> = {
    sendMessage: (agent, { content, options }) => agent.sendMessage(content as never, options),
    send: (agent, { content, options }) => agent.send(content as never, options),
    subscribe: (agent, { listener, options }) => agent.subscribe(listener as never, options),
    steer: (agent, { content, options }) => agent.steer(content as never, options),
    compact: (agent, { instructions }) => agent.compact(instructions),
    runShell: (agent, { command }) => agent.runShell(command as never),
    addNote: (agent, { note }) => agent.addNote(note as never),
    allowRule: (agent, { rule, scope }) => agent.allowRule(rule as never, scope as never),
    changeRule: (agent, { change }) => agent.changeRule(change as never),
    answerPermission: (agent, { id, answer }) => agent.answerPermission(id as never, answer as never),
    endBackgroundTask: (agent, { id }) => agent.endBackgroundTask(id as never),
    switchHook: (agent, { id, on }) => agent.switchHook(id as never, on as never),
    reviewSettings: (agent, { about }) => agent.reviewSettings(about as never),
    takeSettings: (agent, { review }) => agent.takeSettings(review as never),
    planRewind: (agent, { messageId }) => agent.planRewind(messageId as never),
    rewind: (agent, { messageId, options }) => agent.rewind(messageId as never, options as never),
    destroy: (agent, { reason, options }) => agent.destroy(reason, options),
    permissionMode: (agent, { permissionMode }) => (agent.permissionMode = permissionMode as never),
    model: (agent, { model }) => (agent.model = model as never),
    name: (agent, { name }) => (agent.name = name as never),
  };

  it("what it cannot take", async () => {
    await using live = await inFolder([]);
    const silent: string[] = [];
    for (const [method, schemasOf] of Object.entries<Record<string, () => z.ZodType>>(ARGUMENTS)) {
      const right = Object.fromEntries(
        Object.entries(schemasOf).map(([name, schema]) => [name, sampleOf(schema())]),
      );
      for (const [name, schema] of Object.entries(schemasOf)) {
        const at = name === method ? name : `${method}.${name}`;
        for (const one of wrongValues(schema(), at)) {
          const call = calls[method as keyof typeof calls];
          const paths = pathsOf(
            await refusal(() => call(live.agent, { ...right, [name]: one.value } as never)),
          );
          if (!tells(paths, one)) silent.push(`${one.how}: ${paths.join(", ")}`);
        }
      }
    }
    expect(silent).toEqual([]);
    expect(live.agent.permissionMode).toBe("bypassPermissions");
  });

  it("a property that does not exist", async () => {
    await using live = await inFolder([]);
    expect(() => Object.assign(live.agent, { permisionMode: "plan" })).toThrow(TypeError);
  });
});
