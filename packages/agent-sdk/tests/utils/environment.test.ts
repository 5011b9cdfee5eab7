import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { childEnvironment, hookVariables, modelKeysOf } from "../../src/utils/environment.ts";
import { MODEL_PROVIDERS } from "../../src/utils/modelProviders.ts";
import { tempFolder } from "../support/tempFolder.ts";

describe("what npm put there to start Wave", () => {
  const byNpm = {
    npm_execpath: "/lib/npm-cli.js",
    npm_lifecycle_event: "start",
    npm_node_execpath: "/opt/node",
  };

  it.each([
    [
      "variables of npm's own",
      { npm_package_name: "x", npm_config_cache: "/c", INIT_CWD: "/p", COLOR: "0" },
      {},
    ],
    ["NODE when it is npm's", { NODE: "/opt/node" }, {}],
    ["NODE when it is the user's: stays", { NODE: "/my/node" }, { NODE: "/my/node" }],
    ["npm's default EDITOR", { EDITOR: "vi" }, {}],
    ["an EDITOR of the user's: stays", { EDITOR: "emacs" }, { EDITOR: "emacs" }],
    [
      "everything else: stays",
      { HOME: "/h", NPM_TOKEN: "t", LANG: "C" },
      { HOME: "/h", NPM_TOKEN: "t", LANG: "C" },
    ],
    [
      "its folders in front of PATH",
      { PATH: "/p/node_modules/.bin:/node_modules/.bin:/lib/npm/node-gyp-bin:/usr/bin:/bin" },
      { PATH: "/usr/bin:/bin" },
    ],
    [
      "its folders, not a node_modules/.bin that the user had on PATH before",
      {
        PATH: "/p/node_modules/.bin:/lib/npm/node-gyp-bin:/mine/node_modules/.bin:/usr/bin:/other/node_modules/.bin",
      },
      { PATH: "/mine/node_modules/.bin:/usr/bin:/other/node_modules/.bin" },
    ],
    [
      "a PATH that npm did not touch: stays",
      { PATH: "/usr/bin:/p/node_modules/.bin" },
      { PATH: "/usr/bin:/p/node_modules/.bin" },
    ],
  ])("is taken out for children: %s (G44)", (_what, own, expected) => {
    expect(childEnvironment({ ...byNpm, ...own }).env).toEqual(expected);
  });

  it("is all that is touched: without npm the same names stay (G44)", () => {
    const own = {
      npm_config_registry: "http://mine",
      PATH: "/p/node_modules/.bin:/bin",
      EDITOR: "vi",
      NODE: "/n",
    };
    expect(childEnvironment(own).env).toEqual(own);
  });

  it("leaves, with a real npm, the environment that npm was started with (G44)", () => {
    using folder = tempFolder();
    writeFileSync(
      join(folder.path, "package.json"),
      JSON.stringify({ name: "p", scripts: { show: "node show.cjs" } }),
    );
    writeFileSync(join(folder.path, "show.cjs"), "console.log(JSON.stringify(process.env))");
    mkdirSync(join(folder.path, "home"));
    // These tests may have been started by npm themselves.
    const PATH = childEnvironment(process.env).env["PATH"] ?? "";
    const own = { PATH, HOME: join(folder.path, "home"), LANG: "C.UTF-8" };
    const shown = execFileSync("npm", ["run", "--silent", "show"], {
      cwd: folder.path,
      env: own,
      encoding: "utf8",
    });
    const { env } = childEnvironment(JSON.parse(shown));
    // The shell that npm uses adds these, whoever starts it.
    const { _: _command, PWD: _folder, SHLVL: _level, OLDPWD: _before, ...rest } = env;
    expect(rest).toEqual(own);
  });
});

