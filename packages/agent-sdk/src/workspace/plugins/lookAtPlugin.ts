import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { HookDefinition } from "../../hooks/definition.ts";
import { runProcess } from "../../services/process.ts";
import { describeProblem } from "../settings/problem.ts";
import type { NamedServer } from "../settings/mcpServers.ts";
import { loadSettings } from "../settings/settings.ts";
import { textsOfPerson, type TextKind } from "../texts/findTexts.ts";
import { filesOfPlugin } from "./contents.ts";
import { pluginAt } from "./keptPlugins.ts";
import type { Plugin } from "./plugin.ts";

/** A plugin that somebody may add, and all that it would bring along. Nothing of it has run. */
export interface LookedAt {
  plugin: Plugin;
  /** The folder or the address. */
  from: string;
  sha256: string;
  hooks: HookDefinition[];
  servers: NamedServer[];
  texts: { kind: TextKind; name: string }[];
  /** Files that can be run. */
  programs: string[];
  problems: string[];
}

interface Place {
  home: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

const CLONE_MS = 120_000;
const KEEP_BYTES = 16 * 1024;

/** Only forms in which git starts nothing but its own transport. */
const isAddress = (from: string) => /^(?:https?|ssh|git|file):\/\/[^-]|^[\w.]+@[\w.-]+:[^-]/.test(from);

/** Looks at the plugin in a folder or behind a git address, and ends with what `look` makes of it. */
export async function withPlugin<Result>(
  from: string,
  place: Place,
  look: (looked: LookedAt | { problem: string }) => Result | Promise<Result>,
): Promise<Result> {
  if (!isAddress(from)) {
    const root = resolve(place.cwd, from);
    if (existsSync(root)) return look(lookAt(realpathSync(root), root, place.home));
    return look({ problem: `there is no folder ${root}; an address begins with https://, ssh:// or git@` });
  }
  const folder = mkdtempSync(join(tmpdir(), "wave-plugin-"));
  try {
    const name = /([\w.-]+?)(?:\.git)?\/?$/.exec(from)?.[1]?.toLowerCase() ?? "plugin";
    const root = join(folder, name);
    const problem = await clone(from, root, place);
    return await look(problem === undefined ? lookAt(root, from, place.home) : { problem });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git says, if it fails. A repository has no say in what a clone runs; submodules are not fetched. */
async function clone(address: string, root: string, { cwd, env }: Place): Promise<string | undefined> {
  const run = await runProcess({
    file: "git",
    args: ["-c", "core.hooksPath=/dev/null", "clone", "--quiet", "--depth", "1", "--", address, root],
    cwd,
    // Nobody could answer a question about a password.
    env: { ...given(env), GIT_TERMINAL_PROMPT: "0" },
    timeoutMs: CLONE_MS,
    keepBytes: KEEP_BYTES,
  });
  if (run.end === "exited" && run.code === 0) return undefined;
  if (run.end === "not-started") return `git cannot be started: ${run.message}`;
  if (run.end === "timed-out") return `git clone took more than ${CLONE_MS / 1000} s`;
  return `git clone failed: ${run.stderr.text.trim().split("\n").at(-1) ?? ""}`;
}

const given = (env: Place["env"]) =>
  Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined));

function lookAt(root: string, from: string, home: string): LookedAt | { problem: string } {
  const read = pluginAt(root, home);
  if ("problem" in read) return read;
  const { plugin, sha256, notices } = read;
  const settings = loadSettings({
    projectDir: root,
    home,
    homeIsVouched: true,
    managedFile: "",
    sources: [],
    plugins: [plugin],
  });
  const ours = ({ file }: { file: string | undefined }) => file?.startsWith(root) === true;
  return {
    plugin,
    from,
    sha256,
    hooks: settings.hooks,
    servers: settings.mcpServers.filter(({ name }) => name.startsWith(`plugin_${plugin.name}_`)),
    texts: textsOfPerson(root).texts.map(({ kind, name }) => ({ kind, name })),
    programs: filesOfPlugin(root).flatMap(({ path, isProgram }) => (isProgram ? [path] : [])),
    problems: [...notices, ...settings.problems.filter(ours).map(describeProblem)],
  };
}
