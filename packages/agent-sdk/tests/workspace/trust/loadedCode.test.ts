import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSettings } from "@/workspace/settings/settings.ts";
import { pinnedFiles } from "@/workspace/trust/pinnedFiles.ts";
import { commandOnCopy, reviewedCopy } from "@/workspace/trust/reviewedCopy.ts";
import { approveProject, readProjectTrust } from "@/workspace/trust/trust.ts";
import { liveAgent } from "../../support/liveAgent.ts";
import { tempFolder } from "../../support/tempFolder.ts";

type Files = Record<string, string>;

function project(files: Files) {
  const folder = tempFolder();
  const dir = join(folder.path, "project");
  const put = (more: Files) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
  };
  put(files);
  return {
    folder,
    dir,
    put,
    home: join(folder.path, "home"),
    pins: (command: string) => pinnedFiles(command, dir).map(({ path, sha256 }) => `${path} ${sha256}`),
    paths: (command: string) =>
      pinnedFiles(command, dir)
        .map(({ path }) => path)
        .toSorted(),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const PYTHON = "python3 .wave/hooks/p.py";
const python = { ".wave/hooks/p.py": "import json, helper", ".wave/hooks/helper.py": "x = 1" };
const NODE = "node .wave/hooks/g.js";
const node = { ".wave/hooks/g.js": 'require("./lib2")', ".wave/hooks/lib2/index.js": "" };
const HASH_NAME = "node .wave/hooks/h.mjs";
const hashName = {
  ".wave/hooks/h.mjs": 'import "#lib"; import "#more/a.mjs"',
  ".wave/hooks/package.json": '{"imports":{"#lib":{"node":"./l.mjs"},"#more/*":"./more/*"}}',
  ".wave/hooks/l.mjs": "",
  ".wave/hooks/more/a.mjs": "",
};
const COMPUTED = "node .wave/hooks/c.mjs";
const computed = { ".wave/hooks/c.mjs": 'await import("./o" + "k.mjs")', ".wave/hooks/ok.mjs": "" };
const ROOT = "python3 guard.py";
const root = { "guard.py": "import app.rules", "app/rules.py": "", "src/data.txt": "" };

describe("a yes to a hook", () => {
  it.each<[command: string, planted: string, files: Files]>([
    [PYTHON, ".wave/hooks/json.pyc", python],
    [PYTHON, ".wave/hooks/json/__init__.pyc", python],
    [PYTHON, ".wave/hooks/helper/__init__.pyc", python],
    [PYTHON, ".wave/hooks/helper.abi3.so", python],
    [PYTHON, ".wave/hooks/helper.cpython-311-x86_64-linux-gnu.so", python],
    [PYTHON, ".wave/hooks/re.py", python],
    ["python3 -E .wave/hooks/p.py", ".wave/hooks/__pycache__/helper.cpython-311.pyc", python],
    ["python3 .wave/hooks/guard", ".wave/hooks/json.py", { ".wave/hooks/guard": "import json" }],
    ["python3 .wave/hooks", ".wave/hooks/json.py", { ".wave/hooks/__main__.py": "import json" }],
    ["python3 -c 'import json'", "json.py", {}],
    ["python3 -c 'import app.x'", "app/x.abi3.so", { "app/x.py": "" }],
    ["python3 -m hooks.guard", "json.pyc", { "hooks/guard.py": "import json" }],
    [
      "PYTHONPATH=.wave/lib python3 .wave/hooks/p.py",
      ".wave/lib/json.py",
      { ...python, ".wave/lib/a.txt": "" },
    ],
    [ROOT, "json.pyc", root],
    [ROOT, "json/__init__.py", root],
    [ROOT, "src/__init__.py", root],
    [ROOT, "app/__init__.py", root],
    [ROOT, "app/rules.abi3.so", root],
    ["bash .wave/hooks/g.sh", "json.py", { ".wave/hooks/g.sh": "python3 -c 'import json'" }],
    ["bash .wave/hooks/g.sh", "json.py", { ".wave/hooks/g.sh": "python3 - <<E\nimport json\nE" }],
    [NODE, ".wave/hooks/lib2/package.json", node],
    [NODE, ".wave/hooks/lib2.json", node],
    [NODE, ".wave/hooks/lib2.node", node],
    [NODE, ".wave/hooks/lib2.js", node],
    [NODE, ".wave/hooks/package.json", node],
    [NODE, ".wave/package.json", node],
    [NODE, "package.json", node],
    ["node .wave/hooks/g", ".wave/hooks/g.json", node],
    [HASH_NAME, ".wave/hooks/more/b.mjs", hashName],
    [COMPUTED, ".wave/hooks/other.cjs", computed],
    [COMPUTED, ".wave/hooks/deep/er/other.node", computed],
    ["ruby .wave/hooks/r.rb", ".wave/hooks/h.rb", { ".wave/hooks/r.rb": 'require_relative "h"' }],
    ["perl .wave/hooks/r.pl", ".wave/hooks/H.pmc", { ".wave/hooks/r.pl": "use H;", ".wave/hooks/H.pm": "" }],
  ])(
    "to %s does not cover %s, which its interpreter would load and which came later (G19)",
    (command, planted, files) => {
      using place = project(files);
      const before = place.pins(command);
      expect(before.some((pin) => pin.startsWith(`${planted} `))).toBe(false);
      place.put({ [planted]: "{}" });
      expect(place.paths(command)).toContain(planted);
      rmSync(join(place.dir, planted));
      expect(place.pins(command)).toEqual(before);
    },
  );

  it.each<[command: string, files: Files, covers: string[]]>([
    [HASH_NAME, hashName, Object.keys(hashName)],
    [
      NODE,
      {
        ...node,
        ".wave/hooks/lib2/package.json": '{"main":"evil"}',
        ".wave/hooks/lib2/evil.js": 'require("../x")',
        ".wave/hooks/x.cjs": "",
      },
      [
        ".wave/hooks/g.js",
        ".wave/hooks/lib2/evil.js",
        ".wave/hooks/lib2/index.js",
        ".wave/hooks/lib2/package.json",
        ".wave/hooks/x.cjs",
      ],
    ],
    [
      "node .wave/hooks/s.mjs",
      {
        ".wave/hooks/s.mjs": 'import "own/x"',
        "package.json": '{"name":"own","exports":{"./x":"./src/x.mjs"}}',
        "src/x.mjs": "",
      },
      [".wave/hooks/s.mjs", "package.json", "src/x.mjs"],
    ],
    [
      "ruby .wave/hooks/r.rb",
      { ".wave/hooks/r.rb": 'require_relative "../lib/x"', ".wave/lib/x.rb": "", ".wave/lib/y.rb": "" },
      [".wave/hooks/r.rb", ".wave/lib/x.rb", ".wave/lib/y.rb"],
    ],
    [
      COMPUTED,
      { ...computed, ".wave/hooks/ok.mjs": 'import "../l.mjs"', ".wave/l.mjs": "" },
      [".wave/hooks/c.mjs", ".wave/hooks/ok.mjs", ".wave/l.mjs"],
    ],
  ])("to %s covers what names of packages and computed names lead to (G19)", (command, files, covers) => {
    using place = project(files);
    expect(place.paths(command)).toEqual(covers.toSorted());
  });

  it("covers code behind a link to a folder, and says where it is (G19, T47)", () => {
    using place = project(python);
    const elsewhere = join(place.folder.path, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "__init__.py"), "");
    symlinkSync(elsewhere, join(place.dir, ".wave/hooks/json"));
    expect(pinnedFiles(PYTHON, place.dir)).toContainEqual(
      expect.objectContaining({
        path: ".wave/hooks/json/__init__.py",
        leadsTo: expect.stringContaining("elsewhere/__init__.py"),
      }),
    );
  });

  it.each<[what: string, command: string, files: Files, change: Files]>([
    [
      "what Python compiled for itself",
      PYTHON,
      python,
      { ".wave/hooks/__pycache__/helper.cpython-311.pyc": "" },
    ],
    [
      "data beside the script",
      PYTHON,
      python,
      { ".wave/hooks/state.json": "{}", ".wave/hooks/log/a.txt": "" },
    ],
    ["data beside the script", NODE, node, { ".wave/hooks/state.json": "{}", ".wave/hooks/other.js": "" }],
    [
      "a dependency in package.json",
      NODE,
      { ...node, "package.json": '{"name":"a"}' },
      { "package.json": '{"name":"a","dependencies":{"b":"1"}}' },
    ],
    ["sources of the project", ROOT, root, { "src/new.py": "", "main/x.py": "" }],
    ["sources of the project", "python3 -I -c 'import json'", {}, { "json.py": "" }],
    ["sources of the project", PYTHON, python, { "main.py": "" }],
    ["packages", COMPUTED, computed, { ".wave/hooks/node_modules/a/index.js": "" }],
  ])("needs no new one after a change of %s: %s (T41)", (_what, command, files, change) => {
    using place = project(files);
    const before = place.pins(command);
    place.put(change);
    expect(place.pins(command)).toEqual(before);
  });

  it("is not possible for a folder with more in it than can be looked at, wherever the code in it lies (G19)", () => {
    using place = project(python);
    const last = () => place.paths(PYTHON).some((path) => path.includes("more than Wave can pin"));
    place.put(Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`.wave/hooks/a/${at}.txt`, ""])));
    place.put({ ".wave/hooks/a/z/json.py": "" });
    expect(place.paths(PYTHON)).toContain(".wave/hooks/a/z/json.py");
    expect(last()).toBe(false);
    place.put(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`.wave/hooks/b/${at}.py`, ""])));
    expect(last()).toBe(true);
  });

  it.each<[text: string, computes: boolean]>([
    ['import a from "./a.js"; require("./b"); import("./c.js"); import(`./d.js`, {})', false],
    ["// These require a look as we require it.\nfunction require() {}", false],
    ['await import("./o" + "k.mjs")', true],
    ["import(`./${name}.js`)", true],
    ["require(name)", true],
    ['require("./\\x61")', true],
    ["const load = require; load('./a')", true],
    ["createRequire(import.meta.url)('./a')", true],
    ["new Worker(new URL('./w.js', import.meta.url))", true],
  ])("knows whether a script computes the names of what it loads: %s (G19)", (text, computes) => {
    using place = project({ ".wave/hooks/g.js": text });
    expect(pinnedFiles(NODE, place.dir)[0]?.loading?.computes).toBe(computes);
  });
});

