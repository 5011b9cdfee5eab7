import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { runHook } from "wave-agent-sdk/hooks";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir } from "../../modes/places.ts";
import { printable, printableJson } from "../../utils/printable.ts";
import { wrongUsage } from "../wrongUsage.ts";
import { differences, findFixtures, readFixture, type HookCase, type HookFixture } from "./fixtures.ts";
import type { HooksInvocation } from "./invocation.ts";

interface Tested {
  file: string;
  name: string;
  /** What differs, or why it could not be run; none: it passed. */
  wrong: string[];
}

/** More at once only make each other slow. */
const AT_A_TIME = 4;

/** Runs the fixtures of hooks through the engine that runs hooks in a session. */
export async function testHooks(
  words: readonly string[],
  { json }: HooksInvocation,
  around: Surroundings,
): Promise<number> {
  const root = projectDir(around);
  const paths = words.length === 0 ? [root] : words.map((word) => resolve(around.cwd, word));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) return wrongUsage(around, `There is no ${missing}.`);
  const files = findFixtures(paths);
  if (files.length === 0)
    return wrongUsage(around, "There are no *.hooktest.json files here; wave hooks new writes a first one.");
  const tested: Tested[] = [];
  for (const path of files) tested.push(...(await testFile(path, { root, env: around.env })));
  const failed = tested.filter(({ wrong }) => wrong.length > 0);
  if (json) around.stdout.write(`${printableJson({ passed: tested.length - failed.length, failed })}\n`);
  else around.stdout.write(`${printable(linesOf(tested).join("\n"))}\n`);
  return failed.length === 0 ? 0 : 1;
}

async function testFile(
  path: string,
  { root, env }: { root: string; env: Surroundings["env"] },
): Promise<Tested[]> {
  const file = relative(root, path);
  let fixture: HookFixture;
  try {
    fixture = readFixture(path);
  } catch (error) {
    return [{ file, name: "the file", wrong: [wordsOf(error)] }];
  }
  const tested: Tested[] = [];
  for (let at = 0; at < fixture.tests.length; at += AT_A_TIME) {
    const some = fixture.tests.slice(at, at + AT_A_TIME);
    const ended = await Promise.all(some.map((test) => testOne(test, fixture, { root, env })));
    tested.push(...ended.map((wrong, index) => ({ file, name: some[index]?.name ?? "", wrong })));
  }
  return tested;
}

async function testOne(
  { input, expect }: HookCase,
  { event, hook, matcher }: HookFixture,
  { root, env }: { root: string; env: Surroundings["env"] },
): Promise<string[]> {
  try {
    return differences(expect, await runHook({ event, hook, matcher, projectDir: root, env }, input));
  } catch (error) {
    return [wordsOf(error)];
  }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function linesOf(tested: readonly Tested[]): string[] {
  const failed = tested.filter(({ wrong }) => wrong.length > 0).length;
  return [
    ...tested.flatMap(({ file, name, wrong }) => [
      `${wrong.length === 0 ? "ok    " : "failed"}  ${file}: ${name}`,
      ...wrong.map((line) => `          ${line}`),
    ]),
    failed === 0 ? `${tested.length} passed` : `${failed} failed, ${tested.length - failed} passed`,
  ];
}
