import {
  closeField,
  DECIDING_FIELDS,
  isForWave,
  isRecord,
  knownFields,
  misspeltText,
} from "./outputFields.ts";
import { wronglyEncoded } from "./wrongEncoding.ts";
import { readRepeated, type PrintedObject } from "./repeatedNames.ts";
import { once } from "../utils/once.ts";
import { readableJson } from "../utils/readable.ts";

export interface FoundOutput {
  objects: PrintedObject[];
  /** All it printed is one object without a field Wave knows; these are its fields. It is no text for the model (JO-8). */
  foreign?: string[];
  /** Something began like an object with a field Wave knows and cannot be used (JO-7, T109). */
  broken: string | undefined;
  /** What looks like a decision that went wrong and is only text to Wave: said, so that a typo is no silent consent. */
  nearMisses: string[];
}

// In either kind of quotes: a decision written as a Python dictionary is one that went wrong.
const knownFieldInText = once(() => new RegExp(`["'](?:${[...knownFields()].join("|")})["']\\s*:`));
// A dictionary of another language may have no quotes, and words joined as is the custom there.
const DECIDING_NAME = `(?:${DECIDING_FIELDS.map((field) => field.replaceAll(/(?=[A-Z])/g, "[_-]?")).join("|")})`;
// In quotes right behind a brace it is a field, whatever became of the colon.
const decidingInText = new RegExp(
  `[{,]\\s*(?:["']?${DECIDING_NAME}["']?\\s*[:=]|["']${DECIDING_NAME}["'])`,
  "i",
);

// Output is at most a megabyte, but a thousand unclosed braces would each be scanned to the end of it.
const SCAN_BUDGET = 16 * 1024 * 1024;

/**
 * Finds the JSON objects in what a hook printed (JO-8): each begins at the start of a line, text before and after
 * does not hide it. A greeting of a shell profile, a byte-order mark, CRLF and colours are all survived.
 */
export function findObjects(stdout: string): FoundOutput {
  const text = readableJson(stdout.includes("\u001b") ? stdout.replace(colours, "") : stdout);
  const found: FoundOutput = { objects: [], broken: undefined, nearMisses: [] };
  // Lines of a log have the same few names, and say the same.
  const nearMisses = new Set<string>();
  const close = remembered(closeField);
  let scanned = 0;
  let from = 0;
  /** Everything that is in no object for Wave. */
  let rest = "";
  let restFrom = 0;
  for (;;) {
    const start = nextStart(text, from, found.objects.length > 0);
    if (start === undefined) break;
    const end = closingBracket(text, start);
    scanned += (end ?? text.length) - start;
    const piece = text.slice(start, end);
    const parsed = end === undefined || !piece.includes("{") ? undefined : parse(piece);
    if (isRecord(parsed)) {
      from = end ?? text.length;
      if (isForWave(parsed, close)) {
        found.objects.push(readRepeated(piece, parsed));
        rest += text.slice(restFrom, start);
        restFrom = from;
      } else {
        for (const miss of misspeltText(parsed, close)) nearMisses.add(miss);
        if (piece === text.trim()) found.foreign = Object.keys(parsed);
      }
      continue;
    }
    if (Array.isArray(parsed)) {
      // What stands on lines of its own in the list is read all the same: a deny among it holds.
      if (parsed.some((one) => isRecord(one) && isForWave(one, close))) found.broken ??= IN_A_LIST;
    } else if (looksLikeObjects(piece)) found.broken ??= describe(stdout, text, start);
    if (scanned > SCAN_BUDGET) {
      if (text[start] === "{" || hasField(text.slice(start))) found.broken ??= describe(stdout, text, start);
      break;
    }
    // Not behind the broken part: a deny further down must not be swallowed by an unclosed brace above it.
    from = start + 1;
  }
  if (found.objects.length === 0)
    found.broken ??= wronglyEncoded(text, (plain) => decidingInText.test(plain));
  if (!found.broken && decisionInText.test(rest + text.slice(restFrom))) nearMisses.add(NOT_AT_A_LINE_START);
  return { ...found, nearMisses: [...nearMisses] };
}

function remembered<T>(find: (word: string) => T): (word: string) => T {
  const found = new Map<string, T>();
  return (word) => {
    const known = found.get(word);
    if (known !== undefined || found.has(word)) return known as T;
    const value = find(word);
    found.set(word, value);
    return value;
  };
}

const decisionInText = new RegExp(`\\{\\s*"(?:${DECIDING_FIELDS.join("|")})"\\s*:`);
const NOT_AT_A_LINE_START =
  "its output contains what looks like a decision, but the JSON object does not begin at the start of a line, so it was not used";

const IN_A_LIST = "it printed a list, which Wave does not read; print the object in it without the [ ]";

/** A line that begins with a bracket is mostly a line of a log. */
const looksLikeObjects = (piece: string) => /^(?:\[\s*)*\{/.test(piece) && hasField(piece);

const hasField = (text: string) => knownFieldInText().test(text) || decidingInText.test(text);

// eslint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/g;

/** The next brace or bracket at the start of a line, or brace right behind the object before it. */
export function nextStart(text: string, from: number, behindObject: boolean): number | undefined {
  const attached = behindObject ? /^[ \t]*\{/.exec(text.slice(from, from + 200)) : undefined;
  if (attached) return from + attached[0].length - 1;
  const pattern = /^[\uFEFF \t]*[{[]/gm;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match ? match.index + match[0].length - 1 : undefined;
}

/** The index behind what closes the brace or bracket at `start`, or undefined. Those in strings do not count. */
export function closingBracket(text: string, start: number): number | undefined {
  const open = text[start];
  const close = open === "{" ? "}" : "]";
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return index + 1;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // SyntaxError: the caller says where.
    return undefined;
  }
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
