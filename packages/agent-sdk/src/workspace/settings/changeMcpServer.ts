import {
  isServerName,
  mcpServerSchema,
  SERVER_NAME_RULE,
  type McpServerConfig,
} from "../../hooks/mcpServers.ts";
import { quoted } from "../../utils/quoted.ts";
import { editSettings } from "./editSettings.ts";
import { describeProblem } from "./problem.ts";

export type McpServerChanged =
  /** "already": the file said so before; nothing was there to take out. */
  { changed: "written" | "already" } | { changed: "not"; problem: string };

/** Writes a server into a file that names servers, or takes it out (`config: undefined`). Never rejects. */
export async function changeMcpServer(
  file: string,
  name: string,
  config: McpServerConfig | undefined,
): Promise<McpServerChanged> {
  if (!isServerName(name))
    return { changed: "not", problem: `${quoted(name)} cannot be the name of a server: ${SERVER_NAME_RULE}` };
  const parsed = config && mcpServerSchema().safeParse(config);
  if (parsed && !parsed.success)
    return { changed: "not", problem: parsed.error.issues.map(({ message }) => message).join("; ") };
  const path = ["mcpServers", name];
  const edit = config ? ({ do: "set", path, value: config } as const) : ({ do: "delete", path } as const);
  const written = await editSettings(file, edit);
  return written.edited === "not"
    ? { changed: "not", problem: describeProblem(written.problem) }
    : { changed: written.edited };
}