const tag = spawnSync("python3", ["-c", "import sys; print(sys.implementation.cache_tag)"], {
  encoding: "utf8",
}).stdout?.trim();
const hasPython = tag !== undefined && tag !== "";

/** A compiled form of a text that says of itself not to be compared with its source. */
function compile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const code = `import sys, importlib._bootstrap_external as b
open(sys.argv[1], "wb").write(b._code_to_hash_pyc(compile(sys.argv[2], "x", "exec"), b"12345678", False))`;
  expect(spawnSync("python3", ["-c", code, file, text]).status).toBe(0);
}

describe("what an approved hook runs", () => {
  const ran = (place: ReturnType<typeof project>, command: string) => {
    const files = pinnedFiles(command, place.dir);
    const copy = reviewedCopy(place.home, place.dir, files);
    const runs = commandOnCopy(command, place.dir, copy, files);
    return {
      copy,
      run: () => spawnSync("bash", ["-c", runs ?? "exit 1"], { cwd: place.dir, encoding: "utf8" }),
      again: () => reviewedCopy(place.home, place.dir, files),
    };
  };

  it.skipIf(!hasPython)(
    "is no code that came to its folder after the review, also when it is copied again: Python (G20)",
    () => {
      using place = project({
        ".wave/hooks/p.py":
          "import json, helper, colorsys, os\nprint(helper.x, open(os.path.dirname(__file__) + '/data/d.txt').read())",
        ".wave/hooks/helper.py": "x = 'seen'",
        ".wave/hooks/data/d.txt": "data",
        ".wave/hooks/json/readme.txt": "",
        ".wave/hooks/colorsys": "",
      });
      const evil = "raise SystemExit('EVIL')";
      compile(join(place.dir, `.wave/hooks/__pycache__/helper.${tag}.pyc`), evil);
      const { run, again } = ran(place, PYTHON);
      expect(run().stdout).toBe("seen data\n");
      rmSync(join(place.dir, ".wave/hooks/colorsys"));
      place.put({
        ".wave/hooks/colorsys/__init__.py": evil,
        ".wave/hooks/json/__init__.py": evil,
        ".wave/hooks/os.py": evil,
      });
      compile(join(place.dir, ".wave/hooks/helper/__init__.pyc"), evil);
      again();
      expect(run()).toMatchObject({ stdout: "seen data\n", stderr: "" });
    },
  );

  it("is no code that came to its folder after the review, also when it is copied again: Node (G20)", () => {
    using place = project({
      ".wave/hooks/g.js":
        'console.log(require("./lib2"), require("fs").readFileSync(__dirname + "/g.json", "utf8"))',
      ".wave/hooks/g.json": "data",
      ".wave/hooks/lib2/index.js": "module.exports = 'seen'",
    });
    const { run, again } = ran(place, NODE);
    expect(run().stdout).toBe("seen data\n");
    const evil = "console.log('EVIL')";
    place.put({
      ".wave/hooks/lib2/package.json": '{"main":"evil.js"}',
      ".wave/hooks/lib2/evil.js": evil,
      ".wave/hooks/lib2.js": evil,
      ".wave/package.json": '{"type":"module"}',
    });
    again();
    expect(run()).toMatchObject({ stdout: "seen data\n", stderr: "" });
  });

  it.skipIf(!hasPython).each([
    ["cd .wave/hooks && python3 p.py", ".wave/hooks"],
    ["python3 -c 'import json, helper'", "."],
    [".wave/hooks/g.sh", "."],
    ["python3 p.py", "."],
    ["python3 .wave/hooks/p.py", ".wave/hooks"],
  ])(
    "is nothing that Python has compiled in the project, and no code that comes while Wave runs: %s (G19, G20, G28)",
    async (command, where) => {
      using place = project({});
      const out = join(place.folder.path, "ran");
      const say = (word: string) => `open(${JSON.stringify(out)}, 'a').write('${word} ')`;
      place.put({
        [join(where, "p.py")]: "import json, helper",
        [join(where, "helper.py")]: say("seen"),
        ".wave/hooks/g.sh": "python3 -c 'import json, helper'",
        "json/readme.txt": "",
        ".wave/hooks/json": "data",
        ".wave/settings.json": JSON.stringify({
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  {
                    type: "command",
                    command,
                    name: "guard",
                    onError: "block",
                  },
                ],
              },
            ],
          },
        }),
      });
      chmodSync(join(place.dir, ".wave/hooks/g.sh"), 0o755);
      compile(join(place.dir, where, `__pycache__/helper.${tag}.pyc`), say("EVIL"));
      const trust = () => {
        const { hooks, ofProject } = loadSettings({
          projectDir: place.dir,
          home: place.home,
          managedFile: "/nonexistent",
        });
        return readProjectTrust({ home: place.home, projectDir: place.dir, hooks, rules: [], ofProject });
      };
      await approveProject(place.home, trust(), new Date(0));
      await using live = await liveAgent(place.folder.path, [], {
        options: { trust: "store", env: { PATH: process.env["PATH"], HOME: process.env["HOME"] } },
      });
      expect(await live.agent.runShell("echo ran")).toMatchObject({ ran: true });
      expect(readFileSync(out, "utf8")).toBe("seen ");
      // Its own run is no change of it.
      expect(trust().items.map(({ state }) => state)).toEqual(["reviewed"]);
      const planted = join(place.dir, where, "json/__init__.pyc");
      if (where !== ".") rmSync(dirname(planted));
      compile(planted, say("EVIL"));
      expect(await live.agent.runShell("echo ran")).toMatchObject({ ran: false });
      expect(readFileSync(out, "utf8")).toBe("seen ");
      expect(live.agent.changedFiles).toEqual([planted]);
    },
  );
});
