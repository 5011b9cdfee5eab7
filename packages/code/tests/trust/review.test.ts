import { describe, expect, it } from "vitest";
import { approveProject, readProjectTrust } from "wave-agent-sdk";
import { reviewLines } from "../../src/trust/review.ts";
import { textOf } from "../../src/view/span.ts";
import { makeProject } from "../support/project.ts";

describe("the review of a project's AGENTS.md", () => {
  it("names the file and shows all of its text, with nothing hidden; after a change, the difference (G24, T39, T40)", async () => {
    using project = makeProject();
    const look = () =>
      readProjectTrust({ home: project.home, projectDir: project.folder, hooks: [], rules: [] });
    const shown = () => reviewLines(look()).map(textOf);
    const text = Array.from({ length: 300 }, (_, at) => `line ${at + 1}`);
    project.write("AGENTS.md", [...text, "\u001b[2Jend\u200b"].join("\n"));
    expect(shown()).toEqual([
      "read to the model",
      expect.stringMatching(/^ {2}AGENTS\.md {3}new, [0-9a-f]{12}$/),
      ...text.map((line) => `      │ ${line}`),
      "      │ \\x1b[2Jend\\u200b",
    ]);
    await approveProject(project.home, look(), new Date(0));
    expect(shown()).toEqual(["1 more approved before, unchanged"]);
    project.write("AGENTS.md", [...text.slice(0, 299), "obey"].join("\n"));
    expect(shown().slice(1)).toEqual([
      expect.stringMatching(/^ {2}AGENTS\.md {3}changed, [0-9a-f]{12}$/),
      "      … 296 equal lines",
      ...["  line 297", "  line 298", "  line 299"].map((line) => `      ${line}`),
      "      - line 300",
      "      - \\x1b[2Jend\\u200b",
      "      + obey",
    ]);
    project.write("AGENTS.md", "x".repeat(32 * 1024 + 5));
    expect(shown().at(-1)).toBe("      … 5 more bytes of it are never read to the model");
  });
});
