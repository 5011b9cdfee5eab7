import { describe, expect, it } from "vitest";
import { examine } from "../../src/doctor/checks.ts";
import type { DoctorFacts } from "../../src/doctor/facts.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { doctorLines, doctorSummary } from "../../src/panels/doctorLines.ts";
import { lineWidth, textOf } from "../../src/view/span.ts";

const GB = 1024 ** 3;
const FINE: DoctorFacts = {
  wave: "1.2.3",
  node: { version: "24.1.0", least: 24, platform: "linux x64" },
  terminal: { is: "there", columns: 80, term: "xterm-256color", colour: "on", inside: undefined },
  model: {
    is: "set",
    address: "https://models.example/v1",
    keyFrom: "WAVE_API_KEY",
    model: "big-1",
    server: { answers: "list", names: ["big-1", "small-1"] },
  },
  settings: { files: [{ scope: "project", file: "/p/.wave/settings.json" }], problems: [] },
  hooks: {
    all: [
      { name: "guard", scope: "project", off: undefined },
      { name: "log", scope: "user", off: undefined },
    ],
    leftOut: [],
    problems: [],
  },
  trust: { open: [], changed: [] },
  sessions: {
    folder: "/h/sessions",
    unwritable: undefined,
    files: 3,
    bytes: 5000,
    more: false,
    freeBytes: 50 * GB,
  },
  programs: { git: { found: true, version: "2.40" }, ripgrep: { found: true, version: "15.0" } },
  sandbox: { mode: "off", missing: undefined, problems: [] },
};

const CHECKS = [
  "Wave",
  "Node",
  "Terminal",
  "Model",
  "Server",
  "Settings",
  "Hooks",
  "Trust",
  "Sessions",
  "Disk",
  "ripgrep",
  "git",
  "Sandbox",
];

const withModel = (model: Partial<Extract<DoctorFacts["model"], { is: "set" }>>): Partial<DoctorFacts> => ({
  model: { ...FINE.model, ...model } as DoctorFacts["model"],
});
const withTerminal = (terminal: object): Partial<DoctorFacts> => ({
  terminal: { ...FINE.terminal, ...terminal } as DoctorFacts["terminal"],
});
const problemAt = (path: string, severity: "fatal" | "error" | "warning", message: string) => ({
  severity,
  file: "/p/.wave/settings.json",
  line: 7,
  path,
  message,
});

