import { afterAll, describe, expect, it } from "vitest";
import { readLine } from "wave-shell-reader";
import { LINE_READING, whyNotIf } from "@/hooks/condition.ts";
import { policyBench } from "../support/policyBench.ts";
import {
  BELIEVED_READS,
  BELIEVED_READS_THAT_EDIT,
} from "../../../shell-reader/tests/corpus/believedReads.ts";
import { EVERYDAY, READING } from "../../../shell-reader/tests/corpus/everydayCommands.ts";
import { HIDDEN_PROGRAMS, UNSEEN_CODE } from "../../../shell-reader/tests/corpus/hiddenPrograms.ts";
import { HIDDEN_WRITES } from "../../../shell-reader/tests/corpus/hiddenWrites.ts";
import { ALLOWED, BYPASSES } from "../../../shell-reader/tests/corpus/shellBypasses.ts";
import { DAILY, DAILY_RULES, DAILY_TRAPS } from "../../../shell-reader/tests/corpus/workingDay.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

const hidden = Object.entries(HIDDEN_WRITES);

describe("of the lines that try to pass an allow rule or to hide a protected write", () => {
  it("there are at least 500 (G33)", () => {
    const lines = [...Object.values(BYPASSES), ...hidden.map(([, all]) => all)].flat();
    expect(new Set(lines).size).toBeGreaterThanOrEqual(500);
  });

  it.each(Object.entries(BYPASSES))("none is allowed: %s (G33)", (_kind, lines) => {
    expect(lines.filter((line) => bench.decide(line, { allow: ALLOWED }).decision === "allow")).toEqual([]);
  });

  it.each(hidden)("none is allowed, although a rule allows every command: %s (G27, G33)", (_kind, lines) => {
    for (const mode of ["default", "bypassPermissions"] as const) {
      const silent = lines.filter(
        (line) => bench.decide(line, { allow: ["Bash"], mode }).decision === "allow",
      );
      expect(silent.map((line) => line.slice(0, 200))).toEqual([]);
    }
  });
});

describe("of the lines that only look as if they read", () => {
  it.each(Object.entries(BELIEVED_READS))(
    "none runs unasked, in any mode that asks: %s (G33)",
    (_kind, lines) => {
      for (const mode of ["default", "acceptEdits", "plan", "dontAsk"] as const) {
        const silent = lines.filter((line) => bench.decide(line, { mode }).decision === "allow");
        expect([mode, silent.map((line) => line.slice(0, 200))]).toEqual([mode, []]);
      }
    },
  );
});

describe("a line that changes a file of the project, and looks as if it only read", () => {
  it.each(BELIEVED_READS_THAT_EDIT)("runs unasked only where edits do: %s (G33)", (line) => {
    const modes = ["default", "acceptEdits", "plan", "dontAsk"] as const;
    expect(modes.map((mode) => bench.decide(line, { mode }).decision)).toEqual([
      "ask",
      "allow",
      "deny",
      "deny",
    ]);
  });
});

