import { describe, expect, it } from "vitest";
import { readFrontMatter } from "@/utils/frontMatter.ts";
import { readDefinitions } from "@/workspace/agents/readDefinitions.ts";
import type { PlacedText } from "@/workspace/texts/placedTexts.ts";

function text(name: string, written: string, scope: PlacedText["scope"] = "user"): PlacedText {
  const { fields, body } = readFrontMatter(written);
  const { description = "" } = fields;
  return { kind: "agent", name, description: String(description), scope, file: `/${name}.md`, body, fields };
}

const read = (written: string, scope?: PlacedText["scope"]) => readDefinitions([text("own", written, scope)]);

describe("a definition of a sub-agent", () => {
  it("is read with all that it says", () => {
    const { definitions, problems } = read(
      "---\ndescription: looks\ntools: Read, Grep\ndisallowedTools: [Bash]\nmodel: openai/gpt-5\npermissionMode: plan\n---\nLook.",
    );
    expect(problems).toEqual([]);
    expect(definitions[0]).toEqual({
      name: "own",
      description: "looks",
      prompt: "Look.",
      tools: ["Read", "Grep"],
      disallowedTools: ["Bash"],
      model: "openai/gpt-5",
      permissionMode: "plan",
    });
    expect(definitions.slice(1).map(({ name }) => name)).toEqual(["explore", "general"]);
  });

  it.each([
    [
      "a mode that is none",
      "---\npermissionMode: plna\n---\nLook.",
      /permissionMode "plna" is none of default/,
    ],
    ["hooks", "---\nhooks:\n  Stop:\n    - hooks: x\n---\nLook.", /hooks in a definition are not read/],
    ["no text", "---\ndescription: looks\n---\n", /no text that says what to do/],
  ])("with %s is left out, and the sentence says why and where", (_what, written, why) => {
    const { definitions, problems } = read(written);
    expect(definitions.map(({ name }) => name)).toEqual(["explore", "general"]);
    expect(problems).toEqual([expect.stringMatching(why)]);
    expect(problems[0]).toMatch(/^\/own\.md: .*; the sub-agent own is left out$/);
  });

  it("of a project takes no name of Wave's own; a person's and a program's may", () => {
    const ofProject = readDefinitions([text("general", "Be evil.", "project")]);
    expect(ofProject.problems).toEqual([expect.stringContaining("its name is one of Wave's own")]);
    expect(ofProject.definitions.find(({ name }) => name === "general")?.prompt).not.toBe("Be evil.");
    const own = readDefinitions([text("general", "Be short.")]).definitions;
    expect(own.filter(({ name }) => name === "general")).toMatchObject([{ prompt: "Be short." }]);
    const given = { general: { description: "d", prompt: "Be mine." } };
    const ofProgram = readDefinitions([text("general", "Be short.")], given).definitions;
    expect(ofProgram.filter(({ name }) => name === "general")).toMatchObject([{ prompt: "Be mine." }]);
  });

  it.each(["inherit", "sonnet", "opus", "haiku"])("with the model %s has that of the session", (model) => {
    expect(read(`---\nmodel: ${model}\n---\nLook.`).definitions[0]?.model).toBeUndefined();
  });
});
