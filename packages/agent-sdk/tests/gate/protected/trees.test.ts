import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { policyBench } from "../../support/policyBench.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { waitFor } from "../../support/waitFor.ts";
import { gitEnvironment } from "./layout.ts";
import { layOutTrees, TASKS, TREE_EVERYDAY, TREE_ROUTES, treePicture, type TreeRoute } from "./trees.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const project = join(folder.path, "project");
const user = join(folder.path, "user");
for (const path of [project, user]) mkdirSync(path);
layOutTrees(project, user);

const HOOKS = {
  PreToolUse: [
    {
      matcher: "TodoWrite",
      hooks: [
        {
          type: "command" as const,
          name: "later",
          command: "./scripts/later.sh",
          onError: "block" as const,
        },
      ],
    },
  ],
};

describe("a command of git that changes a whole work tree", () => {
  it.each([
    { permissionMode: "bypassPermissions" as const, allow: [], every: 1 },
    // The same judge; a sample is enough to see that a rule does not lift it.
    { permissionMode: "default" as const, allow: ["Bash(git:*)", "Bash"], every: 4 },
  ])(
    "is asked about in mode $permissionMode with rules $allow where a protected file comes out different, and the question names it (T82, G27, G29)",
    { timeout: 120_000 },
    async ({ permissionMode, allow, every }) => {
      const tried = TREE_ROUTES.filter((_, at) => at % every === 0);
      const silentAmong = async (routes: readonly TreeRoute[]) => {
        const calls = routes.map(({ command }) => ({ name: "Bash", arguments: { command } }));
        const before = treePicture(project);
        const { messages } = await playSession(folder.path, {
          scenario: [{ calls }, { say: "done" }],
          options: {
            permissionMode,
            permissions: { allow },
            hooks: HOOKS,
            env: { ...process.env, ...gitEnvironment(user) },
          },
        });
        expect(treePicture(project)).toBe(before);
        const results = blocksOf(messages, "tool").map(({ result = "" }) => result);
        return routes.flatMap(({ command, names }, at) => {
          const result = results[at] ?? "";
          return result.startsWith("Not run: this needs approval") && names.test(result)
            ? []
            : [`${command}: ${result}`];
        });
      };
      expect(await silentAmong(tried.filter((route) => !route.dirty))).toEqual([]);
      appendFileSync(join(project, TASKS), "mine\n");
      try {
        expect(await silentAmong(tried.filter((route) => route.dirty))).toEqual([]);
      } finally {
        writeFileSync(join(project, TASKS), "one\n");
      }
    },
  );

  it("would have changed that file, had nobody asked (G27)", { timeout: 120_000 }, () => {
    const routes = TREE_ROUTES.filter((route) => !route.notRun);
    const before = treePicture(project);
    const copyOf = (at: number) => join(folder.path, `copy-${at}`);
    // The index of a copy knows other files by their numbers. One shell for all: starting one for each is what takes time.
    const lines = routes.map(
      (route, at) =>
        `cp -a '${project}' '${copyOf(at)}' && (cd '${copyOf(at)}'; git update-index -q --refresh\n` +
        `${route.dirty ? `echo mine >> ${TASKS}; ` : ""}${route.command}\n)`,
    );
    spawnSync("bash", ["--norc"], { input: lines.join("\n"), env: gitEnvironment(user) });
    const idle = routes.filter((route, at) => {
      const changed = route.dirty ? before.replace("one\n", "one\nmine\n") : before;
      return treePicture(copyOf(at)) === changed;
    });
    expect(idle.map(({ command }) => command)).toEqual([]);
  });

  it(
    "that fetches first is judged by what was fetched before, and a person is told what protected files then came (T82, G27)",
    { timeout: 120_000 },
    async () => {
      using other = tempFolder();
      const clone = join(other.path, "project");
      execFileSync("cp", ["-a", project, clone]);
      const git = (...args: string[]) => execFileSync("git", args, { cwd: clone });
      git("remote", "set-url", "origin", project);
      git("update-ref", "refs/remotes/origin/evil", "feature");
      const commands = ["git pull -q --no-rebase origin main", "git pull -q --no-rebase origin evil"];
      const { events } = await playSession(other.path, {
        scenario: [
          ...commands.map((command) => ({ calls: [{ name: "Bash", arguments: { command } }] })),
          { say: "done" },
        ],
        options: { env: { ...process.env, ...gitEnvironment(user) } },
      });
      expect(treePicture(clone)).toContain("evil\n");
      const told = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
      expect(told.filter((text) => text.includes("fetched something new"))).toEqual([
        expect.stringMatching(
          /^`git pull -q --no-rebase origin evil` fetched something new, and these protected files are others now: .*x\.yml, .*tasks\.json; look/,
        ),
      ]);
    },
  );

  it(
    "that brings what somebody moved in after it was judged is told afterwards, and what was only committed is not (T82, G27)",
    { timeout: 120_000 },
    async () => {
      using other = tempFolder();
      const clone = join(other.path, "project");
      execFileSync("cp", ["-a", project, clone]);
      const git = (...args: string[]) => execFileSync("git", args, { cwd: clone });
      git("branch", "plain", "feature");
      appendFileSync(join(clone, TASKS), "mine\n");
      const changed = statSync(join(clone, TASKS)).ctimeMs;
      await waitFor("the change to be an old one", () => Date.now() > changed + 100);
      const commands = [
        "git checkout -q main && git commit -qam mine",
        "git checkout -q plain",
        "git checkout -q main",
        "git reset -q --hard",
      ];
      const { events } = await playSession(other.path, {
        scenario: [
          ...commands.map((command) => ({ calls: [{ name: "Bash", arguments: { command } }] })),
          { say: "done" },
        ],
        options: {
          env: { ...process.env, ...gitEnvironment(user) },
          permissionMode: "default",
          // It is judged, and while somebody thinks about it the branch becomes another one.
          onPermissionRequest: ({ input }) => {
            if (input["command"] === "git checkout -q plain") git("branch", "-f", "plain", "evil");
            if (input["command"] === "git reset -q --hard") git("update-ref", "refs/heads/main", "evil");
            return { decision: "allow" };
          },
        },
      });
      const told = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
      expect(told).toEqual([
        // The question named tasks.json, which somebody had changed.
        expect.stringMatching(
          /^`git checkout -q plain` brought something else than .* others now: \S*x\.yml; look/,
        ),
        expect.stringMatching(
          /^`git reset -q --hard` brought something else than .*: \S*x\.yml, \S*tasks\.json; look/,
        ),
      ]);
    },
  );

  it(
    "runs without a question where none comes out different, and nothing of the repository's is run to find out (G27)",
    { timeout: 120_000 },
    async () => {
      using bench = policyBench();
      execFileSync("cp", ["-a", `${project}/.`, bench.project]);
      const ran = join(bench.project, "../ran");
      const evil = join(bench.project, "../evil.sh");
      writeFileSync(evil, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
      const settings = ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "core.editor"];
      for (const key of settings) execFileSync("git", ["config", key, evil], { cwd: bench.project });
      const asked: string[] = [];
      for (const command of TREE_EVERYDAY) {
        const { decision, reason } = await bench.lookAndDecide(command, { mode: "bypassPermissions" });
        if (decision !== "allow") asked.push(`${command}: ${reason}`);
      }
      expect(asked).toEqual([]);
      expect(existsSync(ran)).toBe(false);
    },
  );
});
