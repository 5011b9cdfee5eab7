import { describe, expect, it } from "vitest";
import { startScriptedModel, type ScriptedReply } from "wave-agent-sdk/testing";
import { resultSchema } from "../../src/output/schema.ts";
import { makeProject, type Project } from "../support/project.ts";
import { runWave } from "../support/runWave.ts";

const bash = { call: { name: "Bash", arguments: { command: "touch made" } } };

interface Case {
  what: string;
  status: number;
  subtype: string;
  stderr: RegExp;
  stdout: string;
  requests: number;
  args?: string[];
  replies: ScriptedReply[];
  prepare?: (project: Project) => void;
}

const cases: Case[] = [
  {
    what: "0 after the answer",
    status: 0,
    requests: 1,
    subtype: "success",
    stdout: "done\n",
    stderr: /^$/,
    replies: [{ say: "done" }],
  },
  {
    what: "0 after the cap on blocked stops",
    status: 0,
    requests: 8,
    subtype: "stop_cap",
    stdout: "again\n",
    stderr: /warning: .*Stop hook blocked/,
    replies: Array.from({ length: 8 }, () => ({ say: "again" })),
    prepare: (project) => project.hook("Stop", "echo more >&2; exit 2", { name: "never" }),
  },
  {
    what: "1 after a model error",
    status: 1,
    requests: 1,
    subtype: "error_model",
    stdout: "",
    stderr: /^error: .*key/i,
    replies: [{ status: 401 }],
  },
  {
    what: "1 at --max-turns",
    status: 1,
    requests: 1,
    stdout: "",
    subtype: "error_max_turns",
    stderr: /(warning|error): .*1/,
    args: ["--max-turns", "1", "--permission-mode", "bypassPermissions"],
    replies: [bash, { say: "never" }],
  },
  {
    what: "3 when a hook blocks the prompt",
    status: 3,
    requests: 0,
    subtype: "prompt_blocked",
    stdout: "",
    stderr: /blocked by nope \(UserPromptSubmit, \.wave\/settings\.json:\d+\): not that/,
    replies: [],
    prepare: (project) => project.hook("UserPromptSubmit", "echo 'not that' >&2; exit 2", { name: "nope" }),
  },
  {
    what: "4 when something was asked that nobody could answer, also when the model then finished (PD-3)",
    status: 4,
    requests: 2,
    subtype: "success",
    stdout: "without it, then\n",
    stderr: /not run: touch made \(needs approval; allow it with --allowed-tools 'Bash\(touch made\)'\)/,
    replies: [bash, { say: "without it, then" }],
  },
  {
    what: "5 when a hook ends the run (T149)",
    status: 5,
    requests: 1,
    stdout: "",
    subtype: "halted",
    stderr: /out of hours/,
    args: ["--permission-mode", "bypassPermissions"],
    replies: [bash, { say: "never" }],
    prepare: (project) =>
      project.hook("PostToolUse", `echo '{"continue": false, "stopReason": "out of hours"}'`, {
        matcher: "Bash",
      }),
  },
  {
    what: "78 before any model call when a settings file cannot be parsed (T52)",
    status: 78,
    requests: 0,
    subtype: "error_settings",
    stdout: "",
    stderr: /^error: \.wave\/settings\.json:2/,
    replies: [],
    prepare: (project) => void project.write(".wave/settings.json", '{ "model": "a"\n  "baseUrl": "b" }'),
  },
];

describe("the exit status of wave -p is", () => {
  it.each(cases)("$what", async ({ status, requests, stdout, stderr, args = [], replies, prepare }) => {
    using project = makeProject();
    prepare?.(project);
    await using model = await startScriptedModel(replies);
    const run = await runWave(["-p", ...args, "go"], { project, model });
    expect(run).toMatchObject({ status, stdout, stderr: expect.stringMatching(stderr) });
    expect(model.requests).toHaveLength(requests);
  });

  it.each(cases)(
    "also in the result object: $what",
    async ({ status, subtype, args = [], replies, prepare }) => {
      using project = makeProject();
      prepare?.(project);
      await using model = await startScriptedModel(replies);
      const run = await runWave(["-p", "--output-format", "json", ...args, "go"], { project, model });
      const result = resultSchema.parse(JSON.parse(run.stdout));
      expect({ status: run.status, subtype: result.subtype, exit_status: result.exit_status }).toEqual({
        status,
        subtype,
        exit_status: status,
      });
    },
  );

  it("2 after wrong usage, with the nearest flag", async () => {
    using project = makeProject();
    const run = await runWave(["-p", "--modle", "x"], { project });
    expect(run).toMatchObject({
      status: 2,
      stdout: "",
      stderr:
        "wave: There is no flag --modle. Did you mean --model?\nwave --help shows all commands and flags.\n",
    });
  });
});
