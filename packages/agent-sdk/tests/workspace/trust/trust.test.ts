import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "@/agentOptions.ts";
import { HOOK_EVENT_NAMES } from "@/hooks/events.ts";
import type { PermissionAnswer } from "@/permissions/request.ts";
import { loadSettings } from "@/workspace/settings/settings.ts";
import {
  addTrust,
  approveProject,
  readProjectTrust,
  revokeTrust,
  trustFileOf,
} from "@/workspace/trust/trust.ts";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

/** A project with one guard in a script, as it would come with a clone. */
class Clone implements Disposable {
  readonly #folder = tempFolder();
  readonly folder = this.#folder.path;
  readonly project = join(this.folder, "project");
  readonly home = join(this.folder, "home");
  readonly marker = join(this.folder, "ran");
  settings: object;

  constructor(hook: object = {}, command = "./.wave/hooks/guard.sh") {
    this.script(".wave/hooks/guard.sh", `echo ran >> "${this.marker}"`);
    this.settings = {
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command, ...hook }] }] },
    };
    this.write(".wave/settings.json", JSON.stringify(this.settings));
  }

  write(path: string, text: string): string {
    const file = join(this.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  script(path: string, body: string): void {
    chmodSync(this.write(path, `#!/bin/bash\n${body}\n`), 0o755);
  }

  change(settings: object): void {
    this.settings = settings;
    this.write(".wave/settings.json", JSON.stringify(settings));
  }

  trust() {
    const settings = loadSettings({ projectDir: this.project, home: this.home, managedFile: "/nonexistent" });
    return readProjectTrust({
      home: this.home,
      projectDir: this.project,
      hooks: settings.hooks,
      rules: settings.permissions.rules,
      ofProject: settings.ofProject,
    });
  }

  approve = () => approveProject(this.home, this.trust(), NOW);

  get runs(): number {
    return existsSync(this.marker) ? readFileSync(this.marker, "utf8").split("\n").length - 1 : 0;
  }

  /** One Bash call through a real agent that believes only the store. */
  play(options: AgentOptions = {}) {
    const call = { name: "Bash", arguments: { command: "touch made" } };
    return playSession(this.folder, {
      scenario: [{ calls: [call] }, { say: "done" }],
      options: { trust: "store", ...options },
    });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

const yes = (): PermissionAnswer => ({ decision: "allow" });

describe("hooks of a project that nobody approved", () => {
  it("do not run, and what they would judge is refused where nobody can be asked (T37, T42, G22, G23)", async () => {
    using clone = new Clone();
    const played = await clone.play();
    expect(clone.runs).toBe(0);
    const [tool] = blocksOf(played.messages, "tool");
    expect(tool).toMatchObject({ success: false });
    expect(tool?.result).toContain("nobody has approved it");
    expect(played.end.unanswered).toBe(true);
    const notices = played.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    expect(notices.join("\n")).toMatch(/1 hook of this project is off because nobody approved it/);
  });

  it("make the calls they would judge a question for a person, in every mode (G22)", async () => {
    for (const permissionMode of ["default", "acceptEdits", "bypassPermissions"] as const) {
      using clone = new Clone();
      let asked = 0;
      const played = await clone.play({ permissionMode, onPermissionRequest: () => (asked++, yes()) });
      expect([asked, clone.runs]).toEqual([1, 0]);
      expect(blocksOf(played.messages, "tool")[0]).toMatchObject({ success: true });
    }
  });

  it("keep a prompt that they would judge from the model, where nobody can be asked (G22)", async () => {
    using clone = new Clone();
    clone.change({ hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: "true" }] }] } });
    const played = await clone.play();
    expect(played.end).toMatchObject({ because: "prompt-blocked", unanswered: true });
    expect(played.requests).toHaveLength(0);
    const asked = await clone.play({ onPermissionRequest: yes });
    expect(asked.requests).toHaveLength(2);
  });

  it("are given up on purpose with the project's hooks, and then nothing is asked because of them (T43)", async () => {
    using clone = new Clone();
    const played = await clone.play({ hookScope: "no-project" });
    expect(clone.runs).toBe(0);
    expect(blocksOf(played.messages, "tool")[0]).toMatchObject({ success: true });
  });

  it("run when exactly their set is named, and not when another is (G23)", async () => {
    using clone = new Clone();
    await clone.play({ trust: { sha256: "0".repeat(64) } });
    expect(clone.runs).toBe(0);
    await clone.play({ trust: { sha256: clone.trust().sha256.toUpperCase() } });
    expect(clone.runs).toBe(1);
    // Naming a set is for one run: it approves nothing for the next.
    await clone.play();
    expect(clone.runs).toBe(1);
  });

  it("leave AGENTS.md and allow rules of the project out as well (T37, G18)", async () => {
    using clone = new Clone();
    clone.write("AGENTS.md", "CANARY-INSTRUCTIONS");
    clone.change({ permissions: { allow: ["Bash(touch made)"] } });
    const before = await clone.play({ permissionMode: "default" });
    expect(before.wire).not.toContain("CANARY-INSTRUCTIONS");
    expect(blocksOf(before.messages, "tool")[0]).toMatchObject({ success: false });
    await clone.approve();
    const after = await clone.play({ permissionMode: "default" });
    expect(after.wire).toContain("CANARY-INSTRUCTIONS");
    expect(blocksOf(after.messages, "tool")[0]).toMatchObject({ success: true });
  });
});

