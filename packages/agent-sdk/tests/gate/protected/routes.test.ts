import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { gitEnvironment, layOut, pictureOf } from "./layout.ts";
import { FILE_ROUTES, SHELL_ROUTES, type ShellRoute } from "./routes.ts";

const shellRoutes = Object.values(SHELL_ROUTES).flat();

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

function fileCalls(project: string, user: string): Call[] {
  return FILE_ROUTES.flatMap((route, at): Call[] => {
    const file_path = route.replace("{project}", project).replace("{home}", user);
    const edit = { old_string: "a", new_string: "b" };
    return [
      { name: "Write", arguments: { file_path, content: "x" } },
      at % 2 === 0
        ? { name: "Edit", arguments: { file_path, ...edit } }
        : { name: "MultiEdit", arguments: { file_path, edits: [edit] } },
    ];
  });
}

describe("a protected file", () => {
  it("is tried by at least 120 routes (G27)", () => {
    expect(
      new Set([...FILE_ROUTES, ...shellRoutes.map(({ command }) => command)]).size,
    ).toBeGreaterThanOrEqual(120);
  });

  // The modes that let edits through. That the others ask, too, once a protected file is seen: gateTable.test.ts.
  it.each(["acceptEdits", "bypassPermissions"] as const)(
    "is asked about in mode %s by every route, whatever a hook and a rule allow, and stays as it is (T82, T33, G27, G29)",
    { timeout: 180_000 },
    async (permissionMode) => {
      using folder = tempFolder();
      const { project, user } = layOut(folder.path);
      const before = pictureOf(folder.path);
      const calls = [
        ...fileCalls(project, user),
        ...shellRoutes.map(({ command }): Call => ({ name: "Bash", arguments: { command } })),
      ];
      const allow = {
        hookSpecificOutput: { hookEventName: "PreToolUse" as const, permissionDecision: "allow" as const },
      };
      const played = await playSession(folder.path, {
        scenario: [{ calls }, { say: "done" }],
        options: {
          permissionMode,
          permissions: { allow: ["Bash", "Edit", "Write", "Read"] },
          hooks: { PreToolUse: [{ hooks: [{ type: "function", name: "yes", run: () => allow }] }] },
          env: { ...process.env, ...gitEnvironment(user) },
        },
      });
      const silent = blocksOf(played.messages, "tool").flatMap(({ result = "" }, at) => {
        const asked = /^Not run: this needs approval.*\. Asked by .*protected path /.test(result);
        return asked ? [] : [`${JSON.stringify(calls[at])}: ${result.slice(0, 200)}`];
      });
      expect(silent).toEqual([]);
      expect(played.events.filter(({ type }) => type === "tool_started")).toEqual([]);
      expect(pictureOf(folder.path)).toBe(before);
    },
  );
});

const isHere = ({ needs }: ShellRoute) =>
  needs === undefined || spawnSync("sh", ["-c", `command -v ${needs}`]).status === 0;

describe("a route to a protected file", () => {
  it("would have worked, had nobody asked (G27)", { timeout: 180_000 }, () => {
    using folder = tempFolder();
    const origin = join(folder.path, "origin");
    layOut(origin);
    const before = pictureOf(origin);
    const idle = shellRoutes
      .filter((route) => isHere(route) && !route.notRun && route.needs !== "wget")
      .filter(({ command }, at) => {
        const copy = join(folder.path, String(at));
        execFileSync("cp", ["-a", origin, copy]);
        spawnSync("bash", ["--norc", "-c", command], {
          cwd: join(copy, "project"),
          env: gitEnvironment(join(copy, "user")),
          timeout: 30_000,
        });
        const after = pictureOf(copy);
        // So that it can be removed.
        execFileSync("chmod", ["-R", "u+rwX", copy]);
        return after === before;
      });
    expect(idle.map(({ command }) => command)).toEqual([]);
  });
});
