import { basename } from "node:path";
import { isRecord } from "../../hooks/outputFields.ts";

/** The fields by which Node decides which file a name means, and how it is read. */
const FIELDS = ["name", "type", "main", "module", "browser", "imports", "exports"];

/**
 * What of a file a yes is for: all of it; of a package.json only what decides which code is loaded. A new dependency or
 * version is no new code of a hook.
 */
export function whatCounts(path: string, bytes: Buffer): Buffer {
  if (basename(path) !== "package.json") return bytes;
  const fields = packageFields(bytes);
  return fields === undefined ? bytes : Buffer.from(`${JSON.stringify(fields, undefined, 2)}\n`);
}

/** Undefined when it is none that Node could read. */
export function packageFields(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
    if (!isRecord(parsed)) return undefined;
    return Object.fromEntries(
      FIELDS.flatMap((name) => (Object.hasOwn(parsed, name) ? [[name, parsed[name]]] : [])),
    );
  } catch {
    // Not JSON: Node refuses it, too, and every byte of it counts.
    return undefined;
  }
}

/** The files that a name of a package's own (`#lib`, or its name) may stand for; a `*` in one stands for anything. */
export function targetsOf(fields: Record<string, unknown>, specifier: string): string[] {
  const { name, imports, exports } = fields;
  if (specifier.startsWith("#")) return isRecord(imports) ? stringsIn(matching(imports, specifier)) : [];
  const isOwn = typeof name === "string" && (specifier === name || specifier.startsWith(`${name}/`));
  return isOwn ? stringsIn(exports) : [];
}

function matching(imports: Record<string, unknown>, specifier: string): unknown[] {
  return Object.entries(imports).flatMap(([key, value]) => {
    const [before = "", after] = key.split("*");
    const fits = after === undefined ? key === specifier : specifier.startsWith(before);
    return fits ? [value] : [];
  });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
