// What reading costs, by kinds of lines; nothing here passes or fails by the clock.
import { covers, readLine } from "wave-shell-reader";

const PLACE = { folder: "/home/ada/shop", variables: { HOME: "/home/ada" } };

const KINDS: Readonly<Record<string, string>> = {
  "one command": "git status --short",
  "a usual line": "cd src && npm test 2>&1 | tee ../test.log | tail -20",
  "a script": `set -euo pipefail\nfor f in src/*.ts; do\n  grep -n TODO "$f" || true\ndone | sort | uniq -c > todo.txt`,
  "a commit with a message": `git commit -m "$(cat <<'E'\n${"A line of the message.\n".repeat(20)}E\n)"`,
  "a file of 20 KB": `cat > a.ts <<'E'\n${"export const a = { b: [1, 2, 3] };\n".repeat(600)}E\n`,
  "a thousand commands": "echo a; ".repeat(1_000),
  "a line made to hang": `echo ${"*{".repeat(20_000)}`,
};

const RULES = ["rm:*", "git push:*", "curl:*", "npm test:*", "git status:*", "sudo:*", "git * main", "cat:*"];

/** The median of several rounds, in milliseconds a time. */
function cost(work: () => unknown): number {
  const rounds = Array.from({ length: 15 }, () => {
    const begun = performance.now();
    let times = 0;
    while (performance.now() - begun < 20) {
      work();
      times++;
    }
    return (performance.now() - begun) / times;
  });
  return rounds.toSorted((one, other) => one - other)[7] ?? 0;
}

const row = (what: string, ...costs: number[]) =>
  console.log(what.padEnd(28), ...costs.map((one) => `${one.toFixed(3)} ms`.padStart(12)));

console.log("".padEnd(28), "read".padStart(12), "eight rules".padStart(12));
for (const [kind, line] of Object.entries(KINDS)) {
  const reading = readLine(line, PLACE);
  const compare = () =>
    RULES.map((rule) => covers(rule, reading)).map((one) => "problem" in one || [one.maybe(), one.surely()]);
  row(
    kind,
    cost(() => readLine(line, PLACE)),
    cost(compare),
  );
}
