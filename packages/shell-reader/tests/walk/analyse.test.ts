import { describe, expect, it } from "vitest";
import { readLine } from "../../src/index.ts";
import type { Doings } from "../../src/reading.ts";
import { MOVING } from "../../src/programs/movers.ts";
import { READING } from "../../src/programs/readers.ts";
import { SCRIPTED } from "../../src/programs/scripts.ts";
import { WRAPPERS } from "../../src/programs/wrapperTable.ts";
import { WRITING } from "../../src/programs/writers.ts";
import { SHELLS } from "../../src/programs/wrappers.ts";

const PLACE = { folder: "/p", variables: { HOME: "/h" } };

/** "reads": complete, and known to do nothing else. */
function stateOf({ unclear, beyondReading }: Doings): string {
  if (unclear !== undefined) return "incomplete";
  return beyondReading === undefined ? "reads" : "complete";
}

/** `r` reads, `w` writes, `u` may do either; `+` with what is below it, `g` what git tracks, `a` what an archive holds. */
function shownAccesses({ accesses }: Doings): string {
  return accesses
    .map(({ access, below, through, shown }) => {
      const how = typeof through === "object" ? "g" : through === "archive" ? "a" : "";
      return `${access.charAt(0)}${below ? "+" : ""}${how} ${shown}`;
    })
    .join(", ");
}

