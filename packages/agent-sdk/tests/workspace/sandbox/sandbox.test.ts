import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxBench, whyNoBubblewrap } from "../../support/sandboxBench.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { ToolBench } from "../../support/toolBench.ts";

const cannotTry = whyNoBubblewrap() !== undefined;

function git(bench: ToolBench, ...args: string[]): string {
  return execFileSync("git", ["-C", bench.dir, ...args], { encoding: "utf8" });
}

const withRepository = (bench: ToolBench) => {
  git(bench, "init", "--quiet");
  git(bench, "config", "user.email", "me@example.com");
  git(bench, "config", "user.name", "Me");
};

describe.skipIf(cannotTry)("a command in the sandbox", () => {
  it("writes in the project and in the temporary folder, and reads everything", async () => {
    await using bench = await sandboxBench();
    const command = 'echo in > a && echo tmp > "$TMPDIR/b" && cat /etc/passwd > c && cat "$TMPDIR/b" a';
    expect(await bench.call("Bash", { command })).toMatchObject({ success: true, result: "tmp\nin" });
    expect(bench.content("c")).toBe(readFileSync("/etc/passwd", "utf8"));
  });

  it("cannot write elsewhere, and the model is told where it can (G65, CVE-2025-59532)", async () => {
    await using bench = await sandboxBench();
    const outcome = await bench.call("Bash", { command: `cd ${bench.outside}; echo x > here; mkdir d` });
    expect(readdirSync(bench.outside)).toEqual([]);
    expect(outcome.success).toBe(false);
    expect(outcome.result).toContain(`only in ${bench.dir}, `);
    expect(outcome.result).toContain('"sandbox": {"writable": […]}');
    // The folder that the command went to does not become writable by that.
    expect(bench.session.cwd).toBe(bench.outside);
    expect((await bench.call("Bash", { command: "echo x > here" })).success).toBe(false);
    expect(readdirSync(bench.outside)).toEqual([]);
  });

  it("writes where the settings open a folder, and not where one became a link", async () => {
    await using bench = await sandboxBench({ writable: ["../outside", "open"] }, (fresh) =>
      mkdirSync(fresh.path("open")),
    );
    expect((await bench.call("Bash", { command: `echo x > ${bench.outside}/a` })).success).toBe(true);
    const etc = join(bench.home, "etc");
    mkdirSync(etc);
    // From outside of the sandbox: in it, the folder is a mount and stays what it is.
    execFileSync("rmdir", [bench.path("open")]);
    symlinkSync(etc, bench.path("open"));
    expect((await bench.call("Bash", { command: "echo x > open/a" })).success).toBe(false);
    expect(readdirSync(etc)).toEqual([]);
    expect((await bench.call("Bash", { command: "echo fine" })).result).toBe("fine");
  });

  it("cannot make `.wave` where there is none, and nothing of the attempt stays (T46, G66, CVE-2026-25725)", async () => {
    await using bench = await sandboxBench();
    const command = "mkdir -p .wave; echo '{}' > .wave/settings.json; mv .wave x; rm -rf .wave; ls -A .wave";
    expect(await bench.call("Bash", { command })).toMatchObject({ success: true });
    expect(readdirSync(bench.path(".wave"))).toEqual([]);
    bench.sandbox.close({ isShared: false });
    expect(existsSync(bench.path(".wave"))).toBe(false);
  });

  it("leaves the folder it stands on to another Wave that still works here (G66)", async () => {
    await using bench = await sandboxBench();
    await bench.call("Bash", { command: "true" });
    bench.sandbox.close({ isShared: true });
    expect(existsSync(bench.path(".wave"))).toBe(true);
  });

  it("cannot change or replace `.wave`, $WAVE_HOME and other files that run by themselves (T46, G66)", async () => {
    await using bench = await sandboxBench({ writable: ["../home"] }, (fresh) => {
      mkdirSync(fresh.path(".wave"));
      fresh.put(".wave/settings.json", "{}");
      mkdirSync(fresh.path(".vscode"));
      fresh.put(".envrc", "mine");
    });
    const command = [
      "echo x > .wave/settings.json",
      "echo x > .wave/settings.local.json",
      "rm -rf .wave",
      "mv .wave gone",
      "ln -sfn /nowhere .wave",
      "echo x > .vscode/tasks.json",
      "echo x > .envrc",
      "rm -f .envrc",
      `echo x > ${bench.home}/trust.json`,
    ];
    for (const one of command)
      expect(await bench.call("Bash", { command: one })).toMatchObject({ success: false });
    expect(bench.content(".wave/settings.json")).toBe("{}");
    expect(readdirSync(bench.path(".wave"))).toEqual(["settings.json"]);
    expect(readdirSync(bench.path(".vscode"))).toEqual([]);
    expect(bench.content(".envrc")).toBe("mine");
    expect(readdirSync(bench.home)).toEqual([]);
  });

  it("commits, but changes neither hooks nor settings of git, also not by moving its folder away (G66, CVE-2026-26268)", async () => {
    await using bench = await sandboxBench({}, withRepository);
    expect(
      await bench.call("Bash", {
        command: "echo a > a && git add a && git commit -qm one && git log --oneline",
      }),
    ).toMatchObject({ success: true });
    for (const command of [
      "git config core.fsmonitor ./evil",
      "echo x > .git/hooks/pre-commit",
      "echo x >> .git/config",
      "mv .git old && mkdir .git",
      "rm -rf .git/hooks && mkdir .git/hooks && echo x > .git/hooks/pre-commit",
    ])
      expect(await bench.call("Bash", { command })).toMatchObject({ success: false });
    expect(readdirSync(bench.path(".git/hooks")).filter((name) => !name.endsWith(".sample"))).toEqual([]);
    expect(git(bench, "config", "--get-all", "core.repositoryformatversion").trim()).toBe("0");
    expect(bench.content(".git/config")).not.toContain("fsmonitor");
  });

  it("cannot send git elsewhere for its settings: what would do so is removed, and said (G66)", async () => {
    await using bench = await sandboxBench({}, withRepository);
    await bench.call("Bash", { command: "mkdir evil; cp -r .git/* evil; echo ../evil > .git/commondir" });
    expect(existsSync(bench.path(".git/commondir"))).toBe(false);
    expect(bench.told.join()).toMatch(/a command made .*commondir/);
  });

  it("changes no settings of git that are only for one work tree, also where there are none yet, and nothing stays of what holds them (G66)", async () => {
    await using bench = await sandboxBench({}, (fresh) => {
      withRepository(fresh);
      git(fresh, "config", "extensions.worktreeConfig", "true");
      git(fresh, "commit", "-qm", "one", "--allow-empty");
      git(fresh, "worktree", "add", "-q", "side");
    });
    for (const command of [
      "git config --worktree core.fsmonitor ./evil",
      "echo x > .git/config.worktree",
      "rm -f .git/config.worktree",
      "echo x > .git/worktrees/side/config.worktree",
      "echo ../../../evil > .git/worktrees/side/commondir",
      "mv .git/worktrees/side .git/worktrees/old",
      "echo '* filter=x' > .git/info/attributes",
      "mv .git/info .git/old",
      "mkdir -p .git/modules/sub",
    ])
      expect([command, await bench.call("Bash", { command })]).toMatchObject([command, { success: false }]);
    expect(
      (await bench.call("Bash", { command: "echo a > a && git add a && git commit -qm two" })).success,
    ).toBe(true);
    bench.sandbox.close({ isShared: false });
    for (const part of ["config.worktree", "worktrees/side/config.worktree", "info/attributes", "modules"])
      expect([part, existsSync(bench.path(`.git/${part}`))]).toEqual([part, false]);
    expect(git(bench, "config", "--list")).not.toContain("fsmonitor");
  });

  it("gives git no other repository to enter in place of a submodule, and says when there is a new one (G66)", async () => {
    const evil =
      "mkdir -p $at && git init -q $at && git -C $at config core.fsmonitor 'touch $PWD/ran; false' &&";
    await using bench = await sandboxBench({}, (fresh) => {
      withRepository(fresh);
      const head = () => git(fresh, "-C", "old", "rev-parse", "HEAD").trim();
      git(fresh, "init", "-q", "old");
      git(
        fresh,
        "-C",
        "old",
        "-c",
        "user.name=Me",
        "-c",
        "user.email=me@example.com",
        "commit",
        "-q",
        "-m",
        "one",
        "--allow-empty",
      );
      git(fresh, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./old", "sub");
      for (const name of ["old", "bare", "gone"])
        git(fresh, "update-index", "--add", "--cacheinfo", `160000,${head()},${name}`);
      mkdirSync(fresh.path("bare"));
      git(fresh, "commit", "-qm", "with submodules");
    });
    for (const command of [
      `at=evil; ${evil} echo 'gitdir: ../evil/.git' > sub/.git`,
      "rm -f sub/.git",
      "mv sub elsewhere",
      "echo x >> .git/modules/sub/config",
      "echo x > .git/modules/sub/hooks/post-checkout",
      "git -C old config core.fsmonitor ./evil",
      "echo x > old/.git/config.worktree",
      "echo x > old/.git/hooks/post-checkout",
      "mv old/.git old/x",
      "mv old elsewhere",
      "rmdir bare",
    ])
      expect([command, await bench.call("Bash", { command })]).toMatchObject([command, { success: false }]);
    expect(bench.told).toEqual([]);
    await bench.call("Bash", { command: "echo 'gitdir: ../evil/.git' > bare/.git" });
    expect(existsSync(bench.path("bare/.git"))).toBe(false);
    expect(bench.told.splice(0).join()).toMatch(/a command made .*bare\/\.git, /);
    git(bench, "status");
    expect(existsSync(bench.path("ran"))).toBe(false);
    const command = `at=gone; ${evil} git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),evil`;
    await bench.call("Bash", { command });
    expect(bench.told.splice(0).map((text) => /(\w+) became a repository/.exec(text)?.[1])).toEqual([
      "evil",
      "gone",
    ]);
    await bench.call("Bash", { command: "true" });
    expect(bench.told).toEqual([]);
  });

  it("leaves alone what a link leads to from where nothing may appear (G66)", async () => {
    await using bench = await sandboxBench({}, (fresh) => {
      withRepository(fresh);
      git(fresh, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
    });
    mkdirSync(join(bench.outside, ".git"));
    await bench.call("Bash", { command: `ln -s ${bench.outside} sub` });
    expect(await bench.call("Bash", { command: "true" })).toMatchObject({ success: true });
    expect(existsSync(join(bench.outside, ".git"))).toBe(true);
    expect(bench.told).toEqual([]);
  });

  it("sees and ends no process but its own, and has no keys of others in /proc (G44)", async () => {
    await using bench = await sandboxBench();
    const { result } = await bench.call("Bash", {
      command: `kill -9 ${process.pid}; cat /proc/${process.pid}/environ; ls -d /proc/[0-9]* | wc -l`,
    });
    expect(result).toMatch(/No such process/);
    expect(Number(/^\d+$/m.exec(result)?.[0])).toBeLessThan(10);
  });

  it("reaches no socket of a program outside, wherever it lies, and those of its own project (G65)", async () => {
    const servers: Server[] = [];
    const listenAt = async (path: string) => {
      const server = createServer((client) => client.end("hello\n"));
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(path, resolve));
    };
    const asRoot = process.getuid?.() === 0 ? [`/run/wave-test-${process.pid}.sock`] : [];
    const tried: string[] = [];
    await using bench = await sandboxBench({ writable: ["../opened"] }, (fresh) => {
      const top = join(fresh.dir, "..");
      for (const name of ["opened", "outside/deep", "outside/.agent", "tmp/ssh-x"])
        mkdirSync(join(top, name), { recursive: true });
      tried.push(
        ...["outside/a", "outside/deep/b", "outside/.agent/c", "tmp/d", "tmp/ssh-x/agent.1", "home/e"].map(
          (name) => join(top, name),
        ),
        ...asRoot,
      );
      for (const path of tried) void listenAt(path);
      void listenAt(join(top, "opened/f"));
      void listenAt(join(fresh.dir, "own.sock"));
      // Where the system lists a name without its folder.
      execFileSync("mkfifo", [join(top, "tmp/pipe")]);
    });
    const ask = (path: string) => `node ${bench.dir}/ask.js ${path}`;
    bench.put(
      "ask.js",
      `require("net").connect(process.argv[2]).on("data", (text) => process.stdout.write(text)).on("error", (error) => console.log(error.code));`,
    );
    // After the session began: in a folder that commands cannot write it is somebody else's all the same.
    const late = join(bench.outside, "late");
    await listenAt(late);
    const { result } = await bench.call("Bash", { command: [...tried, late].map(ask).join("; ") });
    expect(result.split("\n")).toEqual([...tried, late].map(() => "ECONNREFUSED"));
    const own = [join(bench.dir, "own.sock"), join(bench.dir, "../opened/f")];
    expect((await bench.call("Bash", { command: own.map(ask).join("; ") })).result).toBe("hello\nhello");
    const pipe = await bench.call("Bash", { command: 'timeout 5 cat "$TMPDIR/pipe"; echo "read $?"' });
    expect(pipe.result).toMatch(/read [^0]/);
    // What a command itself makes there, the next one finds.
    const serve = `node -e 'require("net").createServer((c) => c.end("mine\\n")).listen(process.env.TMPDIR + "/mine")'`;
    await bench.call("Bash", { command: serve, run_in_background: true });
    const mine = `until [ -S "$TMPDIR/mine" ]; do sleep 0.05; done; ${ask('"$TMPDIR/mine"')}`;
    expect((await bench.call("Bash", { command: mine })).result).toBe("mine");
    for (const server of servers) server.close();
  });

  it("reaches no socket that has a name and no place, where it has no network (G65)", async () => {
    await using bench = await sandboxBench({ network: false });
    const name = `wave-test-${process.pid}`;
    const server = createServer((client) => client.end("hello\n"));
    await new Promise<void>((resolve) => server.listen(`\0${name}`, resolve));
    const ask = `node -e 'require("net").connect("\\0${name}").on("data", (text) => process.stdout.write(text)).on("error", (error) => console.log(error.code))'`;
    expect((await bench.call("Bash", { command: ask })).result).toBe("ECONNREFUSED");
    server.close();
  });

  it("cannot tell the kernel anything, as root or as another user (G65)", async () => {
    await using bench = await sandboxBench();
    const command = `for f in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness /proc/sys/fs/file-max /proc/sysrq-trigger /proc/irq/default_smp_affinity /proc/mtrr; do
      [ -e $f ] && { cat $f > "$TMPDIR/before"; cat "$TMPDIR/before" > $f && echo "$f was written"; }; done 2>/dev/null
      find /proc/sys /proc/fs /proc/bus /proc/irq /proc/acpi /proc/driver /proc/scsi -writable -type f 2>/dev/null | head -3
      cat /proc/sys/kernel/ostype; ps >/dev/null && cat /proc/loadavg >/dev/null && echo fine`;
    expect((await bench.call("Bash", { command })).result.split("\n")).toEqual(["Linux", "fine"]);
  });

  it("does not find the sockets through which other programs are told what to do (G65)", async () => {
    const uid = process.getuid?.() ?? 0;
    await using bench = await sandboxBench({}, (fresh) => {
      const tmp = fresh.session.env["TMPDIR"] ?? "";
      mkdirSync(join(tmp, `tmux-${uid}`));
      writeFileSync(join(tmp, `tmux-${uid}`, "default"), "a socket");
      writeFileSync(join(tmp, "docker"), "a socket");
      fresh.session.env["DOCKER_HOST"] = `unix://${join(tmp, "docker")}`;
    });
    const command = `ls "$TMPDIR"/tmux-${uid}; cat "$TMPDIR/docker"; touch "$TMPDIR"/tmux-${uid}/x`;
    const { result } = await bench.call("Bash", { command });
    expect(result).not.toContain("default");
    expect(result).not.toContain("a socket");
    expect(result).toMatch(/x'?: Read-only file system/);
  });

  it.each([
    [true, "reached"],
    [false, "cut off"],
  ])(
    "has the network that the settings say (%s): a listener on this machine is %s",
    async (network, reached) => {
      await using bench = await sandboxBench({ network });
      let visits = 0;
      const server = createServer((socket) => {
        visits++;
        socket.end("hello");
      });
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      const { success } = await bench.call("Bash", { command: `cat < /dev/tcp/127.0.0.1/${address.port}` });
      server.close();
      expect({ success, visits }).toEqual(
        reached === "reached" ? { success: true, visits: 1 } : { success: false, visits: 0 },
      );
    },
  );
});

describe.skipIf(cannotTry)("the Bash tool in the sandbox", () => {
  it("keeps the working folder, the exit code and the output as it comes", async () => {
    await using bench = await sandboxBench();
    mkdirSync(bench.path("sub"));
    expect(await bench.call("Bash", { command: "cd sub; echo out; echo err >&2; exit 7" })).toMatchObject({
      success: false,
      result: expect.stringMatching(/^Exit code 7\nout\nerr\n\[The working folder is now .*sub\.\]$/),
      response: { stdout: "out\n", stderr: "err\n", exitCode: 7 },
    });
    expect(bench.printed.join("")).toContain("out\n");
    expect((await bench.call("Bash", { command: "pwd" })).result).toBe(bench.path("sub"));
  });

  it.each([
    ["kill -KILL $$", "Killed by SIGKILL"],
    ["exit 137", "Exit code 137"],
    ["exit 300", "Exit code 44"],
    ["nosuchprogram", "Exit code 127"],
  ])("tells a signal from an exit code: %s", async (command, headline) => {
    await using bench = await sandboxBench();
    expect((await bench.call("Bash", { command })).result).toMatch(new RegExp(`^${headline}`));
  });

  it("ends everything at a timeout, and lets it tidy up before", async () => {
    await using bench = await sandboxBench();
    const command =
      "trap 'echo bye > bye; exit' TERM; (setsid sleep 300 &); echo up > up; while :; do sleep 0.05; done";
    const running = bench.call("Bash", { command, timeout: 1_500 });
    await waitFor("the command to run", () => existsSync(bench.path("up")));
    expect((await running).result).toMatch(/^Timed out after 1.5 s/);
    expect(bench.processes()).toEqual([]);
    expect(bench.content("bye")).toBe("bye\n");
  });

  it("ends everything when it is interrupted", async () => {
    await using bench = await sandboxBench();
    const abort = new AbortController();
    const running = bench.call(
      "Bash",
      { command: "trap '' TERM; echo up > up; sleep 300 & wait" },
      abort.signal,
    );
    await waitFor("the command to run", () => existsSync(bench.path("up")));
    abort.abort();
    expect((await running).result).toMatch(/^Interrupted/);
    expect(bench.processes()).toEqual([]);
  });

  it("leaves no process behind when a command ends", async () => {
    await using bench = await sandboxBench();
    expect(
      (await bench.call("Bash", { command: "sleep 300 & (setsid sleep 300 &) ; echo done" })).result,
    ).toBe("done");
    await waitFor("all of it to be gone", () => bench.processes().length === 0);
  });

  it("runs shells in the background, tells what they print, and ends them", async () => {
    await using bench = await sandboxBench();
    const command = "echo up; echo x > /etc/wave-test; echo x > inside; sleep 300";
    await bench.call("Bash", { command, run_in_background: true });
    await waitFor("it to write", () => existsSync(bench.path("inside")));
    // The file may be there before what was printed has arrived.
    let result = "";
    for (;;) {
      result = (await bench.call("BashOutput", { bash_id: "bash_1" })).result;
      if (!result.includes("(no new output)")) break;
    }
    expect(result).toMatch(/^Status: running\nup\n.*Read-only file system\n\[The sandbox lets/s);
    await bench.call("KillShell", { shell_id: "bash_1" });
    expect(bench.processes()).toEqual([]);
  });

  it("refuses when bubblewrap stops working in the middle of a session (G65)", async () => {
    // A stand-in that works until a file says otherwise.
    await using bench = await sandboxBench({}, (fresh) => {
      const bin = join(fresh.dir, "..", "bin");
      mkdirSync(bin);
      const real = execFileSync("which", ["bwrap"], { encoding: "utf8" }).trim();
      const fake = `#!/bin/sh\nif [ -e ${bin}/broken ]; then echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1; fi\nexec ${real} "$@"\n`;
      writeFileSync(join(bin, "bwrap"), fake);
      chmodSync(join(bin, "bwrap"), 0o755);
      fresh.session.env["PATH"] = `${bin}:${fresh.session.env["PATH"]}`;
    });
    expect(await bench.call("Bash", { command: "echo fine" })).toMatchObject({ success: true });
    writeFileSync(join(bench.dir, "..", "bin", "broken"), "");
    expect(await bench.call("Bash", { command: "echo x > ran" })).toMatchObject({
      success: false,
      result: expect.stringMatching(
        /^Not started: the sandbox cannot be set up: setting up uid map.*user namespaces/,
      ),
    });
    await bench.call("Bash", { command: "echo x > ran", run_in_background: true });
    await bench.session.shells.get("bash_1")?.ended;
    expect((await bench.call("BashOutput", { bash_id: "bash_1" })).result).toMatch(
      /^Status: ended \(Not started: the sandbox/,
    );
    expect(existsSync(bench.path("ran"))).toBe(false);
  });
});

describe.skipIf(cannotTry)("a link where something must be held", () => {
  it("is not put up with where the sandbox is required (G66)", async () => {
    await using bench = await sandboxBench({}, (fresh) => {
      mkdirSync(fresh.path("settings"));
      symlinkSync("settings", fresh.path(".wave"));
    });
    expect(bench.sandbox.availability).toMatchObject({
      is: "missing",
      why: expect.stringContaining(".wave is a symbolic link"),
    });
    expect(await bench.call("Bash", { command: "true" })).toMatchObject({ success: false });
  });

  it("is said where it is not", async () => {
    await using bench = await sandboxBench({ mode: "auto" }, (fresh) => {
      mkdirSync(fresh.path("settings"));
      symlinkSync("settings", fresh.path(".wave"));
    });
    expect(bench.sandbox.problems.join()).toContain(".wave is a symbolic link");
    expect((await bench.call("Bash", { command: `echo x > ${bench.outside}/a` })).success).toBe(false);
  });
});

describe("where bubblewrap is missing", () => {
  it("a required sandbox refuses every command, and an automatic one is done without (G65)", async () => {
    const withoutPrograms = (fresh: ToolBench) => {
      mkdirSync(join(fresh.dir, "..", "bin"));
      fresh.session.env["PATH"] = join(fresh.dir, "..", "bin");
    };
    await using required = await sandboxBench({}, withoutPrograms);
    expect(required.sandbox.availability).toMatchObject({
      is: "missing",
      why: expect.stringContaining("install bubblewrap"),
    });
    expect(await required.call("Bash", { command: "echo x > ran" })).toMatchObject({
      success: false,
      result: expect.stringContaining("no bwrap on the PATH"),
    });
    expect(existsSync(required.path("ran"))).toBe(false);
    await using automatic = await sandboxBench({ mode: "auto" }, withoutPrograms);
    expect((await automatic.call("Bash", { command: "echo fine" })).result).toBe("fine");
  });

  it("one in the project, or in another folder that commands can write, is not taken for it (G65)", async () => {
    await using bench = await sandboxBench({ writable: ["../outside"] }, (fresh) => {
      for (const folder of [fresh.dir, join(fresh.dir, "..", "outside")]) {
        writeFileSync(join(folder, "bwrap"), `#!/bin/sh\necho '{ "exit-code": 0 }' >&3\n`);
        chmodSync(join(folder, "bwrap"), 0o755);
      }
      fresh.session.env["PATH"] = `${fresh.dir}:${join(fresh.dir, "..", "outside")}`;
    });
    expect(bench.sandbox.availability.is).toBe("missing");
  });
});
