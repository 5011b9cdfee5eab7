import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
symlinkSync("/etc/passwd", join(bench.project, "link"));
symlinkSync("/etc", join(bench.project, "away"));
afterAll(() => bench[Symbol.dispose]());

const allow = [
  "Bash(npm test:*)",
  "Bash(make)",
  "Bash(cd:*)",
  "Bash(ln:*)",
  "Bash(mv:*)",
  "Bash(cp:*)",
  "Bash(tar:*)",
  "Bash(git checkout:*)",
  "Bash(touch:*)",
  "Bash(xargs:*)",
];

describe("a line of which rules allow a part", () => {
  it.each([
    "npm test && ls",
    "ls && npm test",
    "npm test 2>&1 | tail -5",
    "npm test > /dev/null; git status",
    "cat package.json; make && npm test -- --watch | grep fail",
    "npm test || cat src/app.ts",
    "(npm test; ls src)",
    "if npm test; then ls; fi",
    "cd src && npm test && cat app.ts",
    "nohup npm test && ls",
    "export CI=1; npm test",
    "export NODE_ENV=test && npm test -- a",
  ])("is not asked about when the rest only reads in the project: %s", (line) => {
    expect(bench.decide(line, { allow })).toMatchObject({ decision: "allow" });
    expect(bench.decide(line)).toMatchObject({ decision: "ask" });
  });

  it.each([
    // The rest does more than read in the project, or nobody can tell.
    "npm test && rm -rf src",
    "npm test && cat /etc/passwd",
    "npm test && cat link",
    "npm test && unknown-program",
    "npm test | sh",
    "npm test | xargs cat",
    "npm test && cat $FILE",
    "npm test > out.txt && ls",
    "npm test < /etc/passwd && ls",
    "npm test && ls > out.txt",
    "cd /etc && npm test && cat passwd",
    "npm test && cd /etc && cat passwd",
    "command cd /etc && npm test && cat passwd",
    // What stands in a word is judged like everything else.
    "npm test $(cat /etc/passwd) && ls",
    "npm test $(unknown-program) && ls",
    'npm test "$(rm -rf src)" && ls',
    "npm test <(cat /etc/passwd) && ls",
    'npm test <<< "$(cat /etc/passwd)" && ls',
    "A=$(cat /etc/passwd) npm test && ls",
    "npm() { rm -rf src; }; npm test && ls",
    "sudo npm test && ls",
    // Wave knows what these do: the rest of the line would read what they have just put there.
    "ln -s /etc/passwd new && cat new",
    "mv link new && cat new",
    "cp -P link new && cat new",
    "tar xf a.tar && cat new",
    "git checkout other && cat new",
    "touch new && cat new",
  ])("is asked about when that is not so: %s", (line) => {
    expect(bench.decide(line, { allow })).toMatchObject({ decision: "ask" });
  });

  it("is still denied or asked about by whoever else speaks", () => {
    const line = "npm test && ls";
    expect(bench.decide(line, { allow, deny: ["Bash(ls)"] })).toMatchObject({ decision: "deny" });
    expect(bench.decide(line, { allow, ask: ["Bash(ls:*)"] })).toMatchObject({ decision: "ask" });
    expect(bench.decide(line, { allow, mode: "plan" })).toMatchObject({ decision: "deny" });
  });
});

describe("an allow rule for a command", () => {
  const rules = ["Bash(npm test:*)", "Bash(cd:*)", "Bash(env:*)", "Bash(echo:*)"];

  it.each([
    "cd /etc && npm test",
    "cd /etc; npm test",
    "cd .. && npm test",
    "(cd /etc && npm test)",
    "cd src && cd ../.. && npm test",
    'cd "$DIR" && npm test',
    "pushd /etc && npm test",
    "env -C /etc npm test",
    "cd away && npm test",
  ])("does not count where it works outside of the project: %s (G32, G33)", (line) => {
    for (const given of [allow, rules])
      expect(bench.decide(line, { allow: given })).toMatchObject({ decision: "ask" });
    expect(bench.decide(line, { allow: ["Bash"], mode: "dontAsk" })).toMatchObject({ decision: "allow" });
  });

  it.each([
    "cd src && npm test",
    "cd ./src/.. && npm test",
    "cd /etc && echo done",
    "cd src && (cd .. && npm test)",
  ])("counts in every folder of it, and where the folder makes no difference: %s (G33)", (line) => {
    expect(bench.decide(line, { allow: rules })).toMatchObject({ decision: "allow" });
  });

  it("does not count after an earlier call has left the project, and says so (G32, T36)", () => {
    expect(bench.decide("npm test", { allow })).toMatchObject({ decision: "allow" });
    bench.session.cwd = "/etc";
    const asked = bench.decide("npm test", { allow });
    bench.session.cwd = bench.project;
    expect(asked).toMatchObject({
      decision: "ask",
      reason:
        "Mode default asks before running a command. It works in /etc, outside the project, where no rule for single commands counts.",
    });
    expect(asked.offer()).toEqual({
      offered: false,
      why: "it works in /etc, outside the project, where no rule for single commands counts",
    });
  });
});
