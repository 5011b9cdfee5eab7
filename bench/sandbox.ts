import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess, type ProcessRequest } from "../packages/agent-sdk/src/services/process.ts";
import { ReadOnlySandbox } from "../packages/agent-sdk/src/workspace/sandbox/readOnly.ts";
import { FilesToHide } from "../packages/agent-sdk/src/workspace/sandbox/filesToHide.ts";
import { filteredPlaces } from "../packages/agent-sdk/src/permissions/searchFilter.ts";
import { parseRule } from "../packages/agent-sdk/src/permissions/parseRule.ts";
import { alternate, median, ms, report } from "./stats.ts";

const AT_ONCE = 20;

/** What it costs to run a command where it can only read, against the same command as it is. */
export async function benchSandbox(): Promise<void> {
  const projectDir = mkdtempSync(join(tmpdir(), "wave-bench-"));
  execFileSync("git", ["init", "-q", projectDir]);
  for (let folder = 0; folder < 200; folder++) {
    mkdirSync(join(projectDir, `src/${folder}`), { recursive: true });
    writeFileSync(join(projectDir, `src/${folder}/a.ts`), "");
  }
  writeFileSync(join(projectDir, ".env"), "");
  const env = { PATH: process.env["PATH"] ?? "", HOME: projectDir };
  const sandbox = new ReadOnlySandbox({ projectDir, env });
  const { is } = await sandbox.look();
  if (is === "missing") {
    report("a command that can only read, against one as it is", "no sandbox here", "5 ms");
    rmSync(projectDir, { recursive: true, force: true });
    return;
  }
  const request: ProcessRequest = {
    file: "/bin/sh",
    args: ["-c", ":"],
    cwd: projectDir,
    env,
    keepBytes: 1_000,
  };
  const hidden = filesToHide(projectDir);
  const plain = () => startProcess(request).done;
  const bounded = () =>
    sandbox.start(request, {
      own: { read: [], write: [] },
      hidden: hidden.look().places,
      endedByItself: () => true,
    }).done;
  const many = (run: () => Promise<unknown>) => () => Promise.all(Array.from({ length: AT_ONCE }, run));
  const one = await alternate(100, { plain, bounded });
  const all = await alternate(10, { plain: many(plain), bounded: many(bounded) });
  const look = await alternate(100, { look: async () => hidden.look() });
  rmSync(projectDir, { recursive: true, force: true });
  const more = median(one.bounded) - median(one.plain);
  const each = (median(all.bounded) - median(all.plain)) / AT_ONCE;
  report("a command that can only read, beyond one as it is", ms(more), "5 ms");
  report(`  the same, each of ${AT_ONCE} at once`, ms(each), "5 ms");
  const quickest = Math.min(...one.bounded) - Math.min(...one.plain);
  report("  the same, the quickest of each against the other", ms(quickest), "5 ms");
  report("  a command as it is", ms(median(one.plain)), "-");
  report("  of that, a look for files that rules hide (200 folders)", ms(median(look.look)), "-");
}

function filesToHide(projectDir: string): FilesToHide {
  const rule = parseRule("Read(.env)");
  if ("problem" in rule) throw new Error(rule.problem);
  const inForce = { rule, base: projectDir, behavior: "deny", source: "bench", managed: false } as const;
  return new FilesToHide(filteredPlaces([inForce], { home: projectDir, project: projectDir }), projectDir);
}
