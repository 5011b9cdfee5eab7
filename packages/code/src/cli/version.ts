import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** The version of this package, whether it runs from source or from its bundle. */
export function readVersion(): string {
  const file = findPackageJSON(import.meta.url);
  const { version }: { version?: unknown } = file ? JSON.parse(readFileSync(file, "utf8")) : {};
  return typeof version === "string" ? version : "unknown";
}
