import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HOOK_EVENT_NAMES, HOOK_EVENTS, isHookEvent } from "@/hooks/events.ts";
import { settingsSchema } from "@/workspace/settings/schema.ts";
import { settingsOf } from "../support/settingsFiles.ts";
import { tempFolder } from "../support/tempFolder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const page = readFileSync(join(root, "docs/reference/hooks.md"), "utf8");

/** Runs the generator in a folder: what it compares with and writes to is there. */
function generate(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts/generate.ts"), ...args],
    {
      cwd,
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr };
}

describe("schemas and reference tables", () => {
  it("are what the code generates (T198, JO-9)", () => {
    expect(generate(root, "--check")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("are noticed when they are missing or differ, and repaired (T198)", () => {
    using copy = tempFolder();
    cpSync(join(root, "docs"), join(copy.path, "docs"), { recursive: true });
    cpSync(join(root, "schemas"), join(copy.path, "schemas"), { recursive: true });
    expect(generate(copy.path, "--check").status).toBe(0);

    rmSync(join(copy.path, "schemas/hooks/stop.input.schema.json"));
    appendFileSync(join(copy.path, "schemas/settings.schema.json"), "\n");
    const { status, stderr } = generate(copy.path, "--check");
    expect(status).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      "schemas/settings.schema.json is not up to date; run: npm run generate",
      "schemas/hooks/stop.input.schema.json is not up to date; run: npm run generate",
    ]);
    expect(generate(copy.path).status).toBe(0);
    expect(generate(copy.path, "--check").status).toBe(0);
  });

  it("have one file for the input and one for the output of every event (JO-9)", () => {
    const names = HOOK_EVENT_NAMES.map((event) => event.replaceAll(/\B[A-Z]/g, "-$&").toLowerCase());
    const files = names.flatMap((name) => [`${name}.input.schema.json`, `${name}.output.schema.json`]);
    expect(readdirSync(join(root, "schemas/hooks")).toSorted()).toEqual(files.toSorted());
  });

  it("name every event and every field that a hook reads or prints (T198)", () => {
    const missing = HOOK_EVENT_NAMES.flatMap((event) => {
      const { input, output } = HOOK_EVENTS[event];
      const specific = Object.keys(output().shape.hookSpecificOutput.unwrap().shape).map(
        (name) => `hookSpecificOutput.${name}`,
      );
      const top = Object.keys(output().shape).filter((name) => name !== "hookSpecificOutput");
      return [event, ...Object.keys(input().shape), ...top, ...specific].filter(
        (name) => !page.includes(`| \`${name}\``),
      );
    });
    expect(missing).toEqual([]);
  });
});

describe("the page about settings", () => {
  const text = readFileSync(join(root, "docs/reference/settings.md"), "utf8");

  it("has a row with words for every key (T198)", () => {
    const keys = [...Object.keys(settingsSchema().shape), "permissions.deny", "sandbox.network"];
    const rows = keys.map((key) => text.split("\n").find((line) => line.startsWith(`| \`${key}\` `)) ?? key);
    expect(rows.filter((row) => !/\w[^|]*\|$/.test(row))).toEqual([]);
  });

  it("has an example that loads without a word and fits the schema (T198)", () => {
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
    expect(settingsOf(example).problems).toEqual([]);
    expect(settingsSchema().safeParse(JSON.parse(example)).error).toBeUndefined();
  });
});

describe("the examples of the hooks page", () => {
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  const settings = examples.filter((text) => text.includes('"hooks"'));
  const outputs = examples.filter((text) => text.includes('"hookSpecificOutput"'));

  const numbered = (texts: string[]) => texts.map((text, index): [number, string] => [index + 1, text]);

  it("are either settings or what a hook prints (T198)", () => {
    expect(settings.length).toBeGreaterThan(1);
    expect(outputs.length).toBeGreaterThan(1);
    expect(settings.length + outputs.length).toBe(examples.length);
  });

  it.each(numbered(settings))("load without a word, and fit the schema: settings %i (T198)", (_, text) => {
    const { hooks, problems } = settingsOf(text);
    expect(problems).toEqual([]);
    expect(hooks.length).toBeGreaterThan(0);
    expect(settingsSchema().safeParse(JSON.parse(text)).error).toBeUndefined();
  });

  it.each(numbered(outputs))("are what its event allows: output %i (T198, JO-9)", (_, text) => {
    const output = JSON.parse(text) as { hookSpecificOutput: { hookEventName: string } };
    const event = output.hookSpecificOutput.hookEventName;
    if (!isHookEvent(event)) throw new Error(`${event} is not an event`);
    expect(HOOK_EVENTS[event].output().parse(output)).toEqual(output);
  });
});
