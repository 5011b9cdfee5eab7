import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FittingCall } from "@/gate/callFacts.ts";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import { SessionSandbox } from "@/session/commandSandbox.ts";
import { GatePass } from "@/tools/gatePass.ts";
import { builtInTools } from "@/tools/index.ts";
import { ReadOnlySandbox } from "@/workspace/sandbox/readOnly.ts";
import { Sandbox } from "@/workspace/sandbox/sandbox.ts";
import { policyBench, type PolicyBench } from "../support/policyBench.ts";
import { BELIEVED_READS } from "../../../shell-reader/tests/corpus/believedReads.ts";
import { HIDDEN_PROGRAMS } from "../../../shell-reader/tests/corpus/hiddenPrograms.ts";
import { HIDDEN_WRITES } from "../../../shell-reader/tests/corpus/hiddenWrites.ts";
import { ATTACKS } from "../../../shell-reader/tests/corpus/shellAttacks.ts";
import { BYPASSES } from "../../../shell-reader/tests/corpus/shellBypasses.ts";
import { DAILY_TRAPS } from "../../../shell-reader/tests/corpus/workingDay.ts";
import { whyNoBubblewrap } from "../support/sandboxBench.ts";

/** Then all lines of all lists are run, and not only those that look most like reading. */
const SOAK = process.env["WAVE_SOAK"] === "1";
const EVERY_TRICK = {
  ...BELIEVED_READS,
  ...ATTACKS,
  ...BYPASSES,
  ...HIDDEN_PROGRAMS,
  ...HIDDEN_WRITES,
  ...DAILY_TRAPS,
};
const cannotTry = whyNoBubblewrap() !== undefined;
const SECRET = "hunter2";
const SETTINGS = { mode: "auto", from: "test", floor: "off", network: true, writable: [] } as const;

/** A project with a secret that git tracks, and everything in a sandbox. */
async function boundedBench(): Promise<PolicyBench & AsyncDisposable & Runs> {
  const bench = policyBench();
  const { project, session } = bench;
  const at = (name: string) => join(project, name);
  writeFileSync(at(".env"), `KEY=${SECRET}\n`);
  mkdirSync(at("config"));
  writeFileSync(at("config/.env"), `KEY=${SECRET}\n`);
  symlinkSync("../.env", at("src/linked"));
  linkSync(at(".env"), at("src/hard"));
  writeFileSync(at("read.sh"), "cat .env config/.env\n");
  writeFileSync(at("read.awk"), '{ while ((getline l < ".env") > 0) print l }\n');
  for (const args of [
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x"],
  ])
    execFileSync("git", ["-C", project, ...args]);
  const place = { projectDir: project, env: session.env };
  const sandbox = await Sandbox.open(SETTINGS, { ...place, own: () => [] });
  const commands = new SessionSandbox({ mode: "auto", sandbox, readOnly: new ReadOnlySandbox(place) });
  await commands.look();
  if (!commands.boundsReading) throw new Error("there is no sandbox");
  Object.assign(session, { sandbox: commands });
  return Object.assign(bench, {
    async run(command: string, { bounds, hidden }: Parameters<Runs["run"]>[1]) {
      const outcome = await bashTool().run(GatePass.issue({ command }, "call_1"), {
        session,
        signal: new AbortController().signal,
        onOutput: () => {},
        bounds,
        hidden: () => hidden(bounds),
        searchFilter: undefined,
      });
      return outcome.result;
    },
    async [Symbol.asyncDispose]() {
      await session.shells.dispose();
      sandbox.close({ isShared: false });
      bench[Symbol.dispose]();
    },
  });
}

interface Runs {
  run(
    command: string,
    decided: Pick<ReturnType<PolicyBench["decide"]>, "bounds" | "hidden">,
  ): Promise<string>;
}

const bashTool = () => builtInTools().find(({ name }) => name === "Bash") ?? expect.unreachable();

/** What a reader says that believes every line to read nothing but its own folder. */
const believing = ({ view, ...call }: FittingCall): FittingCall => ({
  ...call,
  view: {
    ...view,
    counts: { does: "read", paths: [] },
    insideProject: true,
    unproven: undefined,
    unclear: undefined,
    touched: [],
    believed: { paths: [], insideProject: true, git: "none" },
  },
});

