// npm run pictures: draws the pictures of docs/ from the real program on a real screen. Look at each before keeping it.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startScriptedModel, type Scenario } from "wave-agent-sdk/testing";
import { makeProject, type Project } from "../support/project.ts";
import { renderScreenToSvg } from "./support/screenSvg.ts";
import { startWave, type TerminalRun } from "./support/terminal.ts";

const FOLDER = fileURLToPath(new URL("../../../../docs/pictures/", import.meta.url));

interface Picture {
  name: string;
  /** For those who cannot see it. */
  title: string;
  cols: number;
  rows: number;
  scenario: Scenario;
  prepare?: (project: Project) => void;
  approved?: boolean;
  /** Brings the screen to where the picture is taken. */
  until: (wave: TerminalRun) => Promise<unknown>;
}

const SERVER = `import { createServer } from "node:http";

export const server = createServer((request, response) => {
  response.end("hello");
});

server.listen(3000);
`;

const bash = (command: string) => ({ name: "Bash", arguments: { command } });
const edit = {
  name: "Edit",
  arguments: {
    file_path: "src/server.ts",
    old_string: "server.listen(3000);",
    new_string: 'const port = Number(process.env["PORT"] ?? 3000);\nserver.listen(port);',
  },
};

function guards(project: Project): void {
  project.write("src/server.ts", SERVER);
  project.script(
    "run-tests.sh",
    'for test in parser server client; do echo "ok $test"; sleep 0.2; done; sleep 20',
  );
  project.hook(
    "PreToolUse",
    "if grep -q 'push --force'; then echo 'Force pushes are not allowed here.' >&2; exit 2; fi",
    {
      matcher: "Bash",
      name: "no force push",
      onError: "block",
    },
  );
  project.hook("PostToolUse", "true", { matcher: "Edit|Write", name: "format" });
  project.hook("UserPromptSubmit", "echo 'Today is a release day.'", { name: "calendar" });
  project.hook("Stop", "true", { name: "tests pass" });
}

const work: Scenario = [
  {
    think: "The port is written into the file. An environment variable with a default is the usual way.",
    say: "I will read the port from the environment, and keep 3000 as the default.",
    calls: [{ name: "Read", arguments: { file_path: "src/server.ts" } }],
  },
  { calls: [edit] },
  { calls: [bash("git push --force origin main")] },
  {
    say: "The port now comes from `PORT`:\n\n| set | used |\n| --- | --- |\n| nothing | 3000 |\n| `PORT=8080` | 8080 |\n\nThe push was **refused by your hook**; I left it alone. Running the tests now.",
    calls: [bash("./run-tests.sh --all")],
  },
];

async function say(wave: TerminalRun, text: string): Promise<void> {
  await wave.waitForText("Ask, or / for commands");
  wave.type(text);
  await wave.waitForText(text);
  await wave.press("enter");
}

const PICTURES: readonly Picture[] = [
  {
    name: "start",
    title: "Wave at its first start: a header, the input, and a status line",
    cols: 80,
    rows: 14,
    scenario: [],
    prepare: guards,
    until: (wave) => wave.waitForText("hooks active"),
  },
  {
    name: "work",
    title:
      "Wave at work: an edit with its difference, a call that a hook refused, a table, and a running command",
    cols: 90,
    rows: 46,
    scenario: work,
    prepare: guards,
    until: async (wave) => {
      await say(wave, "make the port configurable");
      await wave.waitForText("ok client");
    },
  },
  {
    name: "dialog",
    title: "Wave asks before a command runs, and shows who asks and why",
    cols: 90,
    rows: 30,
    scenario: [{ say: "First the branch.", calls: [bash("git fetch origin && git rebase origin/main")] }],
    prepare: (project) => {
      guards(project);
      project.hook(
        "PreToolUse",
        `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"This rewrites history."}}'`,
        {
          matcher: "Bash",
          name: "careful with history",
        },
      );
    },
    until: async (wave) => {
      await say(wave, "bring my branch up to date");
      await wave.waitForText("This rewrites history.");
      await wave.takesKeys();
    },
  },
  {
    name: "hooks",
    title: "/hooks: every hook with its file, its runs, times and failures",
    cols: 90,
    rows: 30,
    scenario: [...(work as readonly object[]).slice(0, 3), { say: "Done." }] as Scenario,
    prepare: guards,
    until: async (wave) => {
      await say(wave, "make the port configurable");
      await wave.waitForText("Done.");
      await sleep(300);
      wave.type("/hooks");
      await wave.waitForText("/hooks");
      await wave.press("enter");
      await wave.waitForText("no force push");
      await wave.takesKeys();
    },
  },
  {
    name: "narrow",
    title: "The same work in a terminal of 40 columns",
    cols: 40,
    rows: 44,
    scenario: work,
    prepare: guards,
    until: async (wave) => {
      await say(wave, "make the port configurable");
      await wave.waitForText("ok client");
    },
  },
  {
    name: "trust",
    title: "A project's own hooks, shown in full before any of them runs",
    cols: 90,
    rows: 30,
    scenario: [],
    prepare: guards,
    approved: false,
    until: async (wave) => {
      await wave.waitForText("Do you trust this folder?");
      await wave.takesKeys();
    },
  },
];

async function draw(picture: Picture): Promise<void> {
  using project = makeProject("weather");
  picture.prepare?.(project);
  spawnSync("git", ["init", "-q", "-b", "main"], { cwd: project.folder });
  await using model = await startScriptedModel(picture.scenario);
  await using wave = startWave({
    cwd: project.folder,
    cols: picture.cols,
    rows: picture.rows,
    approved: picture.approved ?? true,
    args: ["--permission-mode", "acceptEdits", "--allowed-tools", "Bash(./run-tests.sh:*),Bash(git push:*)"],
    env: {
      HOME: join(project.folder, ".."),
      WAVE_HOME: project.home,
      WAVE_API_KEY: "key",
      WAVE_BASE_URL: model.baseUrl,
      WAVE_MODEL: "qwen3-coder",
      COLORTERM: "truecolor",
    },
  });
  await picture.until(wave);
  await sleep(200);
  const svg = renderScreenToSvg(wave.terminal, { title: picture.title, rows: "used" });
  writeFileSync(join(FOLDER, `${picture.name}.svg`), svg);
}

mkdirSync(FOLDER, { recursive: true });
const wanted = process.argv.slice(2);
for (const picture of PICTURES) {
  if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
  await draw(picture);
  process.stdout.write(`docs/pictures/${picture.name}.svg\n`);
}
