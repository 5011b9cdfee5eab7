import { PERMISSION_MODES, type PermissionMode } from "../../permissions/modes.ts";
import type { PlacedText } from "../texts/placedTexts.ts";
import { BUILT_IN_AGENTS, type AgentDefinition } from "./definition.ts";

export interface ReadDefinitions {
  /** Those of the program, of files, and of Wave itself; of several with one name the first counts. */
  definitions: AgentDefinition[];
  /** What is left out, and why, one sentence each. */
  problems: string[];
}

/** All sub-agents that a session has. A definition that asks for something Wave cannot do is left out: half of it would be looser. */
export function readDefinitions(
  texts: readonly PlacedText[],
  given: Readonly<Record<string, Omit<AgentDefinition, "name">>> = {},
): ReadDefinitions {
  const problems: string[] = [];
  const ofProgram = Object.entries(given).map(([name, definition]) => ({ name, ...definition }));
  const ofFiles = texts
    .filter(({ kind }) => kind === "agent")
    .flatMap((text): AgentDefinition[] => {
      const read = definitionOf(text);
      if (typeof read !== "string") return [read];
      problems.push(`${text.file}: ${read}; the sub-agent ${text.name} is left out`);
      return [];
    });
  const all = [...ofProgram, ...ofFiles, ...BUILT_IN_AGENTS];
  const definitions = all.filter(({ name }, at) => at === all.findIndex((one) => one.name === name));
  return { definitions, problems };
}

/** Or why there is none. */
function definitionOf({ name, description, body, fields, scope }: PlacedText): AgentDefinition | string {
  // A project cannot take the place of what a person knows under this name.
  if (scope === "project" && BUILT_IN_AGENTS.some((one) => one.name === name))
    return "its name is one of Wave's own";
  if (body === "") return "it has no text that says what to do";
  if (fields["hooks"] !== undefined)
    return "hooks in a definition are not read; write them into the settings, where SubagentStart and SubagentStop match its name";
  const mode = fields["permissionMode"];
  if (mode !== undefined && !isMode(mode))
    return `permissionMode ${JSON.stringify(mode)} is none of ${PERMISSION_MODES.join(", ")}`;
  const tools = listOf(fields["tools"]);
  const without = listOf(fields["disallowedTools"]);
  const model = fields["model"];
  return {
    name,
    description,
    prompt: body,
    ...(tools === undefined ? {} : { tools }),
    ...(without === undefined ? {} : { disallowedTools: without }),
    ...(typeof model === "string" && !SAME_MODEL.has(model) ? { model } : {}),
    ...(mode === undefined ? {} : { permissionMode: mode }),
  };
}

const isMode = (mode: string | readonly string[]): mode is PermissionMode =>
  PERMISSION_MODES.some((one) => one === mode);

/** `Read, Grep` on one line is a list, too. */
function listOf(field: string | readonly string[] | undefined): string[] | undefined {
  if (field === undefined || field === "") return undefined;
  const items = typeof field === "string" ? field.split(",") : field;
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

/** Words of Claude Code's for a model that this session may not have: the session's own does the work. */
const SAME_MODEL: ReadonlySet<string> = new Set(["inherit", "sonnet", "opus", "haiku"]);
