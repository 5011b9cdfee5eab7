import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Surroundings } from "../../cli/surroundings.ts";
import { projectDir } from "../../modes/places.ts";
import { printable } from "../../utils/printable.ts";
import { wrongUsage } from "../wrongUsage.ts";

interface FirstHook {
  about: string;
  event: string;
  matcher?: string;
  script: string;
  tests: readonly object[];
}

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

/** What people begin with. */
const FIRST_HOOKS: Readonly<Record<string, FirstHook>> = {
  "block-commands": {
    about: "refuses commands that match a pattern",
    event: "PreToolUse",
    matcher: "Bash",
    script: `#!/bin/bash
# Refuses force pushes. stdin has the call as JSON; exit code 2 blocks it, and stderr says why.
input=$(cat)
if grep -q 'push.*--force' <<<"$input"; then
  echo "Force pushes are not allowed here." >&2
  exit 2
fi
`,
    tests: [
      {
        name: "refuses a force push",
        input: bash("git push --force"),
        expect: { decision: "deny", reason: "not allowed" },
      },
      { name: "lets a plain push pass", input: bash("git push"), expect: { decision: "none" } },
    ],
  },
  "protect-files": {
    about: "refuses to change some files",
    event: "PreToolUse",
    matcher: "Write|Edit",
    script: `#!/bin/bash
# Refuses changes of .env files. stdin has the call as JSON; exit code 2 blocks it, and stderr says why.
input=$(cat)
if grep -Eq '"file_path":"[^"]*/\\.env' <<<"$input"; then
  echo "Nobody but a person changes .env files." >&2
  exit 2
fi
`,
    tests: [
      {
        name: "refuses to write .env",
        input: { tool_name: "Write", tool_input: { file_path: "/project/.env", content: "" } },
        expect: { decision: "deny", reason: "a person" },
      },
      {
        name: "lets other files be",
        input: { tool_name: "Write", tool_input: { file_path: "/project/a.ts", content: "" } },
        expect: { decision: "none" },
      },
    ],
  },
  "add-context": {
    about: "tells the model something with each prompt",
    event: "UserPromptSubmit",
    script: `#!/bin/bash
# What it prints is context for the model.
echo "Today is $(date +%F)."
`,
    tests: [{ name: "tells the date", input: { prompt: "hello" }, expect: { context: "Today is 2" } }],
  },
};

const MENU = Object.entries(FIRST_HOOKS)
  .map(([name, { about }]) => `  wave hooks new ${name.padEnd(16)} ${about}`)
  .join("\n");

/** Writes a hook, its test, and shows what to put into the settings. Nothing that is there is overwritten. */
export function newHook(words: readonly string[], around: Surroundings): number {
  const [name, ...rest] = words;
  if (name === undefined) {
    around.stdout.write(`Which one?\n${MENU}\n`);
    return 0;
  }
  const first = Object.hasOwn(FIRST_HOOKS, name) ? FIRST_HOOKS[name] : undefined;
  if (!first || rest.length > 0)
    return wrongUsage(
      around,
      `There is no first hook ${JSON.stringify(words.join(" "))}. There are:\n${MENU}`,
    );
  const root = projectDir(around);
  const folder = join(root, ".wave", "hooks");
  const script = join(folder, `${name}.sh`);
  const fixture = join(folder, `${name}.hooktest.json`);
  const there = [script, fixture].find(existsSync);
  if (there !== undefined) return wrongUsage(around, `${there} is there already; nothing was written.`);
  const command = relative(root, script);
  const { event, matcher, tests } = first;
  const about = { event, ...(matcher !== undefined && { matcher }) };
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, first.script, { mode: 0o755, flag: "wx" });
  writeFileSync(fixture, `${JSON.stringify({ ...about, hook: command, tests }, null, 2)}\n`, { flag: "wx" });
  const hooks = [{ type: "command", command, onError: "block" }];
  const entry = { hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks }] } };
  const lines = [
    `Written: ${command} and ${relative(root, fixture)}.`,
    "wave hooks test runs the test. To have Wave run the hook, put this into .wave/settings.json:",
    JSON.stringify(entry, null, 2),
  ];
  around.stdout.write(`${printable(lines.join("\n"))}\n`);
  return 0;
}
