import { describe, expect, it } from "vitest";
import { approveProject, loadSettings, readProjectTrust } from "wave-agent-sdk";
import { reviewLines } from "../../src/trust/review.ts";
import { textOf } from "../../src/view/span.ts";
import { makeProject } from "../support/project.ts";

describe("the review of a project's AGENTS.md", () => {
  it("names the file and shows all of its text, with nothing hidden; after a change, the difference (G24, T39, T40)", async () => {
    using project = makeProject();
    const look = () =>
      readProjectTrust({ ...project, projectDir: project.folder, hooks: [], rules: [], ofProject: [] });
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
    expect(shown()).toEqual(["it was approved before and has not changed"]);
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

describe("the review of what a project sets", () => {
  it("shows each value with its file and nothing hidden; after a change, what it was (G24, T39, T40)", async () => {
    using project = makeProject();
    const { home, folder: projectDir } = project;
    const look = () => {
      const { ofProject } = loadSettings({ home, projectDir, managedFile: "/nonexistent" });
      return readProjectTrust({ home, projectDir, hooks: [], rules: [], ofProject });
    };
    const shown = () => reviewLines(look()).map(textOf);
    const set = (settings: object) => project.write(".wave/settings.json", JSON.stringify(settings));
    set({ model: "m\u001b[2J", contextSize: 9_000, env: { FOO: "bar", TWO: "a\nmodel b" } });
    project.write(".wave/settings.local.json", JSON.stringify({ env: { FOO: "own" } }));
    expect(shown()).toEqual([
      "set for the session",
      "  model m\\x1b[2J   .wave/settings.json, new",
      "  contextSize 9000   .wave/settings.json, new",
      "  env FOO=bar   .wave/settings.json, new",
      "  env TWO=a   .wave/settings.json, new",
      "      │ model b",
      "  env FOO=own   .wave/settings.local.json, new",
    ]);
    await approveProject(home, look(), new Date(0));
    expect(shown()).toEqual(["all 5 were approved before and have not changed"]);
    set({ env: { FOO: "evil", MORE: "1" } });
    expect(shown()).toEqual([
      "set for the session",
      "  env FOO=evil   .wave/settings.json, changed",
      "    was: env FOO=bar",
      "  env MORE=1   .wave/settings.json, new",
      "1 of 3 was approved before and has not changed",
    ]);
  });
});

describe("the review of a hook that loads code", () => {
  it("says where names are computed, and shows of a package.json what decides about code, and all of what is new (G19, G24)", async () => {
    using project = makeProject();
    const { home, folder: projectDir } = project;
    const look = () => {
      const { hooks, ofProject } = loadSettings({ home, projectDir, managedFile: "/nonexistent" });
      return readProjectTrust({ home, projectDir, hooks, rules: [], ofProject });
    };
    const shown = () => reviewLines(look()).map(textOf);
    const command = "node .wave/hooks/g.mjs";
    project.settings({ hooks: { Stop: [{ hooks: [{ type: "command", command, name: "guard" }] }] } });
    project.write("package.json", '{"name":"a","scripts":{"x":"y"},"type":"module"}');
    project.write(".wave/hooks/g.mjs", 'import "./lib/index.js"');
    project.write(".wave/hooks/lib/index.js", "1");
    project.write(".wave/hooks/lib/evil.js", "evil");
    expect(shown().join("\n")).not.toMatch(/computes|evil|scripts/);
    expect(shown()).toContain('      │   "type": "module"');
    await approveProject(home, look(), new Date(0));
    project.write("package.json", '{"name":"a","scripts":{"x":"z"},"type":"module"}');
    expect(shown()).toEqual(["it was approved before and has not changed"]);
    project.write(".wave/hooks/g.mjs", 'await import("./lib/" + "evil.js")');
    expect(shown()).toEqual(
      expect.arrayContaining([
        "      loads code by names that it computes: all code in .wave/hooks and below it is pinned, what lies elsewhere is not",
        // A link in the copy beside what was approved is no earlier form of it.
        "      │ evil",
      ]),
    );
  });
});
