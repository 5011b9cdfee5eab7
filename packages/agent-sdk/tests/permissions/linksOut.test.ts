import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

const out = join(bench.project, "../out");
mkdirSync(out);
writeFileSync(join(out, "file"), "");

/** Links in the project by what stands in them, and a path that leads out through each. */
const LINKS: [kind: string, to: string, path: (link: string) => string][] = [
  ["to a folder", "../out", (link) => `${link}/x`],
  ["to a file", "../out/file", (link) => link],
  ["to nowhere yet", "../out/new", (link) => link],
  ["to nowhere yet, deep", "../out/deep/er", (link) => link],
  ["to another link", "link-0/new", (link) => link],
  ["to a link to nowhere", "link-2", (link) => link],
  ["with `..` behind a link", "link-0/../out/new", (link) => link],
  ["with `..` behind nothing", "none/../../out/new", (link) => link],
  ["to the folder above", "..", (link) => `${link}/out/x`],
  ["to the root", "/", (link) => `${link}${out}/x`],
  ["to itself first", ".", (link) => `${link}/${link}/link-8/out/x`],
  ["to the root of a process", "/proc/self/root", (link) => `${link}${out}/x`],
  ["to the root of a process, and nowhere", `/proc/self/root${out}/new`, (link) => link],
  ["to the root of the first process", "/proc/1/root/proc", (link) => `${link}/x`],
  ["to what a process has open", "/dev/fd", (link) => `${link}/1`],
];

LINKS.forEach(([, to], at) => symlinkSync(to, join(bench.project, `link-${at}`)));

const rows = LINKS.map(([kind, , path], at) => [kind, path(`link-${at}`)] as const);

describe("a link in the project", () => {
  it.each(rows)("lets no tool write out of it without a question: %s (G29)", (_kind, path) => {
    const file_path = join(bench.project, path);
    const calls = [
      { tool: "Write", input: { file_path, content: "x" } },
      { tool: "Edit", input: { file_path, old_string: "a", new_string: "b" } },
      { tool: "MultiEdit", input: { file_path, edits: [{ old_string: "a", new_string: "b" }] } },
      { tool: "Bash", input: { command: `touch ${path}` } },
    ];
    for (const mode of PERMISSION_MODES.filter((one) => one !== "bypassPermissions"))
      for (const call of calls)
        expect([mode, call.tool, bench.decide(call, { mode }).decision]).not.toEqual([
          mode,
          call.tool,
          "allow",
        ]);
  });

  it.each(rows.slice(0, 13))("does not lead past a rule about where it leads: %s (G29)", (_kind, path) => {
    const input = { file_path: join(bench.project, path), content: "x" };
    const { decision } = bench.decide(
      { tool: "Write", input },
      { mode: "bypassPermissions", deny: ["Edit(../out/**)"] },
    );
    expect(decision).toBe("deny");
  });
});

describe("a folder with links in it, copied by the same line", () => {
  mkdirSync(join(bench.project, "Q"));
  for (const [name, to] of Object.entries({
    c: "../.git",
    n: "../.npmrc",
    o: "../../out",
    k: "../../out/file",
  }))
    symlinkSync(to, join(bench.project, "Q", name));
  const lines = [
    "cp -a Q N; echo x > N/c/config",
    "cp -r Q N && echo x > N/n",
    "cp -R Q N\ntouch N/o/new",
    "cp -a Q N; cd N/c && echo x >> config",
    "cp -a Q N; cp -a N M; touch M/o/new",
    "cp --archive Q N; echo x > N/k",
    "(cp -a Q N); mkdir N/o/dd",
    "cp -P Q/c cc; echo x > cc/config",
  ];
  it.each(lines)("does not lead where they lead without a question: %s (G27, G29)", (command) => {
    expect(bench.decide({ tool: "Bash", input: { command } }, { mode: "acceptEdits" }).decision).not.toBe(
      "allow",
    );
  });

  it.each(["cp -a Q N; cat N/k", "cp -a Q N; echo x > N/k", "mv Q N; cat N/k"])(
    "does not lead past a rule about where they lead: %s (G29, G32)",
    (command) => {
      const deny = ["Read(../out/**)", "Edit(../out/**)"];
      const { decision } = bench.decide(
        { tool: "Bash", input: { command } },
        { mode: "bypassPermissions", deny },
      );
      expect(decision).not.toBe("allow");
    },
  );

  it("is copied and read without a question where no link leads out", () => {
    mkdirSync(join(bench.project, "plain"));
    writeFileSync(join(bench.project, "plain", "a"), "");
    const command = "cp -r plain copy && echo x > copy/a";
    expect(bench.decide({ tool: "Bash", input: { command } }, { mode: "acceptEdits" }).decision).toBe(
      "allow",
    );
  });
});
