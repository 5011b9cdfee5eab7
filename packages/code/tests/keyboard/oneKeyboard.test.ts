import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SRC = fileURLToPath(new URL("../../src/", import.meta.url));
const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ name: relative(SRC, path), code: readFileSync(path, "utf8") }));

const using = (words: RegExp) =>
  files
    .filter(({ code }) => words.test(code))
    .map(({ name }) => name)
    .sort();

it("one place reads keys, and everything that wants some gets them through its guard (T71)", () => {
  expect(using(/\b(?:useInput|usePaste|useStdin|useFocus)\b/)).toEqual(["keyboard/Keyboard.tsx"]);
  // A new panel uses usePanel; a new name in COVERS is typed over by everyCover.test.tsx.
  expect(using(/\buseCover\(/)).toEqual([
    "components/PermissionDialog.tsx",
    "components/usePanel.ts",
    "keyboard/Keyboard.tsx",
  ]);
  expect(using(/\buseDraftKeys\(/)).toEqual(["input/usePrompt.ts", "keyboard/Keyboard.tsx"]);
});
