import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookDefinition } from "@/hooks/definition.ts";
import { checkHooks, whyNeverRuns } from "@/workspace/settings/checkHooks.ts";
import { leadingWords } from "@/workspace/settings/commandWords.ts";
import { tempFolder } from "../../support/tempFolder.ts";
import { commandAction, functionAction, unsupportedAction } from "../../support/actions.ts";

const knownTools = ["Bash", "Edit"];

function hook(command: string, changes: Partial<HookDefinition> = {}): HookDefinition {
  return {
    event: "PreToolUse",
    matcher: "Bash",
    name: "guard",
    source: { scope: "project", file: "settings.json", line: 7, path: "hooks.PreToolUse[0].hooks[0]" },
    action: commandAction(command),
    timeoutMs: 60_000,
    onError: "continue",
    passEnv: [],
    ...changes,
  };
}

/** A project with a script that runs, one that may not, and a program on the PATH. */
function project() {
  const folder = tempFolder("pro [x] ject");
  const write = (path: string, mode: number) => {
    writeFileSync(join(folder.path, path), "#!/bin/sh\n");
    chmodSync(join(folder.path, path), mode);
  };
  mkdirSync(join(folder.path, "bin"));
  mkdirSync(join(folder.path, "sub dir"));
  for (const program of ["bin/python3", "bin/jq", "ok.sh", "sub dir/ok.sh"]) write(program, 0o755);
  for (const file of ["plain.sh", "bin/notes", "hook.py"]) write(file, 0o644);
  const check = (command: string) =>
    checkHooks([hook(command)], {
      knownTools,
      projectDir: folder.path,
      env: { PATH: "bin", HOME: folder.path },
    });
  return { folder, check };
}

describe("the check of programs at the start", () => {
  const fine = [
    "./ok.sh",
    "ok.sh",
    "sub dir/ok.sh",
    "'sub dir/ok.sh' --fast",
    "./ok.sh && true",
    '"$CLAUDE_PROJECT_DIR"/ok.sh',
    "${WAVE_PROJECT_DIR}/ok.sh x",
    "~/ok.sh",
    "jq -r .tool_input.command",
    "FOO=1 BAR='a b' jq .",
    "python3 hook.py",
    "python3 -c 'print(1)'",
    "python3 - <<'X'",
    "echo no >&2; exit 2",
    "exit 0",
    "if true; then exit 2; fi",
    "cd /tmp && ./missing.sh",
    "$HOOK",
    "$(which x) y",
    "`x`",
    "[ -f x ] || exit 2",
    "{ cat; }",
    "(missing)",
    "! grep x",
    ": nothing",
    ">log ./missing.sh",
    "cat=1",
    "# only a comment",
    "a*",
    `echo ${"x".repeat(10_000)}`,
  ];
  it.each(fine)("has nothing to say about %j (T9)", (command) => {
    const { folder, check } = project();
    using _ = folder;
    expect(check(command)).toEqual([]);
  });

  const missing: [command: string, message: string][] = [
    ["./gone.sh", "no such file: ./gone.sh"],
    ["./gone.sh && true", "no such file: ./gone.sh"],
    ["'sub dir/gone.sh' x", "no such file: sub dir/gone.sh"],
    ["./sub\\ dir/gone.sh", "no such file: ./sub dir/gone.sh"],
    ["FOO=1 ./gone.sh", "no such file: ./gone.sh"],
    ["/nonexistent/x", "no such file: /nonexistent/x"],
    ["bin/", "no such file: bin/"],
    ["plain.sh", "not executable: plain.sh"],
    ["./plain.sh --now", "not executable: ./plain.sh"],
    ["jqq .", 'no program "jqq" on the PATH'],
    ["notes", 'no program "notes" on the PATH'],
    ["python3 gone.py --x", "no such file: gone.py"],
  ];
  it.each(missing)("names the hook and its place for %j (T9, T58)", (command, message) => {
    const { folder, check } = project();
    using _ = folder;
    expect(check(command)).toEqual([
      {
        severity: "warning",
        file: "settings.json",
        line: 7,
        path: "hooks.PreToolUse[0].hooks[0]",
        message: expect.stringContaining(`hook "guard" cannot start: ${message}`),
      },
    ]);
  });

  it("shows the whole path of a script in the project", () => {
    const { folder, check } = project();
    using _ = folder;
    expect(check("$CLAUDE_PROJECT_DIR/gone.sh")[0]?.message).toContain(
      `no such file: ${folder.path}/gone.sh`,
    );
  });

  it("reads the words of a command as a shell does", () => {
    const variables = { HOME: "/h" };
    expect(leadingWords(String.raw`A=1  "a b"'c d'\ e "x\"y" "$HOME/z" more`, variables)).toEqual([
      "a bc d e",
      'x"y',
      "/h/z",
    ]);
    expect(leadingWords("$X y", variables)).toEqual([undefined]);
    expect(leadingWords('"$(x)" y', variables)).toEqual([undefined]);
    expect(leadingWords("'$X' y", variables)).toEqual(["$X", "y"]);
    expect(leadingWords("", variables)).toEqual([]);
  });
});

