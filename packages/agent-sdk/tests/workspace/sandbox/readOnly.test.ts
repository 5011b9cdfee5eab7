import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocksOf, playSession } from "../../support/playSession.ts";
import { readOnlyBench, whyNoBubblewrap } from "../../support/sandboxBench.ts";
import { tempFolder } from "../../support/tempFolder.ts";

const cannotTry = whyNoBubblewrap() !== undefined;
const bash = (command: string) => ({ calls: [{ name: "Bash", arguments: { command } }] });

describe.skipIf(cannotTry)("a command that nobody said yes to", () => {
  it("reads the project and writes nowhere but in a temporary folder of its own (G33)", async () => {
    await using bench = await readOnlyBench();
    const [file, outside] = [bench.put("a.txt", "words\n"), bench.outside];
    const own = `wave-${randomUUID()}`;
    const lines = [
      `cat a.txt; echo here > /tmp/${own}; cat /tmp/${own}; mktemp > /dev/null && echo made`,
      "echo x > b.txt",
      `echo x >> a.txt; rm a.txt; chmod 777 a.txt; echo x > '${outside}/x'`,
      `touch ~/${own} /var/lib/${own} /etc/${own} /usr/${own} /sys/${own}`,
      "echo 1 > /proc/sys/kernel/panic && echo written",
      "mkdir new; ln -s a.txt c; ln a.txt f; mknod d p; cp a.txt e",
      "mount -o remount,rw /; umount -l /tmp; unshare -rm mount -o remount,bind,rw /; echo x > b.txt",
    ];
    const results: string[] = [];
    for (const command of lines) results.push((await bench.call("Bash", { command })).result);
    expect(results[0]).toBe("words\nhere\nmade");
    expect(results[1]).toMatch(/Read-only file system[^]*Make the same call again/);
    expect(results[4]).not.toMatch(/^written/m);
    expect(readdirSync(bench.dir)).toEqual(["a.txt"]);
    expect(readFileSync(file, "utf8")).toBe("words\n");
    expect(readdirSync(outside)).toEqual([]);
    const places = ["/tmp", "/etc", "/usr", "/var/lib", homedir()].map((folder) => join(folder, own));
    expect(places.filter((path) => existsSync(path))).toEqual([]);
  });

  it("connects to no socket, whatever name it has by now (G33)", async () => {
    await using bench = await readOnlyBench();
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await once(server.listen(bench.path("bound")), "listening");
    renameSync(bench.path("bound"), bench.path("renamed"));
    linkSync(bench.path("renamed"), bench.path("linked"));
    const connect = (name: string) =>
      `node -e 'require("net").connect("${name}").on("connect", () => console.log("connected")).on("error", (e) => console.log(e.code))'`;
    const command = ["renamed", "linked", "./renamed", bench.path("linked")].map(connect).join("; ");
    const { result } = await bench.call("Bash", { command });
    server.close();
    expect(result).not.toContain("connected");
    expect(connections).toBe(0);
    // What a program needs for its own children is there.
    const own = `node -e 'require("child_process").execFileSync("echo", ["child"], { stdio: "inherit" })'`;
    expect((await bench.call("Bash", { command: own })).result).toBe("child");
  });

  it("reaches no network, no socket, no process and no key of the environment (G33)", async () => {
    await using bench = await readOnlyBench(({ session }) => {
      Object.assign(session.env, {
        MY_TOKEN: "s3cret-1",
        DB: "postgres://me:s3cret-2@localhost/x",
        PLAIN: "kept",
      });
    });
    let connections = 0;
    const listen = async (at: number | string) => {
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      const bound = typeof at === "number" ? server.listen(at, "127.0.0.1") : server.listen(at);
      await once(bound, "listening");
      return server;
    };
    const tcp = await listen(0);
    const inProject = await listen(bench.path("socket"));
    const beside = await listen(join(bench.outside, "socket"));
    const { port } = tcp.address() as AddressInfo;
    const connect = (path: string) =>
      `'${process.execPath}' -e 'require("net").connect(${path}).on("connect",()=>console.log("reached")).on("error",e=>console.log(e.code))'`;
    const run = async (command: string) => (await bench.call("Bash", { command })).result;
    expect(await run(`(echo > /dev/tcp/127.0.0.1/${port}) 2>&1 && echo reached`)).not.toMatch(/^reached/m);
    for (const socket of [bench.path("socket"), join(bench.outside, "socket")])
      expect([socket, await run(connect(JSON.stringify(socket)))]).not.toContain("reached");
    expect(await run("env")).toMatch(/^PLAIN=kept$/m);
    expect(await run("env")).not.toContain("s3cret");
    expect(await run(`kill -0 ${process.pid} 2>&1 || echo alone; ls /proc | grep -c '^[0-9]'`)).toMatch(
      /alone/,
    );
    for (const server of [tcp, inProject, beside]) server.close();
    expect(connections).toBe(0);
  });

  it("moves the working folder, and runs in the background in the same way", async () => {
    await using bench = await readOnlyBench((one) => mkdirSync(one.path("src")));
    await bench.call("Bash", { command: "cd src && pwd" });
    expect(bench.session.cwd).toBe(bench.path("src"));
    await bench.call("Bash", { command: "echo x > y; pwd", run_in_background: true });
    await bench.session.shells.get("bash_1")?.ended;
    const { result } = await bench.call("BashOutput", { bash_id: "bash_1" });
    expect(result).toContain("Read-only file system");
    expect(readdirSync(bench.path("src"))).toEqual([]);
  });
});

