import type { GetPromptResult, Prompt as ServerPrompt } from "@modelcontextprotocol/client";
import { onOneLine, shortened } from "../../utils/quoted.ts";
import { wordsOf } from "../../workspace/texts/commandParts.ts";
import type { OfferedPrompt } from "../sources/toolSource.ts";
import { boundedText, contentText } from "./content.ts";
import { mcpToolName } from "./toolNames.ts";

const LONGEST_LINE = 200;

/** A prompt of a server as a command: `/mcp__server__prompt word word`. */
export function asPrompt(
  server: string,
  { name, title, description, arguments: named = [] }: ServerPrompt,
  get: (name: string, values: Record<string, string>, signal: AbortSignal) => Promise<GetPromptResult>,
): OfferedPrompt {
  const hint = named.map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`)).join(" ");
  const line = (text: string) => shortened(onOneLine(text), LONGEST_LINE);
  const called = mcpToolName(server, name);
  return {
    name: called,
    description: line(description ?? title ?? name),
    ...(hint === "" ? {} : { argumentHint: line(hint) }),
    async expand(typed, signal) {
      const values = argumentsOf(
        named.map((one) => one.name),
        typed,
      );
      const missing = named.find((one) => one.required && values[one.name] === undefined);
      if (missing) throw new Error(`${line(missing.name)} is missing: /${called} ${line(hint)}`);
      const text = textOf(await get(name, values, signal));
      if (text === "") throw new Error(`the MCP server ${server} gave an empty prompt`);
      return text;
    },
  };
}

/** One word for each; the last takes the rest. */
export function argumentsOf(names: readonly string[], typed: string): Record<string, string> {
  const words = wordsOf(typed);
  const first = words.splice(0, Math.max(0, names.length - 1));
  const values = words.length > 0 ? [...first, words.join(" ")] : first;
  return Object.fromEntries(
    names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
  );
}

/** Most prompts are one message of the person's. Who speaks is said where there are more. */
function textOf({ messages }: GetPromptResult): string {
  const alone = messages.every(({ role }) => role === "user");
  const said = messages.map(({ role, content }) =>
    alone ? contentText(content) : `${role}: ${contentText(content)}`,
  );
  return boundedText([said.join("\n\n").trim()]);
}
