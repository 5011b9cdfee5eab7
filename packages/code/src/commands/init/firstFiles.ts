/** The files of a project by which one tells how it is built, with what stands in them; undefined: there is none. */
export type ProjectFiles = Readonly<Record<string, string | undefined>>;

/** A command that checks the project's work, and the rule that spares its question. */
export interface KnownCommand {
  does: string;
  command: string;
  rule: string;
}

/** One row per way to build a project: the file that tells, and the commands that follow from it. */
const WAYS: readonly { file: string; commands: (text: string, files: ProjectFiles) => KnownCommand[] }[] = [
  { file: "package.json", commands: scriptsOf },
  { file: "pyproject.toml", commands: pythonCommands },
  {
    file: "go.mod",
    commands: () => [run("tests", "go test ./...", "go test"), run("build", "go build ./...", "go build")],
  },
  { file: "Cargo.toml", commands: () => [run("tests", "cargo test"), run("build", "cargo build")] },
  { file: "pom.xml", commands: () => [run("tests", "mvn test")] },
  { file: "gradlew", commands: () => [run("tests", "./gradlew test")] },
  { file: "Makefile", commands: targetsOf },
];

/** Which files `commandsIn` wants to see. */
export const TELLING_FILES = [
  ...WAYS.map(({ file }) => file),
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "uv.lock",
];

export function commandsIn(files: ProjectFiles): KnownCommand[] {
  const all = WAYS.flatMap(({ file, commands }) => {
    const text = files[file];
    return text === undefined ? [] : commands(text, files);
  });
  return all.filter((one, at) => all.findIndex(({ command }) => command === one.command) === at);
}

function run(does: string, command: string, beginning = command): KnownCommand {
  return { does, command, rule: `Bash(${beginning}:*)` };
}

/** What people call the scripts that check something. */
const CHECKS = ["test", "lint", "build", "typecheck", "type-check", "types", "check", "format"];

function scriptsOf(text: string, files: ProjectFiles): KnownCommand[] {
  const runner = ["yarn.lock", "pnpm-lock.yaml", "bun.lock"].findIndex((file) => files[file] !== undefined);
  const manager = ["yarn", "pnpm", "bun"][runner] ?? "npm";
  const scripts = fieldOf(text, "scripts");
  return CHECKS.filter((name) => Object.hasOwn(scripts, name)).map((name) =>
    run(name === "test" ? "tests" : name, name === "test" ? `${manager} test` : `${manager} run ${name}`),
  );
}

function fieldOf(json: string, name: string): object {
  try {
    const parsed: unknown = JSON.parse(json);
    const value =
      typeof parsed === "object" && parsed !== null
        ? Object.entries(parsed).find(([key]) => key === name)
        : undefined;
    return typeof value?.[1] === "object" && value[1] !== null ? value[1] : {};
  } catch {
    // No JSON: it tells nothing.
    return {};
  }
}

function pythonCommands(text: string, files: ProjectFiles): KnownCommand[] {
  const before = files["uv.lock"] === undefined ? "" : "uv run ";
  return [
    ...(text.includes("pytest") ? [run("tests", `${before}pytest`)] : []),
    ...(text.includes("ruff") ? [run("lint", `${before}ruff check`)] : []),
    ...(text.includes("mypy") ? [run("types", `${before}mypy .`, `${before}mypy`)] : []),
  ];
}

function targetsOf(text: string): KnownCommand[] {
  const targets = new Set([...text.matchAll(/^([\w-]+)\s*:(?!=)/gm)].map(([, name = ""]) => name));
  return CHECKS.filter((name) => targets.has(name)).map((name) =>
    run(name === "test" ? "tests" : name, `make ${name}`),
  );
}

/** A first AGENTS.md: what can be seen, and places for what cannot. */
export function firstInstructions(name: string, commands: readonly KnownCommand[]): string {
  const known = commands.map(({ does, command }) => `- ${does}: \`${command}\``);
  return [
    `# ${name}`,
    "",
    "What it is and who uses it, in a sentence or two.",
    "",
    "## Commands",
    "",
    ...(known.length > 0 ? known : ["- tests: how to run all of them, and one of them"]),
    "",
    "## Where things are",
    "",
    "- the folders that matter, one line each",
    "",
    "## Rules",
    "",
    "- what a newcomer gets wrong, and why it matters",
    "",
  ].join("\n");
}

export function firstSettings(commands: readonly KnownCommand[]): string {
  const settings = {
    permissions: { allow: commands.map(({ rule }) => rule), deny: ["Read(./.env)", "Read(./.env.*)"] },
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}
