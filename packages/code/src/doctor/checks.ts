import {
  describeProblem,
  nearestName,
  sortProblems,
  type Program,
  type SettingsProblem,
} from "wave-agent-sdk";
import { sizeOf } from "../utils/sizeOf.ts";
import type { DoctorFacts, HookFact } from "./facts.ts";
import type { CheckResult, Finding } from "./finding.ts";

type Said = Omit<Finding, "check">;

/** Every check, in the order in which they are shown. One list: `wave doctor` and `/doctor` come from it. */
const CHECKS: readonly { check: string; judge: (facts: DoctorFacts) => Said[] }[] = [
  { check: "Wave", judge: ({ wave }) => [ok(`version ${wave}`)] },
  { check: "Node", judge: judgeNode },
  { check: "Terminal", judge: judgeTerminal },
  { check: "Model", judge: judgeModel },
  { check: "Server", judge: judgeServer },
  { check: "Settings", judge: judgeSettings },
  { check: "Hooks", judge: judgeHooks },
  { check: "Trust", judge: judgeTrust },
  { check: "Sessions", judge: judgeSessions },
  { check: "Disk", judge: judgeDisk },
  { check: "ripgrep", judge: ({ programs }) => [judgeProgram(programs.ripgrep, RIPGREP_MISSING)] },
  { check: "git", judge: ({ programs }) => [judgeProgram(programs.git, GIT_MISSING)] },
  { check: "Sandbox", judge: judgeSandbox },
];

/** Pure: what the facts mean. */
export function examine(facts: DoctorFacts): Finding[] {
  return CHECKS.flatMap(({ check, judge }) => judge(facts).map((said) => ({ check, ...said })));
}

const ok = (says: string): Said => ({ result: "ok", says });
const warning = (says: string, next: string): Said => ({ result: "warning", says, next });
const problem = (says: string, next: string): Said => ({ result: "problem", says, next });

function judgeNode({ node }: DoctorFacts): Said[] {
  const says = `${node.version} on ${node.platform}`;
  if (Number.parseInt(node.version, 10) >= node.least) return [ok(says)];
  return [problem(`${says} is too old`, `install Node ${node.least} or newer`)];
}

const NARROW = 40;

function judgeTerminal({ terminal }: DoctorFacts): Said[] {
  if (terminal.is === "none") return [ok("none: the output goes somewhere else")];
  const { columns, term, colour, inside } = terminal;
  const says = [
    `${columns} columns`,
    `TERM ${term ?? "not set"}`,
    colour === "on" ? "colours" : `colours ${colour}`,
    ...(inside ? [`inside ${inside}`] : []),
  ].join(", ");
  if (term === undefined || term === "" || term === "dumb")
    return [warning(`${says}: nothing can be drawn in place`, "set TERM to what your terminal is")];
  if (columns < NARROW) return [warning(says, `make the window at least ${NARROW} columns wide`)];
  return inside === "tmux" ? [{ ...ok(says), next: TMUX_KEYS }] : [ok(says)];
}

const TMUX_KEYS =
  "if Shift+Enter sends instead of breaking the line: tmux set -s extended-keys on (Ctrl-J always works)";

function judgeModel({ model }: DoctorFacts): Said[] {
  if (model.is === "unusable") return [problem(model.why, "wave --help lists the variables")];
  const key = model.keyFrom === "nowhere" ? "no key, this server needs none" : `key from ${model.keyFrom}`;
  const named = ok(`${model.model ?? "not named: the server is asked"}; ${key}`);
  if (model.waiting === undefined) return [named];
  const { says, path } = model.waiting;
  return [named, warning(`${path} wants ${says}, which counts only after it was approved`, SHOWS_IT)];
}

function judgeServer({ model }: DoctorFacts): Said[] {
  if (model.is === "unusable") return [];
  const { address, server, model: name } = model;
  if (server.answers === "nothing")
    return [problem(server.why, "check WAVE_BASE_URL, the network and proxy variables")];
  if (server.answers === "something")
    return [
      warning(
        `${address} answers, but does not list its models: ${server.why}`,
        "if prompts work, all is well",
      ),
    ];
  const { names } = server;
  const count = `${names.length} model${names.length === 1 ? "" : "s"}`;
  if (name === undefined && names.length !== 1)
    return [problem(`${address} has ${count}, and none is named`, "set WAVE_MODEL to one of them")];
  if (name === undefined || names.includes(name)) return [ok(`${address} answers and has the model`)];
  const near = nearestName(name, names);
  const next = near === undefined ? "check WAVE_MODEL" : `did you mean ${near}? Set WAVE_MODEL`;
  return [warning(`${address} answers, but does not list ${name} among its ${count}`, next)];
}

function judgeSettings({ settings }: DoctorFacts): Said[] {
  const { files, problems } = settings;
  const read =
    files.length === 0
      ? "no settings files; defaults count"
      : `read ${files.map(({ file }) => file).join(", ")}`;
  const found = sortProblems(problems).map((one) => ofProblem(one, RESULT_OF[one.severity]));
  return found.length === 0 ? [ok(read)] : [...(files.length === 0 ? [] : [ok(read)]), ...found];
}

