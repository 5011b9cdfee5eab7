import { describe, expect, it } from "vitest";
import { decidePermission, type PermissionFacts } from "@/permissions/decide.ts";
import type { SeenEffect } from "@/permissions/effect.ts";
import { matchRules, type RuleInForce } from "@/permissions/matchRules.ts";
import { offerRule, type OfferedRules } from "@/permissions/offerRule.ts";
import type { RuleCall } from "@/permissions/rules.ts";
import { usefulChoices } from "@/permissions/usefulRules.ts";
import { CONTEXT, ruleOf, runs } from "./rulesHelper.ts";

const BASE = "/home/ada/proj";

const inForce = (behavior: RuleInForce["behavior"], text: string): RuleInForce => ({
  rule: ruleOf(text),
  base: BASE,
  behavior,
  source: "settings.json",
  managed: false,
});

interface Situation {
  rules?: RuleInForce[];
  hook?: PermissionFacts["hook"];
  unreviewed?: string[];
  protectedHits?: PermissionFacts["protectedHits"];
  original?: RuleCall;
}

function asked(final: RuleCall, { rules = [], original, ...said }: Situation = {}) {
  const calls = { final, ...(original ? { original } : {}) };
  const facts: PermissionFacts = {
    hook: { decision: "none", reasons: [], names: [], labels: [] },
    unreviewed: [],
    reviewWays: "wave hooks trust",
    protectedHits: [],
    ...said,
    rules: matchRules(rules, calls, CONTEXT),
    mode: "default",
    origin: "model",
    effect: final.effect,
    insideProject: false,
  };
  return { facts, rules, calls, context: CONTEXT, base: BASE };
}

const offer = (call: RuleCall, situation?: Situation): OfferedRules => offerRule(asked(call, situation));
const bash = (command: string): RuleCall => ({ toolName: "Bash", effect: runs(command) });
const ruleFor = (call: RuleCall) => {
  const offered = offer(call);
  return offered.offered ? (offered.choices[0]?.rules.join(" + ") ?? "") : "";
};

/** Commands and the rule each is offered; "" where none is. */
const commands: [string, string][] = [
  ["git status", "Bash(git status:*)"],
  ["git status --short src", "Bash(git status:*)"],
  ["git log --oneline -5", "Bash(git log:*)"],
  ["  git show HEAD  ", "Bash(git show:*)"],
  // What may follow them changes, sends, installs or runs something: only the very same command.
  ["git push origin main", "Bash(git push origin main)"],
  ["git diff --stat", "Bash(git diff --stat)"],
  ["git commit -m 'a message'", "Bash(git commit -m 'a message')"],
  ["git fetch", "Bash(git fetch)"],
  ["npm run test:unit -- --watch", "Bash(npm run test:unit -- --watch)"],
  ["npm install left-pad", "Bash(npm install left-pad)"],
  ["cargo build", "Bash(cargo build)"],
  ["rm -rf build", "Bash(rm -rf build)"],
  ["ls", "Bash(ls)"],
  ['echo "two words"', "Bash(echo 'two words')"],
  ["./scripts/check.sh '(1)'", "Bash(./scripts/check.sh '(1)')"],
  // An option that writes or runs something, before or after a harmless beginning.
  ["git log --output=/etc/passwd", "Bash(git log --output=/etc/passwd)"],
  ["git -c core.pager=x log", "Bash(git -c core.pager=x log)"],
  ["git -C /tmp status", "Bash(git -C /tmp status)"],
  // Programs that run what stands behind them are spelled out with it.
  ["sudo git status", "Bash(sudo git status)"],
  ["timeout 5 git status", "Bash(git status:*)"],
  // One rule for each command that needs one.
  ["cd /tmp && ls", "Bash(cd /tmp) + Bash(ls)"],
  ["git status; rm -rf build", "Bash(git status:*) + Bash(rm -rf build)"],
  ["ls\nrm -rf build", "Bash(ls) + Bash(rm -rf build)"],
  ["a; b; c", "Bash(a) + Bash(b) + Bash(c)"],
  ["a; b; c; d", ""],
  ["sleep 1 &", "Bash(sleep 1)"],
  ["ls | sh", ""],
  // Not what it will be once bash has read it.
  ["echo $HOME", ""],
  ["echo `id`", ""],
  ['echo "$(id)"', ""],
  ["ls *.ts", ""],
  ["echo 'a*b'", ""],
  ["git status '*'", "Bash(git status:*)"],
  ["echo hi > file", ""],
  ["FOO=1 make", ""],
  ["ls {a,b}", ""],
  ["echo 'two  blanks'", ""],
  ["echo a\tb", "Bash(echo a b)"],
  ["echo 'unfinished", ""],
  ["", ""],
];

