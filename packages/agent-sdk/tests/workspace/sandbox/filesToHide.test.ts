import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { closedFolders } from "@/workspace/sandbox/readOnly.ts";
import { FilesToHide } from "@/workspace/sandbox/filesToHide.ts";
import { tempFolder } from "../../support/tempFolder.ts";

it("a file of a hidden folder is hidden under its other names, also under one that it gets later (G32)", () => {
  using folder = tempFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("secrets/deep"), { recursive: true });
  mkdirSync(at("pub"));
  writeFileSync(at("secrets/deep/k"), "hunter2");
  linkSync(at("secrets/deep/k"), at("twin"));
  const files = new FilesToHide(
    [{ folder: at("secrets"), coverage: { all: true, into: () => undefined } }],
    folder.path,
  );
  const hidden = () => files.look().places.map(({ path }) => path);
  expect(hidden()).toEqual([at("secrets"), at("twin"), at("secrets/deep/k")]);
  linkSync(at("secrets/deep/k"), at("pub/later"));
  expect(hidden()).toContain(at("pub/later"));
});

it("more files than can be hidden before each command are not hidden: the command is asked about (G32)", () => {
  using folder = tempFolder();
  for (let at = 0; at < 250; at++) writeFileSync(join(folder.path, `${at}.env`), "");
  const coverage = { all: false, into: () => ({ all: true, into: () => undefined }) };
  expect(new FilesToHide([{ folder: folder.path, coverage }], folder.path).look().complete).toBe(false);
});

it("what git keeps of the past is known as soon as a rule keeps anything back (G32)", () => {
  using folder = tempFolder();
  execFileSync("git", ["init", "-q", folder.path]);
  const coverage = { all: false, into: () => undefined };
  const { copies, history } = new FilesToHide([{ folder: folder.path, coverage }], folder.path).look();
  expect({ copies, history }).toEqual({
    copies: [],
    history: [{ path: join(folder.path, ".git"), isFolder: true }],
  });
});

it.each([
  [["bin", "usr", "lib64", "etc", "opt", "nix", "proc", "dev", "sys"], []],
  [
    ["home", "root", "work", "workspaces", "data", "var", "run", "tmp", "app"],
    ["home", "root", "work", "workspaces", "data", "var", "run", "tmp", "app"],
  ],
])("of %j the folders %j are empty for a command that reads", (names, closed) => {
  expect(closedFolders(names)).toEqual([...closed.map((name) => `/${name}`), "/private/var"]);
});
