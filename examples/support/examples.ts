import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { differences } from "./checkScene.ts";
import type { HookExample } from "./hookExample.ts";
import { playScene } from "./playScene.ts";

export interface Example {
  /** "sdk/01-hello", "hooks/audit-log" */
  name: string;
  /** Programs it needs that are not on this machine. */
  missing: () => string[];
  /** Everything that went wrong; empty when all is well. */
  run: () => Promise<string[]>;
}

const SDK = fileURLToPath(new URL("../sdk", import.meta.url));
const HOOKS = fileURLToPath(new URL("../hooks", import.meta.url));
/** Far beyond what an example needs on a busy machine: only one that hangs gets there. */
const HANG_MS = 120_000;

export async function allExamples(): Promise<Example[]> {
  const programs = readdirSync(SDK).filter((file) => file.endsWith(".ts"));
  const hookFolders = readdirSync(HOOKS, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  return [
    ...programs.sort().map((file) => programExample(join(SDK, file))),
    ...(await Promise.all(hookFolders.sort().map((name) => hookExample(join(HOOKS, name))))),
  ];
}

function programExample(file: string): Example {
  return { name: `sdk/${basename(file, ".ts")}`, missing: () => [], run: () => runProgram(file) };
}

async function hookExample(folder: string): Promise<Example> {
  const { example }: { example: HookExample } = await import(pathToFileURL(join(folder, "expect.ts")).href);
  return {
    name: `hooks/${basename(folder)}`,
    missing: () => example.needs.filter((program) => !isInstalled(program)),
    run: () => playAll(folder, example),
  };
}

/** As a process of its own, with the flags this one was started with: they say whether sources or the built package run. */
async function runProgram(file: string): Promise<string[]> {
  const child = spawn(process.execPath, [...process.execArgv, file], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: HANG_MS,
  });
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, "exit"),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code === 0) return [];
  const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
  return [`it ${how}, and printed:`, `${stdout}${stderr}`.trimEnd()];
}

async function playAll(folder: string, { scenes }: HookExample): Promise<string[]> {
  const wrong: string[] = [];
  for (const scene of scenes) {
    using played = await playScene(folder, scene);
    wrong.push(...differences(scene, played).map((difference) => `${scene.title}: ${difference}`));
  }
  return wrong;
}

const isInstalled = (program: string) => spawnSync(program, ["--version"]).status === 0;
