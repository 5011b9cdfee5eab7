import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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
