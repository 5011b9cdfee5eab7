import { pathTo } from "../workspace/settings/node.ts";
import { OwnTool } from "../ownTool.ts";
import { isPlainObject } from "../utils/kindOfValue.ts";

/** Deeper than any option goes; an object of the host program may contain itself. */
const MAX_DEPTH = 12;

/**
 * A copy of what a program gave, so that what it does to its own objects later changes nothing. Functions stay what they are.
 * Whatever else is no plain data, such as a Map or a promise that nobody waited for, has no fields of its own: it would read as
 * "nothing given", so it is reported and left to whoever checks the copy.
 */
export function plainCopy(
  value: unknown,
  path: string,
  onOdd: (path: string, value: object) => void,
  depth = 0,
): unknown {
  // A tool of one's own is frozen, and only `tool()` makes one. A server in the program is no data.
  const staysItself = value instanceof OwnTool || /^mcpServers\.[^.]+\.instance$/.test(path);
  if (typeof value !== "object" || value === null || staysItself) return value;
  if (depth > MAX_DEPTH || !(Array.isArray(value) || isPlainObject(value))) {
    onOdd(path, value);
    return value;
  }
  const copy = (item: unknown, at: string) => plainCopy(item, at, onOdd, depth + 1);
  if (Array.isArray(value)) return value.map((item, index) => copy(item, `${path}[${index}]`));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, pathTo(path, key))]));
}
