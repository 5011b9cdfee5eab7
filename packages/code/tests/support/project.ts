import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A project folder and a WAVE_HOME of its own, removed when the test ends. */
export interface Project extends Disposable {
  folder: string;
  home: string;
  write(path: string, text: string): string;
  /** An executable bash script; returns its path in the project. */
  script(path: string, body: string): string;
  settings(settings: object): void;
  /** A PreToolUse, Stop, … hook with this body, in a script of its own. */
  hook(
    event: string,
    body: string,
    options?: { matcher?: string; name?: string; onError?: string; timeout?: number },
  ): void;
  sessionFiles(): string[];
  sessionLines(): Record<string, unknown>[];
}

/** `name`: of the project's folder, for whoever looks at the screen. */
export function makeProject(name = "project"): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wave-cli-")));
  const folder = join(root, name);
  const home = join(root, "home");
  mkdirSync(folder);
  mkdirSync(home);
  const hooks: Record<string, object[]> = {};
  let scripts = 0;
  const project: Project = {
    folder,
    home,
    write(path, text) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    script(path, body) {
      const file = project.write(path, `#!/usr/bin/env bash\n${body}\n`);
      chmodSync(file, 0o755);
      return path;
    },
    settings(settings) {
      project.write(".wave/settings.json", JSON.stringify(settings, null, 2));
    },
    hook(event, body, { matcher, ...fields } = {}) {
      const command = `./${project.script(`hooks/hook-${++scripts}.sh`, body)}`;
      const group = {
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ type: "command", command, ...fields }],
      };
      hooks[event] = [...(hooks[event] ?? []), group];
      project.settings({ hooks });
    },
    sessionFiles() {
      const all = readdirSync(home, { recursive: true, withFileTypes: true });
      return all
        .filter((entry) => entry.name.endsWith(".jsonl"))
        .map((entry) => join(entry.parentPath, entry.name));
    },
    sessionLines() {
      const text = project
        .sessionFiles()
        .map((file) => readFileSync(file, "utf8"))
        .join("");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  return project;
}