describe("of the lines on which another program runs a denied one", () => {
  const modes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
  const told = (line: string) =>
    whyNotIf(
      "Bash(rm:*)",
      {
        tool_name: "Bash",
        tool_input: { command: line },
        commands: [],
        [LINE_READING]: readLine(line, { folder: bench.project, variables: {} }),
        affected_paths: [],
        analysis: "incomplete",
      },
      { base: bench.project, home: "/home/ada" },
    ) === undefined;

  it.each(Object.entries(HIDDEN_PROGRAMS))("none runs, in any mode: %s (G1, G33)", (_kind, lines) => {
    for (const mode of modes) {
      const silent = lines.filter(
        (line) => bench.decide(line, { allow: ["Bash"], deny: ["Bash(rm:*)"], mode }).decision === "allow",
      );
      expect([mode, silent]).toEqual([mode, []]);
    }
  });

  it.each(Object.entries(HIDDEN_PROGRAMS))(
    "a hook whose if is about it is asked: %s (T86, G13)",
    (_kind, lines) => {
      expect(lines.filter((line) => !told(line))).toEqual([]);
    },
  );

  it("a person looks at each whose code is not on the line, and a hook is asked (G1, G33)", () => {
    for (const mode of modes) {
      const silent = UNSEEN_CODE.filter(
        (line) => bench.decide(line, { allow: ["Bash"], deny: ["Bash(rm:*)"], mode }).decision === "allow",
      );
      expect([mode, silent]).toEqual([mode, []]);
    }
    expect(UNSEEN_CODE.filter((line) => !told(line))).toEqual([]);
  });

  it("those that name it in no code run as before (G33)", () => {
    const lines = [
      "python3 -c 'print(1)'",
      "python3 x.py rm",
      "python3 <<'E'\nprint(1)\nE",
      "cat data | python3 -c 'import sys; print(sys.stdin.read())'",
      "curl http://127.0.0.1:9/x | python3 -m json.tool",
      "cat data | node x.js",
      "node -e 'console.log(1)'",
      "perl -pe 's/a/b/' src/app.ts",
      "ruby x.rb",
      "make",
      "make rm",
      "make -f other.mk all",
      "make -j4 -C sub CFLAGS=-O2",
      "tclsh x.tcl",
      "python3 --version",
      "php -v",
      "docker run alpine ls",
      "ssh host ls",
      "sudo apt install python3 && git rm y",
    ];
    const asked = lines.filter(
      (line) => bench.decide(line, { deny: ["Bash(rm:*)"], mode: "bypassPermissions" }).decision !== "allow",
    );
    expect(asked).toEqual([]);
  });
});

describe("of lines whose script nobody can see", () => {
  const kinds = [
    "a script that nobody can see",
    "a script that the line itself has written",
    "a command in a number",
  ];
  it.each(kinds)("a rule that denies some program has a person look at each: %s (G1, G33)", (kind) => {
    const rule = "Bash(nosuchprogram:*)";
    const silent = (HIDDEN_WRITES[kind] ?? ["no such lines"]).filter((line) => {
      const { decision, askedBy } = bench.decide(line, { deny: [rule], mode: "bypassPermissions" });
      return decision !== "ask" || !askedBy.includes(`rule ${rule}`);
    });
    expect(silent).toEqual([]);
  });
});

