import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as reader from "../src/index.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(folder, "README.md"), "utf8");

it("the example of the README prints what it says", () => {
  const [, code = "", printed] =
    /<!-- executed: example -->\s*```ts\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const options = ["--conditions=@wave/source", "--input-type=module-typescript", "--eval", code];
  expect(execFileSync(process.execPath, options, { cwd: folder, encoding: "utf8" })).toBe(printed);
});

it("the package has two functions, and the table of the README every field of a reading", () => {
  const functions = Object.entries(reader).filter(([, value]) => typeof value === "function");
  expect(functions.map(([name]) => name).sort()).toEqual(["covers", "readLine"]);
  const fields = Object.keys(reader.readLine("ls", { folder: "/", variables: {} }));
  const missing = fields.filter((field) => !new RegExp(`\`${field}(\\(\\))?\``).test(readme));
  expect(missing).toEqual(["line"]);
});
