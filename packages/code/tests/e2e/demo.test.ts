import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeProject, type Project } from "../support/project.ts";
import { runWave, startWave } from "../support/runWave.ts";

/** Temporary files go where the test can count them. */
async function ownTemp(project: Project): Promise<string> {
  const folder = join(project.home, "tmp");
  await mkdir(folder);
  return folder;
}

/** Node keeps its compile cache in the same place. */
const leftovers = (temp: string) => readdirSync(temp).filter((name) => name !== "node-compile-cache");

/** What the demo must show, in this order: a word of the hook, then why. */
const STORY = [
  /ticket \(UserPromptSubmit, \.wave\/settings\.json:\d+\) ended with exit 0 and told the model: Ticket 12/,
  /wants +Bash: rm -rf build/,
  /no-rm-rf \(PreToolUse, \.wave\/settings\.json:\d+\) ended with exit 2 and said no/,
  /decided +it does not run: hook no-rm-rf/,
  /as-in-ci .* changed command/,
  /runs +Bash: CI=1 \.\/check\.sh +\(changed by a hook\)/,
  /result +greeting: wrong \(CI=1\)/,
  /warning +greet\.sh is used by other teams/,
  /syntax \(PostToolUse, .*\) ended with exit 2 and said no: greet\.sh is no longer valid bash/,
  /I lost a quote/,
  /changelog \(Stop, .*\) ended with exit 2 and said no/,
  /runs +Write: CHANGELOG\.md/,
  /asks +May this run\? Bash: \.\/publish\.sh/,
  /you +yes/,
  /decided +it runs: you said yes/,
  /exit status is 4/,
  /result +published greet\.sh/,
  /Try it on a project of your own/,
];

function expectStory(text: string): void {
  const flat = text.replaceAll(/\s+/g, " ");
  let from = 0;
  for (const step of STORY) {
    const found = step.exec(flat.slice(from));
    if (!found) throw new Error(`${step} is missing after: ${flat.slice(0, from).slice(-200)}`);
    from += found.index + 1;
  }
}

describe("wave demo", () => {
  it("is a clean transcript in a pipe: no escape codes, no delays, nothing on stderr, nothing left behind", async () => {
    using project = makeProject();
    const temp = await ownTemp(project);
    const run = await runWave(["demo"], { project, env: { TMPDIR: temp } });
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    expectStory(run.stdout);
    // eslint-disable-next-line no-control-regex
    expect(run.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    expect(run.stdout).not.toContain(temp);
    expect(run.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(leftovers(temp)).toEqual([]);
    expect(project.sessionFiles()).toEqual([]);
  });

  it("is what npm start plays without arguments, whatever keys are set", async () => {
    using project = makeProject();
    const start = fileURLToPath(new URL("../../../../scripts/start.mjs", import.meta.url));
    const env = { OPENAI_API_KEY: "k" };
    const run = await runWave([], { project, env, program: [process.execPath, start] });
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    expectStory(run.stdout);
    const version = await runWave([], { project, env, program: [process.execPath, start, "--version"] });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("fits 40 columns", async () => {
    using project = makeProject();
    const run = await runWave(["demo"], { project, env: { COLUMNS: "40" } });
    expect(run.status).toBe(0);
    expectStory(run.stdout);
    expect(run.stdout.split("\n").filter((line) => line.length > 40)).toEqual([]);
  });

  it("minds neither settings, keys nor proxies of the user", async () => {
    using project = makeProject();
    project.write(".wave/settings.json", "{ broken");
    const env = {
      WAVE_API_KEY: "k",
      WAVE_BASE_URL: "http://127.0.0.1:9/v1",
      HTTP_PROXY: "http://127.0.0.1:9",
      http_proxy: "http://127.0.0.1:9",
    };
    const run = await runWave(["demo"], { project, env });
    expect(run).toMatchObject({ status: 0, stderr: "" });
  });

  it("leaves at once when its reader goes away, and cleans up", async () => {
    using project = makeProject();
    const temp = await ownTemp(project);
    const wave = startWave(["demo"], { project, env: { TMPDIR: temp } });
    wave.child.stdin.end();
    await wave.until(() => wave.stdout !== "");
    wave.child.stdout.destroy();
    const { status, stderr } = await wave.done;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(leftovers(temp)).toEqual([]);
  });
});
