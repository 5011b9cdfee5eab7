import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveAgent } from "../support/liveAgent.ts";
import { blocksOf, playSession } from "../support/playSession.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** What stands in the arguments, as a server would send it. `V` is the file that must survive. */
const STARVING: [what: string, args: string][] = [
  ["plain", String.raw`{"command":"rm V"}`],
  ["half a pair", String.raw`{"command":"rm V # \ud800"}`],
  ["the other half", String.raw`{"command":"rm V # \udfff"}`],
  ["halves the wrong way round", String.raw`{"command":"rm V # \ude00\ud83d"}`],
  ["half a pair before the command", String.raw`{"command":": \uD83D; rm V"}`],
  ["half a pair in another field", String.raw`{"description":"\ud800","command":"rm V"}`],
  ["half a pair, written out", '{"command":"rm V # \ud800"}'],
  ["a NUL", String.raw`{"command":"rm V # \u0000"}`],
  ["a NUL in front", String.raw`{"command":"\u0000rm V"}`],
  ["a name twice", String.raw`{"command":"ls","command":"rm V"}`],
  ["a name twice, one with an escape", String.raw`{"c\u006fmmand":"rm V","description":"ls"}`],
  ["a number beyond all numbers", String.raw`{"command":"rm V","timeout":1e999}`],
  [
    "a field that is nested too deep",
    `{"command":"rm V","description":${"[".repeat(2000)}${"]".repeat(2000)}}`,
  ],
  ["a field named __proto__", String.raw`{"command":"rm V","__proto__":{"command":"ls"}}`],
  ["a byte-order mark", String.raw`{"command":"rm V # \ufeff"}`],
  ["characters that are none", String.raw`{"command":"rm V # \ufffe\uffff\u0001\u001b[2K\u0085\u2028"}`],
];

const PYTHON = `import json,sys\nif "rm victim" in json.load(sys.stdin)["tool_input"].get("command", ""):\n  print("no", file=sys.stderr); sys.exit(2)`;
const NODE = `let t="";process.stdin.on("data",d=>t+=d).on("end",()=>{if(JSON.parse(t).tool_input.command?.includes("rm victim")){console.error("no");process.exit(2)}})`;
/** The first of them reads what it gets as most guards do; for the others a few rows, on which they differ, are enough. */
const GUARDS: [program: string, files: Record<string, string>, command: string][] = [
  ["jq", {}, `case "$(jq -r '.tool_input.command // empty')" in *"rm victim"*) echo no >&2; exit 2;; esac`],
  ["python3", { "guard.py": PYTHON }, 'python3 "$WAVE_PROJECT_DIR"/../guard.py'],
  ["node", { "guard.cjs": NODE }, `"${process.execPath}" "$WAVE_PROJECT_DIR"/../guard.cjs`],
];

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    // ENOENT: this machine has other guards.
    return false;
  }
}

describe("a guard cannot be starved by what the model writes (G42)", () => {
  for (const [program, files, command] of GUARDS) {
    it.skipIf(!isInstalled(program))(`written with ${program}`, async () => {
      using folder = tempFolder();
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
      mkdirSync(join(folder.path, "project"));
      const rows = STARVING.filter(
        ([what]) => program === "jq" || /^half a pair|^a NUL$|number|nested/.test(what),
      );
      const victims = rows.map((_, index) => join(folder.path, `project/victim${index}`));
      for (const victim of victims) writeFileSync(victim, "");
      const calls = rows.map(([, args], index) => ({
        name: "Bash",
        arguments: args.replace("rm V", `rm victim${index}`),
      }));
      const { messages, file } = await playSession(folder.path, {
        settings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command }] }] } },
        scenario: [{ calls }, { say: "done" }],
      });
      const gone = rows.filter((_, index) => !existsSync(victims[index] ?? "")).map(([what]) => what);
      expect(gone).toEqual([]);
      expect(file).not.toMatch(/[^\\]\\u[dD][89a-fA-F]/);
      for (const { result = "" } of blocksOf(messages, "tool"))
        expect(result).toMatch(/no|could not be read|does not fit/);
    });
  }

  it("a prompt that is half a character or has a NUL is judged as the model gets it", async () => {
    using folder = tempFolder();
    const seen: unknown[] = [];
    const hook = {
      type: "function" as const,
      run: (input: { prompt?: string }) => void seen.push(input.prompt),
    };
    await using live = await liveAgent(folder.path, [{ say: "a" }, { say: "b" }], {
      options: { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } },
    });
    await live.agent.sendMessage("one \ud800");
    await live.agent.sendMessage("two\0");
    expect(seen).toEqual(["one \ufffd", "two\ufffd"]);
    expect(live.model.requests.at(-1)?.text).toContain("two\ufffd");
    expect(live.model.requests.at(-1)?.text).not.toMatch(/\\ud800|\\u0000/);
  });

  it("a command that a person types with a NUL in it does not run, with half a character it runs as it is shown", async () => {
    using folder = tempFolder();
    await using live = await liveAgent(folder.path, []);
    expect(await live.agent.runShell("echo a\0b")).toMatchObject({
      ran: false,
      reason: expect.stringContaining("NUL character"),
    });
    expect(await live.agent.runShell("echo a\ud800")).toMatchObject({ ran: true, result: "a\ufffd" });
  });
});
