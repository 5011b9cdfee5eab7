import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const TOOLS = fileURLToPath(new URL("../../src/tools/", import.meta.url));

it("every tool that writes a file goes through the one function that keeps what was there", () => {
  const writing = readdirSync(TOOLS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .filter((name) =>
      /import \{[^}]*\b(?:saveTextFile|saveBytes|replaceFile|writeFile|rename|copyFile|appendFile|truncate)\b[^}]*\} from/.test(
        readFileSync(TOOLS + name, "utf8"),
      ),
    );
  expect(writing).toEqual(["changeFile.ts", "textFiles.ts"]);
});
