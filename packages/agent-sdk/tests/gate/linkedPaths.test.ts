import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { whyNotIf } from "@/hooks/condition.ts";
import { hookView, viewCall } from "@/gate/callView.ts";
import { builtInTools } from "@/tools/index.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { policyBench } from "../support/policyBench.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** Links to folders that have something beside them which nobody should reach through `..`. */
function layLinks(project: string): void {
  for (const folder of ["secrets/sub", ".vscode/sub", ".git/hooks", "real", "src", "../outside/sub"])
    mkdirSync(join(project, folder), { recursive: true });
  for (const file of ["secrets/key", ".vscode/tasks.json", "real/key", "../outside/note", "README.md"])
    writeFileSync(join(project, file), `${file}\n`);
  const links = {
    k: "/etc/ssl",
    o: "../outside/sub",
    d: ".git/hooks",
    dv: ".vscode/sub",
    d2: "secrets/sub",
    v: "real",
  };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(project, name));
}

const bench = policyBench();
layLinks(bench.project);
afterAll(() => bench[Symbol.dispose]());

const DENY = ["Read(./secrets/**)"];
const toolOf = (name: string) => {
  const tool = builtInTools().find((one) => one.name === name);
  if (!tool) throw new Error(name);
  return tool;
};
const viewOf = (command: string) => hookView(viewCall(toolOf("Bash"), { command }, bench.session), "model");

describe("a path with `..` behind a link", () => {
  it("is no reading in the project when the kernel leaves it (G29, G33)", () => {
    const lines = [
      "head -1 k/../passwd",
      "cat o/../note",
      "cd o; cat ../note",
      "cd o && ls ..",
      "cd -P o/..; cat note",
      "cat o/../n*",
      "grep -r x o/..",
      "wc -l < o/../note",
      "git -C o/.. log",
      "ln -s ../outside/sub x; cat x/../note",
      'cd src && cd .. && cat "${PWD%/*}/outside/note"',
      'cd -P o && cat "${PWD%/*}/note"',
    ];
    for (const mode of ["default", "plan", "dontAsk"] as const)
      expect(lines.filter((line) => bench.decide(line, { mode }).decision === "allow")).toEqual([]);
    // Where links stay in the project, and where there are none, nobody is asked.
    const plain = [
      "cat src/../README.md",
      "cd src && cat ../README.md",
      "cat v/../README.md",
      "cd src && cd .. && ls",
    ];
    expect(plain.filter((line) => bench.decide(line, { mode: "plan" }).decision !== "allow")).toEqual([]);
  });

  it("is a protected file when it leads to one (G27, G29)", () => {
    const lines = [
      "echo hi > d/../config",
      "echo hi > dv/../tasks.json",
      "cd dv; cp ../../README.md ../tasks.json",
      "cd dv && cd -P .. && echo hi > tasks.json",
      "tee dv/../tasks.json < README.md",
      "cd src; echo hi > ../dv/../tasks.json",
    ];
    const mode = "bypassPermissions";
    expect(lines.filter((line) => bench.decide(line, { mode }).decision !== "ask")).toEqual([]);
    const plain = [
      "echo hi > src/../notes.txt",
      "cp -r src copy && echo hi > copy/a && cd copy && echo hi > ../b",
      "mkdir -p out && cd out && cp ../README.md . && cd .. && echo x > y",
    ];
    expect(plain.filter((line) => bench.decide(line, { mode }).decision !== "allow")).toEqual([]);
  });

  it("is what a rule about reading denies when it leads there (G32)", () => {
    const lines = [
      "cat d2/../key",
      "cd d2; cat ../key",
      "cd d2 && cat ../key",
      "cd d2/..; cat key",
      "cat src/../d2/../key",
      "ln -s secrets/sub x; cat x/../key",
      "ln -s secrets/sub x && cd x && cat ../key",
      "ln -s ../secrets/key src/x; cat src/x",
      "ln -s ../d2 src; cat src/d2/../key",
      "mv d2 x; cat x/../key",
      "cp -P d2 x; cat x/../key",
    ];
    const silent = lines.filter(
      (line) => bench.decide(line, { mode: "bypassPermissions", deny: DENY }).decision === "allow",
    );
    expect(silent).toEqual([]);
  });

  it("is told to hooks as both places, and their `if` speaks about both (T85, T86)", () => {
    expect(viewOf("echo hi > dv/../tasks.json")).toMatchObject({
      affected_paths: [
        {
          path: join(bench.project, "tasks.json"),
          real_path: join(bench.project, ".vscode/tasks.json"),
          access: "write",
        },
      ],
      analysis: "complete",
    });
    const told = (command: string) => ({ tool_name: "Bash", tool_input: { command }, ...viewOf(command) });
    const context = { base: bench.project, home: "/home" };
    expect(whyNotIf("Edit(.vscode/**)", told("echo hi > dv/../tasks.json"), context)).toBeUndefined();
    expect(whyNotIf("Edit(./tasks.json)", told("echo hi > dv/../tasks.json"), context)).toBeUndefined();
    expect(whyNotIf("Edit(.vscode/**)", told("echo hi > src/../tasks.json"), context)).toBeDefined();
  });

  it("is taken as text by the file tools, which open what was judged (G29, G30)", () => {
    const read = (file_path: string) => bench.decide({ tool: "Read", input: { file_path } }, { deny: DENY });
    expect(read("d2/../README.md").judgedFiles).toEqual([join(bench.project, "README.md")]);
    expect(read("d2/../secrets/key").decision).toBe("deny");
  });
});