describe.skipIf(cannotTry)("a command that was taken for one that only reads and is not", () => {
  it("fails, is told so, and the same call then asks (T27, G33)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    // What Wave cannot read of it writes.
    writeFileSync(join(folder.path, "project", "p.awk"), 'BEGIN { print "x" > "made" }\n');
    const command = "awk -f p.awk";
    const played = await playSession(folder.path, {
      scenario: [bash(command), bash(command), { say: "done" }],
      options: { permissionMode: "default" },
    });
    const results = blocksOf(played.messages, "tool").map(({ result = "" }) => result);
    expect(results[0]).toMatch(/Read-only file system[^]*Make the same call again/);
    expect(results[1]).toMatch(/Mode default asks before running a command/);
    expect(existsSync(join(folder.path, "project", "made"))).toBe(false);
  });
});

describe.skipIf(cannotTry)("a command that fails because it only may read", () => {
  it("is told so, whether it wanted to write, to connect or to see a file elsewhere, and asks then (T27, G33)", async () => {
    await using bench = await readOnlyBench();
    bench.put("a.txt", "words\n");
    const elsewhere = "/home/somebody/notes";
    const lines = [
      "date > cache",
      "git ls-remote git://127.0.0.1:9/x",
      `node -e 'require("net").connect("a.sock").on("error", (e) => { console.error(e.code); process.exit(1); })'`,
      `F=${elsewhere}; cat $F`,
    ];
    for (const command of lines) {
      const { result } = await bench.call("Bash", { command });
      expect([command, result]).toEqual([command, expect.stringContaining("Make the same call again")]);
      expect([command, bench.session.sandbox?.wasRefused(command)]).toEqual([command, true]);
    }
    expect((await bench.call("Bash", { command: lines.at(-1) ?? "" })).result).toContain(
      `${elsewhere} may be there`,
    );
    for (const command of ["cat missing", "cat a.txt", "ls /usr/missing"])
      expect((await bench.call("Bash", { command })).result).not.toContain("Make the same call");
  });
});

describe("where there is no sandbox", () => {
  it("only what is proven runs; the first screen and the first question say how there would be fewer (T25, G33)", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "project"));
    mkdirSync(join(folder.path, "bin"));
    for (const name of ["awk", "cat", "bash"]) {
      const [file] = ["/usr/bin", "/bin"].map((place) => join(place, name)).filter((one) => existsSync(one));
      symlinkSync(file ?? expect.unreachable(name), join(folder.path, "bin", name));
    }
    writeFileSync(join(folder.path, "project", "a"), "words\n");
    const played = await playSession(folder.path, {
      scenario: [bash("cat a"), bash("awk -f p a"), bash("awk -f q a"), { say: "done" }],
      options: {
        permissionMode: "default",
        env: { PATH: join(folder.path, "bin"), HOME: folder.path },
        entrypoint: "terminal",
      },
    });
    expect(played.events).toContainEqual(
      expect.objectContaining({
        type: "notice",
        text: expect.stringMatching(/^to be asked less: .*bubblewrap/),
      }),
    );
    const results = blocksOf(played.messages, "tool").map(({ result = "" }) => result);
    expect(results[0]).toBe("words");
    expect(results[1]).toMatch(/With a sandbox it would run without a question[^]*install bubblewrap/);
    expect(results[2]).not.toContain("With a sandbox");
  });
});

