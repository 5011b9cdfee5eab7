import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
mkdirSync(join(bench.project, "lib"));
writeFileSync(join(bench.project, ".gitignore"), "dist\n");
symlinkSync("/etc/hostname", join(bench.project, "out"));
symlinkSync("/etc", join(bench.project, "etc"));
afterAll(() => bench[Symbol.dispose]());

const decide = (line: string) => bench.decide(line, { mode: "acceptEdits" });

describe("a command in acceptEdits", () => {
  it.each([
    "mkdir -p src/utils && touch src/utils/money.ts",
    "mkdir src",
    "cp src/app.ts src/copy.ts && rm -f src/index.ts",
    "cp -r src copy",
    "mv src/app.ts lib/app.ts",
    "mv src/app.ts lib/",
    "rm README.md docs/a.md",
    "rm -rf README.md",
    "rmdir lib",
    "unlink README.md",
    "truncate -s 0 README.md",
    "sed -i 's/a/b/' src/app.ts",
    "sed -i.bak -e 's/a/b/' src/app.ts src/index.ts",
    "cat > notes.md <<'EOF'\n# Notes\nEOF",
    "cat >> README.md <<'EOF'\nmore\nEOF",
    "echo dist >> .gitignore",
    "printf '%s\\n' a > src/app.ts",
    "cat src/*.ts > all.txt",
    "cat README.md | tee copy.md docs/copy.md > /dev/null",
    "cd src && touch a.ts && cd .. && cp src/index.ts b.ts",
    "touch new && cat new",
    "mv README.md new && cat new",
  ])("runs unasked where all it does is to change files of the project: %s (T25)", (line) => {
    expect(decide(line)).toMatchObject({ decision: "allow", by: "mode acceptEdits" });
    expect(bench.decide(line)).toMatchObject({ decision: "ask" });
    expect(bench.decide(line, { mode: "plan", allow: ["Bash"] })).toMatchObject({ decision: "deny" });
  });

  it.each([
    // Outside of the project, also through a link.
    "touch ../a",
    "touch /tmp/a",
    "touch ~/a",
    "cp README.md /tmp",
    "cp /etc/hostname .",
    "mv README.md ..",
    "echo a > out",
    "sed -i s/a/b/ out",
    "touch etc/a",
    "cp README.md etc",
    "mv out new && cat new",
    "cd .. && touch a",
    'touch "$X"',
    "touch $(cat README.md)",
    // A protected file.
    "touch .git/hooks/pre-commit",
    "cp README.md .git/hooks/pre-commit",
    "mv README.md .wave/settings.json",
    "sed -i s/a/b/ .wave/settings.json",
    "rm .wave/settings.json",
    "sed -irc p .bash",
    "sed -i'.wave/*' p settings.json",
    "cp -r docs .git",
    "cp docs/a.md .envrc",
    // A folder with all that is in it, or whatever a pattern finds.
    "rm -rf src",
    "rm -r docs src",
    "mv src lib/src",
    "rm src/*.ts",
    "cp -rT docs .",
    "find src -delete",
    "find src -name '*.ts' | xargs rm",
    // More than a change of files.
    "ln -s /etc/passwd new",
    "ln README.md new",
    "chmod +x README.md",
    "chmod u+s README.md",
    "tar xf a.tar",
    "unzip a.zip",
    "git checkout other",
    "git mv README.md new",
    "curl -o new https://127.0.0.1:9/x",
    "sudo touch a",
    "touch a && make",
    "touch a && node a",
    "cat > x.sh <<'EOF'\nls\nEOF\nbash x.sh",
    "cat > x.sh <<EOF\n$(make)\nEOF",
    "sed -i 's/a/b/e' README.md",
    "sed -i 's/a/b/w .envrc' README.md",
    "touch() { rm -rf src; }; touch a",
    "PATH=src:$PATH touch a",
    "true <> README.md",
    "mkdir -m 777 a | sh",
  ])("asks where it does more: %s (T25, G27, G32)", (line) => {
    expect(decide(line)).toMatchObject({ decision: "ask" });
  });

  it("asks where the program is one of the project's own (G33)", () => {
    writeFileSync(join(bench.project, "lib/touch"), "#!/bin/sh\n", { mode: 0o755 });
    bench.session.env["PATH"] = `${join(bench.project, "lib")}:${bench.session.env["PATH"]}`;
    expect(decide("touch a").decision).toBe("ask");
  });
});
