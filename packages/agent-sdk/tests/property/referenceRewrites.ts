import type { Input } from "./reference.ts";

export type Change = Map<string, { to: unknown } | "removed">;

/** A rewrite is what differs from the input the hook saw. */
export function difference(seen: Input, updated: Input | undefined): Change {
  const change: Change = new Map();
  if (updated === undefined) return change;
  for (const field of Object.keys(updated)) {
    if (!same(seen[field], updated[field])) change.set(field, { to: updated[field] });
  }
  for (const field of Object.keys(seen)) if (!Object.hasOwn(updated, field)) change.set(field, "removed");
  return change;
}

export function applied(input: Input, changes: Change[]): Input {
  const result: Input = { ...input };
  for (const [field, what] of changes.flatMap((change) => [...change])) {
    if (what === "removed") delete result[field];
    else result[field] = what.to;
  }
  return result;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The input schema of the two tools, as far as rewrites touch it. */
export function fits(tool: "Write" | "Bash", input: Input): boolean {
  const is = (field: string, type: string): boolean => typeof input[field] === type;
  if (tool === "Write") return is("file_path", "string") && is("content", "string");
  const optional = (field: string, type: string): boolean => !Object.hasOwn(input, field) || is(field, type);
  return is("command", "string") && optional("description", "string") && optional("timeout", "number");
}