describe("npm that only lists, where there is no sandbox", () => {
  it("runs without a question, and leaves no note in the home or the project (T25, G33)", async () => {
    using folder = tempFolder();
    const [project, home] = [join(folder.path, "project"), join(folder.path, "person")];
    for (const path of [project, home]) mkdirSync(path);
    writeFileSync(join(project, "package.json"), '{"name":"shop","version":"1.0.0"}\n');
    const options = {
      permissionMode: "default",
      sandbox: "off",
      env: { ...process.env, HOME: home },
    } as const;
    const lists = await playSession(folder.path, { scenario: [bash("npm ls"), { say: "done" }], options });
    expect(blocksOf(lists.messages, "tool")).toMatchObject([
      { success: true, result: expect.stringContaining("shop@1.0.0") },
    ]);
    const left = readdirSync(project).filter((name) => name !== ".wave");
    expect([left, readdirSync(home)]).toEqual([["package.json"], []]);
    writeFileSync(join(project, ".npmrc"), "cache=../elsewhere\n");
    const told = await playSession(folder.path, { scenario: [bash("npm ls"), { say: "done" }], options });
    expect(blocksOf(told.messages, "tool")).toMatchObject([{ success: false }]);
    expect(existsSync(join(folder.path, "elsewhere"))).toBe(false);
  });
});

describe.skipIf(cannotTry)("git that only reads, in a repository whose settings run programs", () => {
  it("runs without a question, and what the settings run changes nothing (G33, T25)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    const canary = join(folder.path, "project", "canary");
    mkdirSync(project);
    const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args]);
    git("init", "-q");
    writeFileSync(join(project, "a.txt"), "one\n");
    writeFileSync(join(project, ".gitattributes"), "*.txt diff=loud filter=lfs\n");
    git("config", "core.fsmonitor", `touch '${canary}'; false`);
    git("config", "core.hooksPath", ".husky/_");
    git("config", "diff.loud.textconv", `touch '${canary}'; cat`);
    git("config", "filter.lfs.process", "git-lfs filter-process");
    git("config", "alias.st", `!touch '${canary}'`);
    git("config", "credential.helper", `!touch '${canary}'`);
    git("config", "http.extraHeader", "Authorization: x");
    const played = await playSession(folder.path, {
      scenario: [bash("git status --short"), bash("echo x | tee b.txt"), { say: "done" }],
      options: { permissionMode: "default" },
    });
    const [status, write] = blocksOf(played.messages, "tool");
    expect(status).toMatchObject({ success: true, result: "?? .gitattributes\n?? a.txt" });
    expect(write).toMatchObject({ success: false });
    expect(existsSync(canary)).toBe(false);
    const records = played.events
      .flatMap((event) => (event.type === "hooks_decided" ? [event.record] : []))
      .filter(({ event }) => event === "PreToolUse");
    expect(records.map(({ decidedBy, bounds }) => [decidedBy, bounds])).toEqual([
      ["mode default", "read-only"],
      ["nobody could answer", undefined],
    ]);
  });

  it("asks as before where the person has switched that off (T25)", async () => {
    using folder = tempFolder();
    const project = join(folder.path, "project");
    mkdirSync(project);
    execFileSync("git", ["init", "-q", project]);
    execFileSync("git", ["-C", project, "config", "core.fsmonitor", "true"]);
    const played = await playSession(folder.path, {
      scenario: [bash("git status"), { say: "done" }],
      options: { permissionMode: "default", sandbox: "off" },
    });
    expect(blocksOf(played.messages, "tool")).toMatchObject([{ success: false }]);
  });
});
