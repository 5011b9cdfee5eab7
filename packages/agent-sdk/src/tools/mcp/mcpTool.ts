import type { CallToolResult, Tool as ServerTool } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { ImageBlock } from "../../messages/blocks.ts";
import { readableText } from "../../utils/readable.ts";
import { shortened } from "../../utils/quoted.ts";
import { GatePass } from "../gatePass.ts";
import { refusal } from "../outcome.ts";
import { absolutePath } from "../paths.ts";
import { defineTool, type Tool, type ToolOutcome } from "../tool.ts";
import { untilAborted } from "../untilAborted.ts";
import { boundedText, contentText, imagesIn } from "./content.ts";
import { mentionedPaths } from "./mentionedPaths.ts";
import { mcpToolName } from "./toolNames.ts";

export interface McpCall {
  tool: string;
  input: Record<string, unknown>;
  signal: AbortSignal;
  onProgress: (text: string) => void;
}

/** All tools are sent with every request: a server cannot make each of them cost more than this. */
const LONGEST_DESCRIPTION = 2_000;
const LARGEST_SCHEMA = 24_000;

/** A tool of a server, or why it cannot be one. What the server says about its effects is a hint, and loosens nothing. */
export function asTool(
  server: string,
  offered: ServerTool,
  call: (call: McpCall) => Promise<CallToolResult>,
): Tool | { leftOut: string } {
  const name = mcpToolName(server, offered.name);
  const parameters = offered.inputSchema;
  const size = JSON.stringify(parameters).length;
  if (size > LARGEST_SCHEMA) return { leftOut: `${name}: its schema has ${size} characters` };
  return defineTool<Record<string, unknown>>({
    name,
    description: shortened(
      readableText(offered.description ?? offered.title ?? "").trim(),
      LONGEST_DESCRIPTION,
    ),
    parameters: { ...parameters, type: "object" },
    // The server checks it against its own schema: a pattern of a server's is not run in Wave.
    input: z.record(z.string(), z.unknown()),
    parallel: false,
    pathFields: [],
    effect: (input, place) => ({
      does: "unknown",
      touches: mentionedPaths(input).map((path) => ({ access: "unknown", path: absolutePath(path, place) })),
    }),
    async run(pass, context) {
      const { signal } = context;
      const onProgress = (text: string) => context.onOutput(text);
      const input = GatePass.open(pass);
      const ended = await untilAborted(signal, () => call({ tool: offered.name, input, signal, onProgress }));
      return ended.aborted
        ? refusal(`Interrupted: ${name} was running when stopped; effects may exist.`)
        : outcomeOf(ended.value);
    },
  });
}

function outcomeOf({ content, structuredContent, isError }: CallToolResult): ToolOutcome {
  const images = imagesIn(content);
  const texts = content.map((part) => contentText(part));
  if (!texts.some((text) => text !== "") && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent));
  return answered(boundedText(texts), { images, success: isError !== true });
}

export function answered(
  result: string,
  { images, success }: { images: ImageBlock[]; success: boolean },
): ToolOutcome {
  return {
    success,
    result: result === "" ? "(no output)" : result,
    response: { content: [{ type: "text", text: result }], isError: !success },
    ...(images.length > 0 ? { images } : {}),
  };
}
