import { isRecord } from "../outputFields.ts";
import type { DialectRow } from "./row.ts";

const MCP = /^mcp__(.+?)__(.+)$/;

/** All names that a matcher of that agent may have for a tool of Wave's; the one that it is told first. */
export function namesThere({ tools, mcpName }: DialectRow, tool: string): string[] {
  const there = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (there) return [there.name, ...(there.also ?? [])];
  const [, server, name] = MCP.exec(tool) ?? [];
  return mcpName && server !== undefined && name !== undefined ? [mcpName(server, name)] : [tool];
}

/** A call as that agent would tell of it. */
export function callThere(
  row: DialectRow,
  fields: Readonly<Record<string, unknown>>,
): { name: string; input: Record<string, unknown> } {
  const tool = String(fields["tool_name"]);
  const input = isRecord(fields["tool_input"]) ? fields["tool_input"] : {};
  const [name = tool] = namesThere(row, tool);
  return { name, input: renamed(input, fieldsOf(row, tool)) };
}

/** An input that a hook of that agent wrote, for the tool of Wave's that it is about. */
export function inputHere(
  row: DialectRow,
  fields: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const there = Object.entries(fieldsOf(row, String(fields["tool_name"])));
  return renamed(input, Object.fromEntries(there.map(([here, name]) => [name, here])));
}

const fieldsOf = ({ tools }: DialectRow, tool: string) =>
  (Object.hasOwn(tools, tool) ? tools[tool]?.fields : undefined) ?? {};

const renamed = (input: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]),
  ) as Record<string, unknown>;

/** `names` of them, as far as they are there. */
export const picked = (fields: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
