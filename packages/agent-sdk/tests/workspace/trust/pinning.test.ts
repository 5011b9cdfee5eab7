import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { commandOnCopy } from "@/workspace/trust/reviewedCopy.ts";
import { filesOfCommand, pinnedFiles } from "@/workspace/trust/pinnedFiles.ts";
import { approveProject, readProjectTrust } from "@/workspace/trust/trust.ts";
import { loadSettings } from "@/workspace/settings/settings.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder } from "../../support/tempFolder.ts";

/** Ways to run `.wave/hooks/x.sh`, and whether its reviewed copy can take its place in the command. */
const WAYS: [command: string, runs: "the copy" | "the file, looked at before"][] = [
  [".wave/hooks/x.sh", "the copy"],
  ["bash ./.wave/hooks/x.sh --strict", "the copy"],
  ['"$WAVE_PROJECT_DIR"/.wave/hooks/x.sh', "the copy"],
  ["[ -x .wave/hooks/x.sh ] && .wave/hooks/x.sh || true", "the copy"],
  [".wave/hooks/x\\.sh", "the copy"],
  [".wave/my\\ hooks/y.sh", "the copy"],
  ['"$CLAUDE_PROJECT_DIR"/.wave/my\\ hooks/y.sh', "the copy"],
  ["cd .wave/hooks && ./x.sh", "the file, looked at before"],
  ['cd "$CLAUDE_PROJECT_DIR/.wave" && bash hooks/x.sh', "the file, looked at before"],
  ['D=.wave/hooks; "$D/x.sh"', "the file, looked at before"],
  ["pushd .wave; hooks/x.sh", "the file, looked at before"],
  ["(cd .wave/hooks; . ./x.sh)", "the file, looked at before"],
  ['bash -c "cd .wave; hooks/x.sh"', "the file, looked at before"],
  ["env -C .wave/hooks ./x.sh", "the file, looked at before"],
  [".wave/hooks/x.s*", "the file, looked at before"],
  ['for f in .wave/hooks/x.*; do "$f"; done', "the file, looked at before"],
  ["find .wave/hooks -name 'x*' -exec {} \\;", "the file, looked at before"],
  ["ls .wave/hooks | while read f; do bash .wave/hooks/$f; done", "the file, looked at before"],
  ["PATH=.wave/hooks:$PATH x.sh", "the file, looked at before"],
  ["node -e \"require('./.wave/hooks/x.sh')\"", "the file, looked at before"],
];

