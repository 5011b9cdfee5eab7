import { appendFileSync, chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { PermissionMode } from "@/permissions/modes.ts";
import { policyBench, type PolicyBench } from "../support/policyBench.ts";
import { SEEN_READS, UNSEEN_READS } from "./unseenReads.ts";

let bench: PolicyBench;
beforeEach(() => {
  bench = policyBench();
  return () => bench[Symbol.dispose]();
});

describe("a command that only reads", () => {
  const rows: [command: string, decisions: Record<PermissionMode, string>][] = [
    [
      "cat package.json",
      { default: "allow", acceptEdits: "allow", plan: "allow", dontAsk: "allow", bypassPermissions: "allow" },
    ],
    [
      "cat /etc/hostname",
      { default: "ask", acceptEdits: "ask", plan: "ask", dontAsk: "deny", bypassPermissions: "allow" },
    ],
    [
      "git status && ls src",
      { default: "allow", acceptEdits: "allow", plan: "allow", dontAsk: "allow", bypassPermissions: "allow" },
    ],
    [
      "touch a",
      { default: "ask", acceptEdits: "allow", plan: "deny", dontAsk: "deny", bypassPermissions: "allow" },
    ],
    [
      "ls; touch a",
      { default: "ask", acceptEdits: "allow", plan: "deny", dontAsk: "deny", bypassPermissions: "allow" },
    ],
    [
      "make",
      { default: "ask", acceptEdits: "ask", plan: "deny", dontAsk: "deny", bypassPermissions: "allow" },
    ],
    [
      "cat $X",
      { default: "ask", acceptEdits: "ask", plan: "deny", dontAsk: "deny", bypassPermissions: "allow" },
    ],
  ];
  it.each(rows)(
    "%j is decided as reading is, and any other as running is (T25, G33)",
    (command, decisions) => {
      const decided = Object.keys(decisions).map((mode) => [
        mode,
        bench.decide(command, { mode: mode as PermissionMode }).decision,
      ]);
      expect(Object.fromEntries(decided)).toEqual(decisions);
    },
  );

  it("that also writes text is an edit, and beside a rule for the rest it runs where edits do (T25, G27)", () => {
    const allow = ["Bash(npm test:*)", "Bash(git diff:*)"];
    const modes = {
      default: ["ask", "ask"],
      acceptEdits: ["allow", "allow"],
      plan: ["deny", "deny"],
      dontAsk: ["deny", "deny"],
      bypassPermissions: ["allow", "allow"],
    };
    for (const into of ["| tee files.txt", "> files.txt", "&>> files.log"])
      for (const [mode, decisions] of Object.entries(modes)) {
        const decide = (command: string) =>
          bench.decide(`${command} ${into}`, { mode: mode as PermissionMode, allow }).decision;
        expect([into, mode, decide("ls"), decide("npm test")]).toEqual([into, mode, ...decisions]);
        expect([into, mode, decide("ls; git diff")]).toEqual([into, mode, decisions[1]]);
      }
    symlinkSync("/tmp/elsewhere.log", join(bench.project, "out.log"));
    symlinkSync("src/app.ts", join(bench.project, "in.log"));
    mkdirSync(join(bench.project, "folder.log"));
    for (const file of ["out.log", "in.log", "folder.log", "README.md"])
      expect([file, bench.decide(`npm test | tee ${file}`, { mode: "acceptEdits", allow }).decision]).toEqual(
        [file, "ask"],
      );
    const deny = ["Edit(files.txt)"];
    expect(bench.decide("npm test > files.txt", { mode: "acceptEdits", deny, allow }).decision).toBe("deny");
  });

  it("says in plan mode what keeps a command from being one (T36)", () => {
    expect(bench.decide("ls > files.txt", { mode: "plan" }).reason).toBe(
      `Plan mode changes nothing, and this command would: it writes ${bench.project}/files.txt; leave plan mode to run it.`,
    );
  });

  it("is not taken for one when a link leads out of the project, also a link that a star finds (G32)", () => {
    symlinkSync("/etc/hostname", join(bench.project, "docs/host.md"));
    symlinkSync("/etc", join(bench.project, "etc"));
    for (const command of [
      "cat docs/host.md",
      "cat docs/*.md",
      "cat etc/hostname",
      "ls etc",
      "cd etc && cat hostname",
      "head docs/*",
    ])
      expect([command, bench.decide(command).decision]).toEqual([command, "ask"]);
    expect(bench.decide("cat docs/a.md").decision).toBe("allow");
  });

  it("is not taken for one when find comes across a link out of the project or a name that xargs would cut (G32)", () => {
    const listing = [
      "find src -name '*.ts' | xargs cat",
      "find src -iname '*.TS' -exec cat {} +",
      "find src -name '[a-z]*.ts' | xargs cat",
      "find src -exec cat {} + -name none",
      "find src -name none -name none -o -type f | xargs cat",
      "grep -rl x src | xargs cat",
    ];
    const decisions = () => listing.map((command) => bench.decide(command).decision);
    expect(new Set(decisions())).toEqual(new Set(["allow"]));
    mkdirSync(join(bench.project, "src/deep"));
    symlinkSync("../app.ts", join(bench.project, "src/deep/inside.ts"));
    expect(new Set(decisions())).toEqual(new Set(["allow"]));
    symlinkSync("/etc/hostname", join(bench.project, "src/deep/evil.ts"));
    expect(new Set(decisions())).toEqual(new Set(["ask"]));
    expect(bench.decide("find src -name '*.js' | xargs cat").decision).toBe("allow");
    rmSync(join(bench.project, "src/deep/evil.ts"));
    mkdirSync(join(bench.project, "src/a /etc"), { recursive: true });
    writeFileSync(join(bench.project, "src/a /etc/x.ts"), "");
    expect(new Set(decisions())).toEqual(new Set(["ask"]));
  });

  it("is not taken for one when a file that a star finds is an option, or a list, to the program (G33)", () => {
    const lines = [
      "cat *",
      "wc -l *.md",
      "grep -n x *.md",
      "sort *",
      "sha256sum *",
      "head -3 ?*",
      "for f in *; do cat $f; done",
      "printf '%s\\n' * | xargs wc -l",
    ];
    const decisions = () => lines.map((line) => [line, bench.decide(line).decision]);
    expect(decisions()).toEqual(lines.map((line) => [line, "allow"]));
    writeFileSync(join(bench.project, "-fx.md"), "");
    expect(decisions()).toEqual(lines.map((line) => [line, "ask"]));
    expect(bench.decide("cat ./*").decision).toBe("allow");
    expect(bench.decide("cat *.json").decision).toBe("allow");
    expect(bench.decide("strings *.txt").decision).toBe("allow");
    writeFileSync(join(bench.project, "@list.txt"), "/etc/passwd");
    expect(bench.decide("strings *.txt").decision).toBe("ask");
    expect(bench.decide("cat *.txt").decision).toBe("allow");
  });

  it("is not taken for one when xargs cuts a name that a star finds, or a variable changes what options mean (G33)", () => {
    const line = "printf '%s\\n' src/*/* | xargs cat";
    mkdirSync(join(bench.project, "src/a/b"), { recursive: true });
    expect(bench.decide(line).decision).toBe("allow");
    mkdirSync(join(bench.project, "src/c /etc"), { recursive: true });
    expect(bench.decide(line).decision).toBe("ask");
    expect(bench.decide("rg x").decision).toBe("allow");
    for (const [file, decision] of [
      [".ripgreprc", "ask"],
      [join(bench.project, "x"), "ask"],
      ["/home/somebody/.ripgreprc", "allow"],
    ] as const) {
      bench.session.env["RIPGREP_CONFIG_PATH"] = file;
      expect([file, bench.decide("rg x").decision]).toEqual([file, decision]);
    }
    bench.session.env["POSIXLY_CORRECT"] = "";
    expect(bench.decide("head src/app.ts -n 1").decision).toBe("ask");
  });

  it("is not taken for one when diff opens a folder with a link out of the project in it (G32)", () => {
    const lines = [
      "diff src docs",
      "diff -r src docs",
      "diff -N src docs",
      "diff README.md docs",
      "diff -rq . src",
    ];
    const decisions = () => lines.map((line) => [line, bench.decide(line).decision]);
    expect(decisions()).toEqual(lines.map((line) => [line, "allow"]));
    symlinkSync("/etc/hostname", join(bench.project, "docs/README.md"));
    expect(decisions()).toEqual(lines.map((line) => [line, "ask"]));
    expect(bench.decide("diff src/app.ts src/index.ts").decision).toBe("allow");
  });

  it("is not taken for one when a loop would cut a name that a star finds (G32, G33)", () => {
    const loops = [
      "for f in docs/*/*; do cat $f; done",
      "for f in docs/*/*; do g=$f; cat $g; done",
      "for f in docs/*/*; do cat ./${f}; done",
      "for f in docs/*/*; do [ -f $f ] && head -1 $f; done",
      'for f in docs/*/*; do echo "$(wc -l $f)"; done',
      "for f in docs/*/*; do sort $f; done",
      "echo docs/*/* | xargs cat",
    ];
    const decide = (line: string, mode: PermissionMode = "default") =>
      bench.decide(line, { mode, deny: ["Read(/etc/**)"] }).decision;
    mkdirSync(join(bench.project, "docs/a"));
    writeFileSync(join(bench.project, "docs/a/b.md"), "");
    expect(loops.filter((line) => decide(line) !== "allow")).toEqual([]);
    mkdirSync(join(bench.project, "docs/a /etc"), { recursive: true });
    writeFileSync(join(bench.project, "docs/a /etc/hostname"), "");
    expect(loops.filter((line) => decide(line) === "allow")).toEqual([]);
    expect(loops.filter((line) => decide(line, "bypassPermissions") === "allow")).toEqual([]);
    expect(decide('for f in docs/*/*; do cat "$f"; done')).toBe("allow");
  });

  it("is not taken for one when the line itself makes a name that is cut (G27)", () => {
    for (const line of [
      "touch 'x .envrc'; for f in x*; do tee $f; done",
      "echo a > 'x .envrc'; for f in x*; do tee $f; done",
      "mkdir 'x .envrc'; for f in x*; do rm -r $f; done",
      "cp README.md 'x .envrc'; echo x* | xargs tee",
      "touch -- -o.envrc; sort *",
    ])
      expect([line, bench.decide(line, { mode: "bypassPermissions" }).decision]).toEqual([line, "ask"]);
  });

  it("is not taken for one when the project brings the program (G33)", () => {
    const bin = join(bench.project, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ls"), "#!/bin/sh\n");
    chmodSync(join(bin, "ls"), 0o755);
    bench.session.env["PATH"] = `${bin}:${bench.session.env["PATH"]}`;
    expect(bench.decide("ls").decision).toBe("ask");
    expect(bench.decide("cat package.json").decision).toBe("allow");
    bench.session.env["PATH"] = `.:${bench.session.env["PATH"]}`;
    expect(bench.decide("cat package.json").decision).toBe("ask");
  });

  it.each([
    "[core]\n\tfsmonitor = ./evil\n",
    "[diff]\n\texternal = evil\n",
    '[diff "x"]\n\ttextconv = evil\n',
    '[filter "x"]\n\tclean = evil\n',
    "[include]\n\tpath = ../evil\n",
    "[core]\n\thooksPath = .githooks\n",
    "[core]fsmonitor=x\n",
    "[core]\n\tpager = e\\\nvil\n",
    "[log]\n\tshowSignature = true\n",
  ])(
    "is not taken for one when the repository's settings may make git run something: %j (G33)",
    (settings) => {
      expect(bench.decide("git status").decision).toBe("allow");
      appendFileSync(join(bench.project, ".git/config"), settings);
      expect(bench.decide("git status").decision).toBe("ask");
      expect(bench.decide("cd src && git log").decision).toBe("ask");
    },
  );

  it("is not taken for one in a folder that only looks like a repository (G33)", () => {
    const bare = join(bench.project, "docs");
    for (const name of ["objects", "refs"]) mkdirSync(join(bare, name));
    writeFileSync(join(bare, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(bare, "config"), "[core]\n\tfsmonitor = ./evil\n");
    expect(bench.decide("git status").decision).toBe("allow");
    expect(bench.decide("cd docs && git status").decision).toBe("ask");
    expect(bench.decide("git -C docs status").decision).toBe("ask");
  });
});

describe("rules about files hold for shell commands", () => {
  const rules = {
    deny: ["Read(./secrets/**)", "Edit(generated/**)"],
    ask: ["Read(~/notes/**)"],
    allow: ["Bash"],
  };
  const rows: [command: string, decision: string][] = [
    ["cat secrets/key", "deny"],
    ["cat ./secrets/../secrets/key", "deny"],
    ["cd secrets && cat key", "deny"],
    ["head -1 < secrets/key", "deny"],
    ["cp secrets/key copy", "deny"],
    ["bash -c 'cat secrets/key'", "deny"],
    ['cat "$(cat secrets/key)"', "deny"],
    ["cat ~/notes/a", "ask"],
    ["cat secrets/*", "ask"],
    ["cat */key", "ask"],
    ["grep -r x .", "ask"],
    ["diff -r . /x", "ask"],
    ["diff --recursive src /x", "allow"],
    ["diff src secrets", "deny"],
    ["diff . src", "ask"],
    ["diff -N src/app.ts .", "ask"],
    ["diff src/app.ts src/index.ts", "allow"],
    ["date -r secrets/key", "deny"],
    ["date -f secrets/key", "deny"],
    ["od -w secrets/key", "deny"],
    ["xxd -ps secrets/key", "deny"],
    ["awk 1 secrets/key", "deny"],
    ["jq -n --rawfile a secrets/key '$a'", "deny"],
    ["jq -n 'import \"./x\" as $x; $x'", "ask"],
    ["sed 'r secrets/key' src/app.ts", "deny"],
    ["strings @list", "ask"],
    ["find -files0-from list -exec cat {} +", "ask"],
    ["find -L src -exec cat {} +", "ask"],
    ["mv secrets s2; cat s2/key", "deny"],
    ["mv secrets/key k", "deny"],
    ["git mv secrets s2", "deny"],
    ["git rm -r secrets", "deny"],
    ["rm -rf secrets", "deny"],
    ["rm secrets/key", "deny"],
    ["find secrets/key -delete", "deny"],
    ["mv s* elsewhere", "ask"],
    ["mv src/app.ts src/main.ts", "allow"],
    ["rm -rf build", "allow"],
    ["git diff", "ask"],
    ["python3 x.py secrets/key", "ask"],
    ["tar cf a.tar .", "ask"],
    ["echo x > generated/a", "deny"],
    ["touch generated/a", "deny"],
    ["cat generated/a", "allow"],
    ["rm -rf generated", "deny"],
    ["rm -rf .", "ask"],
    ["node build.js generated/a", "ask"],
    ["ls", "allow"],
    ["cat src/*.ts", "allow"],
    ["grep -r x src", "allow"],
    ["echo x > secrets.txt", "allow"],
    ["git status", "allow"],
  ];
  it.each(rows)("%j is decided as %s (G32, T86)", (command, decision) => {
    for (const mode of ["default", "bypassPermissions"] as const)
      expect([mode, bench.decide(command, { ...rules, mode }).decision]).toEqual([mode, decision]);
  });

  it.each(Object.entries(UNSEEN_READS))(
    "a file nobody can see in the line is asked about: %s (G32)",
    (_, lines) => {
      for (const mode of ["default", "bypassPermissions"] as const)
        expect(lines.filter((line) => bench.decide(line, { ...rules, mode }).decision === "allow")).toEqual(
          [],
        );
    },
  );

  it("and only where a rule keeps something back, and the command shows or copies it (G32)", () => {
    const mode = "bypassPermissions" as const;
    const asked = Object.values(UNSEEN_READS)
      .flat()
      .map((line) => ({ line, ...bench.decide(line, { mode }) }))
      // Some of them may write a protected file under the name nobody knows.
      .filter(({ decision, reason }) => decision !== "allow" && !reason.startsWith("This would write"));
    expect(asked).toEqual([]);
    expect(SEEN_READS.filter((line) => bench.decide(line, { ...rules, mode }).decision !== "allow")).toEqual(
      [],
    );
  });

  it("also through a link (G32)", () => {
    mkdirSync(join(bench.project, "secrets"));
    symlinkSync("secrets", join(bench.project, "public"));
    expect(bench.decide("cat public/key", rules)).toMatchObject({
      decision: "deny",
      reason: `Rule Read(./secrets/**) in settings.json denies this call: the command reads ${bench.project}/public/key.`,
    });
  });

  it("also by another name of the same file, with every tool (G32)", () => {
    mkdirSync(join(bench.project, "secrets"));
    writeFileSync(join(bench.project, "secrets/key"), "x");
    linkSync(join(bench.project, "secrets/key"), join(bench.project, "src/harmless.txt"));
    for (const call of [
      "cat src/harmless.txt",
      { tool: "Read", input: { file_path: join(bench.project, "src/harmless.txt") } },
      { tool: "Grep", input: { pattern: "x", path: join(bench.project, "src/harmless.txt") } },
    ])
      expect(bench.decide(call, rules).decision).toBe("deny");
    expect(
      bench.decide({ tool: "Read", input: { file_path: join(bench.project, "src/app.ts") } }, rules).decision,
    ).toBe("allow");
  });

  it("and a doubt is named as one (T36)", () => {
    expect(bench.decide("grep -r x .", { ...rules, mode: "bypassPermissions" }).reason).toBe(
      `Rule Read(./secrets/**) in settings.json may be about this call: the command may touch such files in ${bench.project}.`,
    );
    expect(bench.decide("cat $(git ls-files)", { deny: rules.deny, mode: "bypassPermissions" }).reason).toBe(
      "Rule Read(./secrets/**) in settings.json may be about this call: Wave cannot tell which files this reads ($(git ls-files)), and the rule keeps some back.",
    );
  });
});
