import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";

/** A project with settings, hook scripts, a repository, links of every kind, and material for whoever wants to change them. */
export function layOut(folder: string): { project: string; user: string } {
  const project = join(folder, "project");
  const user = join(folder, "user");
  for (const path of [
    "project/.wave",
    "project/scripts",
    "project/sub",
    "project/evil/.wave",
    "home",
    "user/.ssh",
  ])
    mkdirSync(join(folder, path), { recursive: true });
  const put = (path: string, text: string, mode = 0o644) => writeFileSync(join(folder, path), text, { mode });
  put("home/settings.json", "{}\n");
  put("home/trust.json", '{"version":1,"folders":{}}\n');
  put("user/.bashrc", "# mine\n");
  put("user/.ssh/authorized_keys", "");
  put("project/notes.txt", "notes\n");
  put("project/scripts/guard.sh", "#!/bin/sh\ncat > /dev/null\n", 0o755);
  put("project/scripts/prüfer.sh", "#!/bin/sh\ncat > /dev/null\n", 0o755);
  put("project/evil.json", "{}\n");
  put("project/evil/settings.json", "{}\n");
  put("project/evil/.wave/settings.json", "{}\n");
  put("project/.wave/settings.json", SETTINGS.replace("guard", "old guard"));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: project, env: gitEnvironment(user), stdio: "pipe" });
  git("init", "-q", "-b", "main", "--template=");
  mkdirSync(join(project, ".git/hooks"));
  git("add", "-f", ".");
  git("commit", "-qm", "one");
  git("branch", "other");
  put("project/.wave/settings.json", SETTINGS);
  git("commit", "-qam", "two");
  git("checkout", "-q", "other");
  put("project/notes.txt", "others\n");
  git("rm", "-q", "--cached", ".wave/settings.json");
  git("commit", "-qam", "three");
  git("checkout", "-qf", "main");
  put("project/.wave/settings.json", `${SETTINGS}\n`);
  put("project/evil.patch", PATCH);
  execFileSync("tar", ["cf", join(project, "evil.tar"), "-C", join(project, "evil"), ".wave"]);
  writeFileSync(join(project, "evil.zip"), ZIP);
  symlinkSync(".wave", join(project, "linked"));
  symlinkSync(".wave/settings.json", join(project, "alias.json"));
  linkSync(join(project, ".wave/settings.json"), join(project, "twin.json"));
  return { project, user };
}

/** Its own words: what it says does not matter, only that it runs two scripts. */
const SETTINGS = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: "TodoWrite",
        hooks: [
          { type: "command", name: "guard", command: "./scripts/guard.sh" },
          { type: "command", name: "second", command: '"$WAVE_PROJECT_DIR"/scripts/prüfer.sh --strict' },
        ],
      },
    ],
  },
});

const PATCH = `--- a/.wave/settings.json
+++ b/.wave/settings.json
@@ -1 +1 @@
-${SETTINGS}
+{}
`;

/** .wave/settings.json with "{}" in it, stored; the program zip is not on every machine. */
const ZIP = zipOf(".wave/settings.json", "{}\n");

function zipOf(name: string, content: string): Buffer {
  const [path, data] = [Buffer.from(name), Buffer.from(content)];
  const crc = crc32(data);
  const fields = (signature: number, rest: number[]) => {
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt32LE(crc, 10);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt16LE(path.length, 22);
    const start = Buffer.alloc(4);
    start.writeUInt32LE(signature, 0);
    return Buffer.concat([start, Buffer.from(rest), header]);
  };
  const local = Buffer.concat([fields(0x04034b50, []), path, data]);
  const central = Buffer.concat([fields(0x02014b50, [20, 0]), Buffer.alloc(14), path]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

export function gitEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.invalid",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.invalid",
  };
}

/** Everything that is protected in such a layout: names, contents, rights, links. */
export function pictureOf(folder: string): string {
  const lines: string[] = [];
  const visit = (path: string) => {
    const full = join(folder, path);
    const stats = statsOf(full);
    if (stats === "hidden") lines.push(`${path} cannot be seen`);
    else if (!stats) lines.push(`${path} -`);
    else if (stats.isDirectory()) for (const name of readdirSync(full).toSorted()) visit(join(path, name));
    else if (stats.isSymbolicLink()) lines.push(`${path} -> ${readlinkSync(full)}`);
    else lines.push(`${path} ${stats.mode.toString(8)} ${contentOf(full)}`);
  };
  for (const path of PROTECTED_HERE) visit(path);
  return lines.join("\n");
}

const PROTECTED_HERE = [
  "home/settings.json",
  "home/trust.json",
  "user",
  "project/.wave",
  "project/scripts",
  "project/.git/config",
  "project/.git/hooks",
  "project/sub",
  "project/w",
  ...[".envrc", ".npmrc", ".vscode", ".claude", ".github", ".pre-commit-config.yaml", ".mcp.json"].map(
    (name) => `project/${name}`,
  ),
];

/** Some routes take away the right to look into a folder, which root has all the same. */
function statsOf(path: string): Stats | "hidden" | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
}

function contentOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    // One of the routes takes away the right to read it, which root has all the same.
    return "cannot be read";
  }
}
