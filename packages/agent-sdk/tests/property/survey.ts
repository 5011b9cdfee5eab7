import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { startScriptedModel } from "../../src/testing/index.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { differences } from "./compare.ts";
import { EVENTS, scenarioArb } from "./generate.ts";
import { modelFor, play } from "./play.ts";
import { expectTurn } from "./referenceTurn.ts";
import { report } from "./report.ts";
const seed = Number(process.argv[2] ?? 1),
  n = Number(process.argv[3] ?? 100),
  show = process.argv[4];
using folder = tempFolder();
const pipe = join(folder.path, "pipe");
execFileSync("mkfifo", [pipe]);
const calls = new Map();
await using model = await startScriptedModel(modelFor(calls));
const scenarios = fc.sample(scenarioArb, { seed, numRuns: n });
const groups = new Map<string, { n: number; size: number; text: string }>();
let next = 0,
  judged = 0,
  bad = 0;
const t = Date.now();
await Promise.all(
  Array.from({ length: 6 }, async () => {
    for (let i = next++; i < n; i = next++) {
      const r = await play(scenarios[i]!, { model, calls, pipe }, { id: `s${i}`, timeoutSeconds: 2 });
      const expected = expectTurn(r.scenario);
      judged += EVENTS.filter((e) =>
        r.scenario.hooks[e].some((h) => (expected.runs[h.name] ?? 0) > 0),
      ).length;
      if (process.env["SKIP"]) {
        if (JSON.stringify(r.scenario).includes("{'decision'")) continue;
        if (r.scenario.gate.mode === "dontAsk" && expected.because.length > 1) continue;
        for (const a of r.seen.asked) if (a.toolName === "UserPromptSubmit") a.toolName = "prompt";
      }
      const wrong = differences(expected, r.seen, r.scenario);
      if (wrong.length) bad++;
      for (const w of wrong) {
        const key = w
          .replace(/[UPAS]\d/g, (x) => x[0] + "#")
          .replace(/[:{(].*/s, "")
          .replace(/\d+/g, "N");
        const size = JSON.stringify(r.scenario).length;
        const g = groups.get(key);
        const text = report({ ...r, expected, wrong }, `${seed}:${i}`);
        if (!g) groups.set(key, { n: 1, size, text });
        else {
          g.n++;
          if (size < g.size) {
            g.size = size;
            g.text = text;
          }
        }
      }
    }
  }),
);
console.log(`${judged} sets, ${n} scenarios, ${bad} bad, ${(Date.now() - t) / 1000}s`);
for (const [k, g] of [...groups].sort((a, b) => b[1].n - a[1].n)) console.log(g.n, k);
if (show)
  for (const [k, g] of groups)
    if (k.includes(show)) {
      console.log("=====", k);
      console.log(
        g.text
          .replaceAll(/\/tmp\/wave-test-\w+/g, "~")
          .replaceAll(/,"origin":\{[^}]*\}/g, "")
          .replaceAll(/,"metadata":\{[^}]*\}/g, "")
          .replace(/\nexpected \{[^]*?\n\}\n/, "\n"),
      );
    }
