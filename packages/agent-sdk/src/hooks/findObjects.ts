import { nearestName } from "../utils/nearestName.ts";
import { HOOK_EVENTS, HOOK_EVENT_NAMES } from "./events.ts";

export interface FoundOutput {
  objects: Record<string, unknown>[];
  /** Something began like an object with a field Wave knows and cannot be parsed (JO-7, T109). */
  broken: string | undefined;
  /** What looks like a decision that went wrong and is only text to Wave: said, so that a typo is no silent consent. */
  nearMisses: string[];
}

/** Every field that any event knows: an object without one of them is not meant for Wave. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  HOOK_EVENT_NAMES.flatMap((event) => {
    const { shape } = HOOK_EVENTS[event].output;
    return [...Object.keys(shape), ...Object.keys(shape.hookSpecificOutput.unwrap().shape)];
  }),
);

// In either kind of quotes: a decision written as a Python dictionary is one that went wrong.
const knownFieldInText = new RegExp(`["'](?:${[...KNOWN_FIELDS].join("|")})["']\\s*:`);

// Output is at most a megabyte, but a thousand unclosed braces would each be scanned to the end of it.
const SCAN_BUDGET = 16 * 1024 * 1024;

/**
 * Finds the JSON objects in what a hook printed (JO-8): each begins at the start of a line, text before and after
 * does not hide it. A greeting of a shell profile, a byte-order mark, CRLF and colours are all survived.
 */
export function findObjects(stdout: string): FoundOutput {
  const text = stdout.includes("\u001b") ? stdout.replace(colours, "") : stdout;
  const found: FoundOutput = { objects: [], broken: undefined, nearMisses: [] };
  let scanned = 0;
  let from = 0;
  for (;;) {
    const start = nextStart(text, from, found.objects.length > 0);
    if (start === undefined) break;
    const end = closingBrace(text, start);
    scanned += (end ?? text.length) - start;
    const parsed = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (parsed) {
      if (Object.keys(parsed).some((key) => KNOWN_FIELDS.has(key))) found.objects.push(parsed);
      else found.nearMisses.push(...misspelt(parsed));
      from = end ?? text.length;
      continue;
    }
    if (knownFieldInText.test(text.slice(start, end))) found.broken ??= describe(stdout, text, start);
    if (scanned > SCAN_BUDGET) {
      found.broken ??= describe(stdout, text, start);
      break;
    }
    // Not behind the broken part: a deny further down must not be swallowed by an unclosed brace above it.
    from = start + 1;
  }
  if (found.objects.length === 0 && !found.broken && decisionInText.test(text))
    found.nearMisses.push(NOT_AT_A_LINE_START);
  return found;
}

const decisionInText = /\{\s*"(?:decision|permissionDecision|continue|hookSpecificOutput)"\s*:/;
const NOT_AT_A_LINE_START =
  "its output contains what looks like a decision, but the JSON object does not begin at the start of a line, so it was not used";

function misspelt(object: Record<string, unknown>): string[] {
  return Object.keys(object).flatMap((key) => {
    const meant = key.length > 5 ? nearestName(key, [...KNOWN_FIELDS]) : undefined;
    return meant ? [`it printed the field "${key}", which Wave does not know; did you mean "${meant}"?`] : [];
  });
}

// eslint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/g;

/** The next brace at the start of a line, or right behind the object before it. */
function nextStart(text: string, from: number, behindObject: boolean): number | undefined {
  const attached = behindObject ? /^[ \t]*\{/.exec(text.slice(from, from + 200)) : undefined;
  if (attached) return from + attached[0].length - 1;
  const pattern = /^[\uFEFF \t]*\{/gm;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? match.index + match[0].length - 1 : undefined;
}

/** The index behind the brace that closes the one at `start`, or undefined. Braces in strings do not count. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return index + 1;
  }
  return undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // SyntaxError: the caller says where.
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(printed: string, text: string, start: number): string {
  const piece = text.slice(start, start + 200).trim();
  return `output at character ${placeIn(printed, start)} looks like JSON and cannot be parsed: ${piece}`;
}

/** Where that is in what the hook printed, colours included: there its author will look for it. */
function placeIn(printed: string, start: number): number {
  let place = start;
  for (const { index, 0: colour } of printed.matchAll(colours)) {
    if (index > place) break;
    place += colour.length;
  }
  return place;
}