describe.skipIf(cannotTry)("where a command only runs because it is believed to read", () => {
  it("nothing is written, reached or read that is denied, though every line is believed (G33)", async () => {
    await using bench = await boundedBench();
    const { project, user } = bench;
    let connections = 0;
    const server = createServer((socket) => void (connections++, socket.destroy()));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const lines = [
      ...WRITES,
      `echo > /dev/tcp/127.0.0.1/${port}`,
      `echo > /dev/udp/127.0.0.1/${port}`,
      `curl -s 127.0.0.1:${port}`,
      `'${process.execPath}' -e 'require("net").connect(${port}, "127.0.0.1")'`,
      `git ls-remote git://127.0.0.1:${port}/x`,
      ...WAYS,
      "git show HEAD:.env",
      "git log -p",
      "git grep hunter2",
      "git cat-file -p HEAD:.env",
      "for o in .git/objects/*/*; do git cat-file -p $(echo $o | cut -d/ -f3-4 | tr -d /); done; cat .git/index",
    ];
    const snapshot = () => [...treeOf(project), ...treeOf(user)];
    const before = snapshot();
    const command = [...lines, "echo the end", "kill -9 -1"].map((line) => `( ${line}\n) 2>&1`).join("\n");
    for (const mode of PERMISSION_MODES.filter((one) => one !== "bypassPermissions")) {
      const decided = bench.decide(command, { deny: ["Read(.env)"], mode, see: believing });
      expect([mode, decided]).toMatchObject([mode, { decision: "allow", bounds: "read-only" }]);
    }
    const decided = bench.decide(command, { deny: ["Read(.env)"], see: believing });
    const printed = await bench.run(command, decided);
    expect(printed).not.toContain(SECRET);
    expect(printed).toMatch(/^the end$/m);
    expect(printed).not.toContain("bytes cut");
    expect(snapshot()).toEqual(before);
    expect(connections).toBe(0);
    server.close();
  });
});

describe.skipIf(cannotTry)("a line that only looks as if it read", () => {
  // One that ends all processes would end the test of the others.
  const lines = Object.values(SOAK ? EVERY_TRICK : BELIEVED_READS)
    .flat()
    .filter((line) => !/kill/.test(line));

  it(`changes nothing where it is believed all the same, nor does any of ${lines.length} (G33)`, async () => {
    await using bench = await boundedBench();
    const { project, user } = bench;
    for (const name of ["y", "victim", "x.sh"]) writeFileSync(join(project, name), "canary\n");
    mkdirSync(join(project, "lines"));
    for (const [at, line] of lines.entries()) writeFileSync(join(project, "lines", String(at)), line);
    writeFileSync(join(project, "lines", "last"), "touch /tmp/ran\n");
    const before = [...treeOf(project), ...treeOf(user)];
    // Each in a shell of its own, and cut off where it waits for something.
    const command =
      "ls lines | xargs -P 4 -I {} sh -c 'timeout -k 1 2 bash lines/{}; true' > /tmp/out 2>&1; ls /tmp/ran";
    const decided = bench.decide(command, { see: believing });
    expect(decided).toMatchObject({ decision: "allow", bounds: "read-only" });
    expect(await bench.run(command, decided)).toMatch(/^\/tmp\/ran$/m);
    expect([...treeOf(project), ...treeOf(user)]).toEqual(before);
  }, 300_000);
});

