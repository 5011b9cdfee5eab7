import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { executeHooks } from "../../src/services/hook.ts";
import { commandHook, hookContext } from "../support/runHooks.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** A folder name with everything that shells and encodings stumble over. */
const FOLDER = `it's "my" $HOME prøject & 日本 (1)`;
const COMMAND = `grep 'ä "ö" 日本 😀 $HOME \\ \`x\`' file`;

/** Each blocks with the tool's name and command on stderr, however it came to know them. */
const SCRIPTS: Record<string, { needs: string; text: string }> = {
  "arguments of a shell script": {
    needs: "bash",
    text: `#!/usr/bin/env bash\nprintf '%s %s' "$1" "$(jq -r .command <<<"$2")" >&2\nexit 2\n`,
  },
  "jq on stdin": {
    needs: "jq",
    text: `#!/usr/bin/env bash\njq -j '.tool_name + " " + .tool_input.command' >&2\nexit 2\n`,
  },
  Python: {
    needs: "python3",
    text: [
      "#!/usr/bin/env python3",
      "import json, sys",
      "event = json.load(sys.stdin)",
      'sys.stderr.write(event["tool_name"] + " " + event["tool_input"]["command"])',
      "sys.exit(2)",
      "",
    ].join("\n"),
  },
  Node: {
    needs: "node",
    text: [
      "#!/usr/bin/env node",
      'const { readFileSync } = require("node:fs");',
      'const event = JSON.parse(readFileSync(0, "utf8"));',
      "process.stderr.write(`${event.tool_name} ${event.tool_input.command}`);",
      "process.exitCode = 2;",
      "",
    ].join("\n"),
  },
};

/** The ways in which people write where their script is. */
const WAYS = [
  "./my hooks/guard",
  '"$CLAUDE_PROJECT_DIR"/"my hooks"/guard',
  '"$WAVE_PROJECT_DIR/my hooks/guard"',
  "$CLAUDE_PROJECT_DIR/my hooks/guard",
  "${WAVE_PROJECT_DIR}/my\\ hooks/guard",
];

// The Node of these tests first, so that `node` is one that exists.
const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`;
const isThere = (program: string) =>
  spawnSync(program, ["--version"], { env: { ...process.env, PATH } }).status === 0;
const rows = Object.entries(SCRIPTS).flatMap(([language, { needs, text }]) =>
  WAYS.map((command) => ({
    language,
    needs: language === "arguments of a shell script" ? "jq" : needs,
    text,
    command,
  })),
);

describe("from a project path with spaces, quotes and letters of other alphabets", () => {
  for (const { language, needs, text, command } of rows) {
    const missing = !isThere(needs);
    const title = missing ? `(${needs} is not installed here, so this is not tried) ` : "";
    it.skipIf(missing)(`${title}a hook with ${language} works as ${command} (T135, T142, T114)`, async () => {
      using folder = tempFolder(FOLDER);
      mkdirSync(join(folder.path, "my hooks"));
      writeFileSync(join(folder.path, "my hooks", "guard"), text, { mode: 0o755 });
      const context = hookContext(folder.path);
      // Nothing in the environment says that the world is UTF-8.
      const env = { PATH, HOME: process.env["HOME"] ?? "/", LANG: "C", LC_ALL: "C" };
      const input = { ...context.input, tool_input: { command: COMMAND } };
      const [result] = await executeHooks("PreToolUse", { ...context, env, input }, [commandHook(command)]);
      expect(result).toMatchObject({ exitCode: 2, stderr: `Bash ${COMMAND}` });
    });
  }
});
