import type { ReadResourceResult, Resource } from "@modelcontextprotocol/client";
import { z } from "zod";
import { onOneLine, shortened } from "../../utils/quoted.ts";
import { GatePass } from "../gatePass.ts";
import { refusal } from "../outcome.ts";
import { absolutePath } from "../paths.ts";
import { defineTool, type Tool } from "../tool.ts";
import { untilAborted } from "../untilAborted.ts";
import { boundedText, imageOf } from "./content.ts";
import { answered } from "./mcpTool.ts";
import { mentionedPaths } from "./mentionedPaths.ts";
import { resourceToolName } from "./toolNames.ts";

/** Every request has the list, so it stays short. */
const LONGEST_LIST = 2_000;

const input = z.strictObject({ uri: z.string().min(1).max(8_000).describe("Its address") });

/**
 * Reads what a server keeps for reading. A tool like its others, so that rules, hooks and modes judge it as they judge the server;
 * `@server:uri` of a person's is a call of it.
 */
export function resourceTool(
  server: string,
  resources: readonly Resource[],
  read: (uri: string, signal: AbortSignal) => Promise<ReadResourceResult>,
): Tool {
  const list = resources.map(({ uri, name, title }) => onOneLine(`${uri} (${title ?? name})`)).join("\n");
  const name = resourceToolName(server);
  return defineTool<z.infer<typeof input>>({
    name,
    description: `Reads a resource of the MCP server ${server}. Those that it lists:\n${shortened(list, LONGEST_LIST)}`,
    input,
    parallel: false,
    pathFields: [],
    effect: ({ uri }, place) => ({
      does: "unknown",
      touches: mentionedPaths(uri).map((path) => ({ access: "unknown", path: absolutePath(path, place) })),
    }),
    async run(pass, { signal }) {
      const { uri } = GatePass.open(pass);
      const ended = await untilAborted(signal, () => read(uri, signal));
      return ended.aborted ? refusal(`Interrupted while ${name} was reading.`) : contentsOf(ended.value);
    },
  });
}

function contentsOf({ contents }: ReadResourceResult) {
  const images = contents.flatMap((one) =>
    "blob" in one ? imageOf({ mimeType: one.mimeType ?? "", data: one.blob }) : [],
  );
  const texts = contents.map((one) =>
    "text" in one ? one.text : `[${one.uri}, ${one.mimeType ?? "of no known kind"}, which is no text]`,
  );
  return answered(boundedText(texts), { images, success: true });
}
