import { posix } from "node:path";
import type { ReadOnlyPlace } from "./readOnlyPlan.ts";

/**
 * The same as `readOnlyPlan`, as a profile for `sandbox-exec` of macOS, where the last word about a file counts. Nothing can be mounted
 * there: folders are closed rather than empty, and the temporary folder is the one that Wave makes for the command.
 */
export function readOnlyProfile({ closed, kept, hidden, written }: ReadOnlyPlace): string {
  const subpath = (path: string) => `(subpath ${quoted(path)})`;
  const literal = (path: string) => `(literal ${quoted(path)})`;
  const about = (what: string, filters: readonly string[]) =>
    filters.length === 0 ? [] : [`(${what} ${filters.join(" ")})`];
  return [
    "(version 1)",
    "(allow default)",
    "(deny network*)",
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny file-write*)",
    ...about("allow file-write*", [
      ...DEVICES.map(literal),
      ...written.map((file) => subpath(posix.dirname(file))),
    ]),
    ...about("deny file-read-data", closed.map(subpath)),
    ...about("allow file-read*", [...kept, ...written.map((file) => posix.dirname(file))].map(subpath)),
    ...about(
      "deny file-read*",
      hidden.map(({ path, isFolder }) => (isFolder ? subpath(path) : literal(path))),
    ),
  ].join("\n");
}

/** What is written there is gone. */
const DEVICES = ["/dev/null", "/dev/zero", "/dev/stdout", "/dev/stderr"];

const quoted = (path: string) => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