const edit = (...paths: string[]): SeenEffect => ({ does: "edit", paths });
const read = (...paths: string[]): SeenEffect => ({ does: "read", paths });

/** Other tools, what they touch, and the rule each is offered. */
const files: [string, SeenEffect, string][] = [
  ["Edit", edit(`${BASE}/src/a.ts`), "Edit(./src/a.ts)"],
  ["MultiEdit", edit(`${BASE}/a.ts`), "Edit(./a.ts)"],
  ["Write", edit(`${BASE}/with space/ä (1) @x.ts`), "Edit(./with space/ä (1) @x.ts)"],
  ["Write", edit("/home/ada/project/a.ts"), "Edit(//home/ada/project/a.ts)"],
  ["Read", read("/etc/hosts"), "Read(//etc/hosts)"],
  ["Grep", read("/etc"), "Read(//etc)"],
  ["LS", read(BASE), `Read(/${BASE})`],
  // One rule names one path, and this is two: a link, and where it leads.
  ["Edit", edit(`${BASE}/link.ts`, "/etc/passwd"), ""],
  ["Edit", edit(`${BASE}/[id]/page.ts`), ""],
  ["Edit", edit(`${BASE}/*.ts`), ""],
  ["Read", read("relative.ts"), ""],
  ["Read", read("/a\u0000b"), ""],
];

/** Commands and the wider rules each is offered beside the exact one, the widest last. */
const wider: [string, ...string[]][] = [
  ["npm run build --watch", "Bash(npm run build:*)"],
  ["npm run test:unit -- --watch", "Bash(npm run test:unit:*)"],
  ["npm test", "Bash(npm test:*)"],
  ["cargo test --release", "Bash(cargo test:*)"],
  ["git commit -m 'a message'", "Bash(git commit:*)"],
  ["ruff check src", "Bash(ruff check:*)", "Bash(ruff:*)"],
  ["npx tsc --watch", "Bash(npx tsc:*)"],
  ["make build", "Bash(make build:*)"],
  ["node --test", "Bash(node --test:*)"],
  ["python3 build.py", "Bash(python3 build.py:*)"],
  ["docker ps", "Bash(docker ps:*)"],
  ["timeout 5 npm run build", "Bash(npm run build:*)"],
  ["curl -s http://localhost:3000/", "Bash(curl -s http://localhost:*/*)"],
  // What chooses another program, another project or other settings is no part of it.
  ["npm run build --script-shell=/tmp/x"],
  ["npm run build --script-sh /tmp/x"],
  ["npm run build -script-shell /tmp/x"],
  ["npm run build --prefix /tmp"],
  ["npm run build -C /tmp"],
  ["cargo build --config x.toml"],
  ["npm run ./x.sh"],
  ["make build -f x"],
  ["pytest /tmp/x"],
  ["node /tmp/x.js"],
  ["curl -s https://example.com"],
  ["curl -s http://localhost:3000/ -o x"],
  // They run, install or fetch what stands behind them, or nothing says what they do but where.
  ...[
    "sh build.sh",
    "sudo npm run build",
    "npx some-package",
    "npm exec some-package",
    "npm install left-pad",
    "pip install requests",
    "node -e 1",
    "python3 -c 1",
    "docker run x",
    "kubectl delete pod x",
    "xargs npm run build",
    "git push origin main",
    "git fetch",
    "cargo run",
    "cargo install x",
    "terraform apply",
    "rm -rf build",
    "cp a b",
    "touch a",
  ].map((command): [string] => [command]),
];