/** Names, contents and times of everything below a folder. */
const treeOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isFile() ? readFileSync(path, "latin1") : ""}`;
    })
    .toSorted();

const WRITES = [
  "echo x > new",
  "echo x >> README.md",
  ": > README.md",
  "tee new < README.md",
  "cp README.md new",
  "mv README.md new",
  "rm -rf src README.md",
  "ln -s / new",
  "mkdir new",
  "touch new ~/new",
  "chmod 777 README.md",
  "sed -i s/a/b/ README.md",
  "dd if=/dev/zero of=new count=1",
  "git commit --allow-empty -m x",
  "git config user.name x",
  "git checkout -b new",
  "git stash",
  "echo x > .git/hooks/post-checkout",
  "echo x > .wave/settings.json",
  "echo x > ~/.bashrc",
  "bash -c 'echo x > new'",
  "find . -delete",
  "awk 'BEGIN { print 1 > \"new\" }'",
  "truncate -s 0 README.md",
  "install README.md new",
  "tar xf /dev/null; tar cf new README.md",
  "mkfifo new",
  "mount --bind /tmp src; mount -o remount,rw /; umount -a",
  "unshare -rm sh -c 'mount -o remount,rw,bind / && echo x > new'",
  "nsenter -t 1 -m sh -c 'echo x > /new'",
];

/** Ways to read `.env`, in a project where `src/linked` and `src/hard` are other names of it. */
const WAYS = [
  "cat .env",
  "cat ./.env",
  "cat config/../.env",
  "cat $PWD/.env",
  "cat .e*",
  "cat .en?",
  "cat .[e]nv",
  "cat {.env,README.md}",
  "cat .env*",
  "cat * .*",
  "head -5 .env",
  "tail -n +1 .env",
  "tac .env",
  "nl .env",
  "od -c .env",
  "xxd .env",
  "strings .env",
  "base64 .env | base64 -d",
  "rev .env | rev",
  "sort .env",
  "uniq .env",
  "cut -c1- .env",
  "paste .env",
  "fold .env",
  "grep . .env",
  "grep -r KEY .",
  "grep -rh KEY --include='.e*' .",
  "rg --hidden --no-ignore KEY",
  "sed -n p .env",
  "sed '' .env",
  "awk 1 .env",
  "awk -f read.awk README.md",
  "awk 'BEGIN { while ((getline l < \".env\") > 0) print l }'",
  "while read l; do echo $l; done < .env",
  "read l < .env; echo $l",
  "echo $(<.env)",
  "echo $(cat .env)",
  "mapfile -t a < .env; echo ${a[0]}",
  "F=.env; cat $F",
  "F=env; cat .$F",
  "cat $(ls -a | grep env)",
  "find . -name '.env' -exec cat {} +",
  "find . -name '.e*' | xargs cat",
  "ls -a | xargs cat",
  "git ls-files | xargs cat",
  "cat $(git ls-files)",
  "diff .env /dev/null",
  "cmp -l .env README.md; comm .env /dev/null",
  "join .env .env; wc .env; cat < .env",
  "cat src/linked",
  "cat src/hard",
  "cat src/*",
  "cd config && cat ../.env",
  "cd config && cat .env",
  "(cd src; cat ../.env)",
  "cat /proc/self/cwd/.env",
  "bash -c 'cat .env'",
  "bash read.sh",
  ". ./.env; echo $KEY",
  "source .env; echo $KEY",
  "printf '%s\\n' \"$(tr a a < .env)\"",
  "cat <(cat .env)",
  "eval 'cat .e''nv'",
  "xargs -a .env echo",
  "env -S 'cat .env'",
  "tar cf - .env | tar xOf -",
];

describe.skipIf(cannotTry)("a rule that keeps a file from being read", () => {
  it("holds for 60 ways to read it, in every form and in every mode (G32, G33)", async () => {
    await using bench = await boundedBench();
    const { project, user } = bench;
    expect(new Set(WAYS).size).toBeGreaterThanOrEqual(60);
    const forms = [["Read(.env)"], ["Read(**/.env)"], ["Read(*.env)"], [`Read(/${project}/**/.env)`]];
    const exact = [["Read(./.env)", "Read(config/.env)"], ["Read(.e*)"]];
    const ran: Record<string, number> = {};
    const leaks: string[] = [];
    for (const deny of [...forms, ...exact]) {
      const allowed = { none: new Set<string>(), "read-only": new Set<string>() };
      for (const mode of PERMISSION_MODES) {
        const given = { deny, mode };
        for (const way of WAYS) {
          const { decision, bounds } = bench.decide(way, given);
          if (decision === "allow") allowed[bounds].add(way);
        }
      }
      for (const bounds of ["none", "read-only"] as const) {
        const ways = [...allowed[bounds]];
        ran[`${deny.join()} ${bounds}`] = ways.length;
        const { hidden } = bench.decide("true", { deny });
        // One by one in one shell: who reads is seen by the line before.
        const all = ways.map((way, at) => `echo "== ${at}"; ( ${way}\n) 2>&1`).join("\n");
        const printed = ways.length === 0 ? "" : await bench.run(all, { bounds, hidden });
        for (const [at, way] of ways.entries())
          if ((printed.split(`== ${at}\n`)[1]?.split("== ")[0] ?? "").includes(SECRET))
            leaks.push(`${deny.join()}: ${way}`);
      }
    }
    expect(leaks).toEqual([]);
    // Many are let through because the file is not there for them.
    expect(
      Object.values(ran).reduce((sum, count) => sum + count, 0),
      JSON.stringify(ran),
    ).toBeGreaterThan(50);
    expect(readFileSync(join(project, ".env"), "utf8")).toContain(SECRET);
    expect(readdirSync(user)).toEqual([".bashrc"]);
  });
});
