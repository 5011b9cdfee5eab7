import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { liveAgent } from "../support/liveAgent.ts";
import { tempFolder } from "../support/tempFolder.ts";

const bash = (command: string) => ({ call: { name: "Bash", arguments: { command } } });
const hooks = (event: string, name: string, command: string) => ({
  hooks: { [event]: [{ hooks: [{ type: "command", name, command }] }] },
});

it("variables that SessionStart hooks write to CLAUDE_ENV_FILE reach later commands, shown, and no other hook (SPEC 6)", async () => {
  using folder = tempFolder();
  const project = join(folder.path, "project");
  mkdirSync(join(project, ".claude"), { recursive: true });
  const sets = [
    `echo 'export NODE_ENV=production' >>"$CLAUDE_ENV_FILE"`,
    `echo 'export PATH="$PATH:./node_modules/.bin"' >>"$CLAUDE_ENV_FILE"`,
    `echo 'export WORDS="two words, $((40 + 2))"' >>"$CLAUDE_ENV_FILE"`,
    `echo 'export LD_PRELOAD=/x.so GIT_DIR=/elsewhere' >>"$CLAUDE_ENV_FILE"`,
    `echo 'not_exported=1' >>"$CLAUDE_ENV_FILE"`,
  ].join("; ");
  const own = `echo "export PATH=/first:$PATH" >>"$CLAUDE_ENV_FILE"`;
  writeFileSync(
    join(project, ".claude", "settings.json"),
    JSON.stringify(hooks("SessionStart", "loads", sets)),
  );
  mkdirSync(join(project, ".wave"));
  const prepends = hooks("SessionStart", "prepends", `echo "export PATH=/mine:$PATH" >>"$CLAUDE_ENV_FILE"`);
  writeFileSync(join(project, ".wave", "settings.json"), JSON.stringify(prepends));
  const tells = hooks("PreToolUse", "tells", "env >hook.env");
  const scenario = [bash('env >tool.env; echo "$NODE_ENV $WORDS"'), { say: "done" }];
  await using live = await liveAgent(folder.path, scenario, {
    settings: { hooks: { ...hooks("SessionStart", "own", own).hooks, ...tells.hooks } },
    options: { env: { PATH: "/usr/bin:/bin" } },
  });
  await live.agent.sendMessage("go");

  const envOf = (file: string) => readFileSync(join(project, file), "utf8").split("\n");
  expect(envOf("tool.env")).toEqual(
    expect.arrayContaining([
      "NODE_ENV=production",
      "WORDS=two words, 42",
      "PATH=/first:/usr/bin:/bin:./node_modules/.bin",
    ]),
  );
  expect(
    envOf("tool.env").filter((line) => /^(LD_PRELOAD|GIT_DIR|CLAUDE_ENV_FILE|WAVE_API_KEY)=/.test(line)),
  ).toEqual([]);
  expect(envOf("hook.env").filter((line) => /^(NODE_ENV|CLAUDE_ENV_FILE)=/.test(line))).toEqual([]);
  const notices = live.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
  expect(notices.filter((text) => text.startsWith("hook "))).toEqual([
    "hook own sets for commands: PATH",
    "hook loads sets for commands: NODE_ENV, PATH, WORDS, not_exported",
    "hook loads cannot set GIT_DIR, LD_PRELOAD: these change how programs are found, loaded or connected",
    "hook prepends cannot set PATH: these change how programs are found, loaded or connected",
  ]);
});

it("what no shell can read is told, and sets nothing", async () => {
  using folder = tempFolder();
  await using live = await liveAgent(folder.path, [bash("echo [$A]"), { say: "done" }], {
    settings: hooks("SessionStart", "broken", `echo 'export A=1; exit 3' >"$CLAUDE_ENV_FILE"`),
  });
  await live.agent.sendMessage("go");
  expect(JSON.stringify(live.agent.messages)).toContain('"[]"');
  expect(live.events).toContainEqual(
    expect.objectContaining({
      type: "notice",
      level: "error",
      text: expect.stringContaining("hook broken wrote to CLAUDE_ENV_FILE") as string,
    }),
  );
});
