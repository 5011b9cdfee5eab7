import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

/** The version of this package, whether it runs from source or from its bundle. */
export function readVersion(): string {
  const { version } = manifest();
  return typeof version === "string" ? version : "unknown";
}

/** The oldest Node that Wave runs on. */
export function leastNode(): number {
  return Number.parseInt(manifest().engines?.node?.replace(/^\D+/, "") ?? "0", 10);
}

function manifest(): { version?: unknown; engines?: { node?: string } } {
  const file = findPackageJSON(import.meta.url);
  return file ? JSON.parse(readFileSync(file, "utf8")) : {};
}
