import { describe, expect, it } from "vitest";
import {
  ARGUMENT_BYTES,
  type CommandSurroundings,
  type FileKind,
  planCommand,
  unquotedFolderHint,
} from "../../src/hooks/command.ts";

const PROJECT = `/home/zoë/my "best" project`;

/** A disk that holds only what a row names. */
function around(
  files: Record<string, FileKind>,
  more: Partial<CommandSurroundings> = {},
): CommandSurroundings {
  const disk: Record<string, FileKind> = { "/usr/bin/bash": "program", "/usr/bin/make": "program", ...files };
  return {
    look: (path) => disk[path] ?? "nothing",
    projectDir: PROJECT,
    env: { PATH: "/usr/bin:/bin", HOME: "/home/zoë" },
    hookName: "guard",
    hookArgs: () => ["Bash", '{"command":"ls"}'],
    ...more,
  };
}

const asFile = (path: string) => ({
  start: "process",
  file: path,
  args: ["Bash", '{"command":"ls"}'],
  argsCut: false,
});
const asText = (command: string, ...args: string[]) => ({
  start: "process",
  file: "/usr/bin/bash",
  args: ["--norc", "-c", command, ...args],
  argsCut: false,
});

describe("a command that is nothing but a path to a script", () => {
  const script = `${PROJECT}/hooks/a b.sh`;
  it.each([
    ["./check.sh", `${PROJECT}/check.sh`],
    ["check.sh", `${PROJECT}/check.sh`],
    ["  ./check.sh\n", `${PROJECT}/check.sh`],
    ["/opt/guard", "/opt/guard"],
    ["hooks/a b.sh", script],
    ["'hooks/a b.sh'", script],
    ['"hooks/a b.sh"', script],
    ["hooks/a\\ b.sh", script],
    ["$CLAUDE_PROJECT_DIR/hooks/a b.sh", script],
    ["${WAVE_PROJECT_DIR}/hooks/a b.sh", script],
    ['"$CLAUDE_PROJECT_DIR"/hooks/a\\ b.sh', script],
    ['"$CLAUDE_PROJECT_DIR/hooks/a b.sh"', script],
    ['"${WAVE_PROJECT_DIR}"/"hooks/a b.sh"', script],
    ["${WAVE_PROJECT_DIR}/hooks/a\\ b.sh", script],
    ["~/guard.sh", "/home/zoë/guard.sh"],
    ["$HOME/guard.sh", "/home/zoë/guard.sh"],
    ["./it's $5 & more (1).sh", `${PROJECT}/it's $5 & more (1).sh`],
    ["./prüfung-日本.sh", `${PROJECT}/prüfung-日本.sh`],
  ])("is run as that file, with the arguments: %s (T135, T142)", (command, path) => {
    expect(planCommand(command, around({ [path]: "program" }))).toEqual(asFile(path));
  });

  it("is given to the shell when it has no #! line, which the system would give to another shell", () => {
    expect(planCommand("./check.sh", around({ [`${PROJECT}/check.sh`]: "script without #!" }))).toEqual({
      start: "process",
      file: "/usr/bin/bash",
      args: ["--norc", `${PROJECT}/check.sh`, "Bash", '{"command":"ls"}'],
      argsCut: false,
    });
  });

  it("says so when the file is not executable (T58)", () => {
    expect(planCommand("./check.sh", around({ [`${PROJECT}/check.sh`]: "not executable" }))).toEqual({
      start: "nothing",
      why: `not executable: ${PROJECT}/check.sh`,
    });
  });
});

describe("any other command", () => {
  it.each([
    ["./check.sh", "a script that does not exist"],
    ["./check.sh --strict", "a script with arguments of its own"],
    ['"$CLAUDE_PROJECT_DIR"/check.sh --strict', "the same in the project"],
    ["make", "a program on PATH, also when the project has a file of that name"],
    ["jq -e .tool_input | grep -q x", "a pipe"],
    ["./*.sh", "a glob"],
    ["$(cat name)", "a substitution"],
    ["exit 2", "a builtin"],
    ["", "nothing at all"],
  ])("goes to the shell as it is, without arguments: %s (%s) (T113)", (command) => {
    const files = command === "make" ? { [`${PROJECT}/make`]: "program" as const } : {};
    expect(planCommand(command, around(files))).toEqual(asText(command));
  });

  it.each([
    'echo "$1"',
    "echo $2",
    'printf %s "$@"',
    "echo $*",
    "echo ${1}",
    "echo ${2:-none}",
    "./check.sh $1",
    "[ $# -gt 0 ]",
  ])("has the arguments set when it mentions them: %s (T135)", (command) => {
    expect(planCommand(command, around({}))).toEqual(asText(command, "guard", "Bash", '{"command":"ls"}'));
  });

  it("never has a value pasted into its text, whatever the value is (G44, T135)", () => {
    const evil = '"; touch /tmp/owned; $(reboot) `id` #';
    const plan = planCommand('grep x <<< "$1"', around({}, { hookArgs: () => [evil], hookName: evil }));
    expect(plan).toEqual(asText('grep x <<< "$1"', evil, evil));
  });
});

