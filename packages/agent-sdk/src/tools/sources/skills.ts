import type { PlacedText } from "../../workspace/texts/placedTexts.ts";
import { skillTool } from "../skill.ts";
import { fixedSource, type ToolSource } from "./toolSource.ts";

/** One tool for all skills; none where there are none. */
export function skillSource(texts: readonly PlacedText[]): ToolSource {
  const skills = texts.filter(({ kind }) => kind === "skill");
  return fixedSource("skills", skills.length > 0 ? [skillTool(skills)] : []);
}
