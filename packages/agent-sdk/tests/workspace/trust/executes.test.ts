import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HOOK_EVENT_NAMES } from "@/hooks/events.ts";
import { settingsSchema } from "@/workspace/settings/schema.ts";
import { loadSettings } from "@/workspace/settings/settings.ts";
import { approveProject, readProjectTrust } from "@/workspace/trust/trust.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { blocksOf } from "../../support/playSession.ts";
import { tempFolder } from "../../support/tempFolder.ts";

/**
 * What each field of a project's settings can do to the person who opens the project. A new field is put here first, and
 * one that runs something, or lets something run, is tried below.
 */
const FIELDS: Record<
  string,
  "needs a yes" | "is seen with its hook" | "only tightens" | "is not read" | "says nothing"
> = {
  $schema: "says nothing",
  "hooks.*.matcher": "is seen with its hook",
  "hooks.*.sequential": "is seen with its hook",
  "hooks.*.hooks.type": "is seen with its hook",
  "hooks.*.hooks.command": "needs a yes",
  "hooks.*.hooks.args": "is seen with its hook",
  "hooks.*.hooks.url": "is seen with its hook",
  "hooks.*.hooks.headers": "is seen with its hook",
  "hooks.*.hooks.allowedEnvVars": "is seen with its hook",
  "hooks.*.hooks.env": "is seen with its hook",
  "hooks.*.hooks.cwd": "is seen with its hook",
  "hooks.*.hooks.timeout": "is seen with its hook",
  "hooks.*.hooks.if": "is seen with its hook",
  "hooks.*.hooks.name": "says nothing",
  "hooks.*.hooks.description": "says nothing",
  "hooks.*.hooks.onError": "is seen with its hook",
  "hooks.*.hooks.onError.*": "is seen with its hook",
  "hooks.*.hooks.onFailure": "is seen with its hook",
  "hooks.*.hooks.onFailure.*": "is seen with its hook",
  "hooks.*.hooks.failClosed": "only tightens",
  "hooks.*.hooks.shell": "says nothing",
  "hooks.*.hooks.async": "is seen with its hook",
  "hooks.*.hooks.asyncRewake": "is seen with its hook",
  "hooks.*.hooks.warm": "is seen with its hook",
  "hooks.*.hooks.prompt": "is seen with its hook",
  "hooks.*.hooks.model": "is seen with its hook",
  "hooks.*.hooks.continueOnBlock": "says nothing",
  "hooks.*.hooks.once": "is seen with its hook",
  "hooks.*.hooks.statusMessage": "says nothing",
  "hooks.*.hooks.passEnv": "is seen with its hook",
  "hooks.*.hooks.protectEnv": "only tightens",
  "hooks.*.hooks.sandbox": "only tightens",
  "hookDefaults.onError": "only tightens",
  "hookDefaults.onError.*": "only tightens",
  hooksFrom: "is not read",
  allowedHttpHookUrls: "is not read",
  httpHookAllowedEnvVars: "is not read",
  hookContextLimit: "is not read",
  "hookContextLimit.*": "is not read",
  "permissions.allow": "needs a yes",
  "permissions.ask": "only tightens",
  "permissions.deny": "only tightens",
  "permissions.defaultMode": "only tightens",
  model: "needs a yes",
  contextSize: "needs a yes",
  baseUrl: "is not read",
  "providers.*.baseUrl": "is not read",
  "providers.*.protocol": "is not read",
  "providers.*.keyVariable": "is not read",
  "providers.*.headers": "is not read",
  maxSubagents: "is not read",
  modelTimeout: "is not read",
  notifications: "is not read",
  windowTitle: "is not read",
  env: "needs a yes",
  mcpServers: "needs a yes",
  sandbox: "only tightens",
  "sandbox.mode": "only tightens",
  "sandbox.network": "only tightens",
  "sandbox.writable": "is not read",
  protectEnv: "only tightens",
  "sessions.keepDays": "is not read",
};