const RESULT_OF: Record<SettingsProblem["severity"], CheckResult> = {
  fatal: "problem",
  error: "problem",
  warning: "warning",
};

const ofProblem = (one: SettingsProblem, result: CheckResult): Said => ({
  result,
  says: describeProblem(one),
  ...(one.file === undefined
    ? {}
    : { next: `edit ${one.file}${one.line === undefined ? "" : `, line ${one.line}`}` }),
});

function judgeHooks({ hooks }: DoctorFacts): Said[] {
  const { all, leftOut, problems } = hooks;
  const missing =
    leftOut.length === 0
      ? []
      : [
          problem(
            `${leftOut.length} cannot run and guard nothing: ${leftOut.join(", ")}`,
            "wave hooks list says why",
          ),
        ];
  if (all.length === 0)
    return missing.length > 0
      ? missing
      : [{ ...ok("none configured"), next: "wave demo shows some at work" }];
  const inForce = all.filter(({ off }) => off === undefined);
  const scopes = [...new Set(inForce.map(({ scope }) => scope))];
  const sources = scopes.map((scope) => `${inForce.filter((hook) => hook.scope === scope).length} ${scope}`);
  return [
    ok(`${inForce.length} active${sources.length === 0 ? "" : `: ${sources.join(", ")}`}`),
    ...missing,
    ...offOnes(all),
    // A matcher that matches nothing may be meant for a tool to come; a program that is not there guards nothing.
    ...problems.map((one) => ofProblem(one, one.path?.endsWith(".matcher") ? "warning" : "problem")),
  ];
}

function judgeTrust({ trust: { open, changed } }: DoctorFacts): Said[] {
  const found = [
    ...open.map(({ what, state, files }) => {
      if (state === "new") return warning(`${what}: nobody has approved it`, SHOWS_IT);
      const part = files.length === 0 ? "its entry" : files.join(", ");
      return warning(`${what}: ${part} changed since it was approved`, SHOWS_IT);
    }),
    ...changed.map((file) =>
      warning(
        `${file} changed since this session read it; the old version stays active`,
        "/hooks trust shows the difference",
      ),
    ),
  ];
  return found.length === 0 ? [ok("nothing waits for an approval")] : found;
}

const SHOWS_IT = "wave hooks trust, or /hooks trust on the screen, shows it";

function offOnes(all: readonly HookFact[]): Said[] {
  const reasons = [...new Set(all.flatMap(({ off }) => off ?? []))];
  return reasons.map((why) => {
    const names = all.filter(({ off }) => off === why).map(({ name }) => name);
    return warning(`${names.length} off, ${why}: ${names.join(", ")}`, "wave hooks list shows them all");
  });
}

function judgeSessions({ sessions }: DoctorFacts): Said[] {
  const { folder, unwritable, files, bytes, more } = sessions;
  if (unwritable !== undefined)
    return [
      problem(
        `${folder} cannot be written: ${unwritable}`,
        "correct its rights, or set WAVE_HOME to another folder",
      ),
    ];
  const count = `${more ? "more than " : ""}${files.toLocaleString("en-US")} file${files === 1 ? "" : "s"}`;
  return [ok(files === 0 ? `${folder}, empty so far` : `${folder}: ${count}, ${sizeOf(bytes)}`)];
}

const LITTLE = 1024 ** 3;
const TOO_LITTLE = 100 * 1024 ** 2;

function judgeDisk({ sessions: { freeBytes, folder } }: DoctorFacts): Said[] {
  if (freeBytes === undefined) return [];
  const says = `${sizeOf(freeBytes)} free where sessions are kept`;
  const next = `free some space, or move ${folder} with WAVE_HOME`;
  if (freeBytes < TOO_LITTLE) return [problem(says, next)];
  return freeBytes < LITTLE ? [warning(says, next)] : [ok(says)];
}

const RIPGREP_MISSING: Said = problem(
  "Grep, Glob and @files do not work",
  "install Wave again, with its optional packages",
);
const GIT_MISSING: Said = warning("the model is not told the state of the repository", "install git");

function judgeSandbox({ sandbox: { mode, missing, problems } }: DoctorFacts): Said[] {
  const limits = problems.map((says) => warning(says, "see docs/guide/sandbox.md"));
  if (mode === "off") return [ok("off: commands run as they are")];
  if (missing === undefined && mode !== "reading") return [ok(`${mode}, and it works`), ...limits];
  if (mode === "reading")
    return missing === undefined
      ? [ok("commands that only read run where they can do nothing else")]
      : [warning(`${FEWER_PROVEN}: ${missing}`, "install bubblewrap to be asked less")];
  const next = 'install bubblewrap, or set "sandbox" to "off"';
  return mode === "required"
    ? [problem(`required, and ${missing}`, next), ...limits]
    : [warning(`commands run without one: ${missing}`, next), ...limits];
}

const FEWER_PROVEN =
  "none, so only commands that are proven to only read run without a question, and the rest is asked about";

function judgeProgram(program: Program, missing: Said): Said {
  if (program.found) return ok(`version ${program.version}`);
  return { ...missing, says: `not found (${program.why}): ${missing.says}` };
}