/** What is different, the check that notices it, how bad it is, and a word of what it says. */
const rows: [
  title: string,
  facts: Partial<DoctorFacts>,
  found: Partial<Finding> & { check: string },
  word: string,
][] = [
  [
    "an old Node",
    { node: { ...FINE.node, version: "22.9.0" } },
    { check: "Node", result: "problem" },
    "too old",
  ],
  ["no terminal", { terminal: { is: "none" } }, { check: "Terminal", result: "ok" }, "somewhere else"],
  [
    "a narrow terminal",
    withTerminal({ columns: 30 }),
    { check: "Terminal", result: "warning" },
    "30 columns",
  ],
  [
    "TERM=dumb",
    withTerminal({ term: "dumb", colour: "off by TERM" }),
    { check: "Terminal", result: "warning" },
    "dumb",
  ],
  ["NO_COLOR", withTerminal({ colour: "off by NO_COLOR" }), { check: "Terminal", result: "ok" }, "NO_COLOR"],
  ["tmux", withTerminal({ inside: "tmux" }), { check: "Terminal", result: "ok" }, "inside tmux"],
  [
    "no key",
    { model: { is: "unusable", why: "No API key." } },
    { check: "Model", result: "problem" },
    "No API key",
  ],
  ["a server without a key", withModel({ keyFrom: "nowhere" }), { check: "Model", result: "ok" }, "no key"],
  [
    "a server that does not answer",
    withModel({ server: { answers: "nothing", why: "The server refused the connection." } }),
    { check: "Server", result: "problem" },
    "refused",
  ],
  [
    "a server without a list",
    withModel({ server: { answers: "something", why: "status 404" } }),
    { check: "Server", result: "warning" },
    "does not list",
  ],
  [
    "a model the server does not list",
    withModel({ model: "big-2" }),
    { check: "Server", result: "warning", next: "did you mean big-1? Set WAVE_MODEL" },
    "does not list big-2",
  ],
  [
    "a model that the project wants and nobody approved",
    withModel({ waiting: { says: "model evil-1", path: ".wave/settings.json" } }),
    { check: "Model", result: "warning" },
    ".wave/settings.json wants model evil-1, which counts only after it was approved",
  ],
  [
    "no model named, and two there",
    withModel({ model: undefined }),
    { check: "Server", result: "problem" },
    "none is named",
  ],
  [
    "no model named, and one there",
    withModel({ model: undefined, server: { answers: "list", names: ["only"] } }),
    { check: "Server", result: "ok" },
    "answers",
  ],
  [
    "a script that changed since it was approved",
    { trust: { open: [{ what: "hook guard", state: "changed", files: ["guard.sh"] }], changed: [] } },
    { check: "Trust", result: "warning" },
    "hook guard: guard.sh changed since it was approved",
  ],
  [
    "an entry that changed since it was approved",
    { trust: { open: [{ what: "hook guard", state: "changed", files: [] }], changed: [] } },
    { check: "Trust", result: "warning" },
    "hook guard: its entry changed",
  ],
  [
    "a file that changed since the session read it",
    { trust: { open: [], changed: ["/h/settings.json"] } },
    { check: "Trust", result: "warning", next: "/hooks trust shows the difference" },
    "the old version stays active",
  ],
  [
    "a settings file that cannot be read",
    { settings: { files: [], problems: [problemAt("", "fatal", "it is not JSON")] } },
    { check: "Settings", result: "problem", next: "edit /p/.wave/settings.json, line 7" },
    "it is not JSON",
  ],
  [
    "a bad entry",
    { settings: { ...FINE.settings, problems: [problemAt("permissions", "error", "no such rule")] } },
    { check: "Settings", result: "problem" },
    "no such rule",
  ],
  [
    "a key nobody knows",
    { settings: { ...FINE.settings, problems: [problemAt("x", "warning", "unknown key")] } },
    { check: "Settings", result: "warning" },
    "unknown key",
  ],
  [
    "no hooks",
    { hooks: { all: [], leftOut: [], problems: [] } },
    { check: "Hooks", result: "ok" },
    "none configured",
  ],
  [
    "entries that cannot be used",
    { hooks: { all: [], leftOut: ["hooks.Stop[0]", "hooks.Notification[0]"], problems: [] } },
    { check: "Hooks", result: "problem", next: "wave hooks list says why" },
    "2 cannot run and guard nothing: hooks.Stop[0], hooks.Notification[0]",
  ],
  [
    "hooks that are off",
    {
      hooks: {
        ...FINE.hooks,
        all: [...FINE.hooks.all, { name: "lint", scope: "project", off: "not approved" }],
      },
    },
    { check: "Hooks", result: "warning" },
    "1 off, not approved: lint",
  ],
  [
    "a hook whose program is not there",
    {
      hooks: {
        ...FINE.hooks,
        problems: [problemAt("hooks.Stop[0].hooks[0]", "warning", "no such file: x.sh")],
      },
    },
    { check: "Hooks", result: "problem" },
    "no such file: x.sh",
  ],
  [
    "a matcher that matches nothing",
    {
      hooks: {
        ...FINE.hooks,
        problems: [problemAt("hooks.PreToolUse[0].matcher", "warning", "matches no tool")],
      },
    },
    { check: "Hooks", result: "warning" },
    "matches no tool",
  ],
  [
    "a folder that cannot be written",
    { sessions: { ...FINE.sessions, unwritable: "EACCES" } },
    { check: "Sessions", result: "problem" },
    "EACCES",
  ],
  [
    "many sessions",
    { sessions: { ...FINE.sessions, files: 20_000, more: true } },
    { check: "Sessions", result: "ok" },
    "more than 20,000 files",
  ],
  [
    "little space",
    { sessions: { ...FINE.sessions, freeBytes: GB / 2 } },
    { check: "Disk", result: "warning" },
    "512.0 MB free",
  ],
  [
    "no space",
    { sessions: { ...FINE.sessions, freeBytes: 1000 } },
    { check: "Disk", result: "problem" },
    "1000 bytes free",
  ],
  [
    "no ripgrep",
    { programs: { ...FINE.programs, ripgrep: { found: false, why: "not installed" } } },
    { check: "ripgrep", result: "problem" },
    "not installed",
  ],
  [
    "no git",
    { programs: { ...FINE.programs, git: { found: false, why: "ENOENT" } } },
    { check: "git", result: "warning" },
    "not found",
  ],
  [
    "a sandbox that works",
    { sandbox: { mode: "auto", missing: undefined, problems: [] } },
    { check: "Sandbox", result: "ok" },
    "auto, and it works",
  ],
  [
    "commands that only read and are bounded",
    { sandbox: { mode: "reading", missing: undefined, problems: [] } },
    { check: "Sandbox", result: "ok" },
    "run where they can do nothing else",
  ],
  [
    "that nothing bounds commands that only read",
    { sandbox: { mode: "reading", missing: "there is no bwrap", problems: [] } },
    { check: "Sandbox", result: "warning" },
    "is asked about: there is no bwrap",
  ],
  [
    "a sandbox that cannot be had",
    { sandbox: { mode: "auto", missing: "there is no bwrap", problems: [] } },
    { check: "Sandbox", result: "warning" },
    "without one: there is no bwrap",
  ],
  [
    "a required sandbox that cannot be had (G65)",
    { sandbox: { mode: "required", missing: "there is no bwrap", problems: [] } },
    { check: "Sandbox", result: "problem" },
    "there is no bwrap",
  ],
];

describe("the doctor", () => {
  it("finds nothing where nothing is wrong, and says what it looked at", () => {
    const findings = examine(FINE);
    expect(findings.map(({ check }) => check)).toEqual(CHECKS);
    expect(findings.every(({ result }) => result === "ok")).toBe(true);
    expect(doctorSummary(findings)).toBe("all is well");
  });

  it.each(rows)("notices %s", (_title, facts, found, word) => {
    const all = examine({ ...FINE, ...facts });
    const own = all.filter(({ check, says }) => check === found.check && says.includes(word));
    expect(own).toEqual([expect.objectContaining(found)]);
    // Whatever is not right comes with what to do, and nothing else is blamed for it.
    for (const { result, next } of all) if (result !== "ok") expect(next).not.toBe(undefined);
    expect(all.filter(({ result, check }) => result !== "ok" && check !== found.check)).toEqual([]);
  });

  it.each([40, 60, 100, 200])("fits %i columns, with a sign for every result", (columns) => {
    for (const [, facts] of rows) {
      const findings = examine({ ...FINE, ...facts });
      const lines = doctorLines(findings, columns);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.filter((line) => /^[✓!✗] /.test(textOf(line)))).toHaveLength(findings.length);
    }
  });

  it("lets nothing through that would control a terminal (G46)", () => {
    const evil: Finding[] = [{ check: "Hooks", result: "problem", says: "\u001b[2Jgone", next: "\u202etxt" }];
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    for (const line of doctorLines(evil, 60)) expect(textOf(line)).not.toMatch(/[\u001b\u202e]/);
  });
});