describe("the keys of the model", () => {
  it("are in no child's environment, and kept for those who name them (T189, G44, G68)", () => {
    expect(
      childEnvironment({ WAVE_API_KEY: "w", OPENAI_API_KEY: "o", GITHUB_TOKEN: "g", WAVE_MODEL: "m" }),
    ).toEqual({
      env: { GITHUB_TOKEN: "g", WAVE_MODEL: "m" },
      withheld: { WAVE_API_KEY: "w", OPENAI_API_KEY: "o" },
    });
  });

  it("of every provider are kept back, whichever is used, and also that of one in the settings (T189, G44)", () => {
    const keys = Object.fromEntries(
      MODEL_PROVIDERS.flatMap(({ keys: names }) => names).map((name) => [name, "k"]),
    );
    expect(Object.keys(keys)).toEqual([
      "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY",
      "GEMINI_API_KEY",
      "GOOGLE_API_KEY",
      "OPENROUTER_API_KEY",
    ]);
    expect(childEnvironment({ ...keys, A: "1" })).toEqual({ env: { A: "1" }, withheld: keys });
    const providers = { mine: { keyVariable: "MINE" }, other: {} };
    const own = { MINE: "mine-0123456789", COPY: "mine-0123456789", A: "1" };
    expect(childEnvironment(own, { providers })).toEqual({
      env: { A: "1" },
      withheld: { MINE: "mine-0123456789", COPY: "mine-0123456789" },
    });
    expect(modelKeysOf(own, { providers })).toEqual(["mine-0123456789"]);
  });

  it("are found under any name, also a key that only the program gave (T189, G44)", () => {
    const own = {
      WAVE_API_KEY: "w-0123456789abcdef",
      MY_KEY: "given-0123456789",
      COPY: "w-0123456789abcdef",
      CONFIG: '{"key":"w-0123456789abcdef"}',
      WAVE_BASE_URL: "https://me:pass@models.example/v1",
      OPENAI_BASE_URL: "https://models.example/@v1",
      SHORT: "none",
      PATH: "/bin",
    };
    const { env, withheld } = childEnvironment(own, { apiKey: "given-0123456789" });
    expect(env).toEqual({ OPENAI_BASE_URL: "https://models.example/@v1", SHORT: "none", PATH: "/bin" });
    expect(Object.keys(withheld)).toEqual(["WAVE_API_KEY", "MY_KEY", "COPY", "CONFIG", "WAVE_BASE_URL"]);
    expect(childEnvironment({ A: "none" }, { apiKey: "none" }).env).toEqual({ A: "none" });
  });

  it("leave no trace when they are not set (T189)", () => {
    expect(childEnvironment({ A: "1", B: undefined })).toEqual({ env: { A: "1" }, withheld: {} });
  });
});

describe("what a hook gets of the environment", () => {
  const env = {
    PATH: "/bin",
    PWD: "/p",
    BASH_ENV: "/x",
    ENV: "/y",
    NODE_OPTIONS: "--require /z",
    LD_PRELOAD: "/l.so",
    GIT_DIR: "/elsewhere",
    GITHUB_TOKEN: "g",
    DB_PASSWORD: "d",
  };
  const withheld = { WAVE_API_KEY: "w", OPENAI_API_KEY: "o" };

  it.each([
    ["of a user", { ofProject: false, passEnv: [] }, [], ["PATH", "PWD", "GITHUB_TOKEN", "DB_PASSWORD"]],
    ["of a project", { ofProject: true, passEnv: [] }, [], ["PATH", "PWD"]],
    [
      "that names some",
      { ofProject: true, passEnv: ["GITHUB_TOKEN", "WAVE_API_KEY", "GIT_DIR"] },
      [],
      ["PATH", "PWD", "GIT_DIR", "GITHUB_TOKEN", "WAVE_API_KEY"],
    ],
    [
      "beside settings that set some",
      { ofProject: true, passEnv: [] },
      ["GITHUB_TOKEN", "NODE_OPTIONS", "BASH_ENV"],
      ["PATH", "PWD", "NODE_OPTIONS", "GITHUB_TOKEN"],
    ],
  ])(
    "%s steers no program, and a project's has no keys (T113, T189, G44)",
    (_whose, hook, bySettings, names) => {
      expect(Object.keys(hookVariables({ env, withheld }, hook, bySettings))).toEqual(names);
    },
  );
});
