import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { convertMessagesForAPI, loadSession, type ApiMessage } from "wave-agent-sdk";
import { startScriptedModel, type ScriptedReply } from "wave-agent-sdk/testing";
import { saveSession, type SessionHandle } from "../../../agent-sdk/src/services/session.ts";
import { sessionsDirFor } from "../../../agent-sdk/src/session/file/sessionPaths.ts";
import { approve } from "../support/approve.ts";
import { makeProject, type Project } from "../support/project.ts";
import { runWave, type WaveRun } from "../support/runWave.ts";

export interface Played {
  run: WaveRun;
  /** Whether everything is as it would be without a fault. */
  done: boolean;
  /** What should not be; empty when all is well. */
  wrong: string[];
}

export interface Stage {
  name: string;
  /** The files whose writes count. */
  files(project: Project): string[];
  play(project: Project, through: readonly string[], env: Record<string, string>): Promise<Played>;
}

const SESSION = "00000000-0000-4000-8000-000000000001";
const RULE = "Bash(make test)";

export const trustFile = (project: Project) => join(project.home, "trust.json");
const localSettings = (project: Project) => join(project.folder, ".wave", "settings.local.json");
const sessionFile = (project: Project) =>
  join(sessionsDirFor(project.home, project.folder), `${SESSION}.jsonl`);

/** A project with hooks that somebody approved, settings of the person's own, and a session that was begun. */
export function stageProject(): Project {
  const project = makeProject();
  project.hook("PreToolUse", "exit 0", { name: "guard" });
  project.hook("PostToolUse", "echo looked at it >&2; exit 2", { matcher: "Write", name: "reviewer" });
  project.write(
    ".wave/settings.local.json",
    '{\n  // mine\n  "permissions": { "deny": ["Bash(rm:*)"] }\n}\n',
  );
  approve(project);
  const handle: SessionHandle = { id: SESSION, file: sessionFile(project), cwd: project.folder };
  mkdirSync(dirname(handle.file), { recursive: true, mode: 0o700 });
  const message = { id: "m1", role: "user" as const, blocks: [{ type: "text" as const, content: "BEFORE" }] };
  saveSession(handle, [{ type: "edit", edit: { edit: "add-message", message } }], { sync: true });
  handle.close?.();
  return project;
}

/** The real program goes on with a session: prompt, answers, calls that read and write, hooks, an end. */
export function sessionStage(rounds: number): Stage {
  return {
    name: "a session",
    files: (project) => [sessionFile(project)],
    async play(project, through, env) {
      await using model = await startScriptedModel(scriptOf(rounds));
      // The copies of the reviewed hooks are made anew, as on the first start after an approval elsewhere.
      rmSync(join(project.home, "reviewed"), { recursive: true, force: true });
      const before = [trustFile(project), localSettings(project)].map(textOf);
      const args = ["-p", "-r", SESSION, "--output-format", "stream-json", "--permission-mode"];
      const run = await runWave([...args, "bypassPermissions", "PROMPT"], {
        project,
        approved: false,
        model,
        through,
        env,
      });
      const loaded = await loadSession(sessionFile(project));
      const kept = convertMessagesForAPI(loaded?.messages ?? []).map(asText);
      const sent = model.requests.flatMap(({ body }) => body.messages as ApiMessage[]);
      const answers =
        run.stdout.includes('"type":"result"') && run.stdout.includes("ALL DONE") ? ["ALL DONE"] : [];
      const acknowledged = new Set([
        ...sent.filter(({ role }) => role !== "system").map(asText),
        ...answers.map((content) => asText({ role: "assistant", content })),
      ]);
      const lost = [...acknowledged].filter((one) => !kept.includes(one));
      const after = [trustFile(project), localSettings(project)].map(textOf);
      return {
        run,
        done: lost.length === 0 && run.status === 0,
        wrong: [
          ...(lost.length > 0 && !isToldLost(run) ? [`lost without a word: ${lost.join("\n")}`] : []),
          ...(loaded?.problems ?? ["the session file is gone"]).map((text) => `damaged: ${text}`),
          ...(kept[0] === asText({ role: "user", content: "BEFORE" })
            ? []
            : ["what was there before is gone"]),
          ...(JSON.stringify(before) === JSON.stringify(after) ? [] : ["settings or trust were changed"]),
          ...leftovers(project),
        ],
      };
    },
  };
}