describe("another name that a process has for a place", () => {
  const lines = [
    "cat /proc/$$/cwd/secrets/key",
    "cat /proc/self/cwd/secrets/key",
    "cat /proc/*/cwd/secrets/key",
    "cat /pro?/self/cwd/secrets/key",
    "cat /proc/$PPID/root/x",
    "cat /proc/1/task/1/cwd/x",
    "cd src; cat /proc/self/cwd/../secrets/key",
    "cat /proc/4242/fd/3",
    "cat /dev/fd/3/key",
    "ln -s /proc p; cat p/self/cwd/secrets/key",
  ];
  it("may be any place to a rule about reading (G32)", () => {
    const given = { mode: "bypassPermissions", deny: DENY } as const;
    expect(lines.filter((line) => bench.decide(line, given).decision === "allow")).toEqual([]);
    const plain = [
      "cat /proc/cpuinfo",
      "cat /proc/self/status",
      "diff <(ls src) <(ls docs)",
      "node x.js <(ls)",
    ];
    expect(plain.filter((line) => bench.decide(line, given).decision !== "allow")).toEqual([]);
  });

  it("may be a protected file, and hooks are told that not all is known (G27, T85)", () => {
    const writes = ["echo x > /proc/$$/cwd/a", "echo x > /proc/self/cwd/a", "cp README.md /proc/4242/root/a"];
    expect(
      writes.filter((line) => bench.decide(line, { mode: "bypassPermissions" }).decision !== "ask"),
    ).toEqual([]);
    expect(viewOf("cat /proc/self/cwd/a").analysis).toBe("incomplete");
    const plain = ["echo x > /dev/null", "echo x >&2", "echo x > /dev/stderr", "make 2> /proc/self/fd/1"];
    expect(
      plain.filter((line) => bench.decide(line, { mode: "bypassPermissions" }).decision !== "allow"),
    ).toEqual([]);
  });
});

it("names outside the project are listed only with a question, whoever lists them (G33)", () => {
  const lines = [
    "ls ..",
    "ls -R -L .",
    "ls -L src",
    "ls -LR src",
    "ls --recursive --dereference",
    "find . -follow",
    "find -L .",
    "echo ../outside/*",
    "echo /etc/pass*",
    "printf '%s\\n' /etc/*",
    "echo */*",
    "for f in ../outside/*; do echo $f; done",
    "x='/etc/*'; echo $x",
    "basename -a /etc/*",
  ];
  for (const mode of ["default", "plan", "dontAsk"] as const)
    expect(lines.filter((line) => bench.decide(line, { mode }).decision === "allow")).toEqual([]);
  const plain = [
    "ls -R src",
    "echo *",
    "echo src/*",
    "for f in src/*; do echo $f; done",
    "echo {1..3}",
    "echo '/etc/*'",
  ];
  expect(plain.filter((line) => bench.decide(line, { mode: "plan" }).decision !== "allow")).toEqual([]);
});

it("a file that is copied onto a file is not named as one inside it (G29)", () => {
  const written = (command: string) =>
    viewOf(command).affected_paths?.flatMap(({ path, access }) =>
      access === "write" ? [path.slice(bench.project.length + 1)] : [],
    );
  expect(written("cp README.md .vscode/tasks.json")).toEqual([".vscode/tasks.json"]);
  expect(written("cp README.md .vscode")).toEqual([".vscode", ".vscode/README.md"]);
  expect(written("cp README.md dv")).toEqual(["dv", "dv/README.md"]);
  expect(written("cd d2 && cd .. && cp ../project/README.md src")).toContain("src/README.md");
  // The line itself may make a folder of it.
  expect(written("mkdir new; cp README.md new")).toEqual(["new", "new/README.md"]);
});

describe("in a session", () => {
  it("a folder behind a link is judged from there in the next call as well (G27, G29)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    layLinks(project);
    const commands = ["cd dv", "cp ../../README.md ../tasks.json", "echo x > ../tasks.json"];
    const played = await playSession(folder.path, {
      scenario: [
        ...commands.map((command) => ({ call: { name: "Bash", arguments: { command } } })),
        { say: "done" },
      ],
      options: { permissionMode: "bypassPermissions" },
    });
    const results = blocksOf(played.messages, "tool").map(({ result = "" }) => /needs approval/.test(result));
    expect(results).toEqual([false, true, true]);
    expect(readFileSync(join(project, ".vscode/tasks.json"), "utf8")).toBe(".vscode/tasks.json\n");
  });
});
