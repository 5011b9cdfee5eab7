import { describe, expect, it } from "vitest";
import { readLine, type Certainty } from "wave-shell-reader";

const read = (line: string) => readLine(line, { folder: "/home/ada/shop", variables: { HOME: "/home/ada" } });

const LINES: Readonly<Record<Certainty["is"], readonly string[]>> = {
  proven: [
    "ls -la",
    "cat README.md | head -20",
    "sed -n 1,20p src/a.ts",
    "sed 's/a/b/g' src/a.ts",
    "awk '{print $1}' src/a.ts",
    "awk -F: '/a/ && $3 > 5 { n += $2; seen[$1]++ } END { print n, NR; for (k in seen) print k }' src/a.ts",
    "sed -n -e '/a/,$p' -e 5q src/a.ts",
    "find src -type f \\( -name '*.ts' -o -not -path './x/*' \\) -exec wc -l {} +",
    "git show HEAD~1:src/a.ts",
    "git show :1:src/a.ts",
    "jq .scripts package.json",
    "grep -rn TODO src",
    "find . -name '*.ts'",
    "git log --oneline -5",
    "git diff HEAD~1 -- src",
    "wc -l src/*.ts",
    "timeout 5 git status",
    "node --version",
    "npm -v",
    "npm ls --depth=0",
    "npm run",
    "for f in a b; do cat $f; done",
    "export CI=1; ls",
  ],
  bounded: [
    "iconv -f utf8 -t latin1 README.md",
    "unzip -l a.zip",
    "tar -tzf a.tgz",
    "git describe --dirty",
    "gawk '{print $1}' README.md",
    "sed -f script README.md",
    "sed 'kaputt' README.md",
    "awk -f program README.md",
    'awk "$PROGRAM" README.md',
    "awk '{ print $1 / $2 }' README.md",
    "awk 'function f(x) { return x } { print f($1) }' README.md",
    "awk '{ print ENVIRON[\"KEY\"] }' README.md",
    "sed '$!N;P;D' README.md",
    "sed 'y/ab/cd/' README.md",
    "find . -regex '.*x'",
    "find . -printf '%p'",
    "git log -- ':(attr:x)'",
    "git diff ':!dist'",
    "jq 'import \"a\" as a; .' package.json",
    "find . -wat",
    "grep --wat x README.md",
    "git log --wat",
    "git log --format=%G?",
    "cat $FILE",
    "cat $(git ls-files)",
  ],
  unknown: [
    "rm a",
    "cat a > b",
    "sed -i s/a/b/ a",
    "sed 'w b' a",
    "sed 's/a/b/e' a",
    "awk '{print > \"b\"}' a",
    "awk '{print | \"sh\"}' a",
    "awk '@wat > x' a",
    "awk 'BEGIN { if (1) / 1; system(c); y = 2 / 3 }'",
    "find . -delete",
    "find . -exec wat {} +",
    "fd -x rm",
    "fd --exec rm",
    "sort -o b a",
    "sort --compress-program=sh a",
    "sort --comp=sh a",
    "rg --pre sh x",
    "tree -o b",
    "tail -f a",
    "git log --output=x",
    "git log --ext-diff",
    "git grep -Osh x",
    "git -c core.pager=x log",
    "git branch x",
    "git branch --unset-upstream",
    "git tag --wat",
    "tar -xzf a.tgz",
    "date -s now",
    "curl http://example.com",
    "wat",
    "./wat",
    "python3 -c 1",
    "npm test",
    "npm ls --prefix /x",
    "npm outdated",
    "npm_config_logs_max=9 npm ls",
    "X=1 cat a",
    "cat a; wat",
    "bash -c 'cat a; wat'",
    "xargs wat < a",
  ],
};

describe("how sure it is that a line only reads (G33)", () => {
  it.each(Object.entries(LINES))("is %s", (is, lines) => {
    const others = lines.filter((line) => read(line).certainty.is !== is);
    expect(others.map((line) => [line, read(line).certainty])).toEqual([]);
  });

  it("is proven only of lines that read by everything that is known of them", () => {
    const lines = Object.values(LINES).flat();
    const beyond = lines.filter((line) => read(line).beyondReading !== undefined);
    expect(beyond.filter((line) => read(line).certainty.is === "proven")).toEqual([]);
  });

  it("takes nothing from what rules are told: what was not read is unclear, and may be written", () => {
    const { unclear, beyondReading, understood, accesses } = read("sed 'kaputt' README.md");
    expect(unclear).toBe("a sed script that cannot be read may write files and run programs");
    expect([beyondReading, understood]).toEqual([unclear, "words"]);
    expect(accesses).toContainEqual(
      expect.objectContaining({ access: "write", below: true, unread: unclear }),
    );
  });
});

describe("what git shows of files (G32)", () => {
  const shows = (line: string) => read(line).git.some((one) => one.shows);
  it.each([
    "git log",
    "git log --oneline -10",
    "git log -5 --stat --graph --all",
    "git log --since='1 week ago' --format='%h %s'",
    "git log --follow --name-only",
    "git diff --stat",
    "git diff --cached --name-only",
    "git status",
  ])("is names and counts: %s", (line) => {
    expect([shows(line), read(line).certainty.is]).toEqual([false, "proven"]);
  });

  it.each([
    "git log -p",
    "git log -1 -U3",
    "git log -c",
    "git log -m",
    "git log --cc",
    "git log --stat --patch",
    "git log -S key",
    "git log -G key",
    "git log -L 1,2:a.ts",
    "git log --word-diff",
    "git log --wat",
    "git diff",
    "git diff --cached",
    "git diff -w",
    "git diff --stat -p",
    "git diff --stat --wat",
    "git show --stat",
    "git grep key",
    "git blame a.ts",
    "git reflog -p",
  ])("may be their contents: %s", (line) => {
    expect(shows(line)).toBe(true);
  });
});