it("hooks of a project for another agent run as Wave's own do: never before somebody's yes, and nothing is allowed by them (T37, T48)", async () => {
  for (const trust of ["store", "given"] as const) {
    using clone = new Clone();
    renameSync(join(clone.project, ".wave"), join(clone.project, ".claude"));
    const command = `echo ran >> '${clone.marker}'`;
    const hooks = Object.fromEntries(
      HOOK_EVENT_NAMES.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]),
    );
    const text = JSON.stringify({ hooks, permissions: { allow: ["Bash"] } });
    for (const name of [".claude/settings.json", ".claude/settings.local.json"]) clone.write(name, text);
    // The project's own settings folder, empty.
    mkdirSync(join(clone.project, ".wave"));
    const played = await clone.play({ trust, permissionMode: "default" });
    expect(clone.trust().items.map(({ item, state }) => [item.kind, state])).toEqual(
      Array.from({ length: 2 * HOOK_EVENT_NAMES.length }, () => ["hook", "new"]),
    );
    if (trust === "given") expect(clone.runs).toBeGreaterThan(0);
    else expect(clone.runs).toBe(0);
    expect(blocksOf(played.messages, "tool").filter(({ success }) => success)).toEqual([]);
  }
});

describe("an approved hook", () => {
  it("runs, and a revoked one does not (T37)", async () => {
    using clone = new Clone();
    await clone.approve();
    await clone.play();
    expect(clone.runs).toBe(1);
    expect(await revokeTrust(clone.home, clone.project)).toBe(true);
    await clone.play();
    expect(clone.runs).toBe(1);
    expect(await revokeTrust(clone.home, clone.project)).toBe(false);
  });

  it("with args runs the reviewed bytes of the script they name, without a shell, with the variables it sets (T136, T147, G19)", async () => {
    const args = ["${WAVE_PROJECT_DIR}/.wave/hooks/guard.sh", "x; touch injected $HOME"];
    using clone = new Clone({ args, env: { LEVEL: "strict", LD_PRELOAD: "./evil.so" } }, "bash");
    clone.script(".wave/hooks/guard.sh", `printf '%s\\n' "$#: $1, $LEVEL, $LD_PRELOAD" >> "${clone.marker}"`);
    expect(clone.trust().items).toMatchObject([
      {
        state: "new",
        files: [{ path: ".wave/hooks/guard.sh" }],
        item: { hook: { env: { LEVEL: "strict" } } },
      },
    ]);
    await clone.approve();
    await clone.play();
    expect(readFileSync(clone.marker, "utf8")).toBe("1: x; touch injected $HOME, strict, \n");
    expect(existsSync(join(clone.project, "injected"))).toBe(false);
    clone.script(".wave/hooks/guard.sh", "true");
    expect(clone.trust().items.map(({ state }) => state)).toEqual(["changed"]);
    await clone.play();
    expect(clone.runs).toBe(1);
  });

  const guard = { type: "command", command: "./.wave/hooks/guard.sh" };
  it.each<[string, (clone: Clone) => void]>([
    [
      "a byte of its script",
      (clone) => clone.script(".wave/hooks/guard.sh", `echo ran >> "${clone.marker}" #`),
    ],
    [
      "its command",
      (clone) =>
        clone.change({
          hooks: {
            PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, command: "./.wave/hooks/guard.sh; true" }] }],
          },
        }),
    ],
    ["its matcher", (clone) => clone.change({ hooks: { PreToolUse: [{ matcher: "*", hooks: [guard] }] } })],
    [
      "its time limit",
      (clone) =>
        clone.change({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, timeout: 1 }] }] } }),
    ],
    [
      "what a failure means",
      (clone) =>
        clone.change({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, onError: "ask" }] }] } }),
    ],
    [
      "the variables it gets",
      (clone) =>
        clone.change({
          hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, passEnv: ["WAVE_API_KEY"] }] }] },
        }),
    ],
    [
      "the variables it sets",
      (clone) =>
        clone.change({
          hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, env: { LEVEL: "loose" } }] }] },
        }),
    ],
    [
      "the folder it starts in",
      (clone) =>
        clone.change({
          hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, cwd: "session" }] }] },
        }),
    ],
    [
      "whether a shell runs it",
      (clone) =>
        clone.change({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ ...guard, args: [] }] }] } }),
    ],
    [
      "a link in the place of its script",
      (clone) => {
        const elsewhere = join(clone.folder, "other.sh");
        writeFileSync(elsewhere, `#!/bin/bash\necho ran >> "${clone.marker}"\n`);
        chmodSync(elsewhere, 0o755);
        rmSync(join(clone.project, ".wave/hooks/guard.sh"));
        symlinkSync(elsewhere, join(clone.project, ".wave/hooks/guard.sh"));
      },
    ],
    [
      "a link in the place of its settings, which say the same",
      (clone) => {
        const elsewhere = join(clone.folder, "wave-elsewhere");
        renameSync(join(clone.project, ".wave"), elsewhere);
        symlinkSync(elsewhere, join(clone.project, ".wave"));
      },
    ],
  ])("needs a new yes after a change of %s (T40, T47, G19)", async (_what, change) => {
    using clone = new Clone();
    await clone.approve();
    change(clone);
    expect(clone.trust().items.map(({ state }) => state)).toEqual(["changed"]);
    await clone.play();
    expect(clone.runs).toBe(0);
    await clone.approve();
    await clone.play();
    expect(clone.runs).toBe(1);
  });

  it("needs a new yes after a change of a script that its script names (G19)", async () => {
    using clone = new Clone();
    clone.script(".wave/hooks/guard.sh", `. "$(dirname "$0")/lib.sh"`);
    clone.write(".wave/hooks/lib.sh", `echo ran >> "${clone.marker}"\n`);
    await clone.approve();
    await clone.play();
    expect(clone.runs).toBe(1);
    clone.write(".wave/hooks/lib.sh", `echo ran >> "${clone.marker}"; true\n`);
    await clone.play();
    expect(clone.runs).toBe(1);
  });

  it("needs none after its place among the hooks or the project's data changed (T41)", async () => {
    using clone = new Clone();
    clone.write("package.json", "{}");
    await clone.approve();
    clone.write("package.json", '{"name":"x"}');
    const other = { type: "command", command: "true" };
    clone.change({
      hooks: { Stop: [{ hooks: [other] }], PreToolUse: [{ matcher: "Bash", hooks: [other, guard] }] },
    });
    expect(
      clone
        .trust()
        .items.map(({ state }) => state)
        .toSorted(),
    ).toEqual(["new", "new", "reviewed"]);
  });

  it.each([
    ["a path", "./.wave/hooks/guard.sh"],
    ["a path in the project's variable", '"$CLAUDE_PROJECT_DIR"/.wave/hooks/guard.sh'],
    ["an interpreter and a path", "bash .wave/hooks/guard.sh"],
    ["a list of commands", "true && bash ${WAVE_PROJECT_DIR}/.wave/hooks/guard.sh 'an argument'"],
  ])(
    "runs the bytes that were approved, as %s, whatever the file says by then (G20)",
    async (_what, command) => {
      using clone = new Clone({}, command);
      await clone.approve();
      const evil = join(clone.folder, "evil");
      // A hook that runs before the guard swaps the guard's script: the swap comes after the check, before the start.
      const played = await clone.play({
        hooks: {
          SessionStart: [
            {
              hooks: [
                { type: "function", run: () => clone.script(".wave/hooks/guard.sh", `echo > "${evil}"`) },
              ],
            },
          ],
        },
      });
      expect(blocksOf(played.messages, "tool")[0]).toMatchObject({ success: true });
      expect([clone.runs, existsSync(evil)]).toEqual([1, false]);
    },
  );

  it("still finds its project, its neighbours and its packages where they are relative to it", async () => {
    using clone = new Clone();
    clone.script(
      ".wave/hooks/guard.sh",
      `cd "$(dirname "$0")/../.." && cat src/data.txt .wave/hooks/words.txt node_modules/x/index.txt >> "${clone.marker}"`,
    );
    clone.write("src/data.txt", "one\n");
    clone.write(".wave/hooks/words.txt", "two\n");
    clone.write("node_modules/x/index.txt", "three\n");
    await clone.approve();
    clone.write("src/late.txt", "");
    await clone.play();
    expect(readFileSync(clone.marker, "utf8")).toBe("one\ntwo\nthree\n");
  });
});

