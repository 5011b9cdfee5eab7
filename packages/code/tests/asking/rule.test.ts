import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "wave-agent-sdk";
import { startScriptedModel } from "wave-agent-sdk/testing";
import { describe, expect, it } from "vitest";
import { offerRule } from "../../src/asking/rule.ts";
import { bash, pending } from "./requests.ts";

const offer = (request: ReturnType<typeof pending>) => {
  const offered = offerRule(request);
  return offered.offered ? offered.rule : "";
};

/** Commands and the rule each is offered; "" where none is. */
const commands: [string, string][] = [
  ["git push origin main", "Bash(git push:*)"],
  ["git commit -m 'a message'", "Bash(git commit:*)"],
  ["npm run test:unit -- --watch", "Bash(npm run test:unit:*)"],
  ["npm install left-pad", "Bash(npm install:*)"],
  ["cargo build", "Bash(cargo build:*)"],
  // Nothing in the next word says what these do: only the very same command.
  ["rm -rf build", "Bash(rm -rf build)"],
  ["ls", "Bash(ls)"],
  ["git -C /tmp push", "Bash(git -C /tmp push)"],
  ["git bisect run make", "Bash(git bisect run make)"],
  ["npm exec something", "Bash(npm exec something)"],
  ["cargo run", "Bash(cargo run)"],
  ['echo "two words"', 'Bash(echo "two words")'],
  // More than one plain command, or not what it will be once bash has read it.
  ["cd /tmp && ls", ""],
  ["ls | sh", ""],
  ["echo $HOME", ""],
  ["echo `id`", ""],
  ['echo "$(id)"', ""],
  ["ls *.ts", ""],
  ["echo 'a*b'", ""],
  ["echo hi > file", ""],
  ["FOO=1 make", ""],
  ["ls\nrm -rf /", ""],
  ["ls {a,b}", ""],
  ["sleep 1 &", ""],
  ["echo 'two  blanks'", ""],
  ["echo a\u200bb", ""],
  [`echo ${"x".repeat(200)}`, ""],
  ["", ""],
];

describe("the rule that is offered", () => {
  it.each(commands)("for the command %j is %j (T80)", (command, rule) => {
    expect(offer(bash(command))).toBe(rule);
  });

  it.each([
    ["Edit", "/p/src/a.ts", "Edit(//p/src/a.ts)"],
    ["MultiEdit", "/p/src/a.ts", "Edit(//p/src/a.ts)"],
    ["Write", "/p/with space/ä.ts", "Edit(//p/with space/ä.ts)"],
    ["Read", "/etc/hosts", "Read(//etc/hosts)"],
    ["Read", "/p/[id]/*.ts", ""],
    ["Read", "/p/../etc/passwd", ""],
    ["Read", "relative.ts", ""],
    ["Grep", "/p", ""],
    ["mcp__files__list", "/p", "mcp__files__list"],
    ["mcp__files__*", "/p", ""],
  ])("for %s of %s is %j (T80)", (toolName, file_path, rule) => {
    expect(offer(pending({ toolName, input: { file_path } }))).toBe(rule);
  });

  it.each([
    ["a hook", ["hook guard"], /no rule can skip a hook/],
    ["a hook and the mode", ["mode default", "hook guard"], /no rule can skip a hook/],
    ["an ask rule", ["rule Bash(git push:*)"], /does not lift it/],
    ["nobody known", [], /only what a mode asks/],
  ])("is none when %s asked, and says so (T34)", (_who, askedBy, why) => {
    expect(offerRule(bash("git push", { askedBy }))).toEqual({
      offered: false,
      why: expect.stringMatching(why),
    });
  });
});

describe("a rule that was offered", () => {
  const offered = commands.filter(([, rule]) => rule !== "");
  it("lets the same call run without a question (T80)", async () => {
    const asked: string[] = [];
    const calls = offered.map(([command]) => ({ name: "Bash", arguments: { command } }));
    await play({ allow: offered.map(([, rule]) => rule), calls, asked });
    expect(asked).toEqual([]);
  });

  it("lets no other call run: each of these is still asked about (T80)", async () => {
    const others = [
      "rm -rf /",
      "ls -l",
      "git pull",
      "git -c x=y push",
      "npm run other",
      "git push; id",
      "cargo run x",
    ];
    const asked: string[] = [];
    const calls = others.map((command) => ({ name: "Bash", arguments: { command } }));
    await play({ allow: offered.map(([, rule]) => rule), calls, asked });
    expect(asked).toEqual(others);
  });
});

/** Each call in a turn of its own, in an empty folder and with no program on its PATH: what is let through finds nothing to run. */
async function play({
  allow,
  calls,
  asked,
}: {
  allow: string[];
  calls: { name: string; arguments: Record<string, unknown> }[];
  asked: string[];
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wave-rule-"));
  try {
    for (const call of calls) {
      await using model = await startScriptedModel([{ call }, { say: "done" }]);
      const agent = await Agent.create({
        workdir: folder,
        waveHome: join(folder, "home"),
        managedSettingsFile: join(folder, "managed.json"),
        baseUrl: model.baseUrl,
        apiKey: "key",
        model: "scripted",
        permissions: { allow },
        env: { PATH: join(folder, "no-programs"), HOME: folder },
        onPermissionRequest: ({ input }) => {
          asked.push(String(input["command"]));
          return { decision: "deny" };
        },
      });
      await agent.sendMessage("go");
      await agent.destroy();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