function project() {
  const folder = tempFolder();
  const dir = join(folder.path, "project");
  const script = (path: string, body: string) => {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/bash\n${body}\n`);
    chmodSync(file, 0o755);
  };
  script(".wave/hooks/x.sh", "exit 0");
  script(".wave/my hooks/y.sh", "exit 0");
  script("src/main.ts", "data");
  chmodSync(join(dir, "src/main.ts"), 0o644);
  return {
    folder,
    dir,
    script,
    home: join(folder.path, "home"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("the files that a yes to a hook covers", () => {
  it.each(WAYS)("are found behind %s, and what runs is %s (T40, G19, G20)", (command, runs) => {
    using place = project();
    const files = pinnedFiles(command, place.dir);
    expect(files.map(({ path }) => path)).toEqual([
      command.includes("my") ? ".wave/my hooks/y.sh" : ".wave/hooks/x.sh",
    ]);
    const onCopy = commandOnCopy(command, place.dir, "/copy", files);
    if (runs === "the copy") expect(onCopy).toContain("'/copy/.wave/");
    else expect(onCopy).toBeUndefined();
  });

  it.each([
    [
      "python3 .wave/h/g.py",
      { "g.py": "import helper\nfrom lib import core", "helper.py": "", "lib/core.py": "" },
    ],
    ["python3 .wave/h/g.py", { "g.py": "import json", "json.py": "shadows the library" }],
    [".wave/h/run", { run: "#!/usr/bin/env python3\nimport helper", "helper.py": "" }],
    ["node .wave/h/g.js", { "g.js": "require('./y'); import('./lib')", "y.js": "", "lib/index.js": "" }],
    ["node .wave/h/g.mjs", { "g.mjs": 'import "./a.mjs"; await import("./b")', "a.mjs": "", "b.ts": "" }],
    [
      "bash .wave/h/g.sh",
      {
        "g.sh": 'DIR=$(dirname "$0")\nfor f in "$DIR"/lib/*.sh; do . "$f"; done',
        "lib/one.sh": "",
        "lib/two.sh": "",
      },
    ],
    ["make -f .wave/h/check.mk", { "check.mk": "include .wave/h/inc.mk", "inc.mk": "" }],
    ["python3 -m wavehook.guard", { "../../wavehook/guard.py": "" }],
  ])("are also those that a script loads without naming a path: %s (G19)", (command, files) => {
    using place = project();
    for (const [name, text] of Object.entries(files)) {
      const file = join(place.dir, ".wave/h", name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    expect(
      pinnedFiles(command, place.dir)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(
      Object.keys(files)
        .map((name) => relative(place.dir, join(place.dir, ".wave/h", name)))
        .toSorted(),
    );
  });

  it("are not the sources in a folder that a checker is given (T41)", () => {
    using place = project();
    writeFileSync(join(place.dir, "src/other.ts"), "data");
    expect(filesOfCommand('prettier --check "src/**/*.ts"', place.dir)).toEqual([
      // It has a line that names an interpreter.
      join(place.dir, "src/main.ts"),
    ]);
    expect(filesOfCommand("prettier --check src", place.dir)).toEqual([]);
  });

  it("are all of them or none: no yes covers a hook with more than can be pinned (G19)", () => {
    using place = project();
    for (let at = 0; at < 300; at++) place.script(`.wave/many/${at}.sh`, "exit 0");
    const once = () => pinnedFiles('for f in .wave/many/*; do "$f"; done', place.dir);
    const last = once().at(-1);
    expect(last?.path).toContain("more than Wave can pin");
    expect(once().at(-1)?.sha256).not.toBe(last?.sha256);
  });

  it.each([
    ["cat >> log.txt", []],
    ["jq -c . >>log.txt", []],
    ['cat > "$WAVE_PROJECT_DIR/log.txt"', []],
    ["cat >>'log.txt' 2>> x.sh", []],
    ["cat | tee -a log.txt", []],
    ["cat | tee log.txt >/dev/null", []],
    ["./x.sh >> log.txt", ["x.sh"]],
    ["cat > x.sh; sh x.sh", ["x.sh"]],
    ["sh log.txt > log.txt", ["log.txt"]],
    ["cat | tee x.sh; . ./x.sh", ["x.sh"]],
    ["tee() { . $1; }; cat | tee ./x.sh", ["x.sh"]],
    ["./x.sh > >(sh log.txt)", ["log.txt", "x.sh"]],
    [`node -e '(() =>require("./x.sh"))()'`, ["x.sh"]],
    ["sh <>x.sh", ["x.sh"]],
    ["sh < x.sh > log.txt", ["x.sh"]],
  ])("are not what a command only writes to, such as its log: %j (G19, G20)", (command, names) => {
    using place = project();
    place.script("x.sh", "exit 0");
    writeFileSync(join(place.dir, "log.txt"), "yesterday\n");
    const files = names.map((name) => join(place.dir, name));
    expect(filesOfCommand(command, place.dir).toSorted()).toEqual(files);
    expect(
      pinnedFiles(command, place.dir)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(names);
  });

  it("are found between any number of files that are no scripts (G19)", () => {
    using place = project();
    place.script(".wave/many/zz.sh", "exit 0");
    for (let at = 0; at < 400; at++) writeFileSync(join(place.dir, `.wave/many/${at}.txt`), "data");
    expect(filesOfCommand('for f in .wave/many/*; do "$f"; done', place.dir)).toContain(
      join(place.dir, ".wave/many/zz.sh"),
    );
  });
});

it.each(WAYS.filter(([command]) => !command.includes("my") && !command.startsWith("node")))(
  "an approved hook never runs bytes that nobody saw: %s, changed while Wave runs and before it starts (G19, G20, G28)",
  async (command) => {
    using place = project();
    const ran = join(place.folder.path, "ran");
    place.script(".wave/hooks/x.sh", `echo seen >> "${ran}"`);
    writeFileSync(ran, "");
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command, name: "guard" }] }] };
    writeFileSync(join(place.dir, ".wave/settings.json"), JSON.stringify({ hooks }));
    const trust = () => {
      const settings = loadSettings({ projectDir: place.dir, home: place.home, managedFile: "/nonexistent" });
      return readProjectTrust({
        home: place.home,
        projectDir: place.dir,
        hooks: settings.hooks,
        rules: [],
        ofProject: settings.ofProject,
      });
    };
    await approveProject(place.home, trust(), new Date(0));
    expect(trust().items.map(({ state }) => state)).toEqual(["reviewed"]);
    const look = { call: { name: "LS", arguments: { path: "." } } };
    await using live = await liveAgent(place.folder.path, [look, { say: "one" }, look, { say: "two" }], {
      options: { trust: "store", env: { PATH: process.env["PATH"] } },
    });
    await live.agent.sendMessage("a");
    expect(readLines(ran)).toEqual(["seen"]);
    place.script(".wave/hooks/x.sh", `echo UNSEEN >> "${ran}"`);
    await live.agent.sendMessage("b");
    expect(readLines(ran)).not.toContain("UNSEEN");
    expect(trust().items.map(({ state }) => state)).toEqual(["changed"]);
  },
);

const readLines = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