/** A rule that a person keeps: settings and trust are both written. */
export const ruleStage: Stage = {
  name: "a rule",
  files: (project) => [localSettings(project), trustFile(project)].map((file) => `${file}.new`),
  async play(project, through, env) {
    const before = { settings: textOf(localSettings(project)), trust: textOf(trustFile(project)) };
    const program = fileURLToPath(new URL("keepRule.ts", import.meta.url));
    const command = [
      process.execPath,
      "--conditions=@wave/source",
      program,
      project.folder,
      project.home,
      RULE,
    ];
    const run = await runWave([], { project, approved: false, program: [...through, ...command], env });
    const settings = changed(before.settings, textOf(localSettings(project)), isWithRule);
    const trust = changed(before.trust, textOf(trustFile(project)), (text) =>
      JSON.stringify(JSON.parse(text)).includes(RULE),
    );
    const said = run.stdout.includes("kept");
    return {
      run,
      done: said && settings === "new" && trust === "new",
      wrong: [
        ...(settings === "half" ? ["the settings are neither the old nor the new ones"] : []),
        ...(trust === "half" ? ["the trust is neither the old nor the new one"] : []),
        ...(said && !(settings === "new" && trust === "new") ? ["said to be kept, and is not"] : []),
        ...leftovers(project),
      ],
    };
  },
};

/** The real program approves a project anew. */
export const trustStage: Stage = {
  name: "trust",
  files: (project) => [`${trustFile(project)}.new`],
  async play(project, through, env) {
    // One more hook than was approved.
    project.hook("Stop", "exit 0", { name: "one more" });
    const shown = await runWave(["hooks", "trust", "hash"], { project, approved: false, env });
    const before = textOf(trustFile(project));
    const hash = shown.stdout.trim();
    const run = await runWave(["hooks", "trust", "approve", hash], {
      project,
      approved: false,
      through,
      env,
    });
    const trust = changed(before, textOf(trustFile(project)), (text) =>
      JSON.stringify(JSON.parse(text)).includes("one more"),
    );
    return {
      run,
      done: run.status === 0 && trust === "new",
      wrong: [
        ...(trust === "half" ? ["the trust is neither the old nor the new one"] : []),
        ...(run.status === 0 && trust !== "new" ? ["said to be approved, and is not"] : []),
        ...leftovers(project),
      ],
    };
  },
};

/** Calls that read, and calls that write and so also keep what was there before. */
function scriptOf(rounds: number): ScriptedReply[] {
  const round = (n: number): ScriptedReply => ({
    say: `round ${n}`,
    calls: [
      { name: "Write", arguments: { file_path: `made-${n}.txt`, content: `content ${n}` }, id: `write-${n}` },
      { name: "Bash", arguments: { command: `echo said ${n}` }, id: `bash-${n}` },
      { name: "Read", arguments: { file_path: "hooks/hook-1.sh" }, id: `read-${n}` },
    ],
  });
  return [...Array.from({ length: rounds }, (_, n) => round(n)), { say: "ALL DONE" }];
}

/** The last word about saving was that it does not work. */
function isToldLost({ stderr }: WaveRun): boolean {
  const said = stderr.split("\n").filter((line) => /not being saved|saved again/.test(line));
  return said.at(-1)?.includes("not being saved") ?? false;
}

function changed(before: string, after: string, isNew: (text: string) => boolean): "old" | "new" | "half" {
  if (after === before) return "old";
  try {
    return isNew(after) ? "new" : "half";
  } catch {
    // Not even JSON.
    return "half";
  }
}

const isWithRule = (text: string) =>
  text.includes("// mine") &&
  JSON.stringify(JSON.parse(text.replace("// mine", ""))) ===
    JSON.stringify({ permissions: { deny: ["Bash(rm:*)"], allow: [RULE] } });

/** A lock or half a file that nobody will ever need. */
function leftovers({ home, folder }: Project): string[] {
  const names = [home, join(folder, ".wave")].flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: "utf8" }),
  );
  return names
    .filter((name) => /\.(new|lock|tmp)$|^reviewed\/[0-9a-f]+\.[^/]+$/.test(name))
    .map((name) => `left behind: ${name}`);
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
const asText = ({ role, content, ...more }: ApiMessage) => JSON.stringify({ role, content, ...more });
