/** Objects of other programs and of the model stay as they came. */
const FOREIGN: ReadonlySet<string> = new Set(["input", "metadata"]);

/** The same value with the names of its fields in snake_case. */
export function snakeCase(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      FOREIGN.has(name) ? inner : deep(inner),
    ]),
  );
}

function deep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deep);
  return typeof value === "object" && value !== null ? snakeCase(value) : value;
}