describe("the trust store", () => {
  it("is private, outside of the project, and trusts nothing when it is damaged (T38, G25, G59)", async () => {
    using clone = new Clone();
    await clone.approve();
    const file = trustFileOf(clone.home);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(file.startsWith(clone.project)).toBe(false);
    writeFileSync(file, '{"folders":');
    expect(clone.trust()).toMatchObject({ folder: "unknown", items: [{ state: "new" }] });
    expect(clone.trust().warnings[0]).toContain("is damaged: no project is trusted");
  });

  it("does not take a rule that was kept in a folder for a yes to the folder (T37, T80)", async () => {
    using clone = new Clone();
    clone.change({});
    clone.write("AGENTS.md", "CANARY-INSTRUCTIONS");
    await addTrust(clone.home, clone.project, "0".repeat(64), { kind: "allow-rule", rule: "Bash(ls)" });
    expect(clone.trust().folder).toBe("unknown");
    expect((await clone.play()).wire).not.toContain("CANARY-INSTRUCTIONS");
  });

  it("knows a folder by where it really is, also through a link, and not by its name (G21)", async () => {
    using clone = new Clone();
    await clone.approve();
    const link = join(clone.folder, "link");
    symlinkSync(clone.project, link);
    const settings = loadSettings({ projectDir: link, home: clone.home, managedFile: "/nonexistent" });
    const through = readProjectTrust({
      home: clone.home,
      projectDir: link,
      hooks: settings.hooks,
      rules: [],
      ofProject: [],
    });
    expect(through).toMatchObject({ folder: "trusted", items: [{ state: "reviewed" }] });
    const nested = join(clone.project, "vendor", "nested");
    mkdirSync(nested, { recursive: true });
    const inside = readProjectTrust({
      home: clone.home,
      projectDir: nested,
      hooks: settings.hooks,
      rules: [],
      ofProject: [],
    });
    expect(inside.folder).toBe("unknown");
  });
});
