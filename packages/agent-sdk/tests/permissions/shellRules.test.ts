import { describe, expect, it } from "vitest";
import { allowedByRules, readCall } from "@/permissions/rules.ts";
import { EVERYDAY } from "../../../shell-reader/tests/corpus/everydayCommands.ts";
import { CONTEXT, placed, runs } from "./rulesHelper.ts";
import { ALLOWED, BYPASSES } from "../../../shell-reader/tests/corpus/shellBypasses.ts";

function allowed(rules: string[], command: string): boolean {
  const call = readCall({ toolName: "Bash", effect: runs(command) });
  return (
    allowedByRules(
      rules.map((rule) => placed(rule)),
      call,
      CONTEXT,
    ) !== undefined
  );
}

describe("an allow rule for a command", () => {
  for (const [kind, lines] of Object.entries(BYPASSES)) {
    it.each(lines.map((line) => [JSON.stringify(line), line]))(
      `does not cover ${kind}: %s (G33)`,
      (_shown, line) => {
        expect(allowed(ALLOWED, line)).toBe(false);
      },
    );
  }

  it("faces at least 120 lines that try to pass it (G33)", () => {
    expect(new Set(Object.values(BYPASSES).flat()).size).toBeGreaterThanOrEqual(120);
  });

  for (const [rules, lines] of EVERYDAY) {
    it.each(lines.map((line) => [JSON.stringify(line), line]))(
      "covers the ordinary line %s (G33)",
      (_shown, line) => {
        expect(allowed(rules, line)).toBe(true);
      },
    );
  }

  it("is tried on at least 60 ordinary lines (G33)", () => {
    expect(EVERYDAY.flatMap(([, lines]) => lines).length).toBeGreaterThanOrEqual(60);
  });

  const narrow: [rules: string[], line: string][] = [
    [["Bash(eval:*)", "Bash(ls:*)"], "eval ls"],
    // Where an old shell sees another end of the text.
    [["Bash(git commit:*)"], "git commit -m \"$(cat <<'E'\nx) $(rm y)\nE\n)\""],
    [["Bash(git commit:*)"], "git commit -m \"$(cat <<'E'\nit's ( so' ) `rm y`\nE\n)\""],
    [["Bash(eval:*)", "Bash(ls:*)"], "command eval ls"],
    [["Bash(export:*)", "Bash(git log:*)"], "builtin export PAGER=evil && git log"],
    [["Bash(printf:*)", "Bash(ls:*)"], "printf -v PATH /tmp/evil; ls"],
    [["Bash(printf:*)", "Bash(ls:*)"], "builtin printf -v PATH /tmp/evil; ls"],
    [["Bash([:*)"], "for f in '-v a[$(rm y)]'; do [ $f ]; done"],
    [["Bash([:*)"], "[ -v 'a[$(rm y)]' ]"],
    [["Bash(test:*)"], "test -v 'a[$(rm y)]'"],
    [["Bash(git clone:*)"], "git clone -u 'rm y' . c"],
    [["Bash(git clone:*)"], "git clone -qu 'rm y' . c"],
    [["Bash(git clone:*)"], "git clone --u='rm y' . c"],
    [["Bash(git clone:*)"], "git clone -c core.fsmonitor='rm y' . c"],
    [["Bash(git clone:*)"], "git clone --con core.fsmonitor='rm y' . c"],
    [["Bash(git clone:*)"], "git clone --template=hooks . c"],
    [["Bash(git rebase:*)"], "git rebase -x 'rm y' main"],
    [["Bash(git rebase:*)"], "git rebase -ix 'rm y' main"],
    [["Bash(git push:*)"], "git push --e='rm y' o"],
    [["Bash(git difftool:*)"], "git difftool -yx 'rm y'"],
    [["Bash(find:*)"], "find . -exec rm {} \\;"],
    [["Bash(find:*)"], "find . -name x -delete"],
    [["Bash(find:*)"], "find . $X"],
    [["Bash(rg:*)"], "rg --pre ./evil x"],
    [["Bash(rg:*)"], "rg --pre=./evil x"],
    [["Bash(sort:*)"], "sort -uo y x"],
    [["Bash(tree:*)"], "tree -RL 1"],
    [["Bash(iconv:*)"], "iconv --out=y x"],
    [["Bash(shuf:*)"], "shuf -no y x"],
    [["Bash(file:*)"], "file -C -m x"],
    [["Bash(file:*)"], "file -bz x"],
    [["Bash(date:*)"], "date --set=2020-01-01"],
    [["Bash(yq:*)"], "yq -i .a=1 x.yml"],
    [["Bash(man:*)"], "man -P ./evil ls"],
    [["Bash(tar:*)"], "tar -xf x.tar --to-command=evil"],
    [["Bash(git:*)"], "git -c core.pager=evil log"],
    [["Bash(git:*)"], "git -ccore.pager=evil log"],
    [["Bash(git * x)"], "git -c alias.x='!rm y' x"],
    [["Bash(git *)"], "git --exec-path=/tmp/evil status"],
    [["Bash(git grep:*)"], "git grep -Oevil x"],
    [["Bash(git log * --oneline)"], "git log 'x --oneline'"],
    [["Bash(git log * --oneline)"], "git log --output=y --oneline"],
    [["Bash(npm run test)"], "npm run test -- --reporter ./evil.js"],
    [["Bash(npm run test)"], "npm run test:e2e"],
    [["Bash(npm run test)"], "npm run $X"],
    [["Bash(npm run test)"], "npm run"],
    [["Bash(sudo:*)"], "sudo rm y"],
    [["Bash(sudo apt:*)"], "sudo -u root apt update"],
    [["Bash(env:*)"], "env rm y"],
    [["Bash(timeout:*)"], "timeout 5 rm y"],
    [["Bash(git log:*)"], "git --no-pager log"],
    [["Bash(ls:*)"], "nice --adjustment=1 ls"],
    [["Bash(ls:*)"], "timeout -k 1 5 ls"],
    [["Bash(ls:*)"], "setsid ls"],
    [["Bash(timeout 5 git log:*)"], "timeout 5 git log --output=y"],
    [["Bash(xargs:*)", "Bash(echo:*)", "Bash(git log:*)"], "echo --output=y | xargs git log"],
    [["Bash(bash:*)"], "bash -c 'rm y'"],
    [["Bash(bash:*)"], "bash -s"],
    [["Bash(bash x.sh)"], "bash x.sh y"],
    [["Bash(./run.sh)"], "../run.sh"],
    [["Read", "Edit(**)", "mcp__Bash"], "ls"],
    [[], "ls"],
  ];
  it.each(narrow)("%j does not cover %j (G33)", (rules, line) => {
    expect(allowed(rules, line)).toBe(false);
  });
});
