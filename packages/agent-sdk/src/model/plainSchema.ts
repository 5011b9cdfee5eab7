import { asRecord, type JsonRecord } from "./json.ts";

const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "description",
  "properties",
  "required",
  "items",
  "enum",
  "anyOf",
]);

/** A description of input with nothing in it but what every server knows. */
export function plainSchema(schema: JsonRecord): JsonRecord {
  return asRecord(plain(schema)) ?? {};
}

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  const record = asRecord(schema);
  if (!record) return schema;
  return Object.fromEntries(
    Object.entries(record).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === "const") return [["enum", [value]]];
      if (!PLAIN_KEYWORDS.has(keyword)) return [];
      const inner = keyword === "properties" ? asRecord(value) : undefined;
      if (!inner) return [[keyword, keyword === "items" || keyword === "anyOf" ? plain(value) : value]];
      return [[keyword, Object.fromEntries(Object.entries(inner).map(([name, of]) => [name, plain(of)]))]];
    }),
  );
}
