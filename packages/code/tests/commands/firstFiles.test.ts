import { describe, expect, it } from "vitest";
import {
  commandsIn,
  firstInstructions,
  firstSettings,
  type ProjectFiles,
} from "../../src/commands/init/firstFiles.ts";

describe("the commands of a project, as wave init sees them", () => {
  it.each<[ProjectFiles, string[]]>([
    [{}, []],
    [{ "package.json": "{" }, []],
    [{ "package.json": '{"scripts": null}' }, []],
    [{ "package.json": '{"scripts":{"test":"x","lint":"y","start":"z"}}' }, ["npm test", "npm run lint"]],
    [{ "package.json": '{"scripts":{"test":"x"}}', "pnpm-lock.yaml": "" }, ["pnpm test"]],
    [
      { "pyproject.toml": "[tool.pytest]\n[tool.ruff]", "uv.lock": "" },
      ["uv run pytest", "uv run ruff check"],
    ],
    [{ "go.mod": "module x" }, ["go test ./...", "go build ./..."]],
    [{ "Cargo.toml": "" }, ["cargo test", "cargo build"]],
    [{ Makefile: "CC := x\ntest: all\n\tgo\nlint:\n" }, ["make test", "make lint"]],
  ])("%j: %j", (files, commands) => {
    expect(commandsIn(files).map(({ command }) => command)).toEqual(commands);
  });

  it("stand in the instructions and as rules in the settings", () => {
    const commands = commandsIn({ "go.mod": "" });
    expect(firstInstructions("shop", commands)).toContain("# shop\n");
    expect(firstInstructions("shop", commands)).toContain("- tests: `go test ./...`");
    expect(JSON.parse(firstSettings(commands))).toEqual({
      permissions: {
        allow: ["Bash(go test:*)", "Bash(go build:*)"],
        deny: ["Read(./.env)", "Read(./.env.*)"],
      },
    });
  });
});