/** Every field that has a value of its own; where the names are a list of their own (events, kinds of failure), a star. */
function fieldsOf(schema: unknown, path = ""): string[] {
  if (schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap(), path);
  if (schema instanceof z.ZodArray)
    return schema.element instanceof z.ZodObject || schema.element instanceof z.ZodUnion
      ? fieldsOf(schema.element, path)
      : [path];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path));
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodObject)
    return fieldsOf(schema.valueType, `${path}.*`);
  if (!(schema instanceof z.ZodObject)) return [path];
  const isList = path === "hooks" || path === "hookContextLimit" || /\.on(Error|Failure)$/.test(path);
  return Object.entries(schema.shape).flatMap(([name, field]) =>
    fieldsOf(field, [...(path === "" ? [] : [path]), isList ? "*" : name].join(".")),
  );
}

const NEED_A_YES = {
  hooks: Object.fromEntries(
    HOOK_EVENT_NAMES.map((event) => [
      event,
      [{ hooks: [{ type: "command", command: `echo ${event} >> ../ran` }] }],
    ]),
  ),
  permissions: { allow: ["Bash(echo:*)"] },
  model: "other",
  contextSize: 4_321,
  env: { PROBE: "of the project" },
  mcpServers: { probe: { command: "sh", args: ["-c", "echo started >> ../server"] } },
};

describe("the fields of settings", () => {
  it("are all on one list that says what they can do; a new one is put there first (G17)", () => {
    expect([...new Set(fieldsOf(settingsSchema()))].toSorted()).toEqual(Object.keys(FIELDS).toSorted());
  });

  it("that need a yes are all tried here (G17)", () => {
    const tried = Object.keys(NEED_A_YES).map((name) => name.replace("hooks", "hooks.*.hooks.command"));
    const listed = Object.keys(FIELDS).filter((field) => FIELDS[field] === "needs a yes");
    expect(listed.map((field) => field.replace("permissions.allow", "permissions")).toSorted()).toEqual(
      tried.toSorted(),
    );
  });

  it.each([
    ["none counts before it", false],
    ["all count after it", true],
  ])("that need a yes: %s (G17)", async (_what, approved) => {
    using folder = tempFolder();
    const places = { projectDir: join(folder.path, "project"), home: join(folder.path, "home") };
    mkdirSync(join(places.projectDir, ".wave"), { recursive: true });
    writeFileSync(join(places.projectDir, ".wave", "settings.json"), JSON.stringify(NEED_A_YES));
    if (approved) {
      const { hooks, permissions, ofProject } = loadSettings({ ...places, managedFile: "/nonexistent" });
      const trust = readProjectTrust({ ...places, hooks, ...permissions, ofProject });
      await approveProject(places.home, trust, new Date(0));
    }
    const asked: string[] = [];
    {
      const call = { call: { name: "Bash", arguments: { command: 'echo "probe: $PROBE"' } } };
      await using live = await liveAgent(folder.path, [call, { say: "done" }], {
        settings: { model: "scripted" },
        named: "elsewhere",
        options: {
          trust: "store",
          permissionMode: "default",
          env: process.env,
          onPermissionRequest: ({ toolName }) => (asked.push(toolName), { decision: "allow" }),
        },
      });
      await live.agent.sendMessage("go");
      expect(live.model.requests[0]?.body.model).toBe(approved ? "other" : "scripted");
      expect(live.agent.context.size).toBe(approved ? 4_321 : undefined);
      const [tool] = blocksOf(live.agent.messages, "tool");
      expect(tool?.result?.trim()).toBe(approved ? "probe: of the project" : "probe:");
    }
    expect(asked).toEqual(approved ? [] : ["prompt", "Bash"]);
    expect(existsSync(join(folder.path, "ran"))).toBe(approved);
    expect(existsSync(join(folder.path, "server"))).toBe(approved);
  });
});