describe("arguments", () => {
  const shown = (values: string[]) => planCommand('echo "$1"', around({}, { hookArgs: () => values }));

  it("of exactly 32 KiB are whole", () => {
    const value = "x".repeat(ARGUMENT_BYTES);
    expect(shown([value])).toMatchObject({
      args: ["--norc", "-c", 'echo "$1"', "guard", value],
      argsCut: false,
    });
  });

  it.each([
    ["é", 2],
    ["€", 3],
    ["😀", 4],
  ])("beyond 32 KiB are cut, never inside a character: %s (G42)", (character, bytes) => {
    const plan = shown([`a${character.repeat(ARGUMENT_BYTES)}`]);
    const fits = Math.floor((ARGUMENT_BYTES - 1) / bytes);
    expect(plan).toMatchObject({
      args: ["--norc", "-c", 'echo "$1"', "guard", `a${character.repeat(fits)}`],
      argsCut: true,
    });
  });

  it("lose a NUL, which no argument can hold, and that counts as a cut (G43)", () => {
    expect(shown(["a\0b"])).toMatchObject({
      args: ["--norc", "-c", 'echo "$1"', "guard", "ab"],
      argsCut: true,
    });
  });

  it("that nobody reads are not even computed (T188)", () => {
    const hookArgs = () => expect.unreachable("the command reads no arguments");
    expect(planCommand("jq .", around({}, { hookArgs }))).toEqual(asText("jq ."));
  });
});

describe("the shell", () => {
  it.each([
    [
      "the first bash on PATH",
      { PATH: "/opt/bin:/usr/bin" },
      { "/opt/bin/bash": "program" },
      "/opt/bin/bash",
    ],
    [
      "not a bash that the project brings",
      { PATH: `${PROJECT}/bin:/usr/bin` },
      { [`${PROJECT}/bin/bash`]: "program" },
      "/usr/bin/bash",
    ],
    [
      "not a bash in a relative folder",
      { PATH: "bin::/usr/bin" },
      { "bin/bash": "program", bash: "program" },
      "/usr/bin/bash",
    ],
    ["bash also without a PATH", {}, {}, "/usr/bin/bash"],
  ] as const)("is %s (T146, G44)", (_what, env, files, expected) => {
    expect(planCommand("exit 0", around(files, { env }))).toMatchObject({
      file: expected,
      args: ["--norc", "-c", "exit 0"],
    });
  });

  it("is sh where there is no bash (T113)", () => {
    expect(planCommand("exit 0", around({ "/usr/bin/bash": "nothing" }))).toMatchObject({
      file: "/bin/sh",
      args: ["-c", "exit 0"],
    });
  });
});

describe("a folder with spaces that is not in quotes", () => {
  it.each([
    ["$CLAUDE_PROJECT_DIR/check.sh --strict", /write "\$CLAUDE_PROJECT_DIR" with quotes/],
    ["bash ${WAVE_PROJECT_DIR}/check.sh", /write "\$WAVE_PROJECT_DIR" with quotes/],
  ])("gets a hint: %s (T135)", (command, hint) => {
    expect(unquotedFolderHint(command, "/my project")).toMatch(hint);
  });

  it.each([
    ['"$CLAUDE_PROJECT_DIR"/check.sh --strict', "/my project"],
    ["$CLAUDE_PROJECT_DIR/check.sh --strict", "/project"],
    ["./check.sh --strict", "/my project"],
  ])("is not the trouble with %s in %s (T135)", (command, folder) => {
    expect(unquotedFolderHint(command, folder)).toBeUndefined();
  });
});