describe("of everyday commands", () => {
  it("those that only look like a changed name or a hidden script are not asked about where nothing else is (G33)", () => {
    const lines = [
      "git -c core.pager=cat log",
      "git -c user.name=x -c commit.gpgsign=false commit -m a",
      "GIT_EDITOR=true git rebase --continue",
      "GIT_SEQUENCE_EDITOR=\"sed -i 's/pick/edit/'\" git rebase -i HEAD",
      "PAGER=cat git log",
      "awk '{ if ($3 > 5) print $1 }' src/app.ts",
      "awk '$3 > 5 { print $1 }' src/app.ts",
      "awk '{ print $1 > \"/tmp/x\" }' src/app.ts",
      "perl -pi -e 's/a/b/' src/app.ts",
      "TMPDIR=/tmp npm test",
      "trap 'kill 0' INT TERM EXIT; npm start",
      "pip install x",
      "tmux new -d 'npm start'",
      "export A=b; declare -a list=(a b); declare -x C=d; npm test",
      "source .venv/bin/activate && python x.py",
      "n=1; echo $((n + 1)); [[ $n -eq 1 ]] && npm test",
      "set -euo pipefail; npm test",
      "export $(cat .env | xargs) && npm test",
      "shopt -s globstar; npm test",
      "cp -r build dist",
      "git clone https://127.0.0.1:9/a.git copy",
      "git worktree add copy main",
      'bash -c "cd src && npm test"',
      "read -r a < README.md; echo $a",
      "n=1; a[n]=2; echo ${a[n]} ${PATH:0:3}",
      "cat > src/x.js <<'E'\nobj[`k`] = 1;\nE",
      "git commit -m 'read a[`x`]'",
      "[ -f x ] && echo '- [`x`](y)' >> README.md; i=0; echo $((i + 1))",
      "gcc -O2 -I./include -L/usr/lib -obuild/x x.c",
      "go build -o bin/x ./cmd/x",
      "KUBECONFIG=~/.kube/config kubectl get pods",
      'export PATH="$HOME/.cargo/bin:$PATH"; cargo build',
      "PATH=~/.cargo/bin:$PATH cargo build",
      "F=.wave/settings.json; cat $F",
      "OUT_DIR=. ROOT=/ npm run build",
      "cp -r --parents src/app.ts build",
      "rsync -a src/ build/",
      "bash scripts/build.sh",
      "npx eslint . --fix",
      "npx playwright install",
      "npx tsx watch src/index.ts",
      "npx prisma migrate dev --name init",
      "npx concurrently 'npm:a' 'npm:b'",
      "npm exec -- tsc -p .",
      "uv run pytest -q",
      "poetry run python x.py",
      "cmake -E make_directory build && cmake --build build",
      "go test ./...",
      "sqlite3 x 'select 1'",
      "hyperfine 'node a.js' 'node b.js'",
      "git rebase -x 'npm test' main",
      "git bisect run npm test",
      "bash < scripts/build.sh",
      "bash --version",
      "chmod +x run.sh && ./run.sh",
      "cat > x.py <<'E'\nprint(1)\nE\npython3 x.py",
      "echo 'npm test' | bash",
      "bash <<'E'\nset -e\nnpm test\nE",
      'bash <<E\ncd "$DIR" && npm test\nE',
      'bash -c "cd $DIR && npm test"',
      "set -o pipefail; bash -eo pipefail -c 'npm test | cat'",
      "find src -name '*.ts' | xargs -I{} sh -c 'wc -l {}'",
      "find . -name '*.sh' | xargs bash -n",
      "git ls-files | xargs env LC_ALL=C sort",
      "awk '/a|b/ { print $1 \"|\" $2 }' README.md",
      "awk '{ if ($1 / 2 > 3 || $2) print $1 / 2 }' README.md",
      "awk '{ print | \"sort -n\" }' README.md",
      'awk \'BEGIN { while (("ls" | getline f) > 0) printf "%s\\n", f }\'',
      "sed -i '/x/a\\  export const b = 1;' src/app.ts",
    ];
    const asked = lines.filter(
      (line) => bench.decide(line, { mode: "bypassPermissions" }).decision !== "allow",
    );
    expect(asked).toEqual([]);
  });

  const lines = [...EVERYDAY, [[], READING] as const].flatMap(([allow, all]) =>
    all.map((line) => ({ allow, line })),
  );

  it("at least 300 are tried, and at most 5 % are asked about without need (G33)", () => {
    expect(new Set(lines.map(({ line }) => line)).size).toBeGreaterThanOrEqual(300);
    const asked = lines.filter(({ allow, line }) => bench.decide(line, { allow }).decision !== "allow");
    expect(asked.length / lines.length, asked.map(({ line }) => line).join("\n")).toBeLessThanOrEqual(0.05);
  });
});

describe("with the rules of a first day and edits allowed", () => {
  const decide = (line: string) => bench.decide(line, { allow: DAILY_RULES, mode: "acceptEdits" }).decision;

  it("at least 120 everyday lines run without a question (G33)", () => {
    expect(new Set(DAILY).size).toBeGreaterThanOrEqual(120);
    expect(DAILY.filter((line) => decide(line) !== "allow")).toEqual([]);
  });

  it.each(Object.entries(DAILY_TRAPS))("none runs that only looks like one: %s (G33)", (_kind, lines) => {
    expect(lines.filter((line) => decide(line) === "allow")).toEqual([]);
  });

  it("a variable is the line's own only where the environment has none of that name (G33)", () => {
    bench.session.env["DATA"] = "x";
    for (const line of [
      "DATA=evil; npm test",
      "DATA=README.md; cat $DATA",
      "read -r DATA < README.md; npm test",
    ])
      expect([line, decide(line)]).toEqual([line, "ask"]);
    delete bench.session.env["DATA"];
    expect(decide("DATA=evil; npm test")).toBe("allow");
  });
});
