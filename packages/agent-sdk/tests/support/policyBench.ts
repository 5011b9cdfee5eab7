import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookDefinition } from "@/hooks/definition.ts";
import type { FittingCall } from "@/gate/callFacts.ts";
import { viewCall } from "@/gate/callView.ts";
import { PermissionPolicy } from "@/gate/permissionPolicy.ts";
import type { PolicyDecision } from "@/gate/seams.ts";
import { ProtectedFiles } from "@/workspace/protectedFiles.ts";
import type { PermissionMode } from "@/permissions/modes.ts";
import { FileMemory } from "@/tools/fileMemory.ts";
import { builtInTools } from "@/tools/index.ts";
import { ShellRegistry } from "@/tools/shells.ts";
import type { Tool, ToolSession } from "@/tools/tool.ts";
import { tempFolder } from "./tempFolder.ts";

/** A project with a repository and some files, and what rules and mode say about calls in it; nothing is ever run. */
export interface PolicyBench extends Disposable {
  project: string;
  /** The person's home. */
  user: string;
  session: ToolSession;
  /** As the gate does: git is asked first. */
  lookAndDecide(command: string, given?: Given): Promise<PolicyDecision>;
  decide(
    call: string | { tool: string | Tool; input: Record<string, unknown> },
    given?: Given,
  ): PolicyDecision;
}

interface Given {
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
  mode?: PermissionMode;
  /** Sees something else in a call than Wave does. */
  see?: (call: FittingCall) => FittingCall;
}

const MAY_BE_MISSING =
  "awk column docker file free hostname java jq make node npm npx pip ps pytest python python3 rg strings tree uptime xxd".split(
    " ",
  );

export function policyBench({
  hooks = [],
  path = () => [],
}: {
  hooks?: readonly HookDefinition[];
  /** Folders before those of the machine. */
  path?: (places: { project: string; user: string }) => readonly string[];
} = {}): PolicyBench {
  const folder = tempFolder();
  const project = join(folder.path, "project");
  const user = join(folder.path, "user");
  for (const path of ["src", "docs", "tests", ".wave"]) mkdirSync(join(project, path), { recursive: true });
  mkdirSync(user);
  writeFileSync(join(user, ".bashrc"), "");
  for (const file of [
    "package.json",
    "README.md",
    "src/index.ts",
    "src/app.ts",
    "tests/app.test.ts",
    "docs/a.md",
  ])
    writeFileSync(join(project, file), "{}\n");
  // Some machines lack them, and only their names matter here.
  const programs = join(folder.path, "bin");
  mkdirSync(programs);
  for (const name of MAY_BE_MISSING) writeFileSync(join(programs, name), "#!/bin/sh\n", { mode: 0o755 });
  execFileSync("git", ["init", "-q", "--template=", project]);
  const tools = new Map(builtInTools().map((tool) => [tool.name, tool]));
  const session: ToolSession = {
    projectDir: project,
    cwd: project,
    env: {
      PATH: [...path({ project, user }), programs, process.env["PATH"] ?? ""].join(":"),
      HOME: user,
    },
    files: new FileMemory(),
    journal: { willChange: async () => {}, changedByHooks: async () => {} },
    shells: new ShellRegistry(),
    todos: [],
  };
  const protectedFiles = new ProtectedFiles({
    projectDir: project,
    home: user,
    waveHome: join(user, ".wave"),
    settingsFiles: [{ scope: "project", file: join(project, ".wave/settings.json") }],
    hooks: () => hooks,
    path: session.env["PATH"],
  });
  const toolOf = (name: string | Tool) => {
    const tool = typeof name === "string" ? tools.get(name) : name;
    if (!tool) throw new Error("there is no such tool");
    return tool;
  };
  const made = new WeakMap<Given, PermissionPolicy>();
  /** The same rules are read once. */
  const policyWith = (given: Given = {}) => {
    const before = made.get(given);
    if (before) return before;
    const policy = newPolicy(given);
    made.set(given, policy);
    return policy;
  };
  const newPolicy = ({ mode = "default", ...given }: Given) => {
    const rules = (["allow", "ask", "deny"] as const).flatMap((behavior) =>
      (given[behavior] ?? []).map((rule) => ({
        rule,
        behavior,
        scope: "user" as const,
        file: "settings.json",
        line: undefined,
        base: project,
      })),
    );
    return new PermissionPolicy({ rules, mode, session, protectedFiles, reviewWays: "wave hooks trust" });
  };
  return {
    project,
    user,
    session,
    async lookAndDecide(command, given) {
      const policy = policyWith(given);
      const inputs = { final: fitting(toolOf("Bash"), { command }, session), original: undefined };
      const ahead = await policy.lookAhead(inputs, new AbortController().signal);
      return policy.decide({ ...inputs, origin: "model", ahead }, NO_OPINION);
    },
    decide(call, given) {
      const { tool: name, input } =
        typeof call === "string" ? { tool: "Bash", input: { command: call } } : call;
      const policy = policyWith(given);
      const { see = (seen: FittingCall) => seen } = given ?? {};
      const final = see(fitting(toolOf(name), input, session));
      // Here no command of git changes a file; whether one does is asked in tests/gate/protected/.
      const ahead = { brought: () => ({ known: true, files: [] }) as const, lookAgain: async () => [] };
      return policy.decide({ final, original: undefined, origin: "model", ahead }, NO_OPINION);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const NO_OPINION = {
  hook: { decision: "none", reasons: [], names: [], labels: [] },
  unreviewed: [],
} as const;

/** Also an input that the tool's schema would refuse. */
const fitting = (tool: Tool, input: Record<string, unknown>, session: ToolSession): FittingCall => ({
  fits: true,
  tool,
  input,
  view: viewCall(tool, input, session),
});