describe("the check of matchers at the start", () => {
  const options = { knownTools, projectDir: "/", env: {} };

  it("speaks once for all hooks of a group (T53)", () => {
    const second = {
      scope: "project",
      file: "settings.json",
      line: 8,
      path: "hooks.PreToolUse[0].hooks[1]",
    } as const;
    const problems = checkHooks(
      [hook("true", { matcher: "Edti" }), hook("false", { matcher: "Edti", source: second })],
      options,
    );
    expect(problems).toMatchObject([
      {
        severity: "warning",
        file: "settings.json",
        path: "hooks.PreToolUse[0].matcher",
        message: '"Edti" matches no tool; did you mean "Edit"?',
      },
    ]);
  });

  it("compares with the values of the event (T53)", () => {
    const start = hook("true", { event: "SessionStart", matcher: "startups" });
    const stop = hook("true", {
      event: "Stop",
      matcher: "x",
      source: { scope: "sdk", path: "hooks.Stop[0].hooks[0]" },
    });
    expect(checkHooks([start, stop], options).map(({ message }) => message)).toEqual([
      '"startups" matches no source; did you mean "startup"?',
    ]);
  });

  it("sends an argument filter to `if` (T54)", () => {
    const [problem] = checkHooks([hook("true", { matcher: "Bash(git push*)" })], options);
    expect(problem?.message).toContain("this belongs in `if`");
  });
});

describe("a hook that is written down but will not run", () => {
  const unsupported = unsupportedAction('hooks of type "http" are not supported yet');
  const cases: [what: string, changes: Partial<HookDefinition>, why: RegExp | undefined][] = [
    ["a command that can start", {}, undefined],
    ["a function", { action: functionAction(() => undefined) }, undefined],
    ["a type that Wave does not have", { action: unsupported }, /"http" are not supported yet/],
    ["a matcher without a tool", { matcher: "Edti" }, /"Edti" matches no tool/],
    ["a matcher with one tool and one near miss", { matcher: "Bash|Edti" }, undefined],
    ["a matcher in another case", { matcher: "bash" }, undefined],
    ["a matcher for a server that may come", { matcher: "mcp__x__y" }, undefined],
    ["a matcher that is a rule", { matcher: "Bash(git push*)" }, /this belongs in `if`/],
    ["a matcher on an event without one", { event: "Stop", matcher: "x" }, undefined],
    ["a program that is not there", { action: commandAction("./gone.sh") }, /no such file/],
  ];
  it.each(cases)("is told from one that will: %s (T9, T53)", (_, changes, why) => {
    const options = { knownTools, projectDir: "/", env: {} };
    const found = whyNeverRuns(hook("true", changes), options);
    if (why === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(why);
  });
});
