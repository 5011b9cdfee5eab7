import { expect, it } from "vitest";
import { ATTACKS } from "../../../shell-reader/tests/corpus/shellAttacks.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { PROTECTED_FILE } from "./shellLines.ts";
import { buildStage } from "./shellStage.ts";

it("every line that is held to run something unseen really does so in bash (G33)", async () => {
  using folder = tempFolder();
  const lines = Object.values(ATTACKS).flat();
  const effects = await buildStage(folder.path).run(lines);
  const harmless = lines.filter((_, at) => {
    const { started = [], files } = effects[at] ?? {};
    return !started.includes("gamma") && files?.includes(`${PROTECTED_FILE}=kept`) !== false;
  });
  expect(harmless).toEqual([]);
});