describe("the analysis of a command line", () => {
  const rows: [line: string, state: string, accesses: string][] = [
    ["cat a b", "reads", "r /p/a, r /p/b"],
    ["cat < a", "reads", "r /p/a"],
    ["cat a > b", "complete", "w /p/b, r /p/a"],
    ["echo x >> b 2> c", "complete", "w /p/b, w /p/c"],
    ["ls", "reads", "r /p/."],
    ["ls -R src", "reads", "r+ /p/src"],
    ["grep -rn x src", "reads", "r+ /p/src"],
    ["grep x", "reads", ""],
    ["grep -f pats x", "reads", "r /p/pats, r /p/x"],
    ["rg x", "reads", "r+ /p/."],
    ["rg -n x src docs", "reads", "r+ /p/src, r+ /p/docs"],
    ["find src -name '*.ts'", "reads", "r+ /p/src"],
    ["find . -name '*.o' -delete", "complete", "r+ /p/., w /p/./…/….o"],
    ["find . -type f -exec rm {} +", "complete", "r+ /p/., w /p/./…"],
    ["find . -name x -fprint out", "complete", "r+ /p/., w /p/out"],
    ["sort -o out in", "complete", "w /p/out, r /p/in"],
    ["uniq in out", "complete", "r /p/in, w /p/out"],
    ["sed -n 1p a", "reads", "r /p/a"],
    ["sed -i s/a/b/ a b", "complete", "w /p/a, w /p/b"],
    ["sed 's/a/b/w out' a", "incomplete", "r /p/a, w /p/out"],
    ["awk '{print $1}' a", "reads", "r /p/a"],
    ["awk '{print > \"out\"}' a", "incomplete", "r /p/a, w /p/out"],
    ["jq .a b.json", "reads", "r /p/b.json"],
    ["jq 'env' b.json", "incomplete", "r /p/b.json"],
    ["touch a b", "complete", "w /p/a, w /p/b"],
    ["mkdir -p a/b", "complete", "w /p/a/b"],
    ["rm -rf a b", "complete", "w+ /p/a, w+ /p/b"],
    ["chmod +x a", "complete", "w /p/a"],
    ["chmod -R u+w a", "complete", "w+ /p/a"],
    ["chmod -x a", "complete", "w /p/a"],
    ["tee -a a b", "complete", "w /p/a, w /p/b"],
    ["cp a b", "complete", "r /p/a, w /p/b, w /p/b/a"],
    ["cp -r a b", "complete", "r+ /p/a, w+ /p/b, w+ /p/b/a"],
    ["cp a b c/", "complete", "r /p/a, r /p/b, w /p/c/, w /p/c//a, w /p/c//b"],
    ["cp -t d a", "complete", "r /p/a, w /p/d, w /p/d/a"],
    ["cp -r a/. b", "complete", "r+ /p/a/., w+ /p/b, w+a /p/b"],
    ["mv a b", "complete", "w+ /p/a, w+ /p/b, w+ /p/b/a"],
    ["ln -s a b", "complete", "u+ /p/a, u+ /p/b/a, w /p/b, w /p/b/a"],
    ["ln a", "complete", "u+ /p/a, w /p/., w /p/./a"],
    ["install -m 600 a b", "complete", "r /p/a, w /p/b, w /p/b/a"],
    ["install -d a", "complete", "w /p/a"],
    ["dd if=a of=b", "complete", "r /p/a, w /p/b"],
    ["truncate -s 0 a", "complete", "w /p/a"],
    ["split a b", "complete", "r /p/a, w /p/b…"],
    ["gzip a", "complete", "w /p/a, w /p/a…"],
    ["gzip -c a", "reads", "r /p/a, r /p/a…"],
    ["gzip -dc a.gz", "reads", "r /p/a.gz"],
    ["patch -p1 < a.diff", "complete", "r /p/a.diff, w+a /p/."],
    ["patch f a.diff", "complete", "w /p/f"],
    ["tar xf a.tar", "complete", "r /p/a.tar, w+a /p/."],
    ["tar -xzf a.tgz -C out", "complete", "r /p/a.tgz, w+a /p/out"],
    ["tar tf a.tar", "complete", "r /p/a.tar"],
    ["tar czf a.tgz src", "complete", "w /p/a.tgz, r+ /p/src"],
    ["unzip a.zip -d out", "complete", "r /p/a.zip, r /p/a.zip.zip, r /p/a.zip.ZIP, w+a /p/out"],
    ["unzip -l a.zip", "reads", "r /p/a.zip, r /p/a.zip.zip, r /p/a.zip.ZIP"],
    ["rsync -a a/ b/", "incomplete", "r+ /p/a/, w+a /p/b/"],
    ["scp host:a b", "incomplete", "w /p/b, w /p/b/a"],
    ["curl -o a http://x", "incomplete", "w /p/a"],
    ["curl -O http://x/a.json", "incomplete", "w /p/a.json"],
    ["wget http://x/a.json", "incomplete", "w /p/./a.json"],
    ["wget -O a http://x", "incomplete", "w /p/a"],
    ["zip a.zip b", "incomplete", "w /p/a.zip, r+ /p/b"],
    ["git status", "reads", "r /p/."],
    ["git diff -- a", "reads", "r+ /p/., r+ /p/a"],
    ["git diff --no-index /etc/a /etc/b", "incomplete", "r+ /p/., u /etc/a, u /etc/b"],
    ["git show HEAD:a", "reads", "r+ /p/."],
    ["git log --output=a", "incomplete", "r+ /p/., w+ /p/a"],
    ["git checkout main", "incomplete", "w+g /p/."],
    ["git checkout -b x", "incomplete", ""],
    ["git checkout -- a", "incomplete", "w+g /p/a"],
    ["git restore a", "incomplete", "w+g /p/a"],
    ["git reset --hard", "incomplete", "w+g /p/."],
    ["git reset", "complete", ""],
    ["git stash", "incomplete", "w+g /p/."],
    ["git stash list", "reads", "r+ /p/."],
    ["git apply a.diff", "complete", "r /p/a.diff, w+a /p/."],
    ["git apply --check a.diff", "complete", "r /p/a.diff"],
    ["git clean -fd", "complete", "w+ /p/."],
    ["git mv a b", "complete", "w+ /p/a, w+ /p/b/a, w+ /p/b"],
    ["git rm a", "complete", "w+ /p/a"],
    ["git rm --cached a", "complete", ""],
    ["git config user.name", "reads", "r /p/.git/config"],
    ["git config user.name x", "complete", "w /p/.git/config"],
    ["git config --global a.b c", "complete", "w /h/.gitconfig"],
    ["git commit -m x", "incomplete", ""],
    ["git branch", "reads", "r /p/."],
    ["git branch x", "incomplete", ""],
    ["git -C sub status", "reads", "r /p/sub/."],
    ["git -c a=b status", "incomplete", "r /p/."],
    ["git clone http://x/y.git", "incomplete", "w+ /p/y"],
    ["cd src && cat a", "reads", "r /p/src/a"],
    ["cd src; cat a", "reads", "r /p/src/a, r /p/a"],
    ["cd src || exit; cat a", "reads", "r /p/src/a, r /p/a"],
    ["cd /x && cat a", "reads", "r /x/a"],
    ["cd && cat a", "reads", "r /h/a"],
    ["cd - && cat a", "incomplete", "r a"],
    ["cd $X && cat a", "incomplete", "r a"],
    ["(cd src); cat a", "reads", "r /p/a"],
    ["pushd src && cat a", "reads", "r /p/src/a"],
    ["if cd src; then cat a; fi", "reads", "r /p/src/a"],
    ["for f in a b; do cat $f; done", "reads", "r /p/a, r /p/b"],
    ['for f in *.ts; do cat "$f"; done', "reads", "r /p/., r /p/….ts"],
    [
      'for f in *.ts; do mv "$f" "${f%.ts}.js"; done',
      "incomplete",
      "r /p/., w+ /p/….ts, w+ /p/….js, w+ /p/….js/….ts",
    ],
    ["X=a; cat $X", "reads", "r /p/a"],
    ["X=a cat b", "complete", "r /p/b"],
    ["cat ~/a $HOME/b", "reads", "r /h/a, r /h/b"],
    ['cat "$X"', "incomplete", 'r "$X"'],
    ["cat $(ls)", "incomplete", "r /p/., r $(ls)"],
    ["cat *.ts a?", "reads", "r /p/….ts, r /p/a…"],
    ["cat {a,b}.ts", "reads", "r /p/a.ts, r /p/b.ts"],
    ["cat a\\ b 'c d'", "reads", "r /p/a b, r /p/c d"],
    ['D=$(mktemp -d) && touch "$D/x"', "complete", "w /tmp/…, w /tmp/…/x"],
    ["touch log-$(date +%F).txt", "complete", "w /p/log-….txt"],
    ["bash -c 'cat a > b'", "complete", "w /p/b, r /p/a"],
    ["bash script.sh", "incomplete", "r /p/script.sh"],
    ["sh < a", "incomplete", "r /p/a"],
    ["eval 'rm a'", "incomplete", "w /p/a"],
    ["env X=1 rm a", "complete", "w /p/a"],
    ["sudo rm a", "complete", "w /p/a"],
    ["timeout 5 rm a", "complete", "w /p/a"],
    ["xargs rm < a", "incomplete", "r /p/a, w+ what xargs reads"],
    ["echo a b | xargs rm", "complete", "w /p/a, w /p/b"],
    ["find . -name '*.o' | xargs rm", "complete", "r+ /p/., w /p/./…/….o"],
    ["python3 -c 'open(\"a.txt\")'", "incomplete", "u /p/a.txt"],
    ["./run.sh a.txt", "incomplete", "r /p/./run.sh, u /p/a.txt"],
    ["make a.txt", "incomplete", "u /p/a.txt"],
    ["npm test", "incomplete", ""],
    ["npm config set a b", "incomplete", "w /p/.npmrc, w /h/.npmrc"],
    ["source a.sh", "incomplete", "r /p/a.sh"],
    ['f() { cat "$1"; }; f a', "incomplete", 'r "$1"'],
    ["cat <<E > a\nx\nE", "complete", "w /p/a"],
    ["exec 3> a", "incomplete", "w /p/a"],
    ["echo $(cat a)", "reads", "r /p/a"],
    ["diff <(cat a) b", "reads", "r /p/a, r /p/b, r /p/b/…"],
    ["true", "reads", ""],
  ];
  it.each(rows)("%j is %s and touches %s (T85)", (line, state, accesses) => {
    const analysis = readLine(line, PLACE);
    expect([stateOf(analysis), shownAccesses(analysis)]).toEqual([state, accesses]);
  });

  it("names every command, also those inside others (T85)", () => {
    const { shown: commands } = readLine(
      "cd src && sudo rm 'a b' | bash -c 'ls; wc -l' && echo $(date)",
      PLACE,
    );
    expect(commands).toEqual([
      "cd src",
      "sudo rm 'a b'",
      "rm 'a b'",
      "bash -c 'ls; wc -l'",
      "ls",
      "wc -l",
      "date",
      "echo $(date)",
    ]);
  });

  it("reads a line of any length that a shell takes to its end (G33)", () => {
    const names = Array.from({ length: 8_000 }, (_, at) => `X${at}=${at}`).join("; ");
    expect(shownAccesses(readLine(`rm ${"a ".repeat(65_000)}b`, PLACE))).toBe("w /p/a, w /p/b");
    expect(shownAccesses(readLine(`${names}; rm $X0 $X7999`, PLACE))).toBe("w+ /p/0, w+ $X7999");
  });

  const unread: [why: string, line: string][] = [
    ["more commands than are followed", "echo a; ".repeat(6_000)],
    ["more files than are counted", `touch ${Array.from({ length: 1_100 }, (_, at) => `f${at}`).join(" ")}`],
    ["nesting without end", `${"(".repeat(2_000)}ls${")".repeat(2_000)}`],
    ["a control character", "ls \u001b[2K"],
    ["a character that stands for a gap", "ls \uE000"],
    ["a quote without end", "echo 'x"],
  ];
  it.each(unread)("takes a line with %s for one that may write anywhere (G33)", (_why, line) => {
    const analysis = readLine(line, PLACE);
    expect(analysis.unclear).toEqual(expect.any(String));
    expect(analysis.accesses.at(-1)).toMatchObject({
      access: "write",
      shown: expect.stringMatching(/could not be looked for/),
    });
  });

  it("knows each program from one table (G35)", () => {
    const tables = [READING, WRITING, MOVING, SCRIPTED, WRAPPERS].map((table) => Object.keys(table));
    const names = [...tables.flat(), ...SHELLS];
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