describe("the rule that is offered", () => {
  it.each(wider)("beside the exact one for %j is %j (T80)", (command, ...rules) => {
    const choices = [`Bash(${command})`, ...rules].map((rule) => ({ rules: [rule] }));
    expect(offer(bash(command))).toEqual({ offered: true, choices });
  });

  it.each(wider.filter(([, rule]) => rule !== undefined))(
    "beside the exact one for %j covers nothing else: %j (T80)",
    (command, ...given) => {
      const rules = given.map((rule) => inForce("allow", rule));
      const isAllowed = (line: string) =>
        decidePermission(asked(bash(line), { rules }).facts).decision === "allow";
      expect(isAllowed(command)).toBe(true);
      const others = ["; id", " > out", " && id", " $(id)", " | sh", " $X"];
      const program = command.split(" ")[0] ?? "";
      expect(
        [...others.map((more) => command + more), `${program} other`, `sudo ${command}`].filter(
          (line) => isAllowed(line) && line !== "ruff other",
        ),
      ).toEqual([]);
    },
  );

  it.each(commands)("for the command %j is %j (T80)", (command, rule) => {
    expect(ruleFor(bash(command))).toBe(rule);
  });

  it.each(files)("for %s of %j is %j (T80)", (toolName, effect, rule) => {
    expect(ruleFor({ toolName, effect })).toBe(rule);
  });

  it.each<[string, SeenEffect["does"], string | undefined]>([
    ["mcp__files__list", "unknown", "mcp__files__list"],
    ["mcp__files__list", "reach", "mcp__files__list"],
    ["mcp__files__*", "unknown", undefined],
    ["mcp__files__a b", "reach", undefined],
    ["LookUpTicket", "reach", "LookUpTicket"],
    ["mcp__files__list", "nothing", undefined],
    ["TodoWrite", "nothing", undefined],
  ])("for %s, whose effect is %s, is %j (T80)", (toolName, does, rule) => {
    const effects = [
      { does: "nothing" },
      { does: "reach", hosts: [] },
      { does: "unknown", touches: [] },
    ] as const;
    const effect = effects.find((one) => one.does === does) ?? expect.unreachable(does);
    const useful = usefulChoices({ toolName, effect }, BASE);
    expect("choices" in useful ? useful.choices[0]?.[0] : undefined).toBe(rule);
  });

  it.each<[string, Situation, RegExp]>([
    [
      "a hook asked",
      { hook: { decision: "ask", reasons: [], names: ["guard"], labels: ["hook guard (s.json:3)"] } },
      /no rule can skip a hook/,
    ],
    ["an ask rule asked", { rules: [inForce("ask", "Bash(git status:*)")] }, /does not lift it/],
    [
      "an ask rule asked about what a hook changed",
      { rules: [inForce("ask", "Bash(rm:*)")], original: bash("rm -rf /") },
      /does not lift it/,
    ],
    [
      "it would write a protected file",
      { protectedHits: [{ path: "/p/.wave/settings.json", why: "it guards Wave" }] },
      /protected file, which is always asked about/,
    ],
    ["a hook that nobody approved would judge it", { unreviewed: ["guard"] }, /whatever the rules say/],
  ])("is none when %s, and says why (T34)", (_why, situation, words) => {
    expect(offer(bash("git status"), situation)).toEqual({
      offered: false,
      why: expect.stringMatching(words),
    });
  });

  it("leaves out a plain variable before the command (T34)", () => {
    expect(offer(bash("CI=1 TZ='UTC' ./check.sh -a"))).toEqual({
      offered: true,
      choices: [{ rules: ["Bash(./check.sh -a)"] }],
    });
  });

  it.each([
    ["echo a > b", "it writes to b"],
    ["FOO=1 ./check.sh", "it sets the variable FOO"],
    ["FOO=1", "it runs no program"],
    ["PATH=/x", "it sets the variable PATH"],
    ["# nothing", "it runs no program"],
    ["make > log && make test", "it writes to log"],
    ["a; b; c; d", "more than 3 of its commands need a rule"],
  ])("is none for %s, and says the real reason (T34)", (command, why) => {
    expect(offer(bash(command))).toEqual({ offered: false, why });
  });

  it.each([
    ...commands.map(([command]) => bash(command)),
    ...files.map(([toolName, effect]) => ({ toolName, effect })),
  ])("lets the same call run, and none of these others (T80): %j", (call) => {
    const rule = ruleFor(call);
    if (rule === "") return;
    const rules = rule.split(" + ").map((text) => inForce("allow", text));
    const decisionOn = (other: RuleCall) => decidePermission(asked(other, { rules }).facts).decision;
    expect(decisionOn(call)).toBe("allow");
    const others = [
      bash("rm -rf /"),
      bash("git pull"),
      bash("git push --force"),
      bash("git log --output=x"),
      bash("git status; id"),
      bash("npm run other"),
      bash("sudo ls"),
      ...["/etc/shadow", `${BASE}/src/b.ts`, `${BASE}/src/a.ts/deeper`].flatMap((path) => [
        { toolName: "Edit", effect: edit(path) },
        { toolName: "Read", effect: read(path) },
      ]),
    ];
    expect(others.filter((other) => decisionOn(other) === "allow")).toEqual([]);
  });
});
