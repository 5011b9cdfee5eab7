import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { blocksOf } from "../support/playSession.ts";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/publishedHooks", import.meta.url));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const isPossible = has("jq") && has("python3") && has("bash");

/** What one session with all of these hooks left behind. */
interface Left {
  /** What the model was told at last. */
  wire: string;
  /** What the person saw of warnings and errors. */
  shown: string;
  /** The results of calls, in order. */
  results: (string | undefined)[];
  /** Why the person was asked. */
  asked: string[];
  file: (name: string) => string | undefined;
  files: (folder: string) => string[];
}

/** By script: what Claude Code would do with it. */
const OUTCOMES: Record<string, (left: Left) => void> = {
  "block-dangerous.sh": ({ results }) => expect(results).toContain("BLOCKED: this would remove everything"),
  "protect-env.py": ({ results, file }) => {
    expect(results).toContain("PROTECTED: .env is not for agents");
    expect(file(".env")).toBe("KEY=1\n");
  },
  "no-push-to-main.mjs": ({ results }) => expect(results).toContain("PUSH: open a pull request instead"),
  "use-pnpm.py": ({ file }) => expect(file("commands.log")).toContain("Bash|pnpm --help-me || true|"),
  "ask-terraform.sh": ({ asked, results }) => {
    expect(asked).toEqual(["ASK: this changes the cloud"]);
    expect(results.at(-1)).toBe("The user said no.");
  },
  "secret-scan.py": ({ results, file }) => {
    expect(results).toContain("SECRET: an access key must not be written");
    expect(file("key.txt")).toBeUndefined();
  },
  "only-in-claude.sh": ({ results }) =>
    expect(results).toContain("NO-VERIFY: hooks of git are there for a reason"),
  "context-before-tool.sh": ({ wire }) => expect(wire).toContain("CONTEXT: markdown is wrapped at 80"),
  "format.py": ({ file }) => expect(file("notes.txt")).toBe("one\n2\n"),
  "lint.sh": ({ wire }) => expect(wire).toContain("LINT: bad.py does not compile"),
  "command-log.sh": ({ file }) =>
    expect(file("commands.log")?.split("\n")[0]).toBe(
      "Bash|echo $NODE_ENV ${BUILD_DIR##*/}|production build|false",
    ),
  "count-patch.mjs": ({ file }) => expect(file("patches.log")).toBe("+1 -1 of 3\n"),
  "failure-hint.py": ({ file, wire }) => {
    expect(file("failures.log")).toBe("Bash: Exit code 7\n");
    expect(wire).toContain("HINT: look into failures.log");
  },
  "prompt-context.sh": ({ wire }) => expect(wire).toContain("NOW: the release branch is frozen"),
  "prompt-guard.py": ({ wire, shown }) => {
    expect(shown).toContain("PROMPT: take the password out");
    expect(wire).not.toContain("hunter2");
  },
  "prompt-json.mjs": ({ wire }) => expect(wire).toContain("TICKET: the ticket is ABC-1"),
  "load-context.sh": ({ wire }) => expect(wire).toContain("TODO (startup): write the tests"),
  "load-env.sh": ({ file }) => expect(file("commands.log")).toContain("production build"),
  "test-gate.sh": ({ wire }) => expect(wire).toContain("GATE: run the tests before you stop"),
  "summarize.py": ({ file }) =>
    expect(JSON.parse(file("summary.json") ?? "")).toEqual({ tools: 11, results: 11, prompts: ["work"] }),
  "last-words.sh": ({ file }) => expect(file("said")).toBe("really done\n"),
  "notify.sh": ({ file }) => expect(file("notified")).toBe("done\ndone\n"),
  "session-log.py": ({ file }) => expect(file("sessions.log")).toMatch(/^[\da-f-]{36} other\n$/),
  "backup.sh": ({ file, files }) => {
    const [name = ""] = files("backups");
    expect(name).toMatch(/-manual\.jsonl$/);
    expect(file(join("backups", name))).toContain('"type":"assistant"');
  },
  "desktop.py": ({ file }) =>
    expect(file("desktop.log")).toContain("permission_prompt: Wave needs your permission to use Bash"),
};

describe.runIf(isPossible)("hooks in the style that people publish for Claude Code", () => {
  let left: Left;

  beforeAll(async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(join(project, ".claude"), { recursive: true });
    cpSync(FIXTURES, join(project, ".claude", "hooks"), { recursive: true });
    cpSync(join(FIXTURES, "settings.json"), join(project, ".claude", "settings.json"));
    writeFileSync(join(project, ".env"), "KEY=1\n");
    writeFileSync(join(project, "TODO.md"), "write the tests\n");
    const call = (name: string, given: Record<string, unknown>) => ({ call: { name, arguments: given } });
    const bash = (command: string) => call("Bash", { command });
    const scenario = [
      bash("echo $NODE_ENV ${BUILD_DIR##*/}"),
      bash("rm -rf /"),
      bash("git push origin main"),
      bash("npm --help-me || true"),
      bash("git commit --no-verify"),
      bash("exit 7"),
      call("Write", { file_path: ".env", content: "KEY=2\n" }),
      call("Write", { file_path: "key.txt", content: "AKIAABCDEFGHIJKLMNOP" }),
      call("Write", { file_path: "notes.txt", content: "one   \ntwo\n" }),
      call("Edit", { file_path: "notes.txt", old_string: "two", new_string: "2" }),
      call("Write", { file_path: "bad.py", content: "def f(:\n" }),
      { say: "done" },
      { say: "really done" },
      call("Read", { file_path: "TODO.md" }),
      bash("terraform apply"),
      { say: "SUMMARY" },
    ];
    const asked: string[] = [];
    let seen: Pick<Left, "wire" | "shown" | "results" | "asked">;
    {
      await using live = await liveAgent(folder.path, scenario, {
        options: {
          env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
          onPermissionRequest: ({ reason }) => (asked.push(reason), { decision: "deny" }),
        },
      });
      await live.agent.sendMessage("work");
      await live.agent.sendMessage("my password: hunter2");
      await live.agent.sendMessage("look");
      await live.agent.compact();
      const { messages } = live.agent;
      seen = {
        wire: live.model.requests.map(({ text }) => text).join("\n"),
        shown: JSON.stringify([...blocksOf(messages, "error"), ...blocksOf(messages, "warn")]),
        results: blocksOf(messages, "tool").map(({ result }) => result),
        asked,
      };
    }
    const kept = new Map(
      readdirSync(project, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => {
          const path = join(entry.parentPath, entry.name);
          return [path.slice(project.length + 1), readFileSync(path, "utf8")] as const;
        }),
    );
    left = {
      ...seen,
      file: (name) => kept.get(name),
      files: (name) =>
        [...kept.keys()].flatMap((path) =>
          path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : [],
        ),
    };
  }, 120_000);

  it.each(Object.entries(OUTCOMES))("%s does what it does there (SPEC 6)", (_script, outcome) => {
    outcome(left);
    expect.hasAssertions();
  });

  it("all have an outcome that is looked at", () => {
    const scripts = readdirSync(FIXTURES).filter((name) => name !== "settings.json");
    expect(Object.keys(OUTCOMES).toSorted()).toEqual(scripts.toSorted());
    expect(existsSync(join(FIXTURES, "settings.json"))).toBe(true);
  });
});
