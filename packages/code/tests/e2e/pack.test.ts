import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const nodeFolder = dirname(process.execPath);
let folder = "";
/** The packages of this tree. */
const OWN = ["shell-reader", "agent-sdk", "code"];

/** npm as this machine has it, with the Node that runs the tests in front. */
function npm(args: string[], cwd: string): string {
  const env = {
    ...process.env,
    PATH: `${nodeFolder}${delimiter}${process.env["PATH"] ?? ""}`,
    npm_config_loglevel: "error",
  };
  return execFileSync("npm", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Packs a folder of the tree into `into` and returns the file. */
function pack(path: string, into: string): string {
  // The command's bundle is there already: building it again would pull it from under tests that run it right now.
  const printed = npm(["pack", "--json", "--ignore-scripts", "--pack-destination", into, path], root);
  const [packed] = JSON.parse(printed) as { filename: string }[];
  return join(into, packed?.filename ?? "");
}

/** What the packages need at run time, packed from what is installed: the test needs no network. */
function dependencies(): string[] {
  const wanted = new Set<string>();
  const add = (name: string, from: string): void => {
    const path = [join(from, "node_modules", name), join(root, "node_modules", name)].find((one) =>
      manifestOf(one),
    );
    const manifest = path && manifestOf(path);
    if (!path || !manifest || wanted.has(path)) return;
    wanted.add(path);
    for (const next of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      add(next, path);
  };
  for (const one of OWN) {
    const path = join(root, "packages", one);
    for (const name of Object.keys(manifestOf(path)?.dependencies ?? {})) if (!isOwn(name)) add(name, path);
  }
  return [...wanted];
}

const isOwn = (name: string) => OWN.some((one) => manifestOf(join(root, "packages", one))?.name === name);

function manifestOf(
  path: string,
): { name?: string; dependencies?: object; optionalDependencies?: object } | undefined {
  try {
    return JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  } catch {
    // A binary of another platform: not installed here.
    return undefined;
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "wave-pack-"));
  const tarballs = join(folder, "tarballs");
  const project = join(folder, "project");
  mkdirSync(tarballs);
  mkdirSync(project);
  npm(["exec", "--", "tsc", "-b", "packages/agent-sdk/tsconfig.json"], root);
  const own = OWN.map((name) => join(root, "packages", name));
  const files = [...own, ...dependencies()].map((path) => pack(path, tarballs));
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "elsewhere", private: true, type: "module" }),
  );
  npm(["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", ...files], project);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("all packages, packed and installed into an empty folder", () => {
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, {
      cwd: join(folder, "project"),
      env: {
        PATH: `${nodeFolder}${delimiter}${process.env["PATH"] ?? ""}`,
        HOME: folder,
        WAVE_HOME: join(folder, "home"),
      },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
    });
  const wave = () => join(folder, "project", "node_modules", ".bin", "wave");

  it("run wave --version", () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages", "code", "package.json"), "utf8"));
    expect(run(wave(), ["--version"])).toContain(version);
  });

  it("run wave demo", () => {
    expect(run(wave(), ["demo"])).toMatch(
      /A command that is blocked[\s\S]*The temporary project is gone again/,
    );
  });

  it("run an example of the SDK", () => {
    const file = join(folder, "project", "hello.ts");
    writeFileSync(file, readFileSync(join(root, "examples", "sdk", "01-hello.ts"), "utf8"));
    expect(run(process.execPath, [file])).not.toBe("");
  });
});
