import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { rolldown } from "rolldown";
import config from "../rolldown.config.ts";
import { median, ms, report, times } from "./stats.ts";

const ROUNDS = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const wave = join(root, "packages/code/bin/wave.js");

/** From the start of the process to the first frame on the terminal, against a "hello" with Ink that is bundled and launched the same way. */
export async function benchFirstFrame(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wave-bench-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const hello = await buildHello(join(folder, "hello"));
  const programs = {
    hello: { args: [hello], marker: "hello" },
    wave: { args: [wave], marker: "Ask, or / for commands" },
  };
  const samples: Record<keyof typeof programs, number[]> = { hello: [], wave: [] };
  // The first two rounds fill the compile caches of both.
  for (let round = -2; round < ROUNDS; round++) {
    for (const name of ["hello", "wave"] as const) {
      const took = await timeToFrame(programs[name], { project, home: join(folder, "home") });
      if (round >= 0) samples[name].push(took);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  report("start to the first frame", ms(median(samples.wave)), "-");
  report(
    `  against a "hello" with Ink`,
    times(median(samples.wave) / median(samples.hello)),
    "1.15 ×, at most 1.40",
  );
  report(`  the "hello"`, ms(median(samples.hello)), "-");
}

/** With the same bundler, the same options and a launcher that has the same cache as Wave's. */
async function buildHello(folder: string): Promise<string> {
  const { output, input: _ours, ...options } = config;
  if (output === undefined || Array.isArray(output))
    throw new Error("rolldown.config.ts has no output of its own");
  const bundle = await rolldown({
    ...options,
    cwd: root,
    input: { hello: fileURLToPath(new URL("hello.ts", import.meta.url)) },
  });
  await bundle.write({ ...output, dir: join(folder, "dist") });
  await bundle.close();
  const launcher = join(folder, "hello.js");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    launcher,
    `process.getBuiltinModule("node:module").enableCompileCache();\nawait import("./dist/hello.js");\n`,
  );
  return launcher;
}

function timeToFrame(
  { args, marker }: { args: string[]; marker: string },
  { project, home }: { project: string; home: string },
): Promise<number> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: project,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    WAVE_HOME: home,
    WAVE_API_KEY: "key",
    // Nothing is asked of it: no prompt is sent.
    WAVE_BASE_URL: "http://127.0.0.1:9/v1",
    WAVE_MODEL: "bench",
  };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const pty = spawn(process.execPath, args, { cols: 80, rows: 24, cwd: project, env, name: env.TERM });
    let written = "";
    let took: number | undefined;
    pty.onData((text) => {
      written += text;
      if (took !== undefined || !written.includes(marker)) return;
      took = performance.now() - started;
      // Not by force: the compile cache is written at the end.
      pty.kill("SIGTERM");
    });
    pty.onExit(() => (took === undefined ? reject(new Error(`no frame: ${written}`)) : resolve(took)));
  });
}
