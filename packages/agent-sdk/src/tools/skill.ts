import { dirname } from "node:path";
import { z } from "zod";
import type { PlacedText } from "../workspace/texts/placedTexts.ts";
import { GatePass } from "./gatePass.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Every request has the names and descriptions, so they stay short. */
const LONGEST_LIST = 4_000;

/** The model reads a skill when it needs it; whatever the skill tells it to do is judged like anything else. */
export function skillTool(skills: readonly PlacedText[]): Tool {
  const names = skills.map(({ name }) => name);
  const input = z.strictObject({
    skill: z.enum(names).describe("Its name"),
    args: z.string().optional().describe("What it is needed for"),
  });
  const list = skills.map(({ name, description }) => `${name}: ${description}`).join("\n");
  const shown = list.length > LONGEST_LIST ? names.join(", ") : list;
  return defineTool<z.infer<typeof input>>({
    name: "Skill",
    description: `Reads how this user or project wants a kind of work done. Use it before such work. The skills:\n${shown}`,
    input,
    parallel: true,
    pathFields: [],
    effect: () => ({ does: "nothing" }),
    async run(pass) {
      const { skill, args } = GatePass.open(pass);
      const found = skills.find(({ name }) => name === skill);
      const body = found?.body ?? "";
      const folder = dirname(found?.file ?? "");
      const about = args === undefined ? "" : `\nNeeded for: ${args}`;
      const result = `Skill ${skill}, whose files are in ${folder}${about}\n\n${body}`;
      return { success: true, result, response: { success: true, skill, file: found?.file } };
    },
  });
}
